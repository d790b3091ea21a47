/*
 * clf.h -- the parts of a record of CLF: the only definition
 *
 * In the common subset of C11, CUDA C++ and OpenCL C, as fields.h.
 *
 * A record is of the Combined Log Format if its field 8 is quoted.  Else it is
 * of the Common one: referer and agent are missing, and what a server adds
 * begins with field 8.
 *
 * A request is a method, a space and a target, both not empty; then, after the
 * last space, a protocol that begins with HTTP/.  Without such a protocol, the
 * target extends to the end: so a target may have spaces.  The path is the
 * target before the first question mark, the query is what follows it.  Any
 * other request, and a part that is not there, are missing.
 *
 * A time is dd/Mon/yyyy:HH:MM:SS, then its end or a space and anything, such
 * as the time zone.  Its numbers are in their ranges: day 1 to 31 of any month,
 * and 60 seconds may be.  The parts of any other time are missing.
 */

#ifndef GPUHIST_CLF_H
#define GPUHIST_CLF_H

#include "fields.h"

/* The numbers of fields, from 1. */
enum {
    CLF_TIME = 4,
    CLF_REQUEST = 5,
    CLF_BYTES = 7,
    CLF_REFERER = 8,
    CLF_AGENT = 9,
};

/* The most bytes of a part of a time, "2026-11-22T08:01". */
#define CLF_TIME_BYTES 16

/* The bytes of a time that matter. */
#define CLF_TIME_READ 20

BINNING_FUNCTION struct text_slice
clf_missing(void)
{
    struct text_slice slice;

    slice.at = TEXT_SLICE_MISSING;
    slice.size = 0;
    return slice;
}

/*
 * Whether a record is Combined: BYTES and REFERER are its fields 7 and 8, or
 * missing.  A quote before field 8 opens it, unless it closes field 7.
 */
BINNING_FUNCTION int
clf_is_combined(BINNING_GLOBAL const unsigned char *data,
                struct text_slice bytes, struct text_slice referer)
{
    return referer.at != TEXT_SLICE_MISSING && data[referer.at - 1] == '"' &&
           referer.at - 1 > bytes.at + bytes.size;
}

/* The first BYTE of SLICE from AT on, or its end; AT is in SLICE or its end. */
BINNING_FUNCTION binning_u32
clf_search(BINNING_GLOBAL const unsigned char *data, struct text_slice slice,
           binning_u32 at, unsigned char byte)
{
    while (at < slice.at + slice.size && data[at] != byte)
        at++;
    return at;
}

/* Where the protocol of REQUEST begins, after TARGET; or its end. */
BINNING_FUNCTION binning_u32
clf_protocol(BINNING_GLOBAL const unsigned char *data,
             struct text_slice request, binning_u32 target)
{
    binning_u32 end = request.at + request.size;
    binning_u32 at = end;

    while (at > target && data[at - 1] != ' ')
        at--;
    if (at - target < 2 || end - at < 5 || data[at] != 'H' ||
        data[at + 1] != 'T' || data[at + 2] != 'T' || data[at + 3] != 'P' ||
        data[at + 4] != '/')
        return end;
    return at;
}

/* PART, which is not of a time, of REQUEST, which may be missing. */
BINNING_FUNCTION struct text_slice
clf_request(BINNING_GLOBAL const unsigned char *data, struct text_slice request,
            binning_u32 part)
{
    struct text_slice target;
    struct text_slice slice;
    binning_u32 end = request.at + request.size;

    if (request.at == TEXT_SLICE_MISSING)
        return clf_missing();
    slice.at = request.at;
    slice.size = clf_search(data, request, request.at, ' ') - request.at;
    target.at = slice.at + slice.size + 1;
    if (slice.size == 0 || target.at >= end)
        return clf_missing();
    if (part == TEXT_PART_METHOD)
        return slice;
    slice.at = clf_protocol(data, request, target.at);
    slice.size = end - slice.at;
    if (part == TEXT_PART_PROTOCOL)
        return slice.size > 0 ? slice : clf_missing();
    target.size = (slice.size > 0 ? slice.at - 1 : end) - target.at;
    if (part == TEXT_PART_TARGET)
        return target;
    slice.at = clf_search(data, target, target.at, '?');
    if (part == TEXT_PART_PATH) {
        target.size = slice.at - target.at;
        return target;
    }
    slice.at++;
    end = target.at + target.size;
    if (slice.at > end)
        return clf_missing();
    slice.size = end - slice.at;
    return slice;
}

/* The two digits at AT, or 100. */
BINNING_FUNCTION binning_u32
clf_two_digits(BINNING_GLOBAL const unsigned char *data, binning_u32 at)
{
    binning_u32 tens = (binning_u32)data[at] - '0';
    binning_u32 ones = (binning_u32)data[at + 1] - '0';

    return tens < 10 && ones < 10 ? 10 * tens + ones : 100;
}

/* The month with the name of three letters at AT, from 1; 0: no name. */
BINNING_FUNCTION binning_u32
clf_month(BINNING_GLOBAL const unsigned char *data, binning_u32 at)
{
    binning_u32 name = (binning_u32)data[at] << 16 |
                       (binning_u32)data[at + 1] << 8 | data[at + 2];

    switch (name) {
    case 0x4a616e:
        return 1;
    case 0x466562:
        return 2;
    case 0x4d6172:
        return 3;
    case 0x417072:
        return 4;
    case 0x4d6179:
        return 5;
    case 0x4a756e:
        return 6;
    case 0x4a756c:
        return 7;
    case 0x417567:
        return 8;
    case 0x536570:
        return 9;
    case 0x4f6374:
        return 10;
    case 0x4e6f76:
        return 11;
    case 0x446563:
        return 12;
    default:
        return 0;
    }
}

/* Whether TIME, which may be missing, is one. */
BINNING_FUNCTION int
clf_is_time(BINNING_GLOBAL const unsigned char *data, struct text_slice time)
{
    binning_u32 at = time.at;

    if (time.size < CLF_TIME_READ)
        return 0;
    return clf_two_digits(data, at) - 1 < 31 && data[at + 2] == '/' &&
           clf_month(data, at + 3) != 0 && data[at + 6] == '/' &&
           clf_two_digits(data, at + 7) < 100 &&
           clf_two_digits(data, at + 9) < 100 && data[at + 11] == ':' &&
           clf_two_digits(data, at + 12) < 24 && data[at + 14] == ':' &&
           clf_two_digits(data, at + 15) < 60 && data[at + 17] == ':' &&
           clf_two_digits(data, at + 18) <= 60 &&
           (time.size == CLF_TIME_READ || data[at + CLF_TIME_READ] == ' ');
}

/*
 * Write PART of TIME, for which clf_is_time(), to VALUE, which has room for
 * CLF_TIME_BYTES.  Returns the number of bytes.
 */
BINNING_FUNCTION binning_u32
clf_put_time(BINNING_GLOBAL const unsigned char *data, struct text_slice time,
             binning_u32 part, unsigned char *value)
{
    binning_u32 month = clf_month(data, time.at + 3);
    binning_u32 i;

    for (i = 0; i < 4; i++)
        value[i] = data[time.at + 7 + i];
    value[4] = '-';
    value[5] = (unsigned char)('0' + month / 10);
    value[6] = (unsigned char)('0' + month % 10);
    value[7] = '-';
    value[8] = data[time.at];
    value[9] = data[time.at + 1];
    value[10] = 'T';
    for (i = 11; i < CLF_TIME_BYTES; i++)
        value[i] = data[time.at + 1 + i];
    return part == TEXT_PART_DAY ? 10 : part == TEXT_PART_HOUR ? 13 : 16;
}

/* Whether PART must be written by clf_put_time(). */
BINNING_FUNCTION int
clf_is_of_time(binning_u32 part)
{
    return part >= TEXT_PART_MINUTE && part <= TEXT_PART_DAY;
}

/*
 * The slice of FIELD in a record of CLF, TEXT_SLICE_MISSING if it has none.
 * The slice of a part of a time is the time.
 */
BINNING_FUNCTION struct text_slice
clf_find(const struct text_format *format,
         BINNING_GLOBAL const unsigned char *data,
         const struct text_record *record, struct text_field field)
{
    struct text_field seventh = {CLF_BYTES, 0, TEXT_PART_ALL};
    struct text_field eighth = {CLF_REFERER, 0, TEXT_PART_ALL};
    struct text_slice slice = fields_find(format, data, record, field);
    int is_combined;

    if (field.part == TEXT_PART_ALL)
        return slice;
    if (clf_is_of_time(field.part))
        return clf_is_time(data, slice) ? slice : clf_missing();
    if (field.part < TEXT_PART_COMBINED)
        return clf_request(data, slice, field.part);
    is_combined =
        clf_is_combined(data, fields_find(format, data, record, seventh),
                        fields_find(format, data, record, eighth));
    if (is_combined)
        return slice;
    if (field.part == TEXT_PART_COMBINED)
        return clf_missing();
    field.number -= 2;
    return fields_find(format, data, record, field);
}

#endif

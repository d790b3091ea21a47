/* SPDX-License-Identifier: MIT */
/*
 * clf.h -- the parts of a record of CLF: the only definition
 *
 * In the common subset of C11, CUDA C++ and OpenCL C, as fields.h.
 *
 * A record fits the format if its first fields are
 *
 *     host, ident, user  without blanks
 *     time               [dd/Mon/yyyy:HH:MM:SS +zzzz], the time of a calendar;
 *                        60 seconds may be
 *     request            in quotes that are closed
 *     status             three digits, or -
 *     bytes              digits, or -
 *
 * and a blank or the record's end follows each of them.  The fields of any
 * other record are TEXT_SIZE_INVALID, but those of a record of blanks are
 * missing.
 *
 * A virtual host may stand before the host.  It is not counted as a field, so
 * that all numbers are the same with and without it.  A record has a virtual
 * host if, of its fields with the virtual host as field 1,
 *
 *     1    is a name, or a name, a colon and digits: the port, which is left
 *          out; a name has any bytes but blanks, quotes, brackets, commas and
 *          colons
 *     2    has a dot or a colon in it
 *     4    does not start with a bracket
 *     5    starts with a bracket
 *
 * A record whose field 4 starts with a bracket has its time there, and starts
 * with its host.  So an address of IPv6 (::1 - - [...]) is the host, and so is
 * the field before an identity with a dot (h a.b - [...]).  A host without dot
 * and colon, as "-" or "localhost", is not enough for a virtual host: "h - a b
 * [...]", a user with a blank, does not fit, and neither does "www.example.org
 * - - - [...]".  The comma keeps lists of clients (1.2.3.4, 10.0.0.1 - - [...])
 * from being read as a virtual host and a client.
 *
 * A record is of the Combined Log Format if its field 8 is quoted.  Any other
 * record is of the Common Log Format: referer and agent are missing, and the
 * fields that a server adds start with field 8.
 *
 * A request is a method, a space and a target, both not empty; then, after the
 * last space, a protocol that starts with HTTP/. Without a protocol, the target
 * extends to the end: so a target may have spaces.  The path is the target
 * before the first question mark, and the query follows the question mark.  The
 * parts of any other request, and absent parts, are missing.
 */

#ifndef GPUHIST_CLF_H
#define GPUHIST_CLF_H

#include "kernels/text/fields.h"

/* The numbers of fields, from 1. */
enum {
    CLF_HOST = 1,
    CLF_IDENT,
    CLF_USER,
    CLF_TIME,
    CLF_REQUEST,
    CLF_STATUS,
    CLF_BYTES,
    CLF_REFERER,
    CLF_AGENT,
};

/* The most bytes of a part of a time, "2026-11-22T08:01". */
#define CLF_TIME_BYTES 16

/* The bytes of a time in a record. */
#define CLF_TIME_SIZE 26

DEVICE_FN struct text_slice
clf_missing(void)
{
    struct text_slice slice;

    slice.at = TEXT_SLICE_MISSING;
    slice.size = 0;
    return slice;
}

/*
 * Whether a record is Combined: BYTES and REFERER are its fields 7 and 8, or
 * missing.  A quote before field 8 opens the field, unless the quote closes
 * field 7.
 */
DEVICE_FN int
clf_is_combined(DEVICE_GLOBAL const unsigned char *data,
                struct text_slice bytes, struct text_slice referer)
{
    return referer.at != TEXT_SLICE_MISSING && data[referer.at - 1] == '"' &&
           referer.at - 1 > bytes.at + bytes.size;
}

/* The first BYTE of SLICE from AT on, or its end; AT is in SLICE or its end. */
DEVICE_FN binning_u32
clf_search(DEVICE_GLOBAL const unsigned char *data, struct text_slice slice,
           binning_u32 at, unsigned char byte)
{
    while (at < slice.at + slice.size && data[at] != byte)
        at++;
    return at;
}

/* Where the protocol of REQUEST starts, after TARGET; or its end. */
DEVICE_FN binning_u32
clf_protocol(DEVICE_GLOBAL const unsigned char *data, struct text_slice request,
             binning_u32 target)
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
DEVICE_FN struct text_slice
clf_request(DEVICE_GLOBAL const unsigned char *data, struct text_slice request,
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
DEVICE_FN binning_u32
clf_two_digits(DEVICE_GLOBAL const unsigned char *data, binning_u32 at)
{
    binning_u32 tens = (binning_u32)data[at] - '0';
    binning_u32 ones = (binning_u32)data[at + 1] - '0';

    return tens < 10 && ones < 10 ? 10 * tens + ones : 100;
}

/* The month with the name of three letters at AT, from 1; 0: no name. */
DEVICE_FN binning_u32
clf_month(DEVICE_GLOBAL const unsigned char *data, binning_u32 at)
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

/* The days of MONTH, from 1, of YEAR. */
DEVICE_FN binning_u32
clf_days(binning_u32 month, binning_u32 year)
{
    int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    if (month == 2)
        return is_leap ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/* Whether the CLF_TIME_SIZE bytes at AT are a time. */
DEVICE_FN int
clf_is_time(DEVICE_GLOBAL const unsigned char *data, binning_u32 at)
{
    binning_u32 day = clf_two_digits(data, at);
    binning_u32 month = clf_month(data, at + 3);
    binning_u32 century = clf_two_digits(data, at + 7);
    binning_u32 year = clf_two_digits(data, at + 9);

    return month != 0 && century < 100 && year < 100 && day != 0 &&
           day <= clf_days(month, 100 * century + year) &&
           data[at + 2] == '/' && data[at + 6] == '/' && data[at + 11] == ':' &&
           clf_two_digits(data, at + 12) < 24 && data[at + 14] == ':' &&
           clf_two_digits(data, at + 15) < 60 && data[at + 17] == ':' &&
           clf_two_digits(data, at + 18) <= 60 && data[at + 20] == ' ' &&
           (data[at + 21] == '+' || data[at + 21] == '-') &&
           clf_two_digits(data, at + 22) < 100 &&
           clf_two_digits(data, at + 24) < 100;
}

/*
 * Write PART of TIME, of a record that fits, to VALUE, which has room for
 * CLF_TIME_BYTES.  Returns the number of bytes.
 */
DEVICE_FN binning_u32
clf_put_time(DEVICE_GLOBAL const unsigned char *data, struct text_slice time,
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
DEVICE_FN int
clf_is_of_time(binning_u32 part)
{
    return part >= TEXT_PART_MINUTE && part <= TEXT_PART_DAY;
}

/* ---- records ---- */

/* Whether SLICE is a dash, or digits: any number of them if SIZE is 0, else
   SIZE. */
DEVICE_FN int
clf_is_number(DEVICE_GLOBAL const unsigned char *data, struct text_slice slice,
              binning_u32 size)
{
    binning_u32 i;

    if (slice.size == 1 && data[slice.at] == '-')
        return 1;
    for (i = 0; i < slice.size; i++) {
        if ((binning_u32)data[slice.at + i] - '0' > 9)
            return 0;
    }
    return size == 0 || slice.size == size;
}

/*
 * Whether field NUMBER, from 1 to CLF_BYTES, of a record that ends at END fits
 * the format.  The field starts at FIRST, with its quote or bracket if it has
 * one, and has SLICE; the search for the next field starts at NEXT.
 */
DEVICE_FN int
clf_field_fits(DEVICE_GLOBAL const unsigned char *data, binning_u32 end,
               binning_u32 number, binning_u32 first, struct text_slice slice,
               binning_u32 next)
{
    binning_u32 i;

    if (next < end && !fields_is_blank(data[next]))
        return 0;
    switch (number) {
    case CLF_TIME:
        return data[first] == '[' && slice.size == CLF_TIME_SIZE &&
               slice.at + slice.size < end && clf_is_time(data, slice.at);
    case CLF_REQUEST:
        return data[first] == '"' && slice.at + slice.size < end;
    case CLF_STATUS:
        return first == slice.at && clf_is_number(data, slice, 3);
    case CLF_BYTES:
        return first == slice.at && clf_is_number(data, slice, 0);
    default:
        for (i = first; i < next; i++) {
            if (fields_is_blank(data[i]))
                return 0;
        }
        return 1;
    }
}

/*
 * Find the next field of a record that ends at END, from *AT on.  Sets *FIRST
 * and *SLICE as clf_field_fits() needs them, and *AT to where the search for
 * the field after it starts.  Returns whether there is a field.
 */
DEVICE_FN int
clf_next_field(DEVICE_GLOBAL const unsigned char *data, binning_u32 end,
               binning_u32 *at, binning_u32 *first, struct text_slice *slice)
{
    binning_u32 start = *at;

    while (start < end && fields_is_blank(data[start]))
        start++;
    if (start >= end)
        return 0;
    *first = start;
    *at = fields_clf_next(data, end, start, slice);
    return 1;
}

/*
 * Leave the colon and the port out of *SLICE, which has no quotes or brackets
 * around it.  Returns whether the slice is a name, with or without a port.
 */
DEVICE_FN int
clf_take_name(DEVICE_GLOBAL const unsigned char *data, struct text_slice *slice)
{
    binning_u32 end = slice->at + slice->size;
    binning_u32 at = slice->at;

    while (at < end && data[at] != ':') {
        if (data[at] == '"' || data[at] == '[' || data[at] == ']' ||
            data[at] == ',')
            return 0;
        at++;
    }
    slice->size = at - slice->at;
    if (slice->size == 0 || at + 1 == end)
        return 0;
    for (at++; at < end; at++) {
        if ((binning_u32)data[at] - '0' > 9)
            return 0;
    }
    return 1;
}

/*
 * Whether RECORD, whose field 4 does not start with a bracket and is followed
 * by AT, has a virtual host.  If so, sets *VHOST, and moves record->start
 * past the virtual host.
 */
DEVICE_FN int
clf_take_vhost(DEVICE_GLOBAL const unsigned char *data,
               struct text_record *record, binning_u32 at,
               struct text_slice *vhost)
{
    binning_u32 next = record->start;
    struct text_slice name;
    struct text_slice host;
    binning_u32 first;

    while (at < record->end && fields_is_blank(data[at]))
        at++;
    if (at >= record->end || data[at] != '[')
        return 0;
    if (!clf_next_field(data, record->end, &next, &first, &name) ||
        first != name.at || !clf_take_name(data, &name))
        return 0;
    at = next;
    if (!clf_next_field(data, record->end, &next, &first, &host))
        return 0;
    first = host.at;
    while (first < host.at + host.size && data[first] != '.' &&
           data[first] != ':')
        first++;
    if (first == host.at + host.size)
        return 0;
    record->start = at;
    *vhost = name;
    return 1;
}

/*
 * Returns the number of the first field of RECORD that does not fit, 0 if the
 * record fits or is blank.  Sets *AT to where that field starts, or to the
 * record's end if it has too few.  Sets *VHOST to the virtual host, or to a
 * missing slice, and moves record->start past the virtual host.
 */
DEVICE_FN binning_u32
clf_misfit(DEVICE_GLOBAL const unsigned char *data, struct text_record *record,
           binning_u32 *at, struct text_slice *vhost)
{
    struct text_slice slice;
    binning_u32 next = record->start;
    binning_u32 number;
    binning_u32 first;

    *vhost = clf_missing();
    *at = record->end;
    for (number = 1; number <= CLF_BYTES; number++) {
        if (!clf_next_field(data, record->end, &next, &first, &slice))
            return number > 1 ? number : 0;
        if (clf_field_fits(data, record->end, number, first, slice, next))
            continue;
        if (number == CLF_TIME && data[first] != '[' &&
            clf_take_vhost(data, record, next, vhost)) {
            next = record->start;
            number = 0;
            continue;
        }
        *at = first;
        return number;
    }
    return 0;
}

/* As clf_find(), for CLF.  Moves record->start past a virtual host. */
DEVICE_FN struct text_slice
clf_find_part(DEVICE_GLOBAL const unsigned char *data,
              struct text_record *record, struct text_field field)
{
    struct text_slice found = clf_missing();
    struct text_slice common = clf_missing(); /* two fields before it */
    struct text_slice bytes = clf_missing();
    struct text_slice referer = clf_missing();
    struct text_slice slice;
    binning_u32 last = field.number > CLF_REFERER ? field.number : CLF_REFERER;
    binning_u32 at = record->start;
    binning_u32 number;
    binning_u32 first;

    for (number = 1; number <= last; number++) {
        int is_there = clf_next_field(data, record->end, &at, &first, &slice);
        if (number <= CLF_BYTES &&
            (is_there
                 ? !clf_field_fits(data, record->end, number, first, slice, at)
                 : number > 1)) {
            if (is_there && number == CLF_TIME && data[first] != '[' &&
                clf_take_vhost(data, record, at, &slice)) {
                if (field.part == TEXT_PART_VHOST)
                    found = slice;
                at = record->start;
                number = 0;
                continue;
            }
            found = clf_missing();
            found.size = TEXT_SIZE_INVALID;
            return found;
        }
        if (!is_there)
            break;
        if (number == CLF_BYTES)
            bytes = slice;
        if (number == CLF_REFERER)
            referer = slice;
        if (number + 2 == field.number)
            common = slice;
        if (number == field.number && field.part != TEXT_PART_VHOST)
            found = slice;
    }
    if (field.part == TEXT_PART_ALL || field.part == TEXT_PART_VHOST ||
        clf_is_of_time(field.part))
        return found;
    if (field.part < TEXT_PART_COMBINED)
        return clf_request(data, found, field.part);
    if (clf_is_combined(data, bytes, referer))
        return found;
    return field.part == TEXT_PART_COMBINED ? clf_missing() : common;
}

/*
 * The slice of FIELD in RECORD, TEXT_SLICE_MISSING if it has none; of CLF, with
 * TEXT_SIZE_INVALID if the record does not fit.  The slice of a part of a time
 * is the time.
 */
DEVICE_FN struct text_slice
clf_find(const struct text_format *format,
         DEVICE_GLOBAL const unsigned char *data,
         const struct text_record *record, struct text_field field)
{
    struct text_record line = *record;
    struct text_slice slice;

    if (fields_are_clf(format)) {
        slice = clf_find_part(data, &line, field);
        if (!field.is_from_last || slice.size == TEXT_SIZE_INVALID)
            return slice;
    }
    return fields_find(format, data, &line, field);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * text_window.h -- the bytes of a tile, and where its records and fields are
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 * Offsets are offsets in the window unless a comment says otherwise.
 */

#ifndef GPUHIST_TEXT_WINDOW_H
#define GPUHIST_TEXT_WINDOW_H

#include "kernels/text/clf.h"
#include "kernels/text/text_quotes.h"

/* Instead of an offset: the record ends first, or the window does. */
#define TEXT_MISSING 0xffffffffu
#define TEXT_BEYOND 0xfffffffeu

/* ---- loading ---- */

/* Set the masks of the ends of records and fields of BYTES, by bytes alone. */
DEVICE_FN void
text_window_classify(const struct text_format *format,
                     const struct sequence_bytes *bytes, binning_u32 *ends,
                     binning_u32 *stops)
{
    *ends = sequence_mask_equal(bytes, format->end);
    *stops = *ends;
    if (fields_are_delimited(format))
        *stops |= sequence_mask_equal(bytes, format->delimiter);
    if (fields_are_runs(format) || fields_are_words(format))
        *stops |= sequence_mask_equal(bytes, ' ') |
                  sequence_mask_equal(bytes, '\t') |
                  sequence_mask_equal(bytes, '\n');
}

/* The bit of the byte before the window, which starts at START in the chunk. */
DEVICE_FN void
text_window_before(const struct text_task *task, binning_u32 start)
{
    const struct text_format *format = &task->work.format;
    binning_u32 byte = start > 0 ? task->data[start - 1] : format->end;
    binning_u32 is_end = byte == format->end;
    binning_u32 is_stop =
        is_end || (fields_are_delimited(format) && byte == format->delimiter) ||
        ((fields_are_runs(format) || fields_are_words(format)) &&
         fields_is_blank(byte));

    text_window_ends(task)[-1] = is_end << 31;
    text_window_stops(task)[-1] = is_stop << 31;
}

/* Load the window that starts at START in the chunk.  A barrier follows. */
DEVICE_FN void
text_window_load(const struct text_task *task, binning_u32 start)
{
    DEVICE_SHARED binning_u32 *bytes = text_window_bytes(task);
    DEVICE_SHARED binning_u32 *ends = text_window_ends(task);
    DEVICE_SHARED binning_u32 *stops = text_window_stops(task);

    if (DEVICE_THREAD == 0) {
        task->shared[TEXT_COUNTER_RECORDS] = 0;
        text_window_before(task, start);
    }
    DEVICE_ROLLED
    for (binning_u32 m = DEVICE_THREAD; m < TEXT_MASK_WORDS;
         m += DEVICE_THREADS) {
        binning_u32 end = 0;
        binning_u32 stop = 0;
        DEVICE_UNROLL
        for (binning_u32 half = 0; half < 2; half++) {
            struct sequence_bytes part =
                text_load(task, start + 32 * m + TEXT_VECTOR * half);
            binning_u32 part_ends;
            binning_u32 part_stops;
            text_window_classify(&task->work.format, &part, &part_ends,
                                 &part_stops);
            end |= part_ends << 16 * half;
            stop |= part_stops << 16 * half;
            DEVICE_UNROLL
            for (binning_u32 w = 0; w < SEQUENCE_WORDS; w++)
                bytes[8 * m + 4 * half + w] = part.word[w];
        }
        ends[m] = end;
        stops[m] = stop;
    }
}

/* ---- bytes ---- */

DEVICE_FN binning_u32
text_window_byte(const struct text_task *task, binning_u32 at)
{
    return text_window_bytes(task)[at / 4] >> 8 * (at & 3) & 255;
}

/* The 8 bytes at AT + MARGIN, the first one lowest; AT may be before the
   window, within its margin. */
DEVICE_FN binning_u64
text_window_load_8(const struct text_task *task, binning_u32 at_margin)
{
    DEVICE_SHARED const binning_u32 *word =
        task->shared + TEXT_SHARED_COUNTERS + at_margin / 4;
    binning_u32 shift = 8 * (at_margin & 3);
    binning_u64 low = word[0] | (binning_u64)word[1] << 32;
    binning_u64 high = word[1] | (binning_u64)word[2] << 32;

    return (binning_u32)(low >> shift) |
           (binning_u64)(binning_u32)(high >> shift) << 32;
}

/* ---- records ---- */

/* The bytes of mask word M that start fields of WHITESPACE and WORDS. */
DEVICE_FN binning_u32
text_window_starts(const struct text_task *task, binning_u32 m)
{
    DEVICE_SHARED const binning_u32 *stops = text_window_stops(task) + m;

    return ~stops[0] & (stops[0] << 1 | stops[-1] >> 31);
}

/*
 * The bytes of mask word M of the tile that start records.  The tile starts at
 * START in the chunk.
 */
DEVICE_FN binning_u32
text_window_records(const struct text_task *task, binning_u32 start,
                    binning_u32 m)
{
    DEVICE_SHARED const binning_u32 *ends = text_window_ends(task) + m;
    binning_u32 at = start + 32 * m;
    binning_u32 records;

    if (at >= task->size)
        return 0;
    if (fields_are_words(&task->work.format))
        return text_window_starts(task, m);
    records = ends[0] << 1 | ends[-1] >> 31;
    if (task->size - at < 32)
        records &= (1u << (task->size - at)) - 1;
    return records;
}

/* ---- fields ---- */

/* The first bit of MASK from AT on; or TEXT_BEYOND. */
DEVICE_FN binning_u32
text_window_next(DEVICE_SHARED const binning_u32 *mask, binning_u32 at)
{
    binning_u32 m = at / 32;
    binning_u32 bits;

    if (m >= TEXT_MASK_WORDS)
        return TEXT_BEYOND;
    bits = mask[m] & ~0u << (at & 31);
    DEVICE_ROLLED
    while (bits == 0) {
        if (++m == TEXT_MASK_WORDS)
            return TEXT_BEYOND;
        bits = mask[m];
    }
    return 32 * m + text_lowest(bits);
}

/*
 * In the record that goes on at AT, the NUMBER-th byte, from 1 on, that starts
 * a field of WHITESPACE, or ends a field, but not the record, of another
 * format.  Returns its offset, or TEXT_MISSING or TEXT_BEYOND.
 */
DEVICE_FN binning_u32
text_window_skip(const struct text_task *task, binning_u32 at,
                 binning_u32 number)
{
    DEVICE_SHARED const binning_u32 *ends = text_window_ends(task);
    DEVICE_SHARED const binning_u32 *stops = text_window_stops(task);
    int has_starts = fields_are_runs(&task->work.format);
    binning_u32 keep = ~0u << (at & 31);

    DEVICE_ROLLED
    for (binning_u32 m = at / 32; m < TEXT_MASK_WORDS; m++) {
        binning_u32 end = ends[m] & keep;
        binning_u32 marks =
            (has_starts ? text_window_starts(task, m) : stops[m]) & keep;
        binning_u32 count;
        if (end != 0)
            marks &= (end & (0u - end)) - 1;
        count = DEVICE_POPCOUNT(marks);
        if (count >= number) {
            DEVICE_ROLLED
            for (; number > 1; number--)
                marks &= marks - 1;
            return 32 * m + text_lowest(marks);
        }
        if (end != 0)
            return TEXT_MISSING;
        number -= count;
        keep = ~0u;
    }
    return TEXT_BEYOND;
}

/* Where the field starts in the record at AT; TEXT_MISSING or TEXT_BEYOND. */
DEVICE_FN binning_u32
text_window_field(const struct text_task *task, binning_u32 at)
{
    const struct text_format *format = &task->work.format;
    binning_u32 number = task->work.field.number;

    if (fields_are_whole(format))
        return number == 1 ? at : TEXT_MISSING;
    if (fields_are_runs(format))
        return text_window_skip(task, at, number);
    if (number == 1)
        return at;
    at = text_window_skip(task, at, number - 1);
    return at < TEXT_WINDOW ? at + 1 : at;
}

/* SLICE of the chunk as a slice of the window that starts at START and has its
   bytes. */
DEVICE_FN struct text_slice
text_window_slice(struct text_slice slice, binning_u32 start)
{
    if (slice.at != TEXT_SLICE_MISSING)
        slice.at -= start;
    return slice;
}

/* Whether RECORD, of CLF, has nothing but blanks. */
DEVICE_FN int
text_window_is_blank(const struct text_task *task,
                     const struct text_record *record)
{
    binning_u32 at = record->start;

    DEVICE_ROLLED
    while (at < record->end && fields_is_blank(task->data[at]))
        at++;
    return at == record->end;
}

/* The field of the record at AT, in the window that starts at START, found as
   the definition does, byte by byte, where the record ends in the window. */
DEVICE_FN struct text_slice
text_window_walk(const struct text_task *task, binning_u32 start,
                 binning_u32 at)
{
    const struct text_format *format = &task->work.format;
    DEVICE_SHARED const binning_u32 *mask = fields_are_words(format)
                                                ? text_window_stops(task)
                                                : text_window_ends(task);
    binning_u32 stop = text_window_next(mask, at);
    struct text_slice slice;
    struct text_record record;

    slice.at = TEXT_BEYOND;
    slice.size = 0;
    if (stop == TEXT_BEYOND)
        return slice;
    record.start = start + at;
    record.end = start + stop;
    record.next = record.end;
    record.is_comment = 0;
    if (fields_drop_return(format) && stop > at &&
        task->data[record.end - 1] == '\r')
        record.end--;
    slice = clf_find(format, task->data, &record, task->work.field);
    /* The host counts the records that do not fit, and the blank records. */
    if (fields_are_clf(format) && slice.at == TEXT_SLICE_MISSING &&
        (slice.size == TEXT_SIZE_INVALID ||
         text_window_is_blank(task, &record))) {
        slice.at = TEXT_BEYOND;
        return slice;
    }
    return text_window_slice(slice, start);
}

/*
 * The field of the record at AT, in the window that starts at START.  The slice
 * is at TEXT_MISSING if the record has no such field, and at TEXT_BEYOND if the
 * window ends first.
 */
DEVICE_FN struct text_slice
text_window_find(const struct text_task *task, binning_u32 start,
                 binning_u32 at)
{
    const struct text_format *format = &task->work.format;
    struct text_slice slice;
    binning_u32 stop;

    if (fields_are_clf(format) || task->work.field.is_from_last)
        return text_window_walk(task, start, at);
    slice.at = text_window_field(task, at);
    slice.size = 0;
    if (slice.at >= TEXT_BEYOND)
        return slice;
    stop = text_window_next(text_window_stops(task), slice.at);
    if (stop == TEXT_BEYOND) {
        slice.at = TEXT_BEYOND;
        return slice;
    }
    /* The carriage return at the end of a record is not part of it. */
    if (fields_are_csv(format) && stop > at &&
        (text_window_ends(task)[stop / 32] >> (stop & 31) & 1) != 0 &&
        text_window_byte(task, stop - 1) == '\r')
        stop--;
    slice.size = stop - slice.at;
    if (fields_are_csv(format) && slice.size > 0 &&
        text_window_byte(task, slice.at) == '"')
        slice = text_window_slice(
            fields_csv_slice(task->data, start + slice.at, start + stop),
            start);
    return slice;
}

/*
 * The span of the record at AT: from the start of the field to the end of the
 * last field of the span, or to the end of the record.  As text_window_find();
 * but in CSV the bytes are as they stand, with the quotes.
 */
DEVICE_FN struct text_slice
text_window_span(const struct text_task *task, binning_u32 at)
{
    DEVICE_SHARED const binning_u32 *ends = text_window_ends(task);
    const struct text_format *format = &task->work.format;
    struct text_slice slice;
    binning_u32 stop;

    slice.at = text_window_field(task, at);
    slice.size = 0;
    if (slice.at >= TEXT_BEYOND)
        return slice;
    stop = text_window_skip(task, slice.at, task->work.span + 1);
    if (stop == TEXT_MISSING)
        stop = text_window_next(ends, slice.at);
    else if (stop != TEXT_BEYOND && fields_are_runs(format))
        stop = text_window_next(text_window_stops(task), stop);
    if (stop == TEXT_BEYOND) {
        slice.at = TEXT_BEYOND;
        return slice;
    }
    if (fields_are_csv(format) && stop > at &&
        (ends[stop / 32] >> (stop & 31) & 1) != 0 &&
        text_window_byte(task, stop - 1) == '\r')
        stop--;
    slice.size = stop > slice.at ? stop - slice.at : 0;
    return slice;
}

#endif

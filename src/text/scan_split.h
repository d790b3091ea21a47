/* SPDX-License-Identifier: MIT */
/*
 * scan_split.h -- the fields of a record without quotes, for the forms of a
 * scan
 *
 * A processor can hardly predict which block of a record has the byte that is
 * looked for.  So the first two blocks are looked at together, without a branch
 * between them, and a field's end is looked for from its start on.  IS_INNER,
 * as in load(), holds for every offset of the record and for the offset after
 * its end.  So a record of SHORT_BYTES may be looked at in two blocks.
 *
 * Masks are not cut at a record's end: a field found after the end is missing,
 * or ends there.  Rare cases have functions of their own, which leaves
 * registers to the rest.
 */

#ifndef GPUHIST_SCAN_SPLIT_H
#define GPUHIST_SCAN_SPLIT_H

#include "text/scan_block.h"

/* The bytes of a record, without its end. */
struct text_span {
    uint32_t start;
    uint32_t end;
};

/* Masks of two adjacent blocks. */
struct pair {
    uint64_t first;
    uint64_t second;
};

/*
 * Find bit SKIP, from 0, of a pair of masks for the blocks from AT on.  Returns
 * its offset, or TEXT_SLICE_MISSING and subtracts their bits from *SKIP.
 */
INLINE uint32_t
pair_find(struct pair pair, uint32_t at, uint32_t *skip)
{
    uint32_t count = bit_count(pair.first);
    uint32_t both = count + bit_count(pair.second);
    uint64_t is_second = 0 - (uint64_t)(count <= *skip);
    uint64_t mask = pair.first ^ ((pair.first ^ pair.second) & is_second);

    if (both <= *skip) {
        *skip -= both;
        return TEXT_SLICE_MISSING;
    }
    return at + (BLOCK_BYTES & (uint32_t)is_second) +
           bit_nth(mask, *skip - (count & (uint32_t)is_second));
}

/* ---- DELIMITED ---- */

INLINE struct pair
delimited_pair(const struct text_view *view, uint32_t at,
               unsigned char delimiter, const bool is_inner)
{
    struct pair pair = {block_match(load(view, at, is_inner), delimiter), 0};

    if (is_inner || view->size - at > BLOCK_BYTES)
        pair.second =
            block_match(load(view, at + BLOCK_BYTES, is_inner), delimiter);
    return pair;
}

/* The first delimiter from AT on, at most END. */
TARGET static __attribute__((noinline)) uint32_t
delimited_stop_far(const struct text_view *view, uint32_t at, uint32_t end,
                   unsigned char delimiter)
{
    return find_either(view, at, end, delimiter, delimiter, false);
}

/* Delimiter SKIP, from 0, from AT on, or TEXT_SLICE_MISSING. */
TARGET static __attribute__((noinline)) uint32_t
delimited_skip_far(const struct text_view *view, uint32_t at, uint32_t end,
                   unsigned char delimiter, uint32_t skip)
{
    uint32_t found = TEXT_SLICE_MISSING;

    for (; at < end && found == TEXT_SLICE_MISSING; at += 2 * BLOCK_BYTES)
        found =
            pair_find(delimited_pair(view, at, delimiter, false), at, &skip);
    return found;
}

/*
 * The starts of the fields of a record of less than SHORT_BYTES at AT, without
 * regard to its end.
 */
INLINE uint64_t
delimited_starts(const struct text_view *view, uint32_t at,
                 unsigned char delimiter, const bool is_inner)
{
    return block_match(load(view, at, is_inner), delimiter) << 1 | 1;
}

/* The field after SKIP fields, which are counted from AT on. */
INLINE struct text_slice
delimited_field(const struct text_view *view, uint32_t at, uint32_t end,
                unsigned char delimiter, uint32_t skip, const bool is_inner)
{
    uint32_t stop;

    if (end - at < SHORT_BYTES) {
        uint64_t mask = bits_from_nth(
            delimited_starts(view, at, delimiter, is_inner), skip);
        uint32_t start = at + bit_first(mask);
        if (start > end)
            return slice_missing();
        stop = at + bit_first(mask & (mask - 1)) - 1;
        return slice_of(start, lower_of(stop, end));
    }
    if (skip > 0) {
        uint32_t left = skip - 1;
        uint32_t found =
            pair_find(delimited_pair(view, at, delimiter, is_inner), at, &left);
        if (found == TEXT_SLICE_MISSING && end - at > 2 * BLOCK_BYTES)
            found = delimited_skip_far(view, at + 2 * BLOCK_BYTES, end,
                                       delimiter, left);
        if (found >= end)
            return slice_missing();
        at = found + 1;
    }
    uint64_t mask = block_match(load(view, at, is_inner), delimiter);
    if (mask == 0)
        return slice_of(at, delimited_stop_far(view, at, end, delimiter));
    return slice_of(at, lower_of(at + bit_first(mask), end));
}

/* From the end backward. */
INLINE void
delimited_tails(const struct scan *scan, const struct text_view *view,
                struct text_span record, unsigned char delimiter,
                struct text_slice *out)
{
    const unsigned char *data = view->data;
    uint32_t number = 0; /* of the field that ends at STOP */
    uint32_t stop = record.end;

    for (size_t i = 0; i < scan->tails; number++) {
        bool is_there = stop != TEXT_SLICE_MISSING;
        uint32_t at = is_there ? stop : 0;
        while (is_there && at > record.start && data[at - 1] != delimiter)
            at--;
        if (!is_there || number == scan->tail[i].number)
            out[scan->tail[i++].column] =
                is_there ? slice_of(at, stop) : slice_missing();
        stop = is_there && at > record.start ? at - 1 : TEXT_SLICE_MISSING;
    }
}

/* ---- WHITESPACE ---- */

/* The starts of fields; *BEFORE is whether the byte before them is blank. */
INLINE struct pair
whitespace_pair(const struct text_view *view, uint32_t at, uint64_t *before,
                const bool is_inner)
{
    uint64_t blank = block_blanks(load(view, at, is_inner));
    struct pair pair = {~blank & (blank << 1 | *before), 0};

    *before = blank >> 63;
    if (is_inner || view->size - at > BLOCK_BYTES) {
        blank = block_blanks(load(view, at + BLOCK_BYTES, is_inner));
        pair.second = ~blank & (blank << 1 | *before);
        *before = blank >> 63;
    }
    return pair;
}

/* The first blank from AT on, at most END. */
TARGET static __attribute__((noinline)) uint32_t
whitespace_stop_far(const struct text_view *view, uint32_t at, uint32_t end)
{
    for (; at < end; at += BLOCK_BYTES) {
        uint64_t mask = block_blanks(load(view, at, false));
        if (mask != 0)
            return lower_of(at + bit_first(mask), end);
    }
    return end;
}

/* The start of the field after SKIP fields, or TEXT_SLICE_MISSING. */
TARGET static __attribute__((noinline)) uint32_t
whitespace_skip_far(const struct text_view *view, uint32_t at, uint32_t end,
                    uint64_t before, uint32_t skip)
{
    uint32_t found = TEXT_SLICE_MISSING;

    for (; at < end && found == TEXT_SLICE_MISSING; at += 2 * BLOCK_BYTES)
        found = pair_find(whitespace_pair(view, at, &before, false), at, &skip);
    return found;
}

/* As delimited_field(). */
INLINE struct text_slice
whitespace_field(const struct text_view *view, uint32_t at, uint32_t end,
                 uint32_t skip, const bool is_inner)
{
    if (end - at < SHORT_BYTES) {
        uint64_t blank = block_blanks(load(view, at, is_inner));
        uint64_t mask = bits_from_nth(~blank & (blank << 1 | 1), skip);
        uint32_t bit = bit_first(mask);
        uint32_t start = at + bit;
        if (start >= end)
            return slice_missing();
        uint32_t stop = at + bit_first(blank & ~bits_below(bit));
        return slice_of(start, lower_of(stop, end));
    }
    uint64_t before = 1;
    uint32_t found =
        pair_find(whitespace_pair(view, at, &before, is_inner), at, &skip);
    if (found == TEXT_SLICE_MISSING && end - at > 2 * BLOCK_BYTES)
        found =
            whitespace_skip_far(view, at + 2 * BLOCK_BYTES, end, before, skip);
    if (found >= end)
        return slice_missing();
    uint64_t mask = block_blanks(load(view, found, is_inner));
    if (mask == 0)
        return slice_of(found, whitespace_stop_far(view, found, end));
    return slice_of(found, lower_of(found + bit_first(mask), end));
}

/*
 * The wanted fields from HEAD to HEADS_END of WHITESPACE, in an inner record,
 * if all end within 64 bytes of the first one's start, and none is missing.
 * Returns false if not.
 */
INLINE bool
whitespace_near(const struct scan_field *head,
                const struct scan_field *heads_end,
                const struct text_view *view, struct text_span record,
                struct text_slice *out)
{
    uint64_t before = 1;
    uint32_t skip = head->skip;
    uint32_t at = pair_find(whitespace_pair(view, record.start, &before, true),
                            record.start, &skip);

    if (at >= record.end)
        return false;
    uint64_t blank = block_blanks(load(view, at, true));
    uint64_t starts = ~blank & (blank << 1);
    uint64_t ends = blank; /* of the last field */
    out[head->column] =
        slice_of(at, lower_of(at + bit_first(ends), record.end));
    while (++head < heads_end) {
        uint64_t mask = bits_from_nth(starts, head->skip);
        uint32_t start = at + bit_first(mask);
        ends = blank & (0 - (mask & (0 - mask)));
        if (start >= record.end)
            return false;
        out[head->column] =
            slice_of(start, lower_of(at + bit_first(ends), record.end));
        starts = mask & (mask - 1);
    }
    return ends != 0;
}

INLINE void
whitespace_tails(const struct scan *scan, const struct text_view *view,
                 struct text_span record, struct text_slice *out)
{
    const unsigned char *data = view->data;
    uint32_t number = 0; /* of the field that ends at STOP */
    uint32_t stop = record.end;

    for (size_t i = 0; i < scan->tails; number++) {
        while (stop > record.start && fields_is_blank(data[stop - 1]))
            stop--;
        uint32_t at = stop;
        while (at > record.start && !fields_is_blank(data[at - 1]))
            at--;
        if (at == stop || number == scan->tail[i].number)
            out[scan->tail[i++].column] =
                at < stop ? slice_of(at, stop) : slice_missing();
        stop = at;
    }
}

/* ---- short records ---- */

/*
 * The wanted fields from HEAD to HEADS_END of DELIMITED, in an inner record of
 * less than SHORT_BYTES.  Returns false if one is missing.
 */
INLINE bool
split_short(const struct scan_field *head, const struct scan_field *heads_end,
            const struct text_view *view, struct text_span record,
            unsigned char delimiter, struct text_slice *out)
{
    uint64_t mask = delimited_starts(view, record.start, delimiter, true);
    uint32_t size = record.end - record.start;

    for (; head < heads_end; head++) {
        mask = bits_from_nth(mask, head->skip);
        uint32_t start = bit_first(mask);
        if (start > size)
            return false;
        mask &= mask - 1;
        uint32_t stop = lower_of(bit_first(mask) - 1, size);
        out[head->column] =
            (struct text_slice){record.start + start, stop - start};
    }
    return true;
}

#endif

/*
 * scan_split.h -- the fields of a record without quotes, for the forms of a
 * scan
 *
 * Which blocks of a record have what is looked for is hard to predict for a
 * processor.  So the first two are looked at together, without a branch
 * between them, and a field's end is looked for from its begin on.  IS_INNER,
 * as in load(), holds for every offset of the record.
 */

#ifndef GPUHIST_SCAN_SPLIT_H
#define GPUHIST_SCAN_SPLIT_H

#include "text/scan_block.h"

/* The bytes of a record, without its end. */
struct range {
    uint32_t begin;
    uint32_t end;
};

/* Masks of two adjacent blocks. */
struct pair {
    uint64_t first;
    uint64_t second;
};

/*
 * Find bit SKIP, from 1, of a pair of masks for the blocks from AT on.  Returns
 * its offset, or TEXT_SLICE_MISSING and subtracts their bits from *SKIP.
 */
INLINE uint32_t
pair_find(struct pair pair, uint32_t at, uint32_t *skip)
{
    uint32_t count = bit_count(pair.first);
    uint32_t both = count + bit_count(pair.second);
    uint64_t is_second = 0 - (uint64_t)(count < *skip);
    uint64_t mask = pair.first ^ ((pair.first ^ pair.second) & is_second);

    if (both < *skip) {
        *skip -= both;
        return TEXT_SLICE_MISSING;
    }
    return at + (BLOCK_BYTES & (uint32_t)is_second) +
           bit_nth(mask, *skip - (count & (uint32_t)is_second) - 1);
}

/* ---- DELIMITED ---- */

/* The offset after delimiter SKIP, from 1, or TEXT_SLICE_MISSING. */
INLINE uint32_t
delimited_skip(const struct chunk *chunk, uint32_t at, uint32_t end,
               unsigned char delimiter, uint32_t skip, const bool is_inner)
{
    for (;;) {
        uint32_t size = end - at;
        struct pair pair = {block_match(load(chunk, at, is_inner), delimiter),
                            0};
        if (size > BLOCK_BYTES)
            pair.second = block_match(load(chunk, at + BLOCK_BYTES, is_inner),
                                      delimiter) &
                          bits_below(size - BLOCK_BYTES);
        else
            pair.first &= bits_below(size);
        uint32_t found = pair_find(pair, at, &skip);
        if (found != TEXT_SLICE_MISSING)
            return found + 1;
        if (size <= 2 * BLOCK_BYTES)
            return TEXT_SLICE_MISSING;
        at += 2 * BLOCK_BYTES;
    }
}

/* The delimiters and the end of a record of SIZE bytes, fewer than a block. */
INLINE uint64_t
delimited_mask(const struct chunk *chunk, uint32_t at, uint32_t size,
               unsigned char delimiter, const bool is_inner)
{
    return (block_match(load(chunk, at, is_inner), delimiter) &
            bits_below(size)) |
           bit_at(size);
}

/* The field after SKIP fields, which are counted from AT on. */
INLINE struct text_slice
delimited_field(const struct chunk *chunk, uint32_t at, uint32_t end,
                unsigned char delimiter, uint32_t skip, const bool is_inner)
{
    if (skip > 0 && end - at < BLOCK_BYTES) {
        uint64_t mask =
            delimited_mask(chunk, at, end - at, delimiter, is_inner);
        if (bit_count(mask) <= skip)
            return slice_missing();
        return slice_of(at + bit_nth(mask, skip - 1) + 1,
                        at + bit_nth(mask, skip));
    }
    if (skip > 0)
        at = delimited_skip(chunk, at, end, delimiter, skip, is_inner);
    if (at == TEXT_SLICE_MISSING)
        return slice_missing();
    return slice_of(
        at, find_either(chunk, at, end, delimiter, delimiter, is_inner));
}

/* From the end backward. */
INLINE void
delimited_tails(const struct scan *scan, const struct chunk *chunk,
                struct range record, unsigned char delimiter,
                struct text_slice *out)
{
    const unsigned char *data = chunk->data;
    uint32_t number = 0; /* of the field that ends at STOP */
    uint32_t stop = record.end;

    for (size_t i = 0; i < scan->tails; number++) {
        bool is_there = stop != TEXT_SLICE_MISSING;
        uint32_t at = is_there ? stop : 0;
        while (is_there && at > record.begin && data[at - 1] != delimiter)
            at--;
        if (!is_there || number == scan->tail[i].number)
            out[scan->tail[i++].column] =
                is_there ? slice_of(at, stop) : slice_missing();
        stop = is_there && at > record.begin ? at - 1 : TEXT_SLICE_MISSING;
    }
}

/* ---- WHITESPACE ---- */

/* The begin of the field after SKIP fields, or TEXT_SLICE_MISSING. */
INLINE uint32_t
whitespace_skip(const struct chunk *chunk, uint32_t at, uint32_t end,
                uint32_t skip, const bool is_inner)
{
    uint64_t before = 1; /* whether the byte before the block is blank */

    skip++;
    for (;;) {
        uint32_t size = end - at;
        uint64_t blank =
            block_blanks(load(chunk, at, is_inner)) | ~bits_below(size);
        struct pair pair = {~blank & (blank << 1 | before), 0};
        before = blank >> 63;
        if (size > BLOCK_BYTES) {
            blank = block_blanks(load(chunk, at + BLOCK_BYTES, is_inner)) |
                    ~bits_below(size - BLOCK_BYTES);
            pair.second = ~blank & (blank << 1 | before);
            before = blank >> 63;
        }
        uint32_t found = pair_find(pair, at, &skip);
        if (found != TEXT_SLICE_MISSING || size <= 2 * BLOCK_BYTES)
            return found;
        at += 2 * BLOCK_BYTES;
    }
}

/* The first blank from AT on, or END. */
INLINE uint32_t
find_blank(const struct chunk *chunk, uint32_t at, uint32_t end,
           const bool is_inner)
{
    for (;;) {
        uint64_t mask =
            block_blanks(load(chunk, at, is_inner)) | bit_at(end - at);
        if (mask != 0)
            return at + bit_first(mask);
        at += BLOCK_BYTES;
    }
}

/* As delimited_field(). */
INLINE struct text_slice
whitespace_field(const struct chunk *chunk, uint32_t at, uint32_t end,
                 uint32_t skip, const bool is_inner)
{
    if (end - at < BLOCK_BYTES) {
        uint64_t blank =
            block_blanks(load(chunk, at, is_inner)) | ~bits_below(end - at);
        uint64_t begins = ~blank & (blank << 1 | 1);
        if (bit_count(begins) <= skip)
            return slice_missing();
        uint32_t bit = bit_nth(begins, skip);
        return slice_of(at + bit, at + bit_first(blank & ~bits_below(bit)));
    }
    at = whitespace_skip(chunk, at, end, skip, is_inner);
    if (at == TEXT_SLICE_MISSING)
        return slice_missing();
    return slice_of(at, find_blank(chunk, at, end, is_inner));
}

INLINE void
whitespace_tails(const struct scan *scan, const struct chunk *chunk,
                 struct range record, struct text_slice *out)
{
    const unsigned char *data = chunk->data;
    uint32_t number = 0; /* of the field that ends at STOP */
    uint32_t stop = record.end;

    for (size_t i = 0; i < scan->tails; number++) {
        while (stop > record.begin && fields_is_blank(data[stop - 1]))
            stop--;
        uint32_t at = stop;
        while (at > record.begin && !fields_is_blank(data[at - 1]))
            at--;
        if (at == stop || number == scan->tail[i].number)
            out[scan->tail[i++].column] =
                at < stop ? slice_of(at, stop) : slice_missing();
        stop = at;
    }
}

/* ---- both ---- */

/*
 * The wanted fields of DELIMITED in a record of less than a block.  Returns the
 * first that is missing.
 */
INLINE const struct scan_field *
split_short(const struct scan *scan, const struct chunk *chunk,
            struct range record, unsigned char delimiter,
            struct text_slice *out, const bool is_inner)
{
    const struct scan_field *head = scan->head;
    const struct scan_field *end = head + scan->heads;
    uint64_t mask = delimited_mask(
        chunk, record.begin, record.end - record.begin, delimiter, is_inner);
    uint32_t at = record.begin;

    for (; head < end && mask != 0; head++) {
        if (head->skip > 0) {
            if (bit_count(mask) <= head->skip)
                break;
            uint32_t bit = bit_nth(mask, head->skip - 1);
            at = record.begin + bit + 1;
            mask &= ~bits_below(bit + 1);
        }
        uint32_t stop = record.begin + bit_first(mask);
        out[head->column] = slice_of(at, stop);
        mask &= mask - 1;
        at = stop + 1;
    }
    return head;
}

/*
 * The wanted fields that are counted from the first.  DELIMITER is not used for
 * WHITESPACE.
 */
INLINE void
split_heads(const struct scan *scan, const struct chunk *chunk,
            struct range record, unsigned char delimiter,
            struct text_slice *out, const enum text_kind kind,
            const bool is_inner)
{
    const struct scan_field *head = scan->head;
    const struct scan_field *end = head + scan->heads;
    uint32_t at = record.begin;

    bool is_short =
        kind == TEXT_DELIMITED && record.end - record.begin < BLOCK_BYTES;

    if (is_short)
        head = split_short(scan, chunk, record, delimiter, out, is_inner);
    while (!is_short && head < end) {
        struct text_slice slice =
            kind == TEXT_WHITESPACE
                ? whitespace_field(chunk, at, record.end, head->skip, is_inner)
                : delimited_field(chunk, at, record.end, delimiter, head->skip,
                                  is_inner);
        out[head++->column] = slice;
        at = slice.at + slice.size;
        if (at >= record.end) /* also if it is missing */
            break;
        at += kind != TEXT_WHITESPACE;
    }
    for (; head < end; head++)
        out[head->column] = slice_missing();
}

#endif

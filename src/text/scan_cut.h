/* SPDX-License-Identifier: MIT */
/*
 * scan_cut.h -- where data of CSV may be cut, for the forms of a scan
 *
 * In well-formed blocks, quotes open and close in turns, and every quote that
 * opens starts a field or follows a quote that closes: two such quotes are a
 * quote inside of a field.  Then a prefix sum of bits tells which bytes are
 * inside.  Other blocks, and blocks with comments, are read byte by byte.
 */

#ifndef GPUHIST_SCAN_CUT_H
#define GPUHIST_SCAN_CUT_H

#include "text/csv_state.h"
#include "text/scan_block.h"

/* The state after BYTE, in no comment and no mark.  INSIDE: not 0 if the next
   byte is inside of quotes. */
INLINE enum csv_state
cut_state(const struct text_format *format, unsigned char byte, uint64_t inside)
{
    return inside != 0                 ? CSV_INSIDE
           : byte == '"'               ? CSV_CLOSED
           : byte == format->end       ? CSV_RECORD
           : byte == format->delimiter ? CSV_FIELD
                                       : CSV_PLAIN;
}

/*
 * Look for the last end of a record in the blocks from FROM to TO, after which
 * all bits of INSIDE are set if the next byte is inside of quotes.  Returns
 * whether there is one; then DONE of CUT is set.
 */
INLINE bool
cut_find_end(struct csv_cut *cut, const unsigned char *data, uint32_t from,
             uint32_t to, uint64_t inside)
{
    while (to > from) {
        block x = block_load(data + to - BLOCK_BYTES);
        uint64_t quote = block_match(x, '"');
        uint64_t before = inside ^ (0 - (uint64_t)(bit_count(quote) & 1));
        uint64_t ends = block_match(x, (unsigned char)cut->format->end) &
                        ~(prefix_xor(quote) ^ before);
        if (ends != 0) {
            cut->done = to - (uint32_t)__builtin_clzll(ends);
            return true;
        }
        inside = before;
        to -= BLOCK_BYTES;
    }
    return false;
}

/* Bytes that are searched for quotes at a time; after a search that finds a
   quote at once, the next one is at most CUT_WAIT_MAX bytes later. */
#define CUT_GROUP (4 * BLOCK_BYTES)
#define CUT_WAIT_MAX (64 * CUT_GROUP)

/* Returns the first offset, from AT on by groups of blocks, where a group has a
   quote, or where less than a group is left. */
INLINE uint32_t
cut_skip(const unsigned char *data, uint32_t at, uint32_t size)
{
    uint64_t quote = 0;

    for (; size - at >= CUT_GROUP; at += CUT_GROUP) {
        for (uint32_t i = 0; i < CUT_GROUP; i += BLOCK_BYTES)
            quote |= block_match(block_load(data + at + i), '"');
        if (quote != 0)
            break;
    }
    return at;
}

/*
 * Go on with the blocks from AT on, where CUT is not in a mark, up to one that
 * must be read byte by byte.  Returns its offset, or that of the bytes after
 * the last block.  No branch depends on where quotes and ends are.
 */
INLINE uint32_t
cut_blocks(struct csv_cut *cut, const unsigned char *data, uint32_t at,
           uint32_t size, const bool has_comment)
{
    const struct text_format *format = cut->format;
    const unsigned char end = (unsigned char)format->end;
    const unsigned char delimiter = (unsigned char)format->delimiter;
    const uint32_t from = at;
    uint64_t inside = 0 - (uint64_t)(cut->state == CSV_INSIDE);
    /* Whether a quote that opens may be next, and whether a record starts. */
    uint64_t may_open = cut->state != CSV_PLAIN;
    uint64_t starts = cut->state == CSV_RECORD;
    uint32_t looked = at;      /* no end before it is looked for any more */
    uint32_t try_at = at;      /* to skip blocks ... */
    uint32_t wait = CUT_GROUP; /* ... and so many bytes later again */

    for (; size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
        if (!has_comment && at >= try_at && inside == 0) {
            uint32_t most = cut_skip(data, at, size);
            wait = most > at ? CUT_GROUP : lower_of(2 * wait, CUT_WAIT_MAX);
            try_at = most + wait;
            most -= most > at ? BLOCK_BYTES : 0;
            if (most > at && !cut_find_end(cut, data, at, most, 0))
                (void)cut_find_end(cut, data, looked, at, 0);
            looked = most > at ? most : looked;
            at = most;
        }
        block x = block_load(data + at);
        uint64_t quote = block_match(x, '"');
        uint64_t within = prefix_xor(quote) ^ inside;
        uint64_t opens = block_either(x, end, delimiter) | quote;
        uint64_t odd = quote & within & ~(opens << 1 | may_open);
        if (has_comment) {
            uint64_t ends = block_match(x, end) & ~within;
            odd |= block_match(x, (unsigned char)format->comment) &
                   (ends << 1 | starts);
            starts = ends >> (BLOCK_BYTES - 1);
        }
        if (odd != 0)
            break;
        inside = 0 - (within >> (BLOCK_BYTES - 1));
        may_open = opens >> (BLOCK_BYTES - 1);
    }
    if (at > from)
        cut->state = cut_state(format, data[at - 1], inside);
    (void)cut_find_end(cut, data, looked, at, inside);
    return at;
}

INLINE void
cut_loop(struct csv_cut *cut, const unsigned char *data, uint32_t size)
{
    const bool has_comment = cut->format->comment >= 0;
    uint32_t at = 0;

    while (size - at >= BLOCK_BYTES) {
        if (cut->state < CSV_COMMENT)
            at = has_comment ? cut_blocks(cut, data, at, size, true)
                             : cut_blocks(cut, data, at, size, false);
        if (size - at >= BLOCK_BYTES) {
            csv_state_add(cut, data, at, at + BLOCK_BYTES);
            at += BLOCK_BYTES;
        }
    }
    csv_state_add(cut, data, at, size);
}

#endif

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

/* What the last block tells, in its highest bits. */
struct cut_block {
    uint64_t quote;
    uint64_t inside; /* after each byte */
    uint64_t stop;   /* ends and delimiters, also inside of quotes */
    uint64_t end;    /* of records */
};

/* The state after the last byte of the block that LAST tells of. */
INLINE enum csv_state
cut_state(const struct cut_block *last)
{
    return last->inside >> (BLOCK_BYTES - 1) != 0  ? CSV_INSIDE
           : last->quote >> (BLOCK_BYTES - 1) != 0 ? CSV_CLOSED
           : last->end >> (BLOCK_BYTES - 1) != 0   ? CSV_RECORD
           : last->stop >> (BLOCK_BYTES - 1) != 0  ? CSV_FIELD
                                                   : CSV_PLAIN;
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
    const uint32_t from = at;
    const enum csv_state state = cut->state;
    struct cut_block last = {0};
    uint64_t inside = 0 - (uint64_t)(state == CSV_INSIDE);
    /* Whether a quote that opens may be next, and whether a record starts. */
    uint64_t may_open = state != CSV_PLAIN;
    uint64_t starts = state == CSV_RECORD;
    uint64_t ends = 0; /* the last ones, in the block at ENDS_AT */
    uint32_t ends_at = 0;
    uint32_t try_at = at;      /* to skip blocks ... */
    uint32_t wait = CUT_GROUP; /* ... and so many bytes later again */

    for (; size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
        if (!has_comment && at >= try_at && inside == 0) {
            /* Without quotes, only the last end and the last block matter. */
            uint32_t most = cut_skip(data, at, size);
            wait = most > at ? CUT_GROUP : lower_of(2 * wait, CUT_WAIT_MAX);
            try_at = most + wait;
            most -= most > at ? BLOCK_BYTES : 0;
            uint64_t found = 0;
            for (uint32_t b = most; b > at && found == 0;) {
                b -= BLOCK_BYTES;
                found = block_match(block_load(data + b),
                                    (unsigned char)format->end);
                ends_at = found != 0 ? b : ends_at;
            }
            ends = found != 0 ? found : ends;
            at = most;
        }
        block x = block_load(data + at);
        struct cut_block next = {.quote = block_match(x, '"')};
        uint64_t end = block_match(x, (unsigned char)format->end);
        next.inside = prefix_xor(next.quote) ^ inside;
        next.stop = end | block_match(x, (unsigned char)format->delimiter);
        next.end = end & ~next.inside;
        uint64_t odd = next.quote & next.inside &
                       ~((next.stop | next.quote) << 1 | may_open);
        if (has_comment)
            odd |= block_match(x, (unsigned char)format->comment) &
                   (next.end << 1 | starts);
        if (odd != 0)
            break;
        last = next;
        inside = 0 - (next.inside >> (BLOCK_BYTES - 1));
        may_open = (next.stop | next.quote) >> (BLOCK_BYTES - 1);
        starts = next.end >> (BLOCK_BYTES - 1);
        ends_at = next.end != 0 ? at : ends_at;
        ends = next.end != 0 ? next.end : ends;
    }
    if (at > from)
        cut->state = cut_state(&last);
    if (ends != 0)
        cut->done = ends_at + BLOCK_BYTES - (uint32_t)__builtin_clzll(ends);
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

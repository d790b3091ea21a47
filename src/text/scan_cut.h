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

/*
 * Go on with the block X at AT, which is not in a mark.  Returns false, and
 * does nothing, if the block must be read byte by byte.
 */
INLINE bool
cut_block(struct csv_cut *cut, block x, uint32_t at)
{
    const struct text_format *format = cut->format;
    uint64_t quote = block_match(x, '"');
    uint64_t end = block_match(x, (unsigned char)format->end);
    uint64_t stop = end | block_match(x, (unsigned char)format->delimiter);
    bool is_inside = cut->state == CSV_INSIDE;
    uint64_t inside = quote == 0
                          ? 0 - (uint64_t)is_inside
                          : prefix_xor(quote) ^ (0 - (uint64_t)is_inside);
    /* The bytes that may stand before a quote that opens. */
    uint64_t before = (stop | quote) << 1 |
                      (cut->state != CSV_PLAIN && cut->state != CSV_COMMENT);
    uint64_t starts = (end & ~inside) << 1 | (cut->state == CSV_RECORD);

    if (cut->state == CSV_COMMENT || (quote & inside & ~before) != 0)
        return false;
    if (format->comment >= 0 &&
        (block_match(x, (unsigned char)format->comment) & starts) != 0)
        return false;
    end &= ~inside;
    if (end != 0)
        cut->done = at + BLOCK_BYTES - (uint32_t)__builtin_clzll(end);
    uint64_t last = (uint64_t)1 << (BLOCK_BYTES - 1);
    cut->state = (inside & last) != 0  ? CSV_INSIDE
                 : (quote & last) != 0 ? CSV_CLOSED
                 : (end & last) != 0   ? CSV_RECORD
                 : (stop & last) != 0  ? CSV_FIELD
                                       : CSV_PLAIN;
    return true;
}

INLINE void
cut_loop(struct csv_cut *cut, const unsigned char *data, uint32_t size)
{
    bool is_in_mark = cut->state >= CSV_MARK;
    uint32_t at = 0;

    for (; size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
        if (is_in_mark || !cut_block(cut, block_load(data + at), at)) {
            csv_state_add(cut, data, at, at + BLOCK_BYTES);
            is_in_mark = cut->state >= CSV_MARK;
        }
    }
    csv_state_add(cut, data, at, size);
}

#endif

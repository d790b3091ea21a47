/* SPDX-License-Identifier: MIT */
/*
 * sequence_lines.h -- skip records of FASTQ with four lines, for the forms of a
 * scan
 *
 * See scan_loop.h for the definitions of a form.  The ends of many lines are
 * listed first: four lines are a record.
 */

#ifndef GPUHIST_SEQUENCE_LINES_H
#define GPUHIST_SEQUENCE_LINES_H

#include "kernels/seq/sequence_sketch.h"
#include "seq/sequence_cut.h"
#include "text/scan_block.h"

/* Whether the record at AT has four lines, with these ENDS. */
INLINE bool
has_four_lines(const struct text_view *view, uint32_t at, const uint32_t *end)
{
    /* The data may end in the quality, but no other line does. */
    return end[3] < view->size && sequence_is_four_lines(view->data, at, end);
}

INLINE size_t
skip_lines(const unsigned char *data, uint32_t size, uint64_t *records)
{
    const struct text_view view = {data, size};
    struct batch batch = {0};
    uint32_t at = 0;
    uint32_t i;

    do {
        batch.scanned = at;
        find_ends(&view, &batch, BATCH_ENDS, '\n', false);
        for (i = 0; i + 4 <= batch.count; i += 4) {
            if (!has_four_lines(&view, at, batch.at + i))
                return at;
            at = batch.at[i + 3] + 1;
            ++*records;
        }
    } while (i > 0 && at < size);
    return at;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * deflate_find.h -- find where a block of deflate data may start
 *
 * Only blocks with Huffman codes of their own, and not the last block of a
 * member, are found.  Other data may look like such a block by chance: the
 * caller notices when the block before does not end there.
 */

#ifndef GPUHIST_DEFLATE_FIND_H
#define GPUHIST_DEFLATE_FIND_H

#include <stddef.h>
#include <stdint.h>

#include "input/decode/gzip/deflate_header.h"

/* The bits that are read of a header. */
#define DEFLATE_FIND_MARGIN DEFLATE_HEADER_BYTES

#define DEFLATE_FIND_NONE UINT64_MAX

/* A table; constant after deflate_finder_make(). */
struct deflate_finder {
    /* For the lengths of four codes: their share of all codes. */
    unsigned char share[1 << 12];
};

void deflate_finder_make(struct deflate_finder *finder);

/*
 * Returns the first bit, from BIT on, of the SIZE bytes at DATA where a block
 * may start, or DEFLATE_FIND_NONE.  Does not look for starts in the last
 * DEFLATE_FIND_MARGIN bytes.
 */
uint64_t deflate_find(const struct deflate_finder *finder,
                      const unsigned char *data, size_t size, uint64_t bit);

#endif

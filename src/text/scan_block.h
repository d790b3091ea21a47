/* SPDX-License-Identifier: MIT */
/*
 * scan_block.h -- blocks of a chunk and the ends of records in them, for the
 * forms of a scan
 *
 * See scan_loop.h for what a form defines before.  A mask has a bit for each
 * byte of a block, the lowest for the first byte.
 */

#ifndef GPUHIST_SCAN_BLOCK_H
#define GPUHIST_SCAN_BLOCK_H

#include <string.h>

#include "text/scan_forms.h"

enum {
    BLOCK_BYTES = 64,
    /* A shorter record has its end, and one more bit, in a mask. */
    SHORT_BYTES = BLOCK_BYTES - 1,
    /* A batch ends after this many bytes with an end, or after this many
       ends. */
    BATCH_BYTES = 8 << 10,
    BATCH_ENDS = 1024,
    /* Ends are far from each other if records have at least this mean
       size. */
    FAR_BYTES = 5 * BLOCK_BYTES / 2,
    /* Entries that are written before the number of entries is known. */
    STORE_FIRST = 2,
    STORE_MORE = 6,
};

struct text_view {
    const unsigned char *data;
    uint32_t size;
};

/* The ends of some records. */
struct batch {
    uint32_t scanned; /* the offset up to which ends were looked for */
    uint32_t count;
    uint32_t at[BATCH_ENDS + BLOCK_BYTES + STORE_MORE];
};

INLINE uint64_t
bit_at(uint32_t n)
{
    return n < BLOCK_BYTES ? (uint64_t)1 << n : 0;
}

/* The bits below bit N, all if N is 64 or more. */
INLINE uint64_t
bits_below(uint32_t n)
{
    return bit_at(n) - 1;
}

INLINE uint32_t
lower_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/*
 * The block at AT, which is at most the size.  Zeros follow the data.  IS_INNER
 * says that no data end in the block.
 */
INLINE block
load(const struct text_view *view, uint32_t at, const bool is_inner)
{
    unsigned char copy[BLOCK_BYTES] = {0};

    if (is_inner || view->size - at >= BLOCK_BYTES)
        return block_load(view->data + at);
    memcpy(copy, view->data + at, view->size - at);
    return block_load(copy);
}

/*
 * Fetch the block that is as far from AT as the next batch.  While records are
 * split, memory would have nothing to do.  A prefetch is not an access: the
 * address may be after the end of the data.
 */
INLINE void
load_ahead(const struct text_view *view, uint32_t at)
{
    __builtin_prefetch(
        (const void *)((uintptr_t)view->data + at + BATCH_BYTES));
}

/* The bytes after a BACKSLASH that no backslash escapes.  *CARRY, 1 or 0, says
   of the first byte of a block whether a backslash before the block does. */
INLINE uint64_t
escaped_bytes(uint64_t backslash, uint64_t *carry)
{
    const uint64_t odd = UINT64_C(0xaaaaaaaaaaaaaaaa);
    uint64_t before = *carry;

    /* In a run of backslashes, the first, the third and so on escape.  The
       difference carries through the runs that start at an even bit. */
    uint64_t first = backslash & ~before;
    uint64_t series = ((first << 1 | odd) - first) ^ odd;
    *carry = (series & backslash) >> (BLOCK_BYTES - 1);
    return series ^ (backslash | before);
}

INLINE struct text_slice
slice_of(uint32_t at, uint32_t stop)
{
    return (struct text_slice){at, stop - at};
}

INLINE struct text_slice
slice_missing(void)
{
    return (struct text_slice){TEXT_SLICE_MISSING, 0};
}

/* Write the offset of the lowest bit of MASK, if any.  Returns the others. */
INLINE uint64_t
store_bit(uint32_t *out, uint32_t base, uint64_t mask)
{
    *out = base + bit_first(mask);
    return mask & (mask - 1);
}

/*
 * Write the offsets of the bits of MASK; up to STORE_MORE entries are written
 * in any case.  Returns their number.
 */
INLINE uint32_t
store_bits(uint32_t *out, uint32_t base, uint64_t mask)
{
    uint32_t count = bit_count(mask);

    mask = store_bit(out, base, mask);
    mask = store_bit(out + 1, base, mask);
    if (count > STORE_FIRST) {
        mask = store_bit(out + 2, base, mask);
        mask = store_bit(out + 3, base, mask);
        mask = store_bit(out + 4, base, mask);
        mask = store_bit(out + 5, base, mask);
        for (uint32_t i = STORE_MORE; i < count; i++)
            mask = store_bit(out + i, base, mask);
    }
    return count;
}

/* As store_bits(), fast if MASK has no more than one bit. */
INLINE uint32_t
store_rare(uint32_t *out, uint32_t base, uint64_t mask)
{
    uint64_t more = store_bit(out, base, mask);

    if (__builtin_expect(more != 0, 0))
        return 1 + store_bits(out + 1, base, more);
    return mask != 0;
}

/*
 * List ends from batch->scanned on: at least one, unless the rest of the data
 * has none, and about MOST at most.  The size of the data is an end if no end
 * byte is there.  ARE_FAR says that a block seldom has two ends.
 */
INLINE void
find_ends(const struct text_view *view, struct batch *batch, size_t most,
          unsigned char end, const bool are_far)
{
    uint32_t start = batch->scanned;
    uint32_t base = start;
    uint32_t count = 0;

    most = most < BATCH_ENDS ? most : BATCH_ENDS;
    while (view->size - base >= BLOCK_BYTES && count < most &&
           (base - start < BATCH_BYTES || count == 0)) {
        uint32_t left = (view->size - base) / BLOCK_BYTES * BLOCK_BYTES;
        uint32_t stop = base + (left < BATCH_BYTES ? left : BATCH_BYTES);
        do {
            uint64_t mask = block_match(load(view, base, true), end);
            load_ahead(view, base);
            count += (are_far ? store_rare : store_bits)(batch->at + count,
                                                         base, mask);
            base += BLOCK_BYTES;
        } while (base < stop && count < most);
    }
    if (view->size - base < BLOCK_BYTES && count < most) {
        uint64_t mask = block_match(load(view, base, false), end);
        mask &= bits_below(view->size - base);
        count += store_bits(batch->at + count, base, mask);
        base = view->size;
        if (view->data[base - 1] != end)
            batch->at[count++] = base;
    }
    batch->scanned = base;
    batch->count = count;
}

/* The first A or B from AT on, or LIMIT. */
INLINE uint32_t
find_either(const struct text_view *view, uint32_t at, uint32_t limit,
            unsigned char a, unsigned char b, const bool is_inner)
{
    for (;;) {
        block x = load(view, at, is_inner);
        uint64_t mask = block_either(x, a, b) | bit_at(limit - at);
        if (mask != 0)
            return at + bit_first(mask);
        at += BLOCK_BYTES;
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* equalize.c -- spread the grey values of an image over their whole range */

#include <stdio.h>

#include "base/output.h"
#include "base/wide_integer.h"
#include "report/equalize.h"

#define BLOCK_BYTES 65536 /* written at a time */

/* ---- the table ---- */

void
equalize_table(const uint64_t *count, size_t levels, uint32_t *table)
{
    uint64_t total = 0;
    uint64_t lowest = 0; /* pixels with the lowest occurring value */

    for (size_t v = 0; v < levels; v++) {
        total += count[v];
        if (lowest == 0)
            lowest = count[v];
    }

    uint64_t range = total - lowest;
    uint64_t up_to = 0;
    for (size_t v = 0; v < levels; v++) {
        up_to += count[v];
        if (range == 0) {
            table[v] = (uint32_t)v;
        } else if (up_to == 0) {
            table[v] = 0;
        } else {
            uint64_t left;
            struct wide whole = wide_divide(
                wide_product(up_to - lowest, levels - 1), range, &left);
            /* A half is rounded up. */
            table[v] = (uint32_t)whole.low + (left >= range - left);
        }
    }
}

/* ---- the content of the file ---- */

/*
 * Replace the pixels of a row or of a part of a row; writes SIZE bytes to OUT.
 */
static void
map_pixels(unsigned char *out, const unsigned char *in, size_t size,
           unsigned int maxval, const uint32_t *table)
{
    if (maxval <= UINT8_MAX) {
        for (size_t i = 0; i < size; i++)
            out[i] = (unsigned char)table[in[i]];
        return;
    }
    for (size_t i = 0; i < size; i += 2) {
        uint32_t value = table[(unsigned int)in[i] << 8 | in[i + 1]];
        out[i] = (unsigned char)(value >> 8);
        out[i + 1] = (unsigned char)value;
    }
}

int
equalize_write(int fd, const struct equalize_image *image,
               const uint32_t *table)
{
    unsigned char block[BLOCK_BYTES];
    size_t row_bytes =
        (size_t)image->width * (image->maxval > UINT8_MAX ? 2 : 1);
    size_t used = (size_t)sprintf((char *)block, "P5\n%u %u\n%u\n",
                                  image->width, image->height, image->maxval);

    /*
     * All blocks but the last are full, so small rows share a block.  After the
     * header an odd number of bytes may be left; the size stays even, so that
     * no pixel is cut in two.
     */
    for (uint32_t y = 0; y < image->height; y++) {
        uint32_t row = image->is_bottom_up ? image->height - 1 - y : y;
        const unsigned char *in = image->pixels + row * row_bytes;
        for (size_t left = row_bytes; left > 0;) {
            size_t size = (sizeof block - used) & ~(size_t)1;
            if (size == 0) {
                if (output_write(fd, block, used) < 0)
                    return -1;
                used = 0;
                continue;
            }
            if (size > left)
                size = left;
            map_pixels(block + used, in, size, image->maxval, table);
            used += size;
            in += size;
            left -= size;
        }
    }
    return output_write(fd, block, used);
}

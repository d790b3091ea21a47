/* SPDX-License-Identifier: MIT */
/* series_sum_portable.c -- series_sum.h for any processor */

#include "hist/series_sum.h"

#define COORDINATE_MAX ((UINT64_C(1) << 24) - 1)

/* The sums of so many bytes fit into 32 bits. */
#define BLOCK_BYTES ((size_t)1 << 15)

void
series_sum_add_portable(struct series_sum *sum, const unsigned char *data,
                        size_t size)
{
    while (size > 0) {
        size_t block = size < BLOCK_BYTES ? size : BLOCK_BYTES;
        uint32_t bytes = 0;
        uint32_t squares = 0;
        uint32_t products = 0;

        for (size_t i = 0; i < block; i++) {
            uint32_t byte = data[i];
            bytes += byte;
            squares += byte * byte;
            products += byte * data[i + 1];
        }
        sum->bytes += bytes;
        sum->squares += squares;
        sum->products += products;
        data += block;
        size -= block;
    }
}

/* Returns the coordinate at DATA. */
static uint64_t
coordinate(const unsigned char *data)
{
    return (uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2];
}

uint64_t
series_sum_inside_portable(const unsigned char *data, size_t count)
{
    uint64_t inside = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t x = coordinate(data);
        uint64_t y = coordinate(data + SERIES_POINT_BYTES / 2);
        inside += x * x + y * y <= COORDINATE_MAX * COORDINATE_MAX;
        data += SERIES_POINT_BYTES;
    }
    return inside;
}

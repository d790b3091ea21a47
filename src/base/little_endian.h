/* SPDX-License-Identifier: MIT */
/* little_endian.h -- little-endian numbers at any address */

#ifndef GPUHIST_LITTLE_ENDIAN_H
#define GPUHIST_LITTLE_ENDIAN_H

#include <stddef.h>
#include <stdint.h>

/* The number that the SIZE bytes at DATA are, at most 8. */
static inline uint64_t
little_endian(const unsigned char *data, size_t size)
{
    uint64_t number = 0;

    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)data[i] << (8 * i);
    return number;
}

static inline unsigned int
little_endian_16(const unsigned char *data)
{
    return data[0] | (unsigned int)data[1] << 8;
}

static inline uint32_t
little_endian_32(const unsigned char *data)
{
    return little_endian_16(data) | (uint32_t)little_endian_16(data + 2) << 16;
}

static inline uint64_t
little_endian_64(const unsigned char *data)
{
    return little_endian_32(data) | (uint64_t)little_endian_32(data + 4) << 32;
}

/* Write NUMBER at DATA. */
static inline void
little_endian_put_64(unsigned char *data, uint64_t number)
{
    for (size_t i = 0; i < sizeof number; i++)
        data[i] = (unsigned char)(number >> (8 * i));
}

#endif

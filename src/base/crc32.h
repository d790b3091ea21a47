/* SPDX-License-Identifier: MIT */
/* crc32.h -- the CRC-32 of gzip, for short data */

#ifndef GPUHIST_CRC32_H
#define GPUHIST_CRC32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* That of CRC-32 modulo x^32, with the coefficient of x^0 highest. */
#define CRC32_POLYNOMIAL UINT32_C(0xedb88320)

/* Returns SUM after a byte of zeros, bit by bit. */
static inline uint32_t
crc32_pass_byte(uint32_t sum)
{
    for (int bit = 0; bit < 8; bit++)
        sum = sum >> 1 ^ ((sum & 1) != 0 ? CRC32_POLYNOMIAL : 0);
    return sum;
}

/* Bytes that are looked up together. */
#define CRC32_STEP 8

struct crc32 {
    bool folds; /* crc32_fold() is possible */

    /* Of each byte that is followed by so many zero bytes of a step. */
    uint32_t table[CRC32_STEP][256];
};

void crc32_open(struct crc32 *crc32);

/* Returns the CRC-32 of data with the CRC-32 BEFORE, 0 for no data, and the
   SIZE bytes at DATA after it. */
uint32_t crc32_add(const struct crc32 *crc32, uint32_t before,
                   const unsigned char *data, size_t size);

/* As crc32_add() to each of SUMS, of the FIRST_SIZE bytes at FIRST and of those
   at SECOND: side by side, because each step waits for the one before it, or
   one after the other, if they fold. */
void crc32_add_two(const struct crc32 *crc32, uint32_t sums[2],
                   const unsigned char *first, size_t first_size,
                   const unsigned char *second, size_t second_size);

#ifdef CRC32_HAS_CLMUL
/* Bytes that are folded at a time. */
#    define CRC32_FOLD 16

bool crc32_fold_is_possible(void);

/* Set REST to bytes that, after the inverted CRC-32 0, have the CRC-32 of the
   SIZE bytes at DATA after the inverted CRC-32 SUM.  SIZE is a multiple of
   CRC32_FOLD, and not 0. */
void crc32_fold(uint32_t sum, const unsigned char *data, size_t size,
                unsigned char rest[CRC32_FOLD]);
#endif

#endif

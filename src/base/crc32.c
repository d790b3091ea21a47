/* SPDX-License-Identifier: MIT */
/* crc32.c -- the CRC-32 of gzip, for short data */

#include "base/crc32.h"
#include "base/little_endian.h"

#ifdef CRC32_HAS_CLMUL
/* Less is not faster folded. */
#    define LEAST_FOLDED ((size_t)2 * CRC32_FOLD)
#endif

void
crc32_open(struct crc32 *crc32)
{
    crc32->folds = false;
#ifdef CRC32_HAS_CLMUL
    crc32->folds = crc32_fold_is_possible();
#endif
    for (uint32_t byte = 0; byte < 256; byte++)
        crc32->table[0][byte] = crc32_pass_byte(byte);
    for (size_t zeros = 1; zeros < CRC32_STEP; zeros++) {
        for (size_t byte = 0; byte < 256; byte++) {
            uint32_t sum = crc32->table[zeros - 1][byte];
            crc32->table[zeros][byte] = sum >> 8 ^ crc32->table[0][sum & 0xff];
        }
    }
}

/* Returns SUM after a step at DATA. */
static inline uint32_t
add_step(const uint32_t table[CRC32_STEP][256], uint32_t sum,
         const unsigned char *data)
{
    const uint32_t low = sum ^ little_endian_32(data);
    const uint32_t high = little_endian_32(data + 4);

    return table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
           table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^
           table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
           table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
}

/* Returns SUM after half a step at DATA. */
static inline uint32_t
add_half(const uint32_t table[CRC32_STEP][256], uint32_t sum,
         const unsigned char *data)
{
    const uint32_t low = sum ^ little_endian_32(data);

    return table[3][low & 0xff] ^ table[2][low >> 8 & 0xff] ^
           table[1][low >> 16 & 0xff] ^ table[0][low >> 24];
}

/* As crc32_add(), with inverted sums. */
static uint32_t
add_steps(const uint32_t table[CRC32_STEP][256], uint32_t sum,
          const unsigned char *data, size_t size)
{
    for (; size >= CRC32_STEP; size -= CRC32_STEP, data += CRC32_STEP)
        sum = add_step(table, sum, data);
    if (size >= CRC32_STEP / 2) {
        sum = add_half(table, sum, data);
        size -= CRC32_STEP / 2;
        data += CRC32_STEP / 2;
    }
    for (size_t i = 0; i < size; i++)
        sum = sum >> 8 ^ table[0][(sum ^ data[i]) & 0xff];
    return sum;
}

uint32_t
crc32_add(const struct crc32 *crc32, uint32_t before, const unsigned char *data,
          size_t size)
{
    uint32_t sum = ~before;

#ifdef CRC32_HAS_CLMUL
    if (crc32->folds && size >= LEAST_FOLDED) {
        const size_t whole = size / CRC32_FOLD * CRC32_FOLD;
        unsigned char rest[CRC32_FOLD];
        crc32_fold(sum, data, whole, rest);
        sum = add_steps(crc32->table, 0, rest, CRC32_FOLD);
        data += whole;
        size -= whole;
    }
#endif
    return ~add_steps(crc32->table, sum, data, size);
}

void
crc32_add_two(const struct crc32 *crc32, uint32_t sums[2],
              const unsigned char *first, size_t first_size,
              const unsigned char *second, size_t second_size)
{
    const uint32_t(*table)[256] = crc32->table;
    const size_t size = first_size < second_size ? first_size : second_size;
    const size_t steps = crc32->folds ? 0 : size / CRC32_STEP * CRC32_STEP;
    uint32_t one = ~sums[0];
    uint32_t two = ~sums[1];

    for (size_t at = 0; at < steps; at += CRC32_STEP) {
        one = add_step(table, one, first + at);
        two = add_step(table, two, second + at);
    }
    sums[0] = crc32_add(crc32, ~one, first + steps, first_size - steps);
    sums[1] = crc32_add(crc32, ~two, second + steps, second_size - steps);
}

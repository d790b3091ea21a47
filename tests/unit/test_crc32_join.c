/* SPDX-License-Identifier: MIT */
/* test_crc32_join.c -- joined checksums, and those of data in parts, compared
   with those of the whole */

#include <stddef.h>
#include <stdint.h>

#include "../noise.h"
#include "../tap.h"
#include "base/crc32.h"
#include "base/crc32_join.h"

#define BYTES 3000

/* CRC-32, bit by bit. */
static uint32_t
crc32_of(const unsigned char *data, size_t size)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (unsigned int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static unsigned char data[BYTES];

/* Compare the checksums of DATA in parts of all lengths, folded or not. */
static void
test_parts(struct crc32 *crc32, bool folds)
{
    const uint32_t all = crc32_of(data, BYTES);
    size_t wrong_sums = 0;
    size_t wrong_pairs = 0;

    crc32->folds = folds;
    for (size_t cut = 0; cut <= BYTES; cut++) {
        const uint32_t first = crc32_add(crc32, 0, data, cut);
        wrong_sums += crc32_add(crc32, first, data + cut, BYTES - cut) != all;
        const size_t part = cut / 3;
        uint32_t sums[2] = {first, 0};
        crc32_add_two(crc32, sums, data, part, data + part, cut - part);
        wrong_pairs += sums[0] != crc32_add(crc32, first, data, part) ||
                       sums[1] != crc32_of(data + part, cut - part);
    }
    ok(wrong_sums == 0, "one after the other, %s",
       folds ? "folded" : "looked up");
    ok(wrong_pairs == 0, "... two side by side");
}

int
main(void)
{
    static struct crc32 crc32;
    size_t wrong = 0;

    crc32_open(&crc32);
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(noise() >> 56);
    ok(crc32_of((const unsigned char *)"123456789", 9) == 0xcbf43926,
       "the checksum of the standard's example");
    for (size_t cut = 0; cut <= BYTES; cut++)
        wrong +=
            crc32_join(crc32_of(data, cut), crc32_of(data + cut, BYTES - cut),
                       BYTES - cut) != crc32_of(data, BYTES);
    ok(wrong == 0, "two parts of all lengths");
    if (crc32.folds)
        test_parts(&crc32, true);
    test_parts(&crc32, false);

    /* zlib's crc32_combine(0x12345678, 0x9abcdef0, length). */
    ok(crc32_join(0x12345678, 0x9abcdef0, UINT64_C(5000000000)) == 0x929c776e,
       "a second part of 5 GB");
    return done_testing();
}

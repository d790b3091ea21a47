/* SPDX-License-Identifier: MIT */
/* test_xxh32.c -- XXH32 beside its definition, in pieces of any size */

#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/xxh.h"

#define DATA_BYTES 5000

static uint32_t
rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

/* As the specification says it, one byte and one lane after the other. */
static uint32_t
naive(const unsigned char *data, size_t size)
{
    uint32_t lane[4] = {606290984, 2246822519, 0, 1640531535};
    uint32_t word = 0;
    uint32_t sum = 374761393;
    size_t whole = size / 16 * 16;
    size_t at = 0;

    for (; at < whole; at++) {
        word = word >> 8 | (uint32_t)data[at] << 24;
        if (at % 4 == 3)
            lane[at / 4 % 4] =
                rotate(lane[at / 4 % 4] + word * 2246822519u, 13) * 2654435761u;
    }
    if (whole > 0)
        sum = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) +
              rotate(lane[3], 18);
    sum += (uint32_t)size;
    for (; at + 4 <= size; at += 4) {
        for (size_t i = 0; i < 4; i++)
            word = word >> 8 | (uint32_t)data[at + i] << 24;
        sum = rotate(sum + word * 3266489917u, 17) * 668265263;
    }
    for (; at < size; at++)
        sum = rotate(sum + data[at] * 374761393u, 11) * 2654435761u;
    sum = (sum ^ sum >> 15) * 2246822519u;
    sum = (sum ^ sum >> 13) * 3266489917u;
    return sum ^ sum >> 16;
}

int
main(void)
{
    static const char text[] = "Nobody inspects the spammish repetition";
    static unsigned char data[DATA_BYTES];
    size_t wrong = 0;

    ok(xxh32_of(data, 0) == 0x02cc5d05, "the hash of nothing");
    ok(xxh32_of((const unsigned char *)text, strlen(text)) == 0xe2293b2f,
       "the hash of a sentence");
    for (size_t i = 0; i < DATA_BYTES; i++)
        data[i] = (unsigned char)noise();
    for (size_t size = 0; size < 300; size++)
        wrong +=
            xxh32_of(data + size % 7, size) != naive(data + size % 7, size);
    wrong += xxh32_of(data, DATA_BYTES) != naive(data, DATA_BYTES);
    ok(wrong == 0, "each length up to 300, and 5000 (%zu wrong)", wrong);

    wrong = 0;
    for (int i = 0; i < 1000; i++) {
        struct xxh32 hash;
        size_t at = 0;
        xxh32_start(&hash);
        while (at < DATA_BYTES && noise() % 20 != 0) {
            size_t size = noise() % (i % 2 ? 40 : 1500);
            if (size > DATA_BYTES - at)
                size = DATA_BYTES - at;
            xxh32_add(&hash, data + at, size);
            at += size;
        }
        wrong += xxh32_end(&hash) != naive(data, at);
    }
    ok(wrong == 0, "in pieces (%zu wrong)", wrong);
    return done_testing();
}

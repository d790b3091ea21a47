/* SPDX-License-Identifier: MIT */
/* byte_count_portable.c -- count bytes on any processor */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/cpu/bytes/byte_count_portable.h"

enum {
    TABLES = 8,       /* one for each byte of eight */
    BLOCK_BYTES = 64, /* one cache line */
    WORDS = BLOCK_BYTES / 8,
    /* Clearing and summing the tables costs as much as this many bytes. */
    SMALL_BYTES = 4096,
};

/* A 32-bit counter of one table must not wrap: see byte_count_tables(). */
#define PART_BYTES ((size_t)1 << 30)
_Static_assert(PART_BYTES <= UINT32_MAX, "a table's counters could wrap");

void
byte_count_portable(const unsigned char *data, size_t size,
                    uint64_t bin[BYTE_COUNT_BINS])
{
    for (size_t i = 0; i < size; i++)
        bin[data[i]]++;
}

/* Whether all bytes of the block are the same, given its words. */
static bool
block_is_constant(const uint64_t word[WORDS])
{
    /* Most blocks need only this comparison. */
    if (word[0] != word[1])
        return false;

    uint64_t differ = word[0] ^ (word[0] << 8 | word[0] >> 56);
    for (int i = 2; i < WORDS; i++)
        differ |= word[0] ^ word[i];
    return differ == 0;
}

static void
count_part(const unsigned char *data, size_t size,
           uint64_t bin[BYTE_COUNT_BINS])
{
    uint32_t table[TABLES][BYTE_COUNT_BINS] = {{0}};
    size_t blocks = size / BLOCK_BYTES;

    for (size_t b = 0; b < blocks; b++) {
        const unsigned char *block = data + b * BLOCK_BYTES;
        uint64_t word[WORDS];
        byte_count_ahead(block);
        memcpy(word, block, sizeof word);

        if (block_is_constant(word)) {
            table[0][word[0] & 255] += BLOCK_BYTES;
            continue;
        }
        /*
         * One store per byte limits the speed.  Loading each byte does not
         * delay the stores; shifting a word would.
         */
        for (int i = 0; i < BLOCK_BYTES; i += TABLES) {
            table[0][block[i]]++;
            table[1][block[i + 1]]++;
            table[2][block[i + 2]]++;
            table[3][block[i + 3]]++;
            table[4][block[i + 4]]++;
            table[5][block[i + 5]]++;
            table[6][block[i + 6]]++;
            table[7][block[i + 7]]++;
        }
    }

    for (int v = 0; v < BYTE_COUNT_BINS; v++) {
        for (int t = 0; t < TABLES; t++)
            bin[v] += table[t][v];
    }
    byte_count_portable(data + blocks * BLOCK_BYTES, size % BLOCK_BYTES, bin);
}

void
byte_count_tables(const unsigned char *data, size_t size,
                  uint64_t bin[BYTE_COUNT_BINS])
{
    if (size < SMALL_BYTES) {
        byte_count_portable(data, size, bin);
        return;
    }
    while (size > 0) {
        size_t part = size < PART_BYTES ? size : PART_BYTES;
        count_part(data, part, bin);
        data += part;
        size -= part;
    }
}

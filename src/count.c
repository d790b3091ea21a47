/* count.c -- count the bytes of a buffer on the CPU */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "count.h"

enum {
    TABLES = 8,       /* one for each byte of a 64-bit word */
    BLOCK_BYTES = 64, /* one cache line */
    WORDS = BLOCK_BYTES / 8,
    /* Clearing and summing the tables costs about this many single counts. */
    SMALL_BYTES = 4096,
};

/* A 32-bit counter of one table must not wrap: see count_fast(). */
#define PART_BYTES ((size_t)1 << 30)
_Static_assert(PART_BYTES <= UINT32_MAX, "a table's counters could wrap");

void
count_portable(const unsigned char *data, size_t size, uint64_t bin[COUNT_BINS])
{
    for (size_t i = 0; i < size; i++)
        bin[data[i]]++;
}

/* Whether all bytes of the block are the same, given its words. */
static bool
block_is_constant(const uint64_t word[WORDS])
{
    /* Nearly all blocks leave after one comparison. */
    if (word[0] != word[1])
        return false;

    uint64_t differ = word[0] ^ (word[0] << 8 | word[0] >> 56);
    for (int i = 2; i < WORDS; i++)
        differ |= word[0] ^ word[i];
    return differ == 0;
}

static void
count_part(const unsigned char *data, size_t size, uint64_t bin[COUNT_BINS])
{
    uint32_t table[TABLES][COUNT_BINS] = {{0}};
    size_t blocks = size / BLOCK_BYTES;

    for (size_t b = 0; b < blocks; b++) {
        const unsigned char *block = data + b * BLOCK_BYTES;
        uint64_t word[WORDS];
        memcpy(word, block, sizeof word);

        if (block_is_constant(word)) {
            table[0][word[0] & 255] += BLOCK_BYTES;
            continue;
        }
        /* Which byte of a word is the lowest does not matter here. */
        for (int i = 0; i < WORDS; i++) {
            table[0][word[i] & 255]++;
            table[1][word[i] >> 8 & 255]++;
            table[2][word[i] >> 16 & 255]++;
            table[3][word[i] >> 24 & 255]++;
            table[4][word[i] >> 32 & 255]++;
            table[5][word[i] >> 40 & 255]++;
            table[6][word[i] >> 48 & 255]++;
            table[7][word[i] >> 56]++;
        }
    }

    for (int v = 0; v < COUNT_BINS; v++) {
        for (int t = 0; t < TABLES; t++)
            bin[v] += table[t][v];
    }
    count_portable(data + blocks * BLOCK_BYTES, size % BLOCK_BYTES, bin);
}

void
count_fast(const unsigned char *data, size_t size, uint64_t bin[COUNT_BINS])
{
    if (size < SMALL_BYTES) {
        count_portable(data, size, bin);
        return;
    }
    while (size > 0) {
        size_t part = size < PART_BYTES ? size : PART_BYTES;
        count_part(data, part, bin);
        data += part;
        size -= part;
    }
}

/* SPDX-License-Identifier: MIT */
/* deflate_codes.c -- tables that decode the codes of a block */

#include <string.h>

#include "input/decode/gzip/deflate_codes.h"

/* The first code of a length. */
#define LENGTHS_AT 257

/* A literal or a code whose length or distance is BASE and EXTRA bits more. */
#define LITERAL(value) (DEFLATE_IS_LITERAL | (uint32_t)(value) << 16)
#define COPY(base, extra) ((uint32_t)(base) << 16 | (extra))
#define WRONG ((uint32_t)DEFLATE_IS_SPECIAL)
#define END ((uint32_t)(DEFLATE_IS_SPECIAL | DEFLATE_IS_END))

static const uint32_t lengths[DEFLATE_LITERALS + 2 - LENGTHS_AT] = {
    COPY(3, 0),   COPY(4, 0),   COPY(5, 0),   COPY(6, 0),   COPY(7, 0),
    COPY(8, 0),   COPY(9, 0),   COPY(10, 0),  COPY(11, 1),  COPY(13, 1),
    COPY(15, 1),  COPY(17, 1),  COPY(19, 2),  COPY(23, 2),  COPY(27, 2),
    COPY(31, 2),  COPY(35, 3),  COPY(43, 3),  COPY(51, 3),  COPY(59, 3),
    COPY(67, 4),  COPY(83, 4),  COPY(99, 4),  COPY(115, 4), COPY(131, 5),
    COPY(163, 5), COPY(195, 5), COPY(227, 5), COPY(258, 0), WRONG,
    WRONG,
};

static const uint32_t distances[DEFLATE_DISTANCES + 2] = {
    COPY(1, 0),      COPY(2, 0),      COPY(3, 0),     COPY(4, 0),
    COPY(5, 1),      COPY(7, 1),      COPY(9, 2),     COPY(13, 2),
    COPY(17, 3),     COPY(25, 3),     COPY(33, 4),    COPY(49, 4),
    COPY(65, 5),     COPY(97, 5),     COPY(129, 6),   COPY(193, 6),
    COPY(257, 7),    COPY(385, 7),    COPY(513, 8),   COPY(769, 8),
    COPY(1025, 9),   COPY(1537, 9),   COPY(2049, 10), COPY(3073, 10),
    COPY(4097, 11),  COPY(6145, 11),  COPY(8193, 12), COPY(12289, 12),
    COPY(16385, 13), COPY(24577, 13), WRONG,          WRONG,
};

static uint32_t
literal_entry(unsigned int code)
{
    return code < DEFLATE_END_OF_BLOCK    ? LITERAL(code)
           : code == DEFLATE_END_OF_BLOCK ? END
                                          : lengths[code - LENGTHS_AT];
}

static uint32_t
distance_entry(unsigned int code)
{
    return distances[code];
}

/* The lowest BITS of CODE in the opposite order. */
static unsigned int
reverse(unsigned int code, unsigned int bits)
{
    unsigned int reversed = 0;

    for (; bits > 0; bits--, code >>= 1)
        reversed = reversed << 1 | (code & 1);
    return reversed;
}

/* ENTRY for a code that takes BITS of the index. */
static uint32_t
with_bits(uint32_t entry, unsigned int bits)
{
    return (entry & DEFLATE_IS_SPECIAL) != 0 ? entry + bits
                                             : entry + (bits << 8) + bits;
}

/*
 * Make a TABLE with an index of INDEX_BITS for COUNT codes.  The codes are
 * complete, or few.
 */
static void
make_table(uint32_t *table, unsigned int index_bits,
           const unsigned char *length, size_t count,
           uint32_t (*entry_of)(unsigned int code))
{
    unsigned int tail_bits = DEFLATE_CODE_BITS - index_bits;
    unsigned int used[DEFLATE_CODE_BITS + 1] = {0};
    unsigned int next[DEFLATE_CODE_BITS + 2] = {0}; /* code of each length */
    unsigned int size = 1U << index_bits;

    for (size_t i = 0; i < size; i++)
        table[i] = WRONG;
    for (size_t i = 0; i < count; i++)
        used[length[i]]++;
    used[0] = 0;
    for (unsigned int bits = 1; bits <= DEFLATE_CODE_BITS; bits++)
        next[bits + 1] = (next[bits] + used[bits]) << 1;

    for (unsigned int i = 0; i < count; i++) {
        unsigned int bits = length[i];
        if (bits == 0)
            continue;
        unsigned int code = reverse(next[bits]++, bits);
        if (bits <= index_bits) {
            uint32_t entry = with_bits(entry_of(i), bits);
            for (; code < 1U << index_bits; code += 1U << bits)
                table[code] = entry;
            continue;
        }
        uint32_t *first = &table[code & ((1U << index_bits) - 1)];
        if ((*first & DEFLATE_IS_TABLE) == 0) {
            *first = (uint32_t)size << 16 | DEFLATE_IS_SPECIAL |
                     DEFLATE_IS_TABLE | index_bits;
            for (unsigned int j = 0; j < 1U << tail_bits; j++)
                table[size++] = WRONG;
        }
        uint32_t *tail = table + (*first >> 16);
        uint32_t entry = with_bits(entry_of(i), bits - index_bits);
        for (code >>= index_bits; code < 1U << tail_bits;
             code += 1U << (bits - index_bits))
            tail[code] = entry;
    }
}

void
deflate_codes_make(struct deflate_codes *codes,
                   const struct deflate_header *header)
{
    make_table(codes->literal, DEFLATE_LITERAL_INDEX, header->literal,
               header->literals, literal_entry);
    make_table(codes->distance, DEFLATE_DISTANCE_INDEX, header->distance,
               header->distances, distance_entry);
}

void
deflate_codes_make_fixed(struct deflate_codes *codes)
{
    struct deflate_header header = {.literals = DEFLATE_LITERALS + 2,
                                    .distances = DEFLATE_DISTANCES + 2};

    memset(header.literal, 8, 144);
    memset(header.literal + 144, 9, 256 - 144);
    memset(header.literal + 256, 7, 280 - 256);
    memset(header.literal + 280, 8, DEFLATE_LITERALS + 2 - 280);
    memset(header.distance, 5, sizeof header.distance);
    deflate_codes_make(codes, &header);
}

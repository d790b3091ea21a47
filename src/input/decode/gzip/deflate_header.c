/* SPDX-License-Identifier: MIT */
/*
 * deflate_header.c -- the lengths of the codes in the header of a block
 *
 * A header is 3 bits, the number of codes of each of three kinds (5, 5 and 4
 * bits), the lengths of the codes of the last kind (3 bits each), and, in these
 * codes, the lengths of all other codes: of literals and lengths, and of
 * distances.
 */

#include <stdbool.h>
#include <string.h>

#include "input/decode/gzip/deflate_header.h"

#define LITERALS_LEAST 257
#define COUNT_BITS 5
#define LENGTH_BITS 3
#define FIRST_CODES 19
#define FIRST_LEAST 4
#define FIRST_ALL (1U << DEFLATE_FIRST_BITS)
#define ALL_CODES (1U << DEFLATE_CODE_BITS)

/* Codes for lengths beyond lengths. */
enum {
    REPEAT_LAST = 16,
    REPEAT_ZERO = 17,
    REPEAT_ZERO_LONG = 18,
};

/* A decoder of lengths. */
struct lengths {
    const unsigned char *data;
    uint64_t bit;                    /* the next one */
    unsigned char code[FIRST_ALL];   /* for the next bits */
    unsigned char length[FIRST_ALL]; /* of the code */
};

/* Read COUNT codes for lengths.  Returns whether the codes are complete. */
static bool
read_first_codes(struct lengths *lengths, unsigned int count)
{
    static const unsigned char order[FIRST_CODES] = {
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char length_of[FIRST_CODES] = {0};
    /* the next code, with the first bit as the highest */
    unsigned int next = 0;

    for (unsigned int i = 0; i < count; i++) {
        length_of[order[i]] = deflate_bits(lengths->data, lengths->bit) & 7;
        lengths->bit += LENGTH_BITS;
    }
    for (unsigned int length = 1; length <= DEFLATE_FIRST_BITS; length++) {
        for (unsigned int code = 0; code < FIRST_CODES; code++) {
            if (length_of[code] != length)
                continue;
            if (next >= FIRST_ALL)
                return false;
            unsigned int reversed = 0;
            for (unsigned int i = 0; i < DEFLATE_FIRST_BITS; i++)
                reversed |= (next >> i & 1) << (DEFLATE_FIRST_BITS - 1 - i);
            for (; reversed < FIRST_ALL; reversed += 1U << length) {
                lengths->code[reversed] = (unsigned char)code;
                lengths->length[reversed] = (unsigned char)length;
            }
            next += FIRST_ALL >> length;
        }
    }
    return next == FIRST_ALL;
}

/* Read the lengths of COUNT codes.  Returns whether the lengths are
   well-formed. */
static bool
read_lengths(struct lengths *lengths, unsigned char *length, size_t count)
{
    for (size_t done = 0; done < count;) {
        uint64_t bits = deflate_bits(lengths->data, lengths->bit);
        unsigned int code = lengths->code[bits % FIRST_ALL];
        unsigned int used = lengths->length[bits % FIRST_ALL];
        unsigned char value = 0;
        size_t times = 1;

        bits >>= used;
        switch (code) {
        case REPEAT_LAST:
            if (done == 0)
                return false;
            value = length[done - 1];
            times = 3 + bits % 4;
            used += 2;
            break;
        case REPEAT_ZERO:
            times = 3 + bits % 8;
            used += 3;
            break;
        case REPEAT_ZERO_LONG:
            times = 11 + bits % 128;
            used += 7;
            break;
        default:
            value = (unsigned char)code;
        }
        if (times > count - done)
            return false;
        memset(length + done, value, times);
        done += times;
        lengths->bit += used;
    }
    return true;
}

/* Returns the share of all codes that COUNT codes of these lengths take. */
static unsigned int
share_of(const unsigned char *length, size_t count)
{
    unsigned int share = 0;

    for (size_t i = 0; i < count; i++)
        share += length[i] > 0 ? ALL_CODES >> length[i] : 0;
    return share;
}

/* Whether the codes are none, or a single code of one bit. */
static bool
is_lone(const unsigned char *length, size_t count)
{
    unsigned int bits = 0;

    for (size_t i = 0; i < count; i++)
        bits += length[i];
    return bits <= 1;
}

uint64_t
deflate_header_read(struct deflate_header *header, const unsigned char *data,
                    uint64_t bit)
{
    unsigned char length[DEFLATE_LITERALS + DEFLATE_DISTANCES];
    uint64_t bits = deflate_bits(data, bit) >> DEFLATE_KIND_BITS;
    struct lengths lengths = {
        .data = data, .bit = bit + DEFLATE_KIND_BITS + 2 * COUNT_BITS + 4};
    size_t literals = LITERALS_LEAST + bits % 32;
    size_t distances = 1 + (bits >> COUNT_BITS) % 32;
    unsigned int first = FIRST_LEAST + (bits >> 2 * COUNT_BITS & 15);

    if (literals > DEFLATE_LITERALS || distances > DEFLATE_DISTANCES ||
        !read_first_codes(&lengths, first) ||
        !read_lengths(&lengths, length, literals + distances) ||
        length[DEFLATE_END_OF_BLOCK] == 0 ||
        share_of(length, literals) != ALL_CODES ||
        (share_of(length + literals, distances) != ALL_CODES &&
         !is_lone(length + literals, distances)))
        return 0;
    memcpy(header->literal, length, literals);
    memcpy(header->distance, length + literals, distances);
    header->literals = literals;
    header->distances = distances;
    return lengths.bit;
}

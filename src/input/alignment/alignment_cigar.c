/* SPDX-License-Identifier: MIT */
/* alignment_cigar.c -- the operations of a CIGAR string */

#include <string.h>

#include "base/little_endian.h"
#include "base/number.h"
#include "input/alignment/alignment_cigar.h"

enum {
    PACKED_BYTES = 4,
    CODE_BITS = 4,
    /* The digits of the greatest length, and a letter. */
    TEXT_BYTES = 10,
};

#define LENGTH_MAX (((uint32_t)1 << 28) - 1)

/* The letters of the codes 0 to 15. */
static const char letters[] = "MIDNSHP=XB??????";

static int
next_packed(struct alignment_cigar *cigar,
            struct alignment_operation *operation)
{
    const uint32_t packed = little_endian_32(cigar->at);
    const uint32_t code = packed & ((1u << CODE_BITS) - 1);

    cigar->at += PACKED_BYTES;
    cigar->size--;
    *operation = (struct alignment_operation){
        .letter = (unsigned char)letters[code],
        .length = packed >> CODE_BITS,
    };
    return 1;
}

static int
next_text(struct alignment_cigar *cigar, struct alignment_operation *operation)
{
    uint32_t length = 0;
    size_t digits = 0;

    for (; digits < cigar->size; digits++) {
        const unsigned int digit = cigar->at[digits] - (unsigned int)'0';
        if (digit > 9)
            break;
        length = 10 * length + digit;
        if (length > LENGTH_MAX)
            return -1;
    }
    if (digits == 0 || digits == cigar->size)
        return -1;
    const unsigned char letter = cigar->at[digits];
    if (letter == '?' || memchr(letters, letter, sizeof letters - 1) == NULL)
        return -1;
    cigar->at += digits + 1;
    cigar->size -= digits + 1;
    *operation = (struct alignment_operation){letter, length};
    return 1;
}

int
alignment_cigar_next(struct alignment_cigar *cigar,
                     struct alignment_operation *operation)
{
    if (cigar->size == 0)
        return 0;
    return cigar->is_packed ? next_packed(cigar, operation)
                            : next_text(cigar, operation);
}

static bool
is_of_read(unsigned char letter)
{
    return letter == 'M' || letter == 'I' || letter == 'S' || letter == '=' ||
           letter == 'X';
}

int
alignment_cigar_bases(struct alignment_cigar cigar, uint64_t *bases)
{
    struct alignment_operation operation;
    int result;

    *bases = 0;
    while ((result = alignment_cigar_next(&cigar, &operation)) > 0)
        *bases += is_of_read(operation.letter) ? operation.length : 0;
    return result;
}

int64_t
alignment_cigar_clipped(struct alignment_cigar cigar)
{
    struct alignment_operation operation;
    int64_t bases = 0;

    while (alignment_cigar_next(&cigar, &operation) > 0)
        bases += operation.letter == 'H' ? operation.length : 0;
    return bases;
}

size_t
alignment_cigar_text_bytes(const struct alignment_cigar *cigar)
{
    return 1 + (cigar->is_packed ? TEXT_BYTES : 1) * cigar->size;
}

size_t
alignment_cigar_write(struct alignment_cigar cigar, unsigned char *out)
{
    struct alignment_operation operation;
    char text[NUMBER_TEXT_BYTES];
    size_t size = 0;

    if (cigar.size == 0)
        out[size++] = '*';
    while (alignment_cigar_next(&cigar, &operation) > 0) {
        const size_t digits =
            (size_t)(number_put(operation.length, text) - text);
        memcpy(out + size, text, digits);
        size += digits;
        out[size++] = operation.letter;
    }
    return size;
}

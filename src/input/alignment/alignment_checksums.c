/* SPDX-License-Identifier: MIT */
/* alignment_checksums.c -- the CRC-32 of the name, the bases and the qualities
   of a record */

#include <string.h>

#include "base/escape.h"
#include "input/alignment/alignment_checksums.h"

/* What BAM stores is made of SAM in pieces of so many bytes. */
#define PIECE 256

#define ABSENT_QUALITY 0xff

/* The checksum of the letters of ALIGNMENT, two codes a byte. */
static uint32_t
of_letters(const struct crc32 *crc32, const unsigned char code[256],
           const struct alignment *alignment)
{
    const unsigned char *bases = alignment->bases;
    unsigned char piece[PIECE];
    size_t left = alignment->length;
    uint32_t sum = 0;

    while (left > 0) {
        const size_t some = left < 2 * PIECE ? left : 2 * PIECE;
        for (size_t i = 0; i < some / 2; i++)
            piece[i] = (unsigned char)(code[bases[2 * i]] << 4 |
                                       code[bases[2 * i + 1]]);
        if (some % 2 > 0)
            piece[some / 2] = (unsigned char)(code[bases[some - 1]] << 4);
        sum = crc32_add(crc32, sum, piece, (some + 1) / 2);
        bases += some;
        left -= some;
    }
    return sum;
}

/* The checksum of the first SIZE qualities of ALIGNMENT, of SAM. */
static uint32_t
of_quality_text(const struct crc32 *crc32, const struct alignment *alignment,
                size_t size)
{
    const unsigned char *quality = alignment->quality;
    unsigned char piece[PIECE];
    uint32_t sum = 0;

    memset(piece, ABSENT_QUALITY, sizeof piece);
    for (size_t at = 0; at < size; at += PIECE) {
        const size_t some = size - at < PIECE ? size - at : PIECE;
        for (size_t i = 0; quality != NULL && i < some; i++)
            piece[i] =
                (unsigned char)(quality[at + i] - alignment->quality_zero);
        sum = crc32_add(crc32, sum, piece, some);
    }
    return sum;
}

size_t
alignment_checksums_write(const struct crc32 *crc32,
                          const unsigned char code[256],
                          const struct alignment *alignment, unsigned char *out)
{
    const size_t half = (alignment->length + 1) / 2;
    uint32_t sum[ALIGNMENT_CHECKSUMS];
    unsigned char *at = out;

    sum[ALIGNMENT_CHECKSUM_NAME] =
        crc32_add(crc32, 0, alignment->name, alignment->name_bytes);
    if (alignment->is_packed) {
        /* The qualities are stored also if they are absent. */
        sum[ALIGNMENT_CHECKSUM_BASES] =
            crc32_add(crc32, 0, alignment->bases, half);
        sum[ALIGNMENT_CHECKSUM_QUALITY] =
            crc32_add(crc32, 0, alignment->bases + half, half);
    } else {
        sum[ALIGNMENT_CHECKSUM_BASES] = of_letters(crc32, code, alignment);
        sum[ALIGNMENT_CHECKSUM_QUALITY] =
            of_quality_text(crc32, alignment, half);
    }
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++) {
        for (int shift = 28; shift >= 0; shift -= 4)
            *at++ = (unsigned char)escape_digit(sum[c] >> shift & 15);
    }
    return (size_t)(at - out);
}

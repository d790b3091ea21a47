/* SPDX-License-Identifier: MIT */
/* alignment_checksums.c -- the CRC-32 of the name, the bases and the qualities
   of a record */

#include <string.h>

#include "base/escape.h"
#include "input/alignment/alignment_checksums.h"

/* What BAM stores is made of SAM in pieces of so many bases. */
#define PIECE 512

#define ABSENT_QUALITY 0xff

/* Write the LENGTH letters at BASES to PIECE as BAM stores them. */
static void
pack(const unsigned char code[256], const unsigned char *bases, size_t length,
     unsigned char *piece)
{
    for (size_t i = 0; i < length / 2; i++)
        piece[i] =
            (unsigned char)(code[bases[2 * i]] << 4 | code[bases[2 * i + 1]]);
    if (length % 2 > 0)
        piece[length / 2] = (unsigned char)(code[bases[length - 1]] << 4);
}

/* Set the checksums of the bases and of the qualities of ALIGNMENT, of SAM. */
static void
add_text(const struct crc32 *crc32, const unsigned char code[256],
         const struct alignment *alignment, uint32_t sum[2])
{
    const unsigned char *quality = alignment->quality;
    unsigned char packed[PIECE / 2];
    unsigned char qualities[PIECE];

    if (quality == NULL)
        memset(qualities, ABSENT_QUALITY, PIECE);
    for (size_t at = 0; at < alignment->length; at += PIECE) {
        const size_t left = alignment->length - at;
        const size_t some = left < PIECE ? left : PIECE;
        pack(code, alignment->bases + at, some, packed);
        for (size_t i = 0; quality != NULL && i < some; i++)
            qualities[i] =
                (unsigned char)(quality[at + i] - alignment->quality_zero);
        crc32_add_two(crc32, sum, packed, (some + 1) / 2, qualities, some);
    }
}

size_t
alignment_checksums_write(const struct crc32 *crc32,
                          const unsigned char code[256],
                          const struct alignment *alignment, unsigned char *out)
{
    const size_t half = (alignment->length + 1) / 2;
    uint32_t sum[ALIGNMENT_CHECKSUMS] = {0};
    uint32_t *last = &sum[ALIGNMENT_CHECKSUM_BASES];
    unsigned char *at = out;

    sum[ALIGNMENT_CHECKSUM_NAME] =
        crc32_add(crc32, 0, alignment->name, alignment->name_bytes);
    /* Packed qualities are stored also if they are absent. */
    if (alignment->is_packed)
        crc32_add_two(crc32, last, alignment->bases, half,
                      alignment->bases + half, alignment->length);
    else
        add_text(crc32, code, alignment, last);
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++) {
        for (int shift = 28; shift >= 0; shift -= 4)
            *at++ = (unsigned char)escape_digit(sum[c] >> shift & 15);
    }
    return (size_t)(at - out);
}

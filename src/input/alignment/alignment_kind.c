/* SPDX-License-Identifier: MIT */
/* alignment_kind.c -- recognise BAM, SAM and CRAM by their first bytes */

#include <string.h>

#include "base/ascii.h"
#include "input/alignment/alignment_kind.h"

/* Whether the bytes fit a pattern. */
enum fit {
    FIT_NO,
    FIT_SO_FAR, /* all of them; the pattern wants more */
    FIT_YES,
};

/* The better one of two. */
static enum fit
fits_either(enum fit one, enum fit other)
{
    return one > other ? one : other;
}

static bool
is_visible(int byte)
{
    return byte > ' ' && byte < 0x7f;
}

static bool
is_of_cigar(int byte)
{
    return ascii_is_digit(byte) ||
           (byte != 0 && strchr("*MIDNSHP=X", byte) != NULL);
}

/* Whether the bytes start with the SIZE_WANTED bytes of MAGIC. */
static enum fit
fits_magic(const unsigned char *data, size_t size, const char *magic,
           size_t size_wanted)
{
    size_t common = size < size_wanted ? size : size_wanted;

    if (memcmp(data, magic, common) != 0)
        return FIT_NO;
    return size < size_wanted ? FIT_SO_FAR : FIT_YES;
}

/* Whether the bytes start a line of the header, such as "@SQ\tSN:", but no
   comment. */
static enum fit
fits_header(const unsigned char *data, size_t size)
{
    static const char magics[][5] = {"@HD\t", "@SQ\t", "@RG\t", "@PG\t"};
    enum fit best = FIT_NO;
    size_t i;

    for (i = 0; i < sizeof magics / sizeof *magics && best != FIT_YES; i++)
        best = fits_either(best, fits_magic(data, size, magics[i], 4));
    if (best != FIT_YES)
        return best;
    /* A tag of two characters and a colon. */
    if ((size > 4 && !ascii_is_letter(data[4])) ||
        (size > 5 && !ascii_is_letter(data[5]) && !ascii_is_digit(data[5])) ||
        (size > 6 && data[6] != ':'))
        return FIT_NO;
    return size > 6 ? FIT_YES : FIT_SO_FAR;
}

/* Whether the bytes start with the first six fields of a record of SAM. */
static enum fit
fits_record(const unsigned char *data, size_t size)
{
    static bool (*const is_of_field[])(int byte) = {
        is_visible,     ascii_is_digit, is_visible,
        ascii_is_digit, ascii_is_digit, is_of_cigar,
    };
    const size_t fields = sizeof is_of_field / sizeof *is_of_field;
    size_t field = 0;
    size_t start = 0;

    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\t' && i > start) {
            field++;
            start = i + 1;
            if (field == fields)
                return FIT_YES;
        } else if (!is_of_field[field](data[i])) {
            return FIT_NO;
        }
    }
    /* A long CIGAR string need not end here. */
    return size >= ALIGNMENT_KIND_BYTES && field == fields - 1 ? FIT_YES
                                                               : FIT_SO_FAR;
}

/*
 * Whether the bytes start with a comment, and then another line of SAM: "@CO\t"
 * may as well be the name of a read, but bases follow that.
 */
static enum fit
fits_comment(const unsigned char *data, size_t size)
{
    const unsigned char *end = memchr(data, '\n', size);
    enum fit comment = fits_magic(data, size, "@CO\t", 4);
    enum fit next = FIT_SO_FAR;

    if (comment != FIT_YES)
        return comment;
    if (end != NULL && end + 1 < data + size) {
        const size_t left = (size_t)(data + size - ++end);
        if (*end != '@')
            next = *end == '>' ? FIT_NO : fits_record(end, left);
        else
            next = fits_either(fits_header(end, left),
                               fits_magic(end, left, "@CO\t", 4));
    }
    /* No read has so long a name. */
    return next == FIT_SO_FAR && size >= ALIGNMENT_KIND_BYTES ? FIT_YES : next;
}

enum alignment_kind
alignment_kind_of(const unsigned char *data, size_t size, bool has_ended)
{
    const bool is_last = has_ended || size >= ALIGNMENT_KIND_BYTES;
    enum fit bam = fits_magic(data, size, "BAM\1", 4);
    enum fit cram = fits_magic(data, size, "CRAM", 4);
    enum fit sam = FIT_NO;

    if (bam == FIT_YES)
        return ALIGNMENT_BAM;
    /* The byte after the magic number is the version. */
    if (cram == FIT_YES && size > 4 && data[4] >= 1 && data[4] < ' ')
        return ALIGNMENT_CRAM;
    if (size > 0 && data[0] == '@')
        sam = fits_either(fits_header(data, size), fits_comment(data, size));
    else if (size > 0 && data[0] != '>')
        sam = fits_record(data, size);
    if (sam == FIT_YES)
        return ALIGNMENT_SAM;
    bool is_open = size == 0 || bam == FIT_SO_FAR || cram == FIT_SO_FAR ||
                   (cram == FIT_YES && size == 4) || sam == FIT_SO_FAR;
    return is_open && !is_last ? ALIGNMENT_OPEN : ALIGNMENT_NONE;
}

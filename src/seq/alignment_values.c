/* SPDX-License-Identifier: MIT */
/* alignment_values.c -- the fields of alignments */

#include <string.h>

#include "base/ascii.h"
#include "base/eight_bytes.h"
#include "base/little_endian.h"
#include "seq/alignment_values.h"
#include "seq/sequence_names.h"

_Static_assert(ALIGNMENT_CHECKSUM_DIGITS == 8, "eight_bytes_hex() reads it");

/* Bytes that are looked at together. */
#define STEP 8

void
alignment_line_find(struct alignment_line *line, unsigned int words,
                    const unsigned char *data,
                    const struct sequence_record *record)
{
    const binning_u32 limit = record->bases_start;
    binning_u32 at = record->name_end;
    unsigned int found = 0;

    line->words = 0;
    if (limit < at + 2 || data[at] != '\t' ||
        (data[at + 1] != ALIGNMENT_WORDS_MARK &&
         data[at + 1] != ALIGNMENT_REFERENCE_MARK))
        return;
    at += 2;
    line->start = at;
    /* The line ends with the only line end, which may be missing. */
    for (; at + STEP <= limit && found < words; at += STEP) {
        const uint64_t bytes = little_endian_64(data + at);
        uint64_t ends =
            eight_bytes_find(bytes, '\t') | eight_bytes_find(bytes, '\n');
        for (; ends != 0 && found < words; ends &= ends - 1)
            line->end[found++] = at + (binning_u32)__builtin_ctzll(ends) / 8;
    }
    for (; at < limit && found < words; at++) {
        if (data[at] == '\t' || data[at] == '\n')
            line->end[found++] = at;
    }
    if (found < words && data[limit - 1] != '\n')
        line->end[found++] = limit;
    line->words = found;
}

/* Returns the place of WORD in LINE; TEXT_SLICE_NONE: it is not there. */
static struct text_slice
find_word(enum alignment_word word, const struct alignment_line *line)
{
    if (word >= line->words)
        return TEXT_SLICE_NONE;
    const binning_u32 at = word > 0 ? line->end[word - 1] + 1 : line->start;
    const binning_u32 end = line->end[word];
    return end > at ? (struct text_slice){at, end - at} : TEXT_SLICE_NONE;
}

/* Returns the number that the word at SLICE is.  A text may have the mark, too,
   and so any word: then the number is below 2^33. */
static int64_t
read_number(const unsigned char *data, struct text_slice slice)
{
    const unsigned char *at = data + slice.at;
    const unsigned char *end = at + slice.size;
    bool is_negative = at < end && *at == '-';
    int64_t number = 0;

    for (at += is_negative;
         at < end && ascii_is_digit(*at) && number <= UINT32_MAX / 10; at++)
        number = number * 10 + (*at - '0');
    return is_negative ? -number : number;
}

/* Returns the word that PART is, or needs first. */
static enum alignment_word
word_of(enum text_part part)
{
    if (part >= TEXT_PART_PAIRED)
        return ALIGNMENT_WORD_FLAG;
    if (part == TEXT_PART_MATE_ELSEWHERE)
        return ALIGNMENT_WORD_RNAME;
    if (part == TEXT_PART_INSERT_SIZE)
        return ALIGNMENT_WORD_ORIENTATION;
    return part >= TEXT_PART_CIGAR_OPS
               ? ALIGNMENT_WORD_CIGAR
               : (enum alignment_word)(part - TEXT_PART_FLAG);
}

bool
alignment_values_are_of_reference(const unsigned char *data,
                                  const struct sequence_record *record)
{
    const binning_u32 at = record->name_end;

    return record->bases_start > at + 1 && data[at] == '\t' &&
           data[at + 1] == ALIGNMENT_REFERENCE_MARK;
}

unsigned int
alignment_values_words(enum text_part part)
{
    unsigned int words = 0;

    if (alignment_values_have(part))
        words = 1u << word_of(part);
    if (part == TEXT_PART_MATE_ELSEWHERE)
        words |= 1u << ALIGNMENT_WORD_MATE_RNAME;
    if (part == TEXT_PART_INSERT_SIZE)
        words |= 1u << ALIGNMENT_WORD_TLEN;
    if (part == TEXT_PART_CIGAR_CYCLE)
        words |= 1u << ALIGNMENT_WORD_FLAG;
    return words;
}

unsigned int
alignment_line_words(enum text_part part)
{
    const unsigned int words = alignment_values_words(part);

    return words == 0 ? 0 : 32 - (unsigned int)__builtin_clz(words);
}

void
alignment_values_add_checksums(const unsigned char *data,
                               const struct alignment_line *line,
                               uint64_t sum[ALIGNMENT_CHECKSUMS])
{
    struct text_slice slice = find_word(ALIGNMENT_WORD_CHECKSUMS, line);
    const unsigned char *digit = data + slice.at;

    if (slice.at == TEXT_SLICE_MISSING ||
        slice.size != ALIGNMENT_CHECKSUMS * ALIGNMENT_CHECKSUM_DIGITS)
        return;
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++) {
        sum[c] += eight_bytes_hex(little_endian_64(digit));
        digit += ALIGNMENT_CHECKSUM_DIGITS;
    }
}

/* Returns whether the reference of the mate, in LINE, is another one than SLICE
   of DATA, as 0 or 1. */
static struct text_slice
read_elsewhere(struct text_slice slice, const unsigned char *data,
               const struct alignment_line *line)
{
    struct text_slice mate = find_word(ALIGNMENT_WORD_MATE_RNAME, line);

    if (mate.at == TEXT_SLICE_MISSING)
        return mate;
    return text_slice_of_bits(
        mate.size != slice.size ||
        memcmp(data + mate.at, data + slice.at, slice.size) != 0);
}

/* Returns how long the template of a record with LINE is, which has an
   orientation. */
static struct text_slice
read_insert_size(const unsigned char *data, const struct alignment_line *line)
{
    struct text_slice slice = find_word(ALIGNMENT_WORD_TLEN, line);

    if (slice.at == TEXT_SLICE_MISSING)
        return slice;
    const int64_t length = read_number(data, slice);
    return text_slice_of_bits((uint64_t)(length < 0 ? -length : length));
}

struct text_slice
alignment_values_of(enum text_part part, const unsigned char *data,
                    const struct alignment_line *line)
{
    struct text_slice slice = find_word(word_of(part), line);

    if (slice.at == TEXT_SLICE_MISSING)
        return slice;
    if (part >= TEXT_PART_PAIRED) {
        const uint64_t flags = (uint64_t)read_number(data, slice);
        return text_slice_of_bits(flags >> (part - TEXT_PART_PAIRED) & 1);
    }
    if (part == TEXT_PART_MATE_ELSEWHERE)
        return read_elsewhere(slice, data, line);
    if (part == TEXT_PART_INSERT_SIZE)
        return read_insert_size(data, line);
    if (!sequence_part_is_computed(part)) {
        bool is_absent = slice.size == 1 && data[slice.at] == '*' &&
                         part != TEXT_PART_READ_GROUP;
        return is_absent ? TEXT_SLICE_NONE : slice;
    }
    return text_slice_of_bits((uint64_t)read_number(data, slice));
}

struct text_slice
alignment_values_read(enum text_part part, const unsigned char *data,
                      const struct sequence_record *record)
{
    struct alignment_line line;

    alignment_line_find(&line, alignment_line_words(part), data, record);
    return alignment_values_of(part, data, &line);
}

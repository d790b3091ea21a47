/* SPDX-License-Identifier: MIT */
/* guess.c -- what the first bytes of content look like */

#include <string.h>

#include "base/little_endian.h"
#include "base/utf8.h"
#include "input/content/content.h"
#include "input/content/guess.h"

/* The limit of safetensors for its header, without the size. */
#define SAFETENSORS_MAX 100000000
#define SAFETENSORS_SIZE_BYTES 8

/* Fewer bytes look like UTF-16 without a mark by chance. */
#define UTF16_BYTES_MIN 16

struct magic_row {
    enum guess guess;
    size_t size;
    const char *bytes;
};

static size_t
head_size(const struct sniff *sniff)
{
    return sniff->bytes < SNIFF_HEAD_BYTES ? sniff->bytes : SNIFF_HEAD_BYTES;
}

/* Whether the SIZE bytes of the content at AT are BYTES. */
static bool
has(const struct sniff *sniff, size_t at, const void *bytes, size_t size)
{
    return at + size <= head_size(sniff) &&
           memcmp(sniff->head + at, bytes, size) == 0;
}

/* Whether BYTE is one of SET. */
static bool
is_one_of(unsigned char byte, const char *set)
{
    return byte != 0 && strchr(set, byte) != NULL;
}

/* Returns the first row of the COUNT at ROW that SNIFF starts with. */
static enum guess
find(const struct sniff *sniff, const struct magic_row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (has(sniff, 0, row[i].bytes, row[i].size))
            return row[i].guess;
    }
    return GUESS_NONE;
}

/* Binary files, by what they start with. */
static enum guess
guess_binary(const struct sniff *sniff)
{
    static const struct magic_row rows[] = {
        {GUESS_PARQUET, 4, "PAR1"},
        {GUESS_PARQUET, 4, "PARE"},
        {GUESS_SQLITE, 16, "SQLite format 3"},
        {GUESS_BAM, 4, "BAM\1"},
        {GUESS_CRAM, 5, "CRAM\2"},
        {GUESS_CRAM, 5, "CRAM\3"},
        {GUESS_CRAM, 5, "CRAM\4"},
        {GUESS_OTHER_IMAGE, 8, "\x89PNG\r\n\x1a\n"},
        {GUESS_OTHER_IMAGE, 3, "\xff\xd8\xff"},
        {GUESS_OTHER_IMAGE, 6, "GIF87a"},
        {GUESS_OTHER_IMAGE, 6, "GIF89a"},
        {GUESS_OTHER_IMAGE, 4, "II*"},
        {GUESS_OTHER_IMAGE, 4, "MM\0*"},
    };

    if (sniff_npy_header(sniff) > 0)
        return GUESS_NPY;
    if ((has(sniff, 0, "RIFF", 4) || has(sniff, 0, "RF64", 4)) &&
        has(sniff, 8, "WAVE", 4))
        return GUESS_WAV;
    if (has(sniff, 8, "{\"", 2) &&
        little_endian(sniff->head, SAFETENSORS_SIZE_BYTES) <= SAFETENSORS_MAX)
        return GUESS_SAFETENSORS;
    /* Of a bitmap: the letters, four bytes of size, four zeros. */
    if (has(sniff, 0, "BM", 2) && has(sniff, 6, "\0\0\0\0", 4))
        return GUESS_IMAGE;
    if ((has(sniff, 0, "P5", 2) || has(sniff, 0, "P6", 2)) &&
        head_size(sniff) > 2 && is_one_of(sniff->head[2], " \t\r\n"))
        return GUESS_IMAGE;
    return find(sniff, rows, sizeof rows / sizeof *rows);
}

/* Whether the bytes are UTF-16 with a mark, or ASCII characters in UTF-16. */
static bool
is_utf16(const struct sniff *sniff)
{
    bool is_little =
        sniff->has_zero[1] && !sniff->has_other[1] && !sniff->has_zero[0];
    bool is_big =
        sniff->has_zero[0] && !sniff->has_other[0] && !sniff->has_zero[1];

    if (has(sniff, 0, "\xff\xfe", 2))
        return !has(sniff, 2, "\0\0", 2); /* UTF-32 */
    return has(sniff, 0, "\xfe\xff", 2) ||
           (sniff->bytes >= UTF16_BYTES_MIN && (is_little || is_big));
}

/* Returns the next byte of the head from *AT on that is not among BLANKS, and
   advances *AT to this byte; or 0 at the end of the head. */
static unsigned char
next_of(const struct sniff *sniff, size_t *at, const char *blanks)
{
    while (*at < head_size(sniff) && is_one_of(sniff->head[*at], blanks))
        (*at)++;
    return *at < head_size(sniff) ? sniff->head[*at] : 0;
}

/* JSON, by its first character and what follows it. */
static enum guess
guess_json(const struct sniff *sniff)
{
    size_t at = has(sniff, 0, UTF8_MARK, UTF8_MARK_BYTES) ? UTF8_MARK_BYTES : 0;
    unsigned char first = next_of(sniff, &at, " \t\r\n");

    if (first != '[' && first != '{')
        return GUESS_NONE;
    at++;
    unsigned char next = next_of(sniff, &at, " \t\r");
    if (first == '[')
        return is_one_of(next, "\n{[\"]") ? GUESS_JSON_ARRAY : GUESS_NONE;
    if (next != '\n')
        return is_one_of(next, "\"}") ? GUESS_JSON : GUESS_NONE;
    return next_of(sniff, &at, " \t\r\n") == '"' ? GUESS_JSON_SPREAD
                                                 : GUESS_NONE;
}

/* Text in lines, by their first bytes and their delimiters. */
static enum guess
guess_lines(const struct sniff *sniff)
{
    const struct sniff_lines *lines = &sniff->lines;

    if (!sniff_is_text(sniff))
        return GUESS_NONE;
    if (lines->first[0] == '>')
        return GUESS_FASTA;
    if (lines->first[0] == '@' && (lines->ends < 2 || lines->first[2] == '+'))
        return GUESS_FASTQ;
    if (lines->ends >= 1 && lines->commas[0] > 0 &&
        lines->commas[0] == lines->commas[1])
        return GUESS_CSV;
    if (lines->ends >= 1 && lines->tabs[0] > 0 &&
        lines->tabs[0] == lines->tabs[1])
        return GUESS_TSV;
    return lines->ends > 0 ? GUESS_LINES : GUESS_NONE;
}

enum guess
guess_of(const struct sniff *sniff)
{
    static const struct magic_row rows[] = {
        {GUESS_SAM, 4, "@HD\t"}, {GUESS_SAM, 4, "@SQ\t"},
        {GUESS_SAM, 4, "@RG\t"}, {GUESS_SAM, 4, "@PG\t"},
        {GUESS_SAM, 4, "@CO\t"}, {GUESS_GENBANK, 9, "LOCUS    "},
    };
    enum guess guess = guess_binary(sniff);

    if (guess == GUESS_NONE && is_utf16(sniff))
        guess = GUESS_UTF16;
    if (guess == GUESS_NONE)
        guess = find(sniff, rows, sizeof rows / sizeof *rows);
    if (guess == GUESS_NONE)
        guess = guess_json(sniff);
    return guess != GUESS_NONE ? guess : guess_lines(sniff);
}

/* Whether JSON is a mistake for TEXT, which may be NULL. */
static bool
is_wrong_json(const struct text_format *text, enum guess guess, bool has_failed)
{
    if (text == NULL)
        return false;
    const struct text_type *type = text_type_of(text->kind);
    if (type->names == TEXT_NAMES_PATHS)
        return guess != GUESS_JSON;
    return has_failed || type->has_misfits;
}

bool
guess_is_wrong(const struct reading *reading, enum guess guess, bool has_failed)
{
    bool is_text = reading->text != NULL;
    bool is_typed = has_failed || is_text || reading->is_wide;

    switch (guess) {
    case GUESS_PARQUET:
    case GUESS_SQLITE:
    case GUESS_BAM:
    case GUESS_CRAM:
    case GUESS_WAV:
    case GUESS_SAFETENSORS:
        return is_typed;
    case GUESS_UTF16:
        /* Without NUL bytes as ends: then it may be short records. */
        return is_text ? reading->text->end != '\0'
                       : has_failed && !reading->is_wide;
    case GUESS_SAM:
        return !is_text && has_failed;
    case GUESS_GENBANK:
        return is_text ? text_type_of(reading->text->kind)->ends ==
                             TEXT_ENDS_SEQUENCES
                       : has_failed;
    case GUESS_JSON_ARRAY:
    case GUESS_JSON_SPREAD:
    case GUESS_JSON:
        return is_wrong_json(reading->text, guess, has_failed);
    case GUESS_NPY:
        return is_text;
    default:
        return false;
    }
}

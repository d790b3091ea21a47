/* SPDX-License-Identifier: MIT */
/* state_sums.c -- the exact sums of a histogram as a line of a state */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/state_field.h"
#include "state/state_sums.h"

/* The fields after the number of the histogram: numbers, then long numbers. */
enum {
    COUNT,
    NANS,
    PLUS,
    MINUS,
    LEAST,
    GREATEST,
    NUMBERS,
    LONG_NUMBERS = 3,
};

#define WORD_DIGITS 16

/* ---- writing ---- */

/* Put the COUNT words at WORD, the lowest one first, as hexadecimal digits
   without zeros in front. */
static void
put_long(struct state_lines *lines, const uint64_t *word, size_t count)
{
    char text[WORD_DIGITS * EXACT_SQUARE_WORDS + 1];
    size_t size = 0;

    while (count > 1 && word[count - 1] == 0)
        count--;
    size = (size_t)snprintf(text, sizeof text, "%llx",
                            (unsigned long long)word[count - 1]);
    while (--count > 0)
        size += (size_t)snprintf(text + size, sizeof text - size, "%016llx",
                                 (unsigned long long)word[count - 1]);
    state_lines_put(lines, text, size);
}

static int
describe(const struct exact_sums *sums, size_t i, struct state_lines *lines)
{
    const uint64_t number[NUMBERS] = {
        [COUNT] = sums->count,      [NANS] = sums->nan,
        [PLUS] = sums->infinite[0], [MINUS] = sums->infinite[1],
        [LEAST] = sums->least,      [GREATEST] = sums->greatest,
    };
    char text[24];

    snprintf(text, sizeof text, "%zu", i + 1);
    state_lines_put_text(lines, text);
    for (int n = 0; n < NUMBERS; n++)
        put_long(lines, &number[n], 1);
    put_long(lines, sums->sum[0], EXACT_SUM_WORDS);
    put_long(lines, sums->sum[1], EXACT_SUM_WORDS);
    put_long(lines, sums->squares, EXACT_SQUARE_WORDS);
    return state_lines_end(lines);
}

int
state_sums_describe(const struct spec *spec, struct state_lines *lines)
{
    int result = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].kind == COUNTED_SUMS)
            result |= describe(&spec->sums[i], i, lines);
    }
    return result;
}

/* ---- reading ---- */

/* Set the COUNT words at WORD to TEXT.  Returns whether put_long() writes TEXT
   for them. */
static bool
read_long(const char *text, size_t size, uint64_t *word, size_t count)
{
    memset(word, 0, count * sizeof *word);
    if (size == 0 || size > count * WORD_DIGITS || (size > 1 && *text == '0'))
        return false;
    for (size_t d = 0; d < size; d++) {
        size_t place = size - 1 - d;
        uint64_t digit = state_text_hex_digit(text[d]);
        if (digit > 15)
            return false;
        word[place / WORD_DIGITS] |= digit << 4 * (place % WORD_DIGITS);
    }
    return true;
}

/* Read field F of line I into the COUNT words at WORD.  Returns whether there
   is such a field. */
static bool
read_field(const struct state_lines *lines, size_t i, size_t f, uint64_t *word,
           size_t count)
{
    size_t size;
    char *text = state_lines_field(lines, i, f, &size);
    bool is_read = text != NULL && read_long(text, size, word, count);

    free(text);
    return is_read;
}

/* Read line L, of histogram I, into *SUMS.  Returns whether it is one. */
static bool
read_sums(const struct state_lines *lines, size_t l, size_t i,
          struct exact_sums *sums)
{
    uint64_t number[NUMBERS];
    char wanted[24];
    char *histogram = state_lines_field(lines, l, 0, NULL);

    snprintf(wanted, sizeof wanted, "%zu", i + 1);
    bool is_right = histogram != NULL && strcmp(histogram, wanted) == 0;
    free(histogram);
    for (size_t n = 0; n < NUMBERS && is_right; n++)
        is_right = read_field(lines, l, 1 + n, &number[n], 1);
    if (!is_right)
        return false;
    *sums = (struct exact_sums){
        .count = number[COUNT],
        .nan = number[NANS],
        .infinite = {number[PLUS], number[MINUS]},
        .least = number[LEAST],
        .greatest = number[GREATEST],
    };
    char *more = state_lines_field(lines, l, 1 + NUMBERS + LONG_NUMBERS, NULL);
    bool has_more = more != NULL;
    free(more);
    return !has_more &&
           read_field(lines, l, 1 + NUMBERS, sums->sum[0], EXACT_SUM_WORDS) &&
           read_field(lines, l, 2 + NUMBERS, sums->sum[1], EXACT_SUM_WORDS) &&
           read_field(lines, l, 3 + NUMBERS, sums->squares, EXACT_SQUARE_WORDS);
}

int
state_sums_add(const struct spec *spec, const struct state_lines *lines,
               struct exact_sums *sums)
{
    struct exact_sums more;
    size_t l = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t own = spec_own_axis(spec, i);
        if (spec->histogram[i].kind != COUNTED_SUMS)
            continue;
        if (l == lines->count || !read_sums(lines, l, i, &more))
            return -1;
        l++;
        exact_sums_add(&sums[i], &more);
        exact_sums_reduce(&sums[i]);
        if (!exact_sums_are_possible(&more,
                                     (enum sample_type)spec->shown[own].type) ||
            !exact_sums_are_possible(&sums[i],
                                     (enum sample_type)spec->shown[own].type))
            return -1;
    }
    return l == lines->count ? 0 : -1;
}

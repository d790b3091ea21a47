/* SPDX-License-Identifier: MIT */
/* duration.c -- lengths of time, as programs print them */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "kernels/text/text_number.h"
#include "text/modify/duration.h"
#include "text/modify/plain_decimal.h"

/* The greatest rank of a unit. */
#define RANK_MAX 8
/* One of each rank, and a number that is read before its unit. */
#define TERMS_MAX (RANK_MAX + 1)

/* A text, and the terms of its sum. */
struct duration {
    const unsigned char *at; /* the unread bytes */
    const unsigned char *end;
    struct decimal_term term[TERMS_MAX];
    size_t count;
};

static const struct decimal_marks marks = {.point = '.'};

/* ---- numbers with units ---- */

/* FACTOR * 10^SHIFT seconds.  A greater rank is a longer time. */
struct duration_unit {
    const char *name;
    int rank;
    int shift;
    uint64_t factor;
};

static const struct duration_unit units[] = {
    {"s", 4, 0, 1},
    {"ms", 3, -3, 1},
    {"m", 5, 0, 60},
    {"h", 6, 0, 3600},
    {"\xc2\xb5s", 2, -6, 1}, /* U+00B5, micro */
    {"\xce\xbcs", 2, -6, 1}, /* U+03BC, mu */
    {"us", 2, -6, 1},
    {"ns", 1, -9, 1},
    {"d", 7, 0, 86400},
    {"w", 8, 0, 604800},
    {"min", 5, 0, 60},
    {"sec", 4, 0, 1},
    {"nsec", 1, -9, 1},
    {"nanosecond", 1, -9, 1},
    {"nanoseconds", 1, -9, 1},
    {"usec", 2, -6, 1},
    {"\xc2\xb5sec", 2, -6, 1},
    {"\xce\xbcsec", 2, -6, 1},
    {"microsecond", 2, -6, 1},
    {"microseconds", 2, -6, 1},
    {"msec", 3, -3, 1},
    {"millisecond", 3, -3, 1},
    {"milliseconds", 3, -3, 1},
    {"secs", 4, 0, 1},
    {"second", 4, 0, 1},
    {"seconds", 4, 0, 1},
    {"mins", 5, 0, 60},
    {"minute", 5, 0, 60},
    {"minutes", 5, 0, 60},
    {"hr", 6, 0, 3600},
    {"hrs", 6, 0, 3600},
    {"hour", 6, 0, 3600},
    {"hours", 6, 0, 3600},
    {"day", 7, 0, 86400},
    {"days", 7, 0, 86400},
    {"week", 8, 0, 604800},
    {"weeks", 8, 0, 604800},
};

static const struct duration_unit *
find_unit(const unsigned char *name, size_t length)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == length &&
            memcmp(units[i].name, name, length) == 0)
            return &units[i];
    }
    return NULL;
}

static void
skip_blanks(struct duration *duration)
{
    while (duration->at < duration->end && text_number_is_blank(*duration->at))
        duration->at++;
}

/* Read a unit.  Returns NULL if none of the table is there. */
static const struct duration_unit *
read_unit(struct duration *duration)
{
    const unsigned char *name = duration->at;

    while (duration->at < duration->end &&
           (*duration->at >= 0x80 || (*duration->at | 32u) - 'a' < 26))
        duration->at++;
    return find_unit(name, (size_t)(duration->at - name));
}

/* Read numbers with units, or a number alone. */
static bool
read_terms(struct duration *duration)
{
    int rank = RANK_MAX + 1;

    while (duration->at < duration->end) {
        struct decimal_term *term = &duration->term[duration->count];
        duration->at =
            plain_decimal_read(term, duration->at, duration->end, marks);
        /* An exponent stands in a text of one number, which limits the size of
           the sum. */
        if (duration->at == NULL || (term->has_exponent && duration->count > 0))
            return false;
        duration->count++;
        if (duration->at == duration->end)
            return duration->count == 1;
        skip_blanks(duration);
        const struct duration_unit *unit = read_unit(duration);
        if (unit == NULL || unit->rank >= rank)
            return false;
        rank = unit->rank;
        term->shift += unit->shift;
        term->factor = unit->factor;
        skip_blanks(duration);
        if (term->has_exponent)
            return duration->at == duration->end;
    }
    return duration->count > 0;
}

/* ---- clocks ---- */

/*
 * Read digits, which count FACTOR seconds each.  Returns how many there are; 0:
 * none.
 */
static size_t
read_digits(struct duration *duration, uint64_t factor)
{
    const unsigned char *digit = duration->at;

    while (duration->at < duration->end && ascii_is_digit(*duration->at))
        duration->at++;
    size_t size = (size_t)(duration->at - digit);
    duration->term[duration->count++] = (struct decimal_term){
        .text = digit, .size = size, .whole = size, .factor = factor};
    return size;
}

/* Whether the last term, of one or two digits, is below LIMIT. */
static bool
last_is_below(const struct duration *duration, unsigned int limit)
{
    const struct decimal_term *term = &duration->term[duration->count - 1];
    unsigned int value = 0;

    for (size_t i = 0; i < term->size && i < 2; i++)
        value = value * 10 + (term->text[i] - '0');
    return term->size <= 2 && value < limit;
}

/* Read a byte, if it is BYTE. */
static bool
read_byte(struct duration *duration, unsigned char byte)
{
    if (duration->at == duration->end || *duration->at != byte)
        return false;
    duration->at++;
    return true;
}

/* Read two digits that count FACTOR seconds each, after a colon. */
static bool
read_sixty(struct duration *duration, uint64_t factor)
{
    return read_byte(duration, ':') && read_digits(duration, factor) == 2 &&
           last_is_below(duration, 60);
}

/* Read a point and the fraction of a second. */
static bool
read_fraction(struct duration *duration)
{
    const unsigned char *point = duration->at;

    if (!read_byte(duration, '.'))
        return true;
    size_t digits = read_digits(duration, 1);
    duration->term[duration->count - 1] = (struct decimal_term){
        .text = point, .size = digits + 1, .fraction = digits, .factor = 1};
    return digits > 0;
}

/* Read a clock with COLONS colons, 1 or 2, to the end of the text. */
static bool
read_clock(struct duration *duration, size_t colons)
{
    if (read_digits(duration, 86400) == 0)
        return false;
    bool has_days = read_byte(duration, '-');
    if (has_days) {
        if (colons != 2 || read_digits(duration, 3600) == 0 ||
            !last_is_below(duration, 24))
            return false;
    } else {
        duration->term[0].factor = colons == 2 ? 3600 : 60;
    }
    return (colons == 1 || read_sixty(duration, 60)) &&
           read_sixty(duration, 1) && read_fraction(duration) &&
           duration->at == duration->end;
}

/* ---- both ---- */

static size_t
count_colons(const struct duration *duration)
{
    size_t colons = 0;

    for (const unsigned char *at = duration->at; at < duration->end; at++)
        colons += *at == ':';
    return colons;
}

size_t
duration_seconds(const unsigned char *text, size_t size, unsigned char *out)
{
    struct duration duration = {.at = text, .end = text + size};

    skip_blanks(&duration);
    while (duration.end > duration.at && text_number_is_blank(duration.end[-1]))
        duration.end--;
    bool is_negative = read_byte(&duration, '-');
    if (!is_negative)
        (void)read_byte(&duration, '+');
    size_t colons = count_colons(&duration);
    if (colons > 2 ||
        !(colons > 0 ? read_clock(&duration, colons) : read_terms(&duration)))
        return 0;
    return plain_decimal_write(duration.term, duration.count, is_negative, out);
}

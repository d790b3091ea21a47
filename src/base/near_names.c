/* SPDX-License-Identifier: MIT */
/* near_names.c -- existing names, for a message about an unknown name */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/near_names.h"

/* ---- spelling ---- */

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t
spelling_distance(const char *a, size_t length, const char *b)
{
    size_t b_length = strlen(b);
    /* [i][j]: between the first i letters of A and the first j of B. */
    size_t distance[SPELLING_LENGTH_MAX + 1][SPELLING_LENGTH_MAX + 1];

    if (length > SPELLING_LENGTH_MAX || b_length > SPELLING_LENGTH_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        distance[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        distance[i][0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced =
                distance[i - 1][j - 1] + (size_t)(a[i - 1] != b[j - 1]);
            size_t other = least(distance[i - 1][j], distance[i][j - 1]) + 1;
            distance[i][j] = least(replaced, other);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                distance[i][j] =
                    least(distance[i][j], distance[i - 2][j - 2] + 1);
        }
    }
    return distance[length][b_length];
}

/* ---- names ---- */

/* The longest name that is compared: paths of arrays are long, but differ in a
   few letters. */
#define FOLDED_MAX 255

/* A name for comparisons: with small letters only. */
struct folded {
    char text[FOLDED_MAX + 1];
    size_t size;
};

/* A name of the list. */
struct candidate {
    size_t distance;
    size_t i;
};

/* Whether BYTE is a letter, a digit or a sign of ASCII, and no quote. */
static bool
is_visible(char byte)
{
    return byte > ' ' && byte < 0x7f && byte != '"' && byte != '\'';
}

/*
 * Set *FOLDED to NAME without quotes and invisible bytes around it: blanks, a
 * byte order mark.  Returns 0, or -1: NAME is too long to be compared.
 */
static int
fold(struct folded *folded, const char *name, size_t size)
{
    while (size > 0 && !is_visible(*name)) {
        name++;
        size--;
    }
    while (size > 0 && !is_visible(name[size - 1]))
        size--;
    if (size > FOLDED_MAX || memchr(name, '\0', size) != NULL)
        return -1;
    for (size_t i = 0; i < size; i++) {
        bool is_capital = name[i] >= 'A' && name[i] <= 'Z';
        folded->text[i] = (char)(name[i] + (is_capital ? 'a' - 'A' : 0));
    }
    folded->text[size] = '\0';
    folded->size = size;
    return 0;
}

/* As spelling_distance(), where only the letters between equal starts and equal
   ends count.  This gives the same distance. */
static size_t
distance_between(const struct folded *a, const struct folded *b)
{
    size_t shorter = a->size < b->size ? a->size : b->size;
    char rest[SPELLING_LENGTH_MAX + 1];
    size_t start = 0;
    size_t end = 0;

    while (start < shorter && a->text[start] == b->text[start])
        start++;
    while (end < shorter - start &&
           a->text[a->size - 1 - end] == b->text[b->size - 1 - end])
        end++;
    size_t size = b->size - start - end;
    if (size > SPELLING_LENGTH_MAX)
        return SIZE_MAX;
    memcpy(rest, b->text + start, size);
    rest[size] = '\0';
    return spelling_distance(a->text + start, a->size - start - end, rest);
}

static bool
is_small(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

/* Whether SHORTER, of three or more letters and nothing else, abbreviates
   LONGER, as qty does quantity: it starts alike and has the same order. */
static bool
abbreviates(const struct folded *shorter, const struct folded *longer)
{
    size_t at = 0;

    if (shorter->size < 3 || shorter->text[0] != longer->text[0])
        return false;
    for (size_t i = 0; i < longer->size && is_small(shorter->text[at]); i++)
        at += longer->text[i] == shorter->text[at];
    return at == shorter->size;
}

/* The distance of NAME, of SIZE bytes, from WANTED; SIZE_MAX: NAME does not
   resemble WANTED. */
static size_t
distance_of(const struct folded *wanted, const char *name, size_t size)
{
    size_t limit = (wanted->size < 3 ? 3 : wanted->size) / 3 + 1;
    struct folded other;

    if (wanted->size == 0 || fold(&other, name, size) < 0 || other.size == 0)
        return SIZE_MAX;
    size_t distance = distance_between(wanted, &other);
    if (distance < limit && distance < wanted->size)
        return distance;
    /* One or two letters are in many names. */
    bool is_within =
        (wanted->size > 2 && strstr(other.text, wanted->text) != NULL) ||
        (other.size > 2 && strstr(wanted->text, other.text) != NULL);
    return is_within || abbreviates(wanted, &other) ||
                   abbreviates(&other, wanted)
               ? limit
               : SIZE_MAX;
}

/* Insert CANDIDATE into the sorted list at FIRST, which has COUNT entries, at
   most NEAR_NAMES_MAX.  Returns the new count. */
static size_t
insert(struct candidate *first, size_t count, struct candidate candidate)
{
    size_t at = count;

    while (at > 0 && first[at - 1].distance > candidate.distance)
        at--;
    if (at == NEAR_NAMES_MAX)
        return count;
    if (count == NEAR_NAMES_MAX)
        count--;
    memmove(first + at + 1, first + at, (count - at) * sizeof *first);
    first[at] = candidate;
    return count + 1;
}

const void *
near_names_string(const void *context, size_t i, size_t *size)
{
    const char *const *strings = context;

    *size = strlen(strings[i]);
    return strings[i];
}

const char *
near_names_list(const struct near_names *names, const void *wanted, size_t size,
                char text[NEAR_NAMES_BYTES])
{
    struct candidate nearest[NEAR_NAMES_MAX];
    struct folded folded = {.size = 0};
    char shown[VISIBLE_BYTES];
    size_t count = 0;
    size_t used = 0;

    (void)fold(&folded, wanted, size);
    for (size_t i = 0; i < names->count; i++) {
        size_t bytes;
        const char *name = names->name_at(names->context, i, &bytes);
        struct candidate candidate = {distance_of(&folded, name, bytes), i};
        count = insert(nearest, count, candidate);
    }
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        const void *name = names->name_at(names->context, nearest[i].i, &bytes);
        used += (size_t)snprintf(
            text + used, NEAR_NAMES_BYTES - used, "%s%s%s%s", i > 0 ? ", " : "",
            names->quote, visible_name(shown, name, bytes), names->quote);
    }
    if (count < names->count)
        snprintf(text + used, NEAR_NAMES_BYTES - used, " and %zu more",
                 names->count - count);
    return text;
}

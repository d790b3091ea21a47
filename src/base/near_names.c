/* near_names.c -- the names that exist, for a message about one that does not
 */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/near_names.h"
#include "base/spelling.h"

/* A name for comparisons: with small letters only. */
struct folded {
    char text[SPELLING_LENGTH_MAX + 1];
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
 * Set *FOLDED to NAME without invisible bytes and quotes around it: blanks, a
 * byte order mark.  Returns 0, or -1: it is too long to be compared.
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
    if (size > SPELLING_LENGTH_MAX || memchr(name, '\0', size) != NULL)
        return -1;
    for (size_t i = 0; i < size; i++) {
        bool is_capital = name[i] >= 'A' && name[i] <= 'Z';
        folded->text[i] = (char)(name[i] + (is_capital ? 'a' - 'A' : 0));
    }
    folded->text[size] = '\0';
    folded->size = size;
    return 0;
}

/* The distance of NAME, of SIZE bytes, from WANTED; SIZE_MAX: they do not
   resemble each other. */
static size_t
distance_of(const struct folded *wanted, const char *name, size_t size)
{
    size_t limit = (wanted->size < 3 ? 3 : wanted->size) / 3 + 1;
    struct folded other;

    if (wanted->size == 0 || fold(&other, name, size) < 0 || other.size == 0)
        return SIZE_MAX;
    size_t distance = spelling_distance(wanted->text, wanted->size, other.text);
    if (distance < limit && distance < wanted->size)
        return distance;
    /* One or two letters are in many names. */
    bool is_within =
        (wanted->size > 2 && strstr(other.text, wanted->text) != NULL) ||
        (other.size > 2 && strstr(wanted->text, other.text) != NULL);
    return is_within ? limit : SIZE_MAX;
}

/* Put CANDIDATE into the list at FIRST, COUNT of at most NEAR_NAMES_MAX, which
   is sorted.  Returns how many there are then. */
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

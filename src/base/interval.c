/* SPDX-License-Identifier: MIT */
/* interval.c -- an interval of time or bytes, as users write it */

#include <string.h>

#include "base/interval.h"
#include "base/number.h"
#include "base/size.h"

#define SECONDS_MIN 1e-3
#define SECONDS_MAX 31556952e3

/* The longest number that is accepted. */
#define NUMBER_LENGTH_MAX 31

static const struct unit {
    const char *name;
    double seconds;
} units[] = {
    {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400},
};

/* The unit at the end of TEXT, or NULL; the number has *LENGTH characters. */
static const struct unit *
find_unit(const char *text, size_t *length)
{
    const struct unit *found = NULL;
    size_t shortest = strlen(text);

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t name = strlen(units[i].name);
        size_t suffix = strlen(text) - name;
        /* Take the longest unit: "ms" also ends with "s". */
        if (name < strlen(text) && suffix < shortest &&
            strcmp(text + suffix, units[i].name) == 0) {
            found = &units[i];
            shortest = suffix;
        }
    }
    *length = shortest;
    return found;
}

int
interval_parse(const char *text, struct interval *interval)
{
    char number[NUMBER_LENGTH_MAX + 1];
    double value;
    size_t length;

    *interval = (struct interval){0};
    const struct unit *unit = find_unit(text, &length);
    /* In 0x1d the d is a digit. */
    if (unit == NULL || strncmp(text, "0x", 2) == 0 ||
        strncmp(text, "0X", 2) == 0)
        return size_parse(text, &interval->bytes) == 0 && interval->bytes > 0
                   ? 0
                   : -1;
    if (length > NUMBER_LENGTH_MAX)
        return -1;
    memcpy(number, text, length);
    number[length] = '\0';
    if (number_parse(number, &value) < 0)
        return -1;
    interval->seconds = value * unit->seconds;
    return interval->seconds >= SECONDS_MIN && interval->seconds <= SECONDS_MAX
               ? 0
               : -1;
}

bool
interval_is_set(const struct interval *interval)
{
    return interval->seconds > 0 || interval->bytes > 0;
}

/* option_find.c -- looking up options */

#include <string.h>

#include "cli/option_find.h"
#include "cli/option_foreign.h"
#include "cli/option_table.h"

const struct option_row *
option_find(const char *name, size_t length)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    }
    return NULL;
}

const struct option_row *
option_find_abbreviated(const char *name, size_t length)
{
    const struct option_row *row = option_find(name, length);
    size_t found = 0;

    /* The name of another program's option is no abbreviation. */
    if (row != NULL || option_foreign_name(name, length) != NULL)
        return row;
    for (size_t i = 0; i < option_count; i++) {
        if (strncmp(option_table[i].name, name, length) == 0) {
            row = &option_table[i];
            found++;
        }
    }
    return found == 1 ? row : NULL;
}

const struct option_row *
option_find_letter(char letter)
{
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].letter == letter)
            return &option_table[i];
    }
    return NULL;
}

const struct option_row *
option_find_next(const struct option_row *row)
{
    const struct option_row *next = NULL;

    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *other = &option_table[i];
        if ((row == NULL || strcmp(other->name, row->name) > 0) &&
            (next == NULL || strcmp(other->name, next->name) < 0))
            next = other;
    }
    return next;
}

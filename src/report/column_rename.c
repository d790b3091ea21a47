/* SPDX-License-Identifier: MIT */
/* column_rename.c -- --rename: other names for columns, for printing alone */

#include <stdlib.h>
#include <string.h>

#include "base/quoted.h"
#include "base/visible.h"
#include "report/column_rename.h"

/* Set *ERROR: the item at ITEM is wrong, for the reason WHY.  Returns -1. */
static int
fail_item(const char *item, const char *why, struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_USAGE,
              "--rename: '%s' %s; wanted OLD=NEW,..., and a name with a comma "
              "or '=' in double quotes",
              visible_name(shown, item, strcspn(item, ",")), why);
    return -1;
}

/*
 * Read a name at *AT, which ends before a byte of STOPS, or in quotes.  Moves
 * *AT behind the name.  Returns the name, owned; or NULL with *ERROR set: no
 * quote closes, or out of memory.
 */
static char *
read_name(const char **at, const char *stops, struct error *error)
{
    const char *start = *at;
    size_t size = strcspn(start, stops);
    char *name = malloc(strlen(start) + 1);

    if (name == NULL) {
        (void)error_fail_memory(error);
        return NULL;
    }
    if (*start != '"') {
        memcpy(name, start, size);
        name[size] = '\0';
        *at = start + size;
        return name;
    }
    *at = quoted_read(start, name, &size);
    if (*at != NULL)
        return name;
    *at = start;
    free(name);
    (void)fail_item(start, "has no closing quote", error);
    return NULL;
}

/* Read the item at *AT into RENAME, which is all 0.  Returns 0, or -1 with
 * *ERROR set. */
static int
read_item(struct column_rename *rename, const char **at, struct error *error)
{
    const char *item = *at;

    rename->old = read_name(at, "=,", error);
    if (rename->old == NULL)
        return -1;
    if (**at != '=')
        return fail_item(item, "has no '='", error);
    ++*at;
    rename->name = read_name(at, ",", error);
    if (rename->name == NULL)
        return -1;
    if (**at != ',' && **at != '\0')
        return fail_item(item, "has text after a quote", error);
    if (*rename->old == '\0' || *rename->name == '\0')
        return fail_item(item, "lacks a name", error);
    return 0;
}

int
column_renames_parse(struct column_renames *renames, const char *text,
                     struct error *error)
{
    size_t most = 1;

    for (const char *at = text; *at != '\0'; at++)
        most += *at == ',';
    *renames = (struct column_renames){
        .rename = calloc(most, sizeof *renames->rename),
    };
    if (renames->rename == NULL)
        return error_fail_memory(error);
    for (const char *at = text;; at++) {
        const char *item = at;
        struct column_rename *rename = &renames->rename[renames->count++];
        if (read_item(rename, &at, error) < 0)
            return -1;
        for (size_t i = 0; i + 1 < renames->count; i++) {
            if (strcmp(renames->rename[i].old, rename->old) == 0)
                return fail_item(item, "renames a column again", error);
        }
        if (*at == '\0')
            return 0;
    }
}

void
column_renames_close(struct column_renames *renames)
{
    for (size_t i = 0; i < renames->count; i++) {
        free(renames->rename[i].old);
        free(renames->rename[i].name);
    }
    free(renames->rename);
    *renames = (struct column_renames){0};
}

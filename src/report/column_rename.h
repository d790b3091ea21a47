/* SPDX-License-Identifier: MIT */
/* column_rename.h -- --rename: other names for columns, for printing alone */

#ifndef GPUHIST_COLUMN_RENAME_H
#define GPUHIST_COLUMN_RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct column_rename {
    char *old;   /* owned */
    char *name;  /* the new name, owned, not empty */
    bool is_met; /* some column was called OLD; for the caller */
};

struct column_renames {
    struct column_rename *rename; /* COUNT of them, owned */
    size_t count;
};

/*
 * Parse TEXT, the argument of --rename: OLD=NEW,...  Names with a comma or "="
 * stand in double quotes.  Returns 0, or -1 with *ERROR set; the caller calls
 * column_renames_close() in both cases.
 */
int column_renames_parse(struct column_renames *renames, const char *text,
                         struct error *error);

/* RENAMES may be all 0. */
void column_renames_close(struct column_renames *renames);

#endif

/*
 * profile.h -- the lines of --profile, one for each field
 *
 * The profile of a field has the type of its values, the numbers of values of
 * each kind, and figures.  The values are counted as keys, or as the numbers of
 * samples; only printing knows of profiles.
 */

#ifndef GPUHIST_PROFILE_H
#define GPUHIST_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/decimal_sum.h"
#include "base/error.h"
#include "hist/spec.h"
#include "report/request.h"

enum profile_column {
    PROFILE_FIELD,
    PROFILE_TYPE,
    PROFILE_COUNT, /* of values: not missing, empty, invalid or NaN */
    PROFILE_MISSING,
    PROFILE_EMPTY,
    PROFILE_INVALID,
    PROFILE_NAN,
    PROFILE_DISTINCT,
    PROFILE_MIN,
    PROFILE_MAX,
    PROFILE_MEAN,
    PROFILE_SD,
    PROFILE_P50,
    PROFILE_MODE,
    PROFILE_MODE_COUNT,
    PROFILE_COLUMNS,
};

enum profile_kind {
    PROFILE_NONE, /* the field has no such figure */
    PROFILE_WORD, /* a word of ASCII */
    PROFILE_WHOLE,
    PROFILE_NUMBER,
    PROFILE_TEXT, /* any bytes */
};

struct profile_cell {
    enum profile_kind kind;
    const unsigned char *byte; /* of a text, SIZE bytes, in the spec or in the
                                  list of keys; else NULL: they are in TEXT */
    size_t size;
    char text[SPEC_HISTOGRAM_BYTES];
};

struct profile_line {
    struct profile_cell cell[PROFILE_COLUMNS];
};

struct profile {
    struct profile_line *line; /* COUNT of them, owned */
    size_t count;
};

/* Returns the name of COLUMN. */
const char *profile_name(enum profile_column column);

/* Returns the bytes of CELL. */
static inline const unsigned char *
profile_bytes(const struct profile_cell *cell)
{
    return cell->byte != NULL ? cell->byte : (const unsigned char *)cell->text;
}

/* Whether tables for people align COLUMN of PROFILE to the left. */
bool profile_is_text(const struct profile *profile, enum profile_column column);

/*
 * Make *PROFILE, the lines of the fields that REPORT counts, with at most
 * REPORT->threads threads.  The lines point into the spec and the lists of keys
 * of REPORT.  Returns 0, or -1 with *ERROR set; the caller calls
 * profile_close() in both cases.
 */
int profile_make(struct profile *profile, const struct report *report,
                 struct error *error);

/* PROFILE may be all 0. */
void profile_close(struct profile *profile);

#endif

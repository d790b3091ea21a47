/* SPDX-License-Identifier: MIT */
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

#include "base/error.h"
#include "report/profile_line.h"
#include "report/request.h"

struct profile {
    struct profile_line *line; /* COUNT of them, owned */
    size_t count;
};

/* Returns the name of COLUMN. */
const char *profile_name(enum profile_column column);

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

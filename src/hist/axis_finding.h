/* SPDX-License-Identifier: MIT */
/*
 * axis_finding.h -- axes whose bins depend on all values: found beforehand
 *
 * --range=minmax, a rule for --bins, --edges=quantiles:N and --edges=fastqc
 * need facts about the values before counting.  So the inputs are read twice.
 *  At first such an axis is "open": its cells are what the facts are found
 * from.  Then the arguments get what was found:
 *
 *     --range=minmax            --range=minmax:LO,HI, or minmax:none
 *     --bins=RULE               --range=minmax:LO,HI --bins=N
 *     --edges=quantiles:N       --edges=quantiles:N:E0,E1,...
 *     --edges=fastqc            --edges=fastqc:E0,E1,...
 *
 * A state records the arguments in this form.
 */

#ifndef GPUHIST_AXIS_FINDING_H
#define GPUHIST_AXIS_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "hist/axis_parse.h"
#include "hist/bin_rule.h"
#include "hist/record.h"

enum axis_finding_kind {
    AXIS_FINDS_NOTHING,
    AXIS_FINDS_RANGE,     /* for a number of bins that is given */
    AXIS_FINDS_BINS,      /* by a rule, and the range */
    AXIS_FINDS_QUANTILES, /* edges */
    AXIS_FINDS_GROUPS,    /* edges of FastQC's groups of positions */
};

/* A fact to find for an axis. */
struct axis_finding {
    enum axis_finding_kind kind;
    enum bin_rule rule;
    uint64_t quantiles; /* bins */
};

/* The words that start the arguments. */
#define AXIS_FINDING_MINMAX "minmax"
#define AXIS_FINDING_QUANTILES "quantiles:"
#define AXIS_FINDING_GROUPS "fastqc"

/* Instead of LO,HI: no values. */
#define AXIS_FINDING_NONE "none"

/* The most bins of --edges=quantiles:N. */
#define AXIS_FINDING_QUANTILES_MAX 1000000

/* Set *FINDING to what TEXTS ask to find.  Returns 0, or -1 with *ERROR set. */
int axis_finding_parse(struct axis_finding *finding,
                       const struct axis_texts *texts, struct error *error);

/* Whether the argument of --range, --bins or --edges asks to find something.
   The argument may be wrong. */
bool axis_finding_is_range(const char *text);
bool axis_finding_is_bins(const char *text);
bool axis_finding_is_edges(const char *text);

/* Whether the argument of --edges asks for quantiles, or for groups. */
bool axis_finding_is_quantiles(const char *text);
bool axis_finding_is_groups(const char *text);

/* Returns the LO,HI that were found in TEXT, of --range; NULL: no such
   argument. */
const char *axis_finding_range(const char *text);

/* Returns the edges that were found in TEXT, of --edges; NULL: no such
   argument. */
const char *axis_finding_edges(const char *text);

/* Whether FINDING needs all numbers that occur: extremes are not enough. */
bool axis_finding_needs_values(const struct axis_finding *finding);

#endif

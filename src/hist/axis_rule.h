/* SPDX-License-Identifier: MIT */
/*
 * axis_rule.h -- the rules that make the bins of an axis
 *
 * Each rule has a row in the table of axis_rule.c, and a file axis_NAME.c with
 * the function that makes an axis of one of the kinds of binning.h.  The row
 * holds all that other rooms use of the rule.
 */

#ifndef GPUHIST_AXIS_RULE_H
#define GPUHIST_AXIS_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "hist/axis.h"
#include "hist/axis_finding.h"
#include "hist/axis_parse.h"
#include "hist/record.h"
#include "kernels/binning/binning.h"

/* The spacing of the edges; the ticks of a picture follow it. */
enum axis_spacing {
    AXIS_SPACING_VALUES, /* no edges: each bin is a value */
    AXIS_SPACING_EVEN,   /* one distance */
    AXIS_SPACING_RATIO,  /* one ratio */
    AXIS_SPACING_ANY,    /* neither */
};

/* An option that asks for a rule. */
struct axis_rule_option {
    const char *name; /* with the "--"; NULL: none */
    size_t text;      /* its offset in struct axis_texts */
};

struct axis_rule {
    const char *name;  /* in JSON */
    const char *words; /* in --explain, after the number of bins */
    enum axis_spacing spacing;
    struct axis_rule_option option[2]; /* each asks for the rule */
    bool has_own_range;                /* --range has no effect */
    bool takes_subdiv;                 /* --subdiv applies to it */

    /*
     * Make the axis, whose element and operations on integers are set.
     * Returns 0, or -1 with the error set.  NULL for k-mers: text_axis.h.
     */
    int (*make)(struct axis_making *making);
};

/* Returns the rule that made AXIS. */
const struct axis_rule *axis_rule_of(const struct binning_axis *axis);

/*
 * Choose the rule that the options of MAKING ask for, and set the axis' field
 * rule.  Returns NULL with the error set if options exclude each other or one
 * would have no effect.
 */
const struct axis_rule *axis_rule_choose(const struct axis_making *making);

/* Room for the names of all options that ask for a rule. */
#define AXIS_RULE_LIST_BYTES 128

/* Set TEXT to "--a, --b and --c", with LAST, " and " or " or ", at the end. */
void axis_rule_list_options(const char *last, char text[AXIS_RULE_LIST_BYTES]);

/* ---- making an axis ---- */

/* Whether TEXTS ask for bins, and not only for operations on integers. */
bool axis_make_has_bins(const struct axis_texts *texts);

/*
 * Make *AXIS for the field ELEMENT from the options TEXTS and CLOSED.  Edges
 * that cannot be computed while counting are appended to EDGES.  The axis of a
 * field of text is sparse unless TEXTS ask for bins.  The fields base and
 * stride are 0; the spec sets them.  Returns 0, or -1 with *ERROR
 * set.
 */
int axis_make(struct binning_axis *axis, struct axis_edges *edges,
              const struct axis_texts *texts, const struct element *element,
              enum binning_closed closed, struct error *error);

/* ---- the rules ---- */

int axis_direct_make(struct axis_making *making);
int axis_even_make(struct axis_making *making);
int axis_edges_make(struct axis_making *making);
int axis_log_make(struct axis_making *making);
int axis_scale_make(struct axis_making *making);

/*
 * Make the axis, whose bins FINDING has to find: by the numbers that occur, or
 * with one bin for all finite numbers, if extremes are enough.
 */
int axis_open_make(struct axis_making *making,
                   const struct axis_finding *finding);

#endif

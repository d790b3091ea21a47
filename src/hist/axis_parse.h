/* SPDX-License-Identifier: MIT */
/* axis_parse.h -- parse the arguments of the options that make an axis */

#ifndef GPUHIST_AXIS_PARSE_H
#define GPUHIST_AXIS_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/number.h"
#include "hist/axis.h"
#include "kernels/binning/binning.h"

/* The options of one axis, as --bins, and --bin-width with another name. */
#define AXIS_TEXTS(TEXT)                 \
    TEXT(bins)                           \
    TEXT(range)                          \
    TEXT(bin_width)                      \
    TEXT(edges) /* E0,E1,... or @FILE */ \
    TEXT(log)   /* "2", "10" or "e" */   \
    TEXT(subdiv)                         \
    TEXT(scale)                          \
    TEXT(shift)                          \
    TEXT(mask)                           \
    TEXT(mod)

/* Their arguments; NULL: not given. */
#define AXIS_TEXT(name) const char *name;
struct axis_texts {
    AXIS_TEXTS(AXIS_TEXT)
};
#undef AXIS_TEXT

/* An axis that is being made. */
struct axis_making {
    struct binning_axis *axis;
    struct axis_edges *edges;
    const struct axis_texts *texts;
    bool is_integer;
    bool is_sparse;     /* too many values for a bin each: what occurs */
    bool may_be_sparse; /* messages may name --nonzero */
    /* Integers: bounds after shift, mask and mod, both included. */
    int64_t least;
    uint64_t most;
    struct error *error;
};

/* Set the error to "OPTION=TEXT: WANTED".  Returns -1. */
int axis_parse_wrong(const struct axis_making *making, const char *option,
                     const char *text, const char *wanted);

/* ---- return 0 or -1; the caller sets the error ---- */

/* Read an unsigned number of up to 64 bits, like 255 or 0xff. */
int axis_parse_bits(const char *text, uint64_t *bits);

/* Read an edge or a width: finite; whole numbers may be hexadecimal. */
int axis_parse_number(const char *text, double *value);

/* Room for one end of a range as the user wrote it.  Longer ends are
   refused. */
#define AXIS_PARSE_BYTES 64

/* Split "LO,HI" or "LO:HI", and copy the parts to LO and HI. */
int axis_parse_split(const char *text, char lo[AXIS_PARSE_BYTES],
                     char hi[AXIS_PARSE_BYTES]);

/* Whether --range is "auto". */
bool axis_parse_is_auto(const struct axis_making *making);

/* Read "LO,HI" or "LO:HI" at TEXT, in the argument of --range.  Returns 0, or
   -1 with *MAKING->error set. */
int axis_parse_ends(const struct axis_making *making, const char *text,
                    double *lo, double *hi);

/* ---- return 0, or -1 with *MAKING->error set ---- */

/* Read the two ends of --range. */
int axis_parse_range(const struct axis_making *making, double *lo, double *hi);

/* Read the argument of --bins: 1 .. AXIS_BINS_MAX. */
int axis_parse_bins(const struct axis_making *making, uint64_t *bins);

/* Read the argument of --bin-width: above 0. */
int axis_parse_width(const struct axis_making *making, double *width);

#endif

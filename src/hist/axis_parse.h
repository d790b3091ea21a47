/* axis_parse.h -- the arguments of the options that make an axis */

#ifndef GPUHIST_AXIS_PARSE_H
#define GPUHIST_AXIS_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "binning.h"
#include "hist/axis.h"
#include "util/error.h"
#include "util/number.h"

/* The arguments of the options for one axis; NULL: not given. */
struct axis_texts {
    const char *bins;
    const char *range;
    const char *bin_width;
    const char *edges; /* E0,E1,... or @FILE */
    const char *log;   /* "2", "10" or "e" */
    const char *subdiv;
    const char *shift;
    const char *mask;
    const char *mod;
};

/* An axis in the making. */
struct axis_making {
    struct binning_axis *axis;
    struct axis_edges *edges;
    const struct axis_texts *texts;
    bool is_integer;
    /* Integers: what can occur after shift, mask and mod, both included. */
    number_integer least;
    number_integer most;
    struct error *error;
};

/* Set the error to "OPTION=TEXT: WANTED".  Returns -1. */
int axis_parse_wrong(const struct axis_making *making, const char *option,
                     const char *text, const char *wanted);

/*
 * All below return 0, or -1: the first three without an error, which is the
 * caller's to set, the others with one.
 */

/* An unsigned number of up to 64 bits, like 255 or 0xff. */
int axis_parse_bits(const char *text, uint64_t *bits);

/* An edge or a width: finite; whole ones may be hexadecimal. */
int axis_parse_number(const char *text, double *value);

/* Room for one end of a range as the user wrote it; longer ones are refused. */
#define AXIS_PARSE_BYTES 64

/* Split "LO,HI" or "LO:HI"; the parts are copied to LO and HI. */
int axis_parse_split(const char *text, char lo[AXIS_PARSE_BYTES],
                     char hi[AXIS_PARSE_BYTES]);

/* The two ends of --range. */
int axis_parse_range(const struct axis_making *making, double *lo, double *hi);

/* The number of --bins. */
int axis_parse_bins(const struct axis_making *making, uint64_t *bins);

/* The number of --bin-width. */
int axis_parse_width(const struct axis_making *making, double *width);

#endif

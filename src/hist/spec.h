/*
 * spec.h -- what is counted: records, fields and axes; fixed once it is made
 *
 * There are two views of an axis.  SHOWN is what the user asked for and what
 * is printed.  COUNTED is what the engines do: a field of 8 or 16 bits is
 * counted by its bits where that is possible, whatever its axis, and the
 * counts are mapped to the axis once, at the end.
 */

#ifndef GPUHIST_SPEC_H
#define GPUHIST_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "hist/axis.h"
#include "hist/histogram.h"
#include "hist/record.h"
#include "util/error.h"

/* What is printed of the values that are in no bin. */
enum flow {
    FLOW_AUTO,  /* their rows where they are not 0 */
    FLOW_SHOW,  /* their rows always */
    FLOW_HIDE,  /* nothing, but a warning */
    FLOW_CLAMP, /* they are added to the first and the last bin */
};

/* As many axes as options may be repeated for. */
#define SPEC_AXES_MAX 64

/* An option that is there once for all axes, or once for each. */
struct axis_option {
    const char *name;
    const char *text[SPEC_AXES_MAX]; /* the arguments, into argv */
    size_t count;
};

/* Their arguments are understood by axis.h. */
struct axis_options {
    struct axis_option bins;
    struct axis_option range;
    struct axis_option bin_width;
    struct axis_option edges;
    struct axis_option log;
    struct axis_option subdiv;
    struct axis_option shift;
    struct axis_option mask;
    struct axis_option mod;
};

/* What to count: texts point into argv; NULL: not given. */
struct spec_options {
    const char *dtype;
    const char *record;
    const char *fields;
    const char *weights;
    enum byte_order endian;
    bool joint;
    struct axis_options axis;
    enum binning_closed closed;
};

struct spec {
    struct record record;
    size_t axis_count;            /* the fields that are counted */
    size_t *field;                /* of each axis: the index of its element */
    struct binning_axis *shown;   /* AXIS_COUNT of them */
    struct binning_axis *counted; /* likewise */
    bool is_joint;                /* one cell for all axes of a record */
    bool has_weights;
    struct element weight;

    struct axis_edges edges; /* of all axes */
    uint32_t *lookup;        /* likewise */
    size_t lookup_count;

    unsigned int generation; /* how often auto_range.h has changed an axis */

    uint64_t cells;       /* of the histogram that the engines keep */
    unsigned int planes;  /* of it: 1, and more for weights */
    uint64_t shown_cells; /* of the one that is printed */
};

/*
 * Make a spec of what OPTIONS say, which may be forgotten then; the records
 * are the pixels of IMAGE, if that is not NULL.  The tables of the axes take
 * MEMORY_LIMIT bytes at most.  Returns 0, or -1 with *ERROR set; spec_close()
 * is due in both cases.
 */
int spec_make(struct spec *spec, const struct spec_options *options,
              const struct image_format *image, uint64_t memory_limit,
              struct error *error);

/* How many cells a record adds to: its histograms. */
size_t spec_histograms(const struct spec *spec);

/* What the axes of SPEC point into. */
struct binning_tables spec_tables(const struct spec *spec);

/* Whether the range of axis I, as it is counted, is found while counting. */
bool spec_grows(const struct spec *spec, size_t i);

/* Whether that is so for any axis. */
bool spec_is_growing(const struct spec *spec);

/* How many cells axis I has, as it is counted. */
uint64_t spec_axis_cells(const struct spec *spec, size_t i);

/* Place the cells of the shown axes, which have become fewer. */
void spec_place_shown(struct spec *spec);

/* How many bytes a histogram of the engines takes. */
uint64_t spec_table_bytes(const struct spec *spec);

/* How many bytes all the rest takes: the edges, and what spec_fold() makes. */
uint64_t spec_other_bytes(const struct spec *spec);

/*
 * Whether HISTOGRAM, of the engines, has each of so many RECORDS exactly once
 * for each axis, in a bin or in a flow cell.
 */
bool spec_adds_up(const struct spec *spec, const struct histogram *histogram,
                  uint64_t records);

/*
 * Find the ranges of the shown axes that were not found while counting:
 * HISTOGRAM, of the counted axes, is all there is.
 */
void spec_find_ranges(const struct spec *spec,
                      const struct histogram *histogram);

/*
 * Replace the HISTOGRAM of the counted axes by that of the shown ones, whose
 * ranges are known.  Returns 0, or -1: out of memory.
 */
int spec_fold(const struct spec *spec, struct histogram *histogram);

/*
 * Add what is below the first bin of an axis to that bin, zero and negative
 * values of a logarithmic axis included, and what is above the last to that
 * one.  NaN keeps its cell.  HISTOGRAM is of the shown axes.
 */
void spec_clamp(const struct spec *spec, struct histogram *histogram);

void spec_close(struct spec *spec);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * counted_histogram.h -- what the options decide of a histogram, once
 *
 * spec_compile() makes one struct counted_histogram for each histogram of a
 * spec, after the axes.  Code that counts, lists, prints, draws or stores a
 * histogram reads the decisions there, and asks neither options nor axes again.
 *
 * A spec owns its array.  While an engine counts, no thread changes the array.
 * Copies of a spec share it, except where a copy shows other rows: the names of
 * a snapshot (key_names.h) and the bins of pairs (number_bins.h) own theirs.
 */

#ifndef GPUHIST_COUNTED_HISTOGRAM_H
#define GPUHIST_COUNTED_HISTOGRAM_H

#include <stdbool.h>

#include "seq/sequence_names.h"

/* Which counter of a CPU engine counts a histogram. */
enum counted_kind {
    COUNTED_CELLS,   /* samples: a table of the cells of the counted axes */
    COUNTED_NUMBERS, /* one axis of numbers, of text or without bins */
    COUNTED_JOINT,   /* several axes of numbers of text, which have bins */
    COUNTED_KEYS,    /* one axis of keys */
    COUNTED_TUPLES,  /* several axes: the codes of tuples are keys */
    COUNTED_KMERS,   /* one axis of k-mers */
    COUNTED_SUMS,    /* one axis of binary numbers: their exact sums */
};

/*
 * What a row of a histogram is.  ROWS_BINS and ROWS_KMERS have a cell for each
 * possible row.  The other kinds have rows for the keys that occur, in a list
 * (key_list.h), which is known only after counting.
 */
enum counted_rows {
    ROWS_BINS,    /* a bin, or a combination of bins */
    ROWS_KMERS,   /* a k-mer, in the order of its code */
    ROWS_KEYS,    /* a key */
    ROWS_NUMBERS, /* a number, whose code is a key; also a multiplicity */
    ROWS_TUPLES,  /* a tuple of several axes, whose code is a key */
};

struct counted_histogram {
    enum counted_kind kind;
    enum counted_rows rows;
    bool is_listed; /* ROWS are in a list of keys */
    uint32_t unit;  /* of its elements: of sequences an enum sequence_unit; of
                       text with lists 0, or the number of the list; else 0: a
                       record is an element */
};

/* Of text, units after the records are lists.  More are probably a mistake. */
#define COUNTED_LISTS_MAX 64
#define COUNTED_UNITS (1 + COUNTED_LISTS_MAX)
_Static_assert((int)SEQUENCE_UNITS <= COUNTED_UNITS, "sequences have fewer");

/* Let the rows of HISTOGRAM be ROWS from now on. */
static inline void
counted_histogram_show(struct counted_histogram *histogram,
                       enum counted_rows rows)
{
    histogram->rows = rows;
    histogram->is_listed = rows >= ROWS_KEYS;
}

#endif

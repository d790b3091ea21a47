/* SPDX-License-Identifier: MIT */
/*
 * bin_row.h -- find the cells of many elements at once, on the CPU
 *
 * A row is some hundred elements of one axis.  Each step of binning.h is a loop
 * over the whole row, without branches, which compilers vectorise.  The result
 * is exactly the result of binning_cell(), which counts the axes that do not
 * fit the scheme.
 */

#ifndef GPUHIST_BIN_ROW_H
#define GPUHIST_BIN_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/lattice.h"
#include "kernels/binning/binning.h"
#include "kernels/binning/floats.h"

/* ---- the constants of an axis ---- */

/*
 * The flow cells.  A number x is in a bin if UNDER <= x < OVER.  On a
 * logarithmic axis, x == ZERO is zero and x < ZERO is negative.
 */
struct bin_row_flow {
    double under;
    double over;
    double zero;
    double cell[BINNING_FLOWS];
};

/* Constants in addition to the axis' own fields. */
struct bin_row_rule {
    const struct binning_axis *axis;
    const struct binning_tables *tables;
    size_t record_bytes;
    bool is_wide;              /* integers that may not fit into a double */
    bool is_possible;          /* false: use binning_cell() for each element */
    bool is_single;            /* positions can be computed in float ... */
    struct floats_rule single; /* ... by this rule */
    struct bin_row_flow flow;
    /* The extent of an axis with --range=auto includes LEAST <= x < END. */
    double least;
    double end;
};

/*
 * Make the RULE for the elements of AXIS in records of RECORD_BYTES.  RULE
 * points to AXIS and TABLES, which must not change.
 */
void bin_row_rule_make(struct bin_row_rule *rule,
                       const struct binning_axis *axis,
                       const struct binning_tables *tables,
                       size_t record_bytes);

/* ---- rows ---- */

/* The elements of a row: they stay in the first-level cache. */
#define BIN_ROW_ELEMENTS 256

/* Up to this many edges are compared one by one; more are searched. */
#define BIN_ROW_EDGES_FEW 16

/* One form of the code, for the vector instructions of some processors. */
struct bin_row_form {
    const char *name;
    bool (*is_possible)(void);

    /*
     * Find the cells of the COUNT records at DATA, at most BIN_ROW_ELEMENTS,
     * at any alignment.  Reads no byte outside of them.
     */
    void (*find)(const struct bin_row_rule *rule, const unsigned char *data,
                 size_t count, uint32_t cell[BIN_ROW_ELEMENTS]);

    /*
     * Widen *MIN and *MAX to include ROWS times BIN_ROW_ELEMENTS records, as
     * binning.h compares them with edges.  Ignores NaN and values beyond
     * BINNING_AUTO_MAX.
     */
    void (*widen)(const struct bin_row_rule *rule, const unsigned char *data,
                  size_t rows, double *min, double *max);
};

/* All forms, from the fastest to the form that is always possible, and then an
   end mark whose NAME is NULL. */
extern const struct bin_row_form bin_row_forms[];

/* Returns the fastest form that the processor supports. */
const struct bin_row_form *bin_row_form_choose(void);

/*
 * Set BITS to the bits of COUNT elements of TYPE, RECORD_BYTES apart, and to 0
 * from COUNT to the end of the row.
 */
void bin_row_load(uint32_t type, bool is_swapped, const unsigned char *element,
                  size_t count, size_t record_bytes,
                  uint64_t bits[BIN_ROW_ELEMENTS]);

/*
 * Widen EXTENT by the elements of AXIS in the SIZE bytes at DATA, which are
 * whole records of RECORD_BYTES.
 */
void bin_row_widen(struct extent *extent, const struct binning_axis *axis,
                   const unsigned char *data, size_t size, size_t record_bytes);

#endif

/* SPDX-License-Identifier: MIT */
/* axis.h -- the bins of an axis: flow cells, edges, and edges as text */

#ifndef GPUHIST_AXIS_H
#define GPUHIST_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number.h"
#include "hist/key_code.h"
#include "kernels/binning/binning.h"

/* The listed edges of all axes, concatenated. */
struct axis_edges {
    double *edge; /* for free() */
    size_t count;
    size_t most; /* limit of COUNT; 0: no limit */
};

/* Rows of the table in axis_rule.c.  No option need ask for the first three. */
enum axis_rule_row {
    AXIS_RULE_DIRECT, /* integers, one by one */
    AXIS_RULE_EVEN,   /* floating-point numbers; --bins asks for it, too */
    AXIS_RULE_KMERS,
    AXIS_RULE_EDGES,
    AXIS_RULE_LOG,
    AXIS_RULE_SCALE,
};

/* The limit of bins of an axis: cell numbers have 32 bits. */
#define AXIS_BINS_MAX ((uint64_t)1 << 31)

/*
 * Set *LEAST and *MOST to bounds, both included, of an integer of AXIS's type
 * after shift, mask and mod.
 */
void axis_values(const struct binning_axis *axis, int64_t *least,
                 uint64_t *most);

/*
 * The special cells of a field of text, for records without a value: the flow
 * cells after the cells of enum binning_flow.  Any text is a key, so an axis of
 * keys has only the first special cell.  If the keys are k-mers, or if records
 * may be wrong, the axis has all three.
 */
enum axis_special {
    AXIS_KEY_MISSING, /* the record has no such field */
    AXIS_EMPTY,       /* no number, but blanks or nothing */
    AXIS_INVALID,     /* no number, or beyond the type */
    AXIS_SPECIALS,
};

/* The words of rows without a value, in tables and states: "\\N", "\\empty". */
extern const char *const axis_special_words[AXIS_SPECIALS];

/* Returns the special cell for TAG, which is not KEY_TAG_VALUE. */
static inline enum axis_special
axis_special_of(enum key_tag tag)
{
    return (enum axis_special)(tag - KEY_TAG_MISSING);
}

/* Returns the type of the elements of AXIS as the user calls it: "u1", "int",
   "key", "kmer". */
const char *axis_type_name(const struct binning_axis *axis);

/* Returns how many flow cells AXIS has. */
unsigned int axis_flows(const struct binning_axis *axis);

/* Returns how many flow cells are for numbers: the first ones of
   binning_flow. */
unsigned int axis_number_flows(const struct binning_axis *axis);

/* Returns how many rows of flow cells come before the rows of the bins. */
unsigned int axis_flows_before(const struct binning_axis *axis);

/*
 * Rows ascend: first the flow cells below the bins, then the bins, then the
 * other flow cells, the special ones last.  Returns the row of CELL; and the
 * cell of ROW, of AXIS.
 */
uint64_t axis_row_of(const struct binning_axis *axis, uint64_t cell);
uint64_t axis_cell_of(const struct binning_axis *axis, uint64_t row);

/* Returns the cell SPECIAL, which AXIS has. */
static inline uint64_t
axis_special_cell(const struct binning_axis *axis, enum axis_special special)
{
    return axis->bins + axis_number_flows(axis) + special;
}

/* Whether AXIS has the cell FLOW and values of the type may fall there. */
bool axis_can_flow(const struct binning_axis *axis, enum binning_flow flow);

/* What the bins of an axis are.  The last two are known after counting only:
   they are in a list (key_list.h). */
enum axis_bins {
    AXIS_INTERVALS, /* between edges */
    AXIS_INTEGERS,  /* integers, one by one */
    AXIS_KMERS,     /* all k-mers, one by one: bin I has the code I (kmer.h) */
    AXIS_KEYS,      /* the keys that occur; also k-mers */
    AXIS_NUMBERS,   /* the numbers that occur, as codes (key_code.h) */
};

/* Whether the bins of AXIS are in a list: AXIS_KEYS or AXIS_NUMBERS. */
static inline bool
axis_is_key(const struct binning_axis *axis)
{
    return axis->kind == BINNING_KEY || axis->kind == BINNING_NUMBER;
}

/* Whether the values of AXIS are k-mers: all k-mers, or the k-mers that
   occur. */
static inline bool
axis_is_kmers(const struct binning_axis *axis)
{
    return axis->rule == AXIS_RULE_KMERS;
}

/* Returns what the bins of AXIS are.  Ask the shown axis: an axis that is
   counted by its bits has no bins of this kind. */
static inline enum axis_bins
axis_bins(const struct binning_axis *axis)
{
    switch (axis->kind) {
    case BINNING_DIRECT:
        return axis_is_kmers(axis) ? AXIS_KMERS : AXIS_INTEGERS;
    case BINNING_KEY:
        return AXIS_KEYS;
    case BINNING_NUMBER:
        return AXIS_NUMBERS;
    default:
        return AXIS_INTERVALS;
    }
}

/* Whether the values of AXIS are names, without a distance between them:
   AXIS_KMERS or AXIS_KEYS. */
static inline bool
axis_has_names(const struct binning_axis *axis)
{
    return axis->kind == BINNING_KEY || axis_is_kmers(axis);
}

/*
 * Whether AXIS, of samples, counts integers: the values of an integer type, or
 * the bits of a float of 8 bits without bins.
 */
static inline bool
axis_is_integer(const struct binning_axis *axis)
{
    return !binning_is_float(axis->type) || axis->kind == BINNING_DIRECT;
}

/* Returns the kind of the codes of AXIS, whose bins are AXIS_NUMBERS. */
static inline enum key_kind
axis_key_kind(const struct binning_axis *axis)
{
    if (axis->is_decimal)
        return KEY_DECIMAL;
    return binning_is_float(axis->type) ? KEY_REAL : KEY_INTEGER;
}

/* Whether the bins of AXIS have places on a scale: they are neither names nor
   the numbers that occur. */
static inline bool
axis_has_bins(const struct binning_axis *axis)
{
    return !axis_is_key(axis) && !axis_is_kmers(axis);
}

/* Whether each octave of AXIS has 2^subdivision bins of equal width: bin I has
   step first_step + I of all octaves from 1 on. */
static inline bool
axis_has_octaves(const struct binning_axis *axis)
{
    return axis->kind == BINNING_LOG2;
}

/*
 * Returns the scale S of AXIS, which --scale made: bin I is between the powers
 * of 2 to first_step + I and to first_step + I + 1, each times 2^-S.
 */
static inline int
axis_scale(const struct binning_axis *axis)
{
    return (int32_t)axis->subdivision;
}

/* Returns the listed edges of AXIS, which has edges; NULL: the edges are
   computed. */
const double *axis_listed_edges(const struct binning_axis *axis,
                                const struct axis_edges *edges);

/* Returns edge I, 0 .. bins, of AXIS, which has edges. */
double axis_edge(const struct binning_axis *axis,
                 const struct axis_edges *edges, uint64_t i);

/* Reduce AXIS, of listed edges, LOG2 or a lattice, to COUNT bins from FIRST
   on. */
void axis_cut(struct binning_axis *axis, const struct axis_edges *edges,
              uint64_t first, uint64_t count);

/*
 * The one value of BIN of a direct axis: as a number, written at AT as
 * number_put() does, and as a text.  A k-mer is written as its letters.
 */
struct wide axis_value(const struct binning_axis *axis, uint64_t bin);
char *axis_put_value(const struct binning_axis *axis, uint64_t bin, char *at);
void axis_value_text(const struct binning_axis *axis, uint64_t bin,
                     char text[NUMBER_TEXT_BYTES]);

/* Write edge I, 0 .. bins, as it is printed.  AXIS has edges or is direct. */
char *axis_put_edge(const struct binning_axis *axis,
                    const struct axis_edges *edges, uint64_t i, char *at);
void axis_edge_text(const struct binning_axis *axis,
                    const struct axis_edges *edges, uint64_t i,
                    char text[NUMBER_TEXT_BYTES]);

#endif

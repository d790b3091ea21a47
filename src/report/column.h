/* SPDX-License-Identifier: MIT */
/*
 * column.h -- the rows of one axis: their cells and their labels
 *
 * Rows ascend as in axis.h.  A column of a sparse histogram has no rows of its
 * own, and is set to a component of each tuple.
 */

#ifndef GPUHIST_COLUMN_H
#define GPUHIST_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/decimal_sum.h"
#include "base/little_endian.h"
#include "base/number.h"
#include "base/precise.h"
#include "hist/spec.h"
#include "kernels/binning/binning.h"

/* How bytes are written. */
enum labels {
    LABELS_DEC,
    LABELS_HEX,
    LABELS_CHAR,
};

struct label {
    char text[DECIMAL_SUM_TEXT_BYTES]; /* with a NUL at the end */
    size_t size;
};

struct column {
    const struct spec *spec;
    const struct binning_axis *axis;
    uint64_t rows;
    uint64_t flows_before; /* flow cells with rows before the bins */
    uint64_t number_flows; /* flow cells for numbers */
    bool has_edges; /* two labels, LO and HI; otherwise only LO, the value */
    enum labels labels;
    const struct key_list *keys;  /* the keys of the bins; NULL: bins of
                                     numbers */
    const struct key_list *codes; /* the numbers of the bins; or NULL */
    uint64_t row;
    uint64_t cell; /* of the axis, in row ROW */
    bool is_sparse;
    enum key_kind kind;             /* of the values; KEY_CELL: bins */
    struct key_component component; /* of the current tuple, if sparse */

    /* Set by column_set_labels(). */
    uint64_t label_cell; /* the cell of LO and HI */
    struct label lo;
    struct label hi;
    struct key_component key; /* on a row of a key, instead of LO and HI */
    bool has_key;
};

/* Make the column of shown axis I of SPEC, of HISTOGRAM, at row 0. */
void column_open(struct column *column, const struct spec *spec,
                 size_t histogram, size_t i, bool has_edges,
                 enum labels labels);

/* Returns the cell of the axis in ROW. */
static inline uint64_t
column_cell(const struct column *column, uint64_t row)
{
    uint64_t bin = row - column->flows_before;

    return bin < column->axis->bins ? bin : axis_cell_of(column->axis, row);
}

static inline void
column_go(struct column *column, uint64_t row)
{
    column->row = row;
    column->cell = column_cell(column, row);
}

/* Go to the component at AT, the last component if IS_LAST, of a tuple that
   ends at END.  Returns the end of the component.  COLUMN is sparse. */
const unsigned char *column_read(struct column *column, const unsigned char *at,
                                 const unsigned char *end, bool is_last);

/* As column_read(), faster for a number and for a letter. */
static inline const unsigned char *
column_read_fast(struct column *column, const unsigned char *at,
                 const unsigned char *end, bool is_last)
{
    struct key_component *component = &column->component;

    /* The other members are always the same in a column of numbers, and in one
       of texts. */
    if (column->kind == KEY_INTEGER && end - at >= 2 + 8 &&
        at[0] == KEY_TAG_VALUE && at[1] == 1) {
        const uint64_t low = __builtin_bswap64(little_endian_64(at + 2));
        component->tag = KEY_TAG_VALUE;
        component->text = at + 1;
        component->integer = (struct wide){low, 0};
        return at + 2 + 8;
    }
    if (column->kind == KEY_DECIMAL &&
        key_code_read_short(at, end, &component->real)) {
        component->tag = KEY_TAG_VALUE;
        component->text = at + 1;
        component->is_exact = false;
        return at + KEY_CODE_ROOM;
    }
    if (column->kind == KEY_TEXT && !is_last && end - at >= 2 + 2 &&
        at[0] == KEY_TAG_VALUE && at[1] != 0 && at[2] == 0 && at[3] == 0) {
        component->tag = KEY_TAG_VALUE;
        component->text = at + 1;
        component->text_size = 1;
        component->is_escaped = false;
        return at + 2 + 2;
    }
    return column_read(column, at, end, is_last);
}

/* Whether the values of the column are keys. */
static inline bool
column_has_keys(const struct column *column)
{
    return axis_has_names(column->axis);
}

/* Whether the values of the column are texts, which tables for people align to
   the left. */
static inline bool
column_is_text(const struct column *column)
{
    return column->labels == LABELS_CHAR || column_has_keys(column);
}

/* Whether the values of the column are components of tuples, and no bins. */
static inline bool
column_has_components(const struct column *column)
{
    return column->is_sparse && column->kind != KEY_CELL;
}

/* Returns whether the row is the row of a flow cell. */
static inline bool
column_is_flow(const struct column *column)
{
    return column_has_components(column)
               ? column->component.tag != KEY_TAG_VALUE
               : column->cell >= column->axis->bins;
}

/* Returns whether the row belongs to a special cell: enum axis_special. */
static inline bool
column_is_special(const struct column *column)
{
    return column_has_components(column)
               ? column_is_flow(column)
               : column->cell >= column->axis->bins + column->number_flows;
}

/* Returns the special cell of the row; column_is_special() holds. */
enum axis_special column_special(const struct column *column);

/* Whether the row has a single number.  NaN is a number here; a row without a
   value has none. */
static inline bool
column_is_number(const struct column *column)
{
    return axis_bins(column->axis) == AXIS_NUMBERS
               ? !column_is_special(column)
               : axis_bins(column->axis) == AXIS_INTEGERS &&
                     !column_is_flow(column);
}

/* Returns the kind of the numbers of the column, and the number of the row;
   column_is_number() holds. */
enum key_kind column_number_kind(const struct column *column);
struct key_component column_number(const struct column *column);

/* Returns the row of the current value, of an axis with bins. */
static inline uint64_t
column_row(const struct column *column)
{
    return column->is_sparse ? column->component.row : column->row;
}

/* Returns whether the type has no values for the row of a flow cell. */
bool column_is_impossible(const struct column *column);

/* Returns the word for the row's flow cell: "underflow". */
const char *column_flow_name(const struct column *column);

/* Set the labels for the row, unless set already.  In a column of keys, the
   other rows have the same labels as in tsv: "\N", "\other". */
void column_set_labels(struct column *column);

/* Set LABEL to the number of the row, a tuple; column_is_number() holds. */
void column_put_number(const struct column *column, struct label *label);

/* Set the labels to "other", for the cells without a row. */
void column_set_other(struct column *column);

/*
 * Set *LO and *HI to the least and the greatest number in the row, both
 * included; NaN if the row has no numbers.  64-bit integers are exact if a long
 * double has 64 bits of precision or more.
 */
void column_limits(const struct column *column, struct precise *lo,
                   struct precise *hi);

/* Returns the width of the row's bin; 1 for one value, NaN for a flow cell. */
double column_width(const struct column *column);

#endif

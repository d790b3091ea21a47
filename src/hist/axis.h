/* axis.h -- the bins of an axis: their number, their edges, their texts */

#ifndef GPUHIST_AXIS_H
#define GPUHIST_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "util/number.h"

/* Where the edges of all axes lie one behind the other. */
struct axis_edges {
    double *edge;
    size_t count;
    size_t most; /* that there may be; 0: any number */
};

/* More bins than any memory has room for. */
#define AXIS_BINS_MAX ((uint64_t)1 << 31)

/*
 * The LEAST and the MOST that an integer on AXIS can be after shift, mask and
 * mod, by its type.
 */
void axis_values(const struct binning_axis *axis, number_integer *least,
                 number_integer *most);

/* How many flow cells AXIS has: the first ones of enum binning_flow. */
unsigned int axis_flows(const struct binning_axis *axis);

/* Whether AXIS has the cell FLOW and its type a value that may be in it. */
bool axis_can_flow(const struct binning_axis *axis, enum binning_flow flow);

/* Edge I of AXIS, 0 .. bins; not of a direct one. */
double axis_edge(const struct binning_axis *axis,
                 const struct axis_edges *edges, uint64_t i);

/*
 * The value that BIN of a direct axis is for, as a number and as a text;
 * axis_put...() write as number_put() does.
 */
number_integer axis_value(const struct binning_axis *axis, uint64_t bin);
char *axis_put_value(const struct binning_axis *axis, uint64_t bin, char *at);
void axis_value_text(const struct binning_axis *axis, uint64_t bin,
                     char text[NUMBER_TEXT_BYTES]);

/* Edge I as it is printed; of a direct axis, too. */
char *axis_put_edge(const struct binning_axis *axis,
                    const struct axis_edges *edges, uint64_t i, char *at);
void axis_edge_text(const struct binning_axis *axis,
                    const struct axis_edges *edges, uint64_t i,
                    char text[NUMBER_TEXT_BYTES]);

#endif

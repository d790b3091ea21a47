/* axis.h -- from what the user says to an axis, and from there to its edges */

#ifndef GPUHIST_AXIS_H
#define GPUHIST_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "hist/record.h"
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

/* Where the edges of all axes lie one behind the other. */
struct axis_edges {
    double *edge;
    size_t count;
    size_t most; /* that there may be; 0: any number */
};

/* More bins than any memory has room for. */
#define AXIS_BINS_MAX ((uint64_t)1 << 31)

/*
 * Make the AXIS for ELEMENT that TEXTS ask for; edges that must be listed are
 * appended to EDGES.  The fields base and stride are left 0.  Returns 0, or
 * -1 with *ERROR set.
 */
int axis_make(struct binning_axis *axis, struct axis_edges *edges,
              const struct axis_texts *texts, const struct element *element,
              enum binning_closed closed, struct error *error);

/* How many flow cells AXIS has: the first ones of enum binning_flow. */
unsigned int axis_flows(const struct binning_axis *axis);

/* Whether AXIS has the cell FLOW and its type a value that may be in it. */
bool axis_can_flow(const struct binning_axis *axis, enum binning_flow flow);

/* Edge I of AXIS, 0 .. bins; not of a direct one. */
double axis_edge(const struct binning_axis *axis,
                 const struct axis_edges *edges, uint64_t i);

/* The value that BIN of a direct axis is for, as a number and as a text. */
number_integer axis_value(const struct binning_axis *axis, uint64_t bin);
void axis_value_text(const struct binning_axis *axis, uint64_t bin,
                     char text[NUMBER_TEXT_BYTES]);

/* Edge I as it is printed; of a direct axis, too. */
void axis_edge_text(const struct binning_axis *axis,
                    const struct axis_edges *edges, uint64_t i,
                    char text[NUMBER_TEXT_BYTES]);

#endif

/* axis.c -- the bins of an axis: flow cells, edges, and edges as text */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hist/axis.h"

void
axis_values(const struct binning_axis *axis, number_integer *least,
            number_integer *most)
{
    unsigned int bits = 8 * binning_size(axis->type);
    number_integer one = 1;

    *least = binning_is_signed(axis->type) ? -(one << (bits - 1)) : 0;
    *most = *least + (one << bits) - 1;
    *least >>= axis->shift;
    *most >>= axis->shift;
    if (*least >= 0 || axis->mask <= (uint64_t)INT64_MAX) {
        if (*least < 0 || (number_integer)axis->mask < *most)
            *most = (number_integer)axis->mask;
        *least = 0;
    } else if (axis->mask != UINT64_MAX) {
        *least = INT64_MIN;
    }
    if (axis->mod != 0) {
        if (*least < 0 || (number_integer)axis->mod <= *most)
            *most = (number_integer)axis->mod - 1;
        *least = 0;
    }
}

/* The value of bin 0 of a direct axis. */
static number_integer
first_value(const struct binning_axis *axis)
{
    return binning_is_signed(axis->type) ? (number_integer)(int64_t)axis->first
                                         : (number_integer)axis->first;
}

/* Whether a direct axis has a bin for every value of its type. */
static bool
is_complete(const struct binning_axis *axis)
{
    number_integer least;
    number_integer most;

    axis_values(axis, &least, &most);
    number_integer first = first_value(axis);
    return first <= least && most - first < (number_integer)axis->bins;
}

unsigned int
axis_flows(const struct binning_axis *axis)
{
    if (axis->kind == BINNING_RAW)
        return 0;
    if (axis->kind == BINNING_DIRECT && is_complete(axis))
        return 0;
    if (axis->is_log)
        return BINNING_FLOWS;
    return binning_is_float(axis->type) ? BINNING_NAN + 1
                                        : BINNING_OVERFLOW + 1;
}

bool
axis_can_flow(const struct binning_axis *axis, enum binning_flow flow)
{
    if ((unsigned int)flow >= axis_flows(axis))
        return false;
    if (binning_is_float(axis->type))
        return true;
    return flow != BINNING_NAN &&
           (flow != BINNING_NEGATIVE || binning_is_signed(axis->type));
}

double
axis_edge(const struct binning_axis *axis, const struct axis_edges *edges,
          uint64_t i)
{
    if (axis->kind == BINNING_EVEN)
        return binning_even_edge(axis, i);
    if (axis->kind == BINNING_LOG2)
        return binning_log2_edge(axis, i);
    return edges->edge[axis->table + i];
}

void
axis_cut(struct binning_axis *axis, const struct axis_edges *edges,
         uint64_t first, uint64_t count)
{
    double lo = axis_edge(axis, edges, first);
    double hi = axis_edge(axis, edges, first + count);

    if (axis->kind == BINNING_LOG2)
        axis->first_step += (int64_t)first;
    else
        axis->table += first;
    axis->bins = count;
    axis->lo = lo;
    axis->hi = hi;
}

/* ---- texts ---- */

number_integer
axis_value(const struct binning_axis *axis, uint64_t bin)
{
    return first_value(axis) + (number_integer)bin;
}

char *
axis_put_value(const struct binning_axis *axis, uint64_t bin, char *at)
{
    return number_put_integer(axis_value(axis, bin), at);
}

char *
axis_put_edge(const struct binning_axis *axis, const struct axis_edges *edges,
              uint64_t i, char *at)
{
    if (axis->kind == BINNING_DIRECT)
        return number_put_integer(
            axis_value(axis, i) - (axis->closed == BINNING_RIGHT), at);
    return number_put_double(axis_edge(axis, edges, i), at);
}

void
axis_value_text(const struct binning_axis *axis, uint64_t bin,
                char text[NUMBER_TEXT_BYTES])
{
    *axis_put_value(axis, bin, text) = '\0';
}

void
axis_edge_text(const struct binning_axis *axis, const struct axis_edges *edges,
               uint64_t i, char text[NUMBER_TEXT_BYTES])
{
    *axis_put_edge(axis, edges, i, text) = '\0';
}

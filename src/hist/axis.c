/* SPDX-License-Identifier: MIT */
/* axis.c -- the bins of an axis: flow cells, edges, and edges as text */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hist/axis.h"
#include "hist/record.h"
#include "kernels/seq/kmer.h"

const char *const axis_special_words[AXIS_SPECIALS] = {
    [AXIS_KEY_MISSING] = "\\N",
    [AXIS_EMPTY] = "\\empty",
    [AXIS_INVALID] = "\\invalid",
};

void
axis_values(const struct binning_axis *axis, int64_t *least, uint64_t *most)
{
    uint64_t all = UINT64_MAX >> (64 - 8 * binning_size(axis->type));
    bool is_signed = binning_is_signed(axis->type);

    *least = is_signed ? -(int64_t)(all / 2) - 1 : 0;
    *most = is_signed ? all / 2 : all;
    *least >>= axis->shift;
    *most >>= axis->shift;
    if (*least >= 0 || axis->mask <= (uint64_t)INT64_MAX) {
        if (*least < 0 || axis->mask < *most)
            *most = axis->mask;
        *least = 0;
    } else if (axis->mask != UINT64_MAX) {
        *least = INT64_MIN;
    }
    if (axis->mod != 0) {
        if (*least < 0 || axis->mod <= *most)
            *most = axis->mod - 1;
        *least = 0;
    }
}

/* Whether a direct axis has a bin for every value of its type. */
static bool
is_complete(const struct binning_axis *axis)
{
    int64_t least;
    uint64_t most;

    axis_values(axis, &least, &most);
    return wide_compare(axis_value(axis, 0), wide_of_signed(least)) <= 0 &&
           most - axis->first < axis->bins;
}

const char *
axis_type_name(const struct binning_axis *axis)
{
    if (axis_is_kmers(axis))
        return "kmer";
    if (axis->is_text)
        return axis->is_decimal               ? "decimal"
               : binning_is_float(axis->type) ? "num"
                                              : "int";
    return axis->kind == BINNING_KEY
               ? "key"
               : record_type_name((enum sample_type)axis->type);
}

unsigned int
axis_flows(const struct binning_axis *axis)
{
    bool has_all = axis->is_text || axis->has_invalid || axis_is_kmers(axis);
    unsigned int specials = has_all                     ? AXIS_SPECIALS
                            : axis->kind == BINNING_KEY ? AXIS_KEY_MISSING + 1
                                                        : 0;

    return axis_number_flows(axis) + specials;
}

unsigned int
axis_number_flows(const struct binning_axis *axis)
{
    if (axis->kind == BINNING_RAW || axis_is_key(axis) || axis_is_kmers(axis))
        return 0;
    if (axis->kind == BINNING_DIRECT && is_complete(axis))
        return 0;
    if (axis->is_log)
        return BINNING_FLOWS;
    return binning_is_float(axis->type) ? BINNING_NAN + 1
                                        : BINNING_OVERFLOW + 1;
}

#define FIRST_FLOWS 3u

/* The flow cells whose rows come before the bins. */
static const enum binning_flow first_flows[FIRST_FLOWS] = {
    BINNING_NEGATIVE,
    BINNING_ZERO,
    BINNING_UNDERFLOW,
};

unsigned int
axis_flows_before(const struct binning_axis *axis)
{
    return axis->is_log ? FIRST_FLOWS : axis_number_flows(axis) > 0;
}

uint64_t
axis_row_of(const struct binning_axis *axis, uint64_t cell)
{
    uint64_t before = axis_flows_before(axis);
    uint64_t flow = cell - axis->bins;

    if (cell < axis->bins)
        return before + cell;
    if (flow >= axis_number_flows(axis))
        return cell;
    for (uint64_t row = 0; row < before; row++) {
        if (first_flows[FIRST_FLOWS - before + row] == flow)
            return row;
    }
    return before + axis->bins + flow - BINNING_OVERFLOW;
}

uint64_t
axis_cell_of(const struct binning_axis *axis, uint64_t row)
{
    uint64_t before = axis_flows_before(axis);

    if (row < before)
        return axis->bins + first_flows[FIRST_FLOWS - before + row];
    if (row - before < axis->bins)
        return row - before;

    uint64_t after = row - before - axis->bins;
    uint64_t numbers = axis_number_flows(axis) - before;
    return after < numbers ? axis->bins + BINNING_OVERFLOW + after : row;
}

bool
axis_can_flow(const struct binning_axis *axis, enum binning_flow flow)
{
    if ((unsigned int)flow >= axis_number_flows(axis))
        return false;
    if (binning_is_float(axis->type))
        return true;
    return flow != BINNING_NAN &&
           (flow != BINNING_NEGATIVE || binning_is_signed(axis->type));
}

const double *
axis_listed_edges(const struct binning_axis *axis,
                  const struct axis_edges *edges)
{
    return axis->kind == BINNING_EDGES ? edges->edge + axis->table : NULL;
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

    if (axis->kind == BINNING_EDGES)
        axis->table += first;
    axis->first_step += (int64_t)first;
    axis->bins = count;
    axis->lo = lo;
    axis->hi = hi;
}

/* ---- texts ---- */

struct wide
axis_value(const struct binning_axis *axis, uint64_t bin)
{
    struct wide first = binning_is_signed(axis->type)
                            ? wide_of_signed((int64_t)axis->first)
                            : wide_of(axis->first);

    return wide_add(first, wide_of(bin));
}

char *
axis_put_value(const struct binning_axis *axis, uint64_t bin, char *at)
{
    if (!axis_is_kmers(axis))
        return number_put_integer(axis_value(axis, bin), at);
    /* Each base has 2 bits, and there are 2^2K bins. */
    binning_u32 k = (binning_u32)__builtin_ctzll(axis->bins) / 2;
    for (binning_u32 i = 0; i < k; i++)
        *at++ = (char)kmer_letter(bin, k, i);
    return at;
}

char *
axis_put_edge(const struct binning_axis *axis, const struct axis_edges *edges,
              uint64_t i, char *at)
{
    if (axis->kind == BINNING_DIRECT)
        return number_put_integer(
            wide_subtract(axis_value(axis, i),
                          wide_of(axis->closed == BINNING_RIGHT)),
            at);
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

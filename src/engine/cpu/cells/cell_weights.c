/* SPDX-License-Identifier: MIT */
/*
 * cell_weights.c -- add the weights of many records to exact sums, on the CPU
 *
 * Repeated additions to one sum wait for the previous store.  So neighbouring
 * records use different copies of the sums, as long as these fit into the
 * cache.
 */

#include <stdbool.h>
#include <string.h>

#include "engine/cpu/cells/bin_row.h"
#include "engine/cpu/cells/cell_weights.h"

void
cell_weights_open(struct cell_weights *weights, const struct element *weight,
                  size_t record_bytes, size_t records, uint64_t *sum,
                  uint64_t cells, uint64_t stride)
{
    uint64_t planes = weighing_planes(weight->type);
    /* Copies cost time to clear and to add up at the end. */
    bool has_copies =
        cells <= CELL_WEIGHTS_WORDS / CELL_WEIGHTS_COPIES / planes &&
        records >= 8 * planes * cells;

    weights->weight = weight;
    weights->record_bytes = record_bytes;
    weights->cells = cells;
    weights->sum = sum;
    weights->stride = stride;
    weights->copy_stride = has_copies ? cells : stride;
    for (size_t k = 0; k < CELL_WEIGHTS_COPIES; k++)
        weights->copy[k] =
            has_copies ? weights->words + k * planes * cells : sum;
    if (has_copies)
        memset(weights->words, 0,
               (size_t)(CELL_WEIGHTS_COPIES * planes * cells) *
                   sizeof *weights->words);
}

/* Add weights; callers pass a constant TYPE. */
static inline __attribute__((always_inline)) void
add(const struct cell_weights *weights, uint32_t type, const uint64_t *bits,
    const uint32_t *cell, size_t count)
{
    uint64_t stride = weights->copy_stride;

    for (size_t i = 0; i < count; i++) {
        struct weighing_parts parts;
        weighing_split(type, bits[i], &parts);
        uint64_t *sum = weights->copy[i % CELL_WEIGHTS_COPIES] +
                        parts.first * stride + cell[i];
        /* Without a loop the parts stay in registers. */
        if (parts.count > 0)
            sum[0] += (uint64_t)parts.addend[0];
        if (parts.count > 1)
            sum[stride] += (uint64_t)parts.addend[1];
        if (parts.count > 2)
            sum[2 * stride] += (uint64_t)parts.addend[2];
    }
}

void
cell_weights_add(struct cell_weights *weights, const unsigned char *data,
                 const uint32_t *cell, size_t count)
{
    const struct element *weight = weights->weight;
    uint64_t bits[BIN_ROW_ELEMENTS];

    bin_row_load(weight->type, weight->is_swapped, data + weight->offset, count,
                 weights->record_bytes, bits);
    switch (weight->type) {
    case SAMPLE_U4:
        add(weights, SAMPLE_U4, bits, cell, count);
        break;
    case SAMPLE_I4:
        add(weights, SAMPLE_I4, bits, cell, count);
        break;
    case SAMPLE_U8:
        add(weights, SAMPLE_U8, bits, cell, count);
        break;
    case SAMPLE_I8:
        add(weights, SAMPLE_I8, bits, cell, count);
        break;
    case SAMPLE_F4:
        add(weights, SAMPLE_F4, bits, cell, count);
        break;
    case SAMPLE_F8:
        add(weights, SAMPLE_F8, bits, cell, count);
        break;
    default:
        add(weights, weight->type, bits, cell, count);
        break;
    }
}

void
cell_weights_close(struct cell_weights *weights)
{
    uint64_t planes = weighing_planes(weights->weight->type);

    if (weights->copy[0] == weights->sum)
        return;
    for (uint64_t p = 0; p < planes; p++) {
        uint64_t *sum = weights->sum + p * weights->stride;
        for (size_t k = 0; k < CELL_WEIGHTS_COPIES; k++) {
            const uint64_t *copy = weights->copy[k] + p * weights->copy_stride;
            for (uint64_t c = 0; c < weights->cells; c++)
                sum[c] += copy[c];
        }
    }
}

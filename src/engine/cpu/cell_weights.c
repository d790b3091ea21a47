/*
 * cell_weights.c -- add the weights of many records to exact sums, on the CPU
 *
 * Adding to one sum again and again waits for the store before it; so
 * neighbours have sums of their own, as long as these fit into the cache.
 */

#include <stdbool.h>
#include <string.h>

#include "engine/cpu/bin_row.h"
#include "engine/cpu/cell_weights.h"

void
cell_weights_open(struct cell_weights *weigher, const struct element *weight,
                  size_t record_bytes, size_t records, uint64_t *sum,
                  uint64_t cells, uint64_t stride)
{
    uint64_t planes = weighing_planes(weight->type);
    /* Copies must be cleared, and added in the end. */
    bool has_copies =
        cells <= CELL_WEIGHTS_WORDS / CELL_WEIGHTS_COPIES / planes &&
        records >= 8 * planes * cells;

    weigher->weight = weight;
    weigher->record_bytes = record_bytes;
    weigher->cells = cells;
    weigher->sum = sum;
    weigher->stride = stride;
    weigher->copy_stride = has_copies ? cells : stride;
    for (size_t k = 0; k < CELL_WEIGHTS_COPIES; k++)
        weigher->copy[k] =
            has_copies ? weigher->words + k * planes * cells : sum;
    if (has_copies)
        memset(weigher->words, 0,
               CELL_WEIGHTS_COPIES * planes * cells * sizeof *weigher->words);
}

/* Weights of a TYPE that the compiler knows. */
static inline __attribute__((always_inline)) void
add(const struct cell_weights *weigher, uint32_t type, const uint64_t *bits,
    const uint32_t *cell, size_t count)
{
    uint64_t stride = weigher->copy_stride;

    for (size_t i = 0; i < count; i++) {
        struct weighing_parts parts;
        weighing_split(type, bits[i], &parts);
        uint64_t *sum = weigher->copy[i % CELL_WEIGHTS_COPIES] +
                        parts.first * stride + cell[i];
        /* No loop: so the parts need not be in memory. */
        if (parts.count > 0)
            sum[0] += (uint64_t)parts.addend[0];
        if (parts.count > 1)
            sum[stride] += (uint64_t)parts.addend[1];
        if (parts.count > 2)
            sum[2 * stride] += (uint64_t)parts.addend[2];
    }
}

void
cell_weights_add(struct cell_weights *weigher, const unsigned char *data,
                 const uint32_t *cell, size_t count)
{
    const struct element *weight = weigher->weight;
    uint64_t bits[BIN_ROW_ELEMENTS];

    bin_row_load(weight->type, weight->is_swapped, data + weight->offset, count,
                 weigher->record_bytes, bits);
    switch (weight->type) {
    case SAMPLE_U4:
        add(weigher, SAMPLE_U4, bits, cell, count);
        break;
    case SAMPLE_I4:
        add(weigher, SAMPLE_I4, bits, cell, count);
        break;
    case SAMPLE_U8:
        add(weigher, SAMPLE_U8, bits, cell, count);
        break;
    case SAMPLE_I8:
        add(weigher, SAMPLE_I8, bits, cell, count);
        break;
    case SAMPLE_F4:
        add(weigher, SAMPLE_F4, bits, cell, count);
        break;
    case SAMPLE_F8:
        add(weigher, SAMPLE_F8, bits, cell, count);
        break;
    default:
        add(weigher, weight->type, bits, cell, count);
        break;
    }
}

void
cell_weights_close(struct cell_weights *weigher)
{
    uint64_t planes = weighing_planes(weigher->weight->type);

    if (weigher->copy[0] == weigher->sum)
        return;
    for (uint64_t p = 0; p < planes; p++) {
        uint64_t *sum = weigher->sum + p * weigher->stride;
        for (size_t k = 0; k < CELL_WEIGHTS_COPIES; k++) {
            const uint64_t *copy = weigher->copy[k] + p * weigher->copy_stride;
            for (uint64_t c = 0; c < weigher->cells; c++)
                sum[c] += copy[c];
        }
    }
}

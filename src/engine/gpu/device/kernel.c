/* SPDX-License-Identifier: MIT */
/* kernel.c -- choose the kernel and the strategy for a spec */

#include <stdlib.h>
#include <string.h>

#include "engine/gpu/device/kernel.h"
#include "kernels/binning/counting.h"
#include "kernels/binning/edges.h"
#include "kernels/binning/floats.h"

/* Kernels have the same layout, whatever the alignment of this processor. */
_Static_assert(offsetof(struct binning_axis, first) == 96 &&
                   sizeof(struct binning_axis) == 152 &&
                   sizeof(struct counting) == 88,
               "structs have another layout on devices");

/* In the order of enum strategy. */
static const char *const strategy_names[STRATEGY_COUNT] = {
    "auto", "lane", "shared", "packed", "global",
};

const char *
kernel_strategy_name(enum strategy strategy)
{
    return strategy_names[strategy];
}

#define LANES 32 /* of a warp */
#define WORD_BYTES 4
#define BYTES_SHARED_BYTES ((size_t)32 << 10) /* of all kernels of bytes.cuh */

/*
 * For OpenCL: every device has 32 KiB of local memory.  The columns of a
 * processor's table only keep equal neighbours apart (records.cl).
 */
#define PROCESSOR_LANES 4
#define OPENCL_SLOTS 2048

/*
 * The least input worth the start of a block.  binning.h is slow compared with
 * the start of a block, so even small chunks get many blocks.
 */
#define SIMPLE_BLOCK_BYTES ((size_t)64 << 10)
#define RECORDS_BLOCK_BYTES ((size_t)16 << 10)
#define TABLE_PER_INPUT 4 /* bytes of shared memory for each byte of input */

/* Whether a record is one element of SIZE bytes, counted with KIND. */
static bool
is_single(const struct spec *spec, size_t size, enum binning_kind kind)
{
    const struct binning_axis *axis = &spec->counted[0];

    return spec->axis_count == 1 && !spec->has_weights &&
           spec->record.bytes == size && binning_size(axis->type) == size &&
           axis->kind == kind && !axis->is_swapped;
}

/* Not for a growing axis, which may outgrow the precision of floats. */
static bool
is_even_float(const struct spec *spec)
{
    const struct binning_axis *axis = &spec->counted[0];

    return is_single(spec, 4, BINNING_EVEN) && axis->type == SAMPLE_F4 &&
           !axis->is_auto && floats_are_enough(axis);
}

/* Set *KERNEL to count CELLS cells by floats.cuh in a table with COLUMNS. */
static void
set_floats(struct kernel *kernel, size_t cells, unsigned int columns)
{
    kernel->function = "count_floats";
    /* One more word in each row for the threshold. */
    kernel->shared_bytes = cells * (columns + 1) * WORD_BYTES;
    kernel->block_bytes = SIMPLE_BLOCK_BYTES;
}

/* The kernels for records of 1 to 4 bytes, by the number of bytes. */
static const char *const bytes_kernels[] = {
    NULL, "count_bytes", "count_bytes_2", "count_bytes_3", "count_bytes_4",
};

/* The cells; of more, no table fits into a block, and no size may wrap. */
static size_t
cells_of(const struct spec *spec)
{
    const uint64_t most = (uint64_t)1 << 20;

    return (size_t)(spec->cells < most ? spec->cells : most);
}

/*
 * The kernel of bytes.cuh that counts SPEC, or NULL.  Joint fields, and fields
 * of a spec with weights, are not counted by their bits.
 */
static const char *
find_bytes(const struct spec *spec)
{
    if (spec->record.bytes >= sizeof bytes_kernels / sizeof *bytes_kernels)
        return NULL;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->counted[i];
        if (axis->kind != BINNING_RAW || binning_size(axis->type) != 1)
            return NULL;
    }
    return bytes_kernels[spec->record.bytes];
}

/*
 * Whether samples.cuh can count SPEC: one element of each record, aligned to
 * its size.
 */
static bool
is_sample(const struct spec *spec)
{
    const struct binning_axis *axis = &spec->counted[0];
    size_t size = binning_size(axis->type);

    return spec->axis_count == 1 && !spec->has_weights &&
           axis->offset % size == 0 && spec->record.bytes % size == 0;
}

/* As find_cuda(), if SPEC has weights. */
static const char *
find_cuda_weights(struct kernel *kernel, const struct spec *spec,
                  enum strategy strategy)
{
    switch (strategy) {
    case STRATEGY_SHARED:
        kernel->function = "add_weights_shared";
        kernel->shared_bytes = cells_of(spec) * spec->planes * sizeof(uint64_t);
        return NULL;
    case STRATEGY_GLOBAL:
        kernel->function = "add_weights_global";
        kernel->shared_bytes = counting_weight_slots(spec->planes) *
                               (1 + 2 * spec->planes) * WORD_BYTES;
        return NULL;
    default:
        return "it cannot add up weights";
    }
}

/*
 * Set *KERNEL to count SPEC by CUDA with STRATEGY.  If a faster kernel needs
 * more shared memory than the general kernel, SHARED_BYTES_MAX decides.
 * Returns NULL, or the reason of a failure.
 */
static const char *
find_cuda(struct kernel *kernel, const struct spec *spec,
          enum strategy strategy, size_t shared_bytes_max)
{
    size_t cells = cells_of(spec);
    bool has_samples = is_sample(spec);
    size_t tree = has_samples ? (size_t)edges_bytes(&spec->counted[0]) : 0;
    const char *bytes_kernel = find_bytes(spec);
    unsigned int columns = is_even_float(spec) ? counting_columns(cells) : 0;

    *kernel = (struct kernel){
        .strategy = strategy,
        .block_bytes = RECORDS_BLOCK_BYTES,
    };
    if (spec->has_weights)
        return find_cuda_weights(kernel, spec, strategy);
    switch (strategy) {
    case STRATEGY_LANE:
        kernel->function =
            has_samples ? "count_samples_lane" : "count_records_lane";
        kernel->shared_bytes = cells * LANES * WORD_BYTES + tree;
        if (bytes_kernel != NULL) {
            kernel->function = bytes_kernel;
            kernel->shared_bytes = BYTES_SHARED_BYTES;
            kernel->block_bytes = SIMPLE_BLOCK_BYTES;
        } else if (columns > 1) {
            set_floats(kernel, cells, columns);
        }
        return NULL;
    case STRATEGY_SHARED:
        kernel->function =
            has_samples ? "count_samples_shared" : "count_records_shared";
        kernel->shared_bytes = cells * WORD_BYTES + tree;
        if (columns == 1 && cells * 2 * WORD_BYTES <= shared_bytes_max)
            set_floats(kernel, cells, columns);
        return NULL;
    case STRATEGY_PACKED:
        kernel->shared_bytes = (cells + 1) / 2 * WORD_BYTES;
        kernel->function =
            has_samples ? "count_samples_packed" : "count_records_packed";
        if (is_single(spec, 2, BINNING_RAW)) {
            kernel->function = "count_words";
            kernel->block_bytes = SIMPLE_BLOCK_BYTES;
        }
        return NULL;
    case STRATEGY_GLOBAL:
        kernel->function =
            has_samples ? "count_samples_global" : "count_records_global";
        return NULL;
    default:
        return "it is not a strategy";
    }
}

/* Whether binning.h needs doubles to count SPEC. */
static bool
has_doubles(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        enum binning_kind kind = (enum binning_kind)spec->counted[i].kind;
        if (kind != BINNING_RAW && kind != BINNING_LOOKUP &&
            kind != BINNING_DIRECT)
            return true;
    }
    return false;
}

/* As find_cuda(), for OpenCL. */
static const char *
find_opencl(struct kernel *kernel, const struct spec *spec,
            enum strategy strategy, bool is_processor)
{
    size_t cells = cells_of(spec);
    bool is_bytes = is_single(spec, 1, BINNING_RAW);
    bool is_floats = is_even_float(spec);

    *kernel = (struct kernel){
        .strategy = strategy,
        .block_bytes = is_floats ? SIMPLE_BLOCK_BYTES : RECORDS_BLOCK_BYTES,
        .function = is_floats           ? "count_floats"
                    : spec->has_weights ? "add_weights"
                                        : "count_records",
        .lanes = is_processor ? PROCESSOR_LANES : LANES,
        .has_floats = is_floats,
        .needs_doubles = has_doubles(spec) && !is_floats,
    };
    switch (strategy) {
    case STRATEGY_LANE:
        if (spec->has_weights)
            return "it cannot add up weights";
        if (is_processor && !is_bytes)
            return "a processor has lanes for bytes only";
        if (is_bytes) {
            kernel->function = "count_bytes";
            kernel->block_bytes = SIMPLE_BLOCK_BYTES;
        }
        kernel->shared_bytes = cells * kernel->lanes * WORD_BYTES;
        return NULL;
    case STRATEGY_SHARED:
        kernel->shared_bytes = spec->has_weights
                                   ? cells * spec->planes * sizeof(uint64_t)
                                   : cells * WORD_BYTES;
        return NULL;
    case STRATEGY_GLOBAL:
        kernel->slots = spec->has_weights
                            ? counting_weight_slots(spec->planes) / 2
                            : OPENCL_SLOTS;
        /*
         * One word for the number of the cell, two for each plane of weights.
         */
        kernel->shared_bytes = kernel->slots * WORD_BYTES *
                               (spec->has_weights ? 1 + 2 * spec->planes : 2);
        return NULL;
    default:
        return "there is no such OpenCL kernel";
    }
}

/* From the fastest to the smallest in memory (bench/NOTES.md). */
static const enum strategy order[] = {
    STRATEGY_LANE,
    STRATEGY_SHARED,
    STRATEGY_PACKED,
    STRATEGY_GLOBAL,
};

static const char *
find(struct kernel *kernel, const struct spec *spec,
     enum kernel_platform platform, enum strategy strategy,
     size_t shared_bytes_max)
{
    return platform == KERNEL_CUDA
               ? find_cuda(kernel, spec, strategy, shared_bytes_max)
               : find_opencl(kernel, spec, strategy,
                             platform == KERNEL_OPENCL_PROCESSOR);
}

const char *
kernel_choose(struct kernel *kernel, const struct spec *spec,
              enum kernel_platform platform, enum strategy strategy,
              size_t shared_bytes_max)
{
    const char *no_room = platform == KERNEL_CUDA
                              ? "the device has too little shared memory"
                              : "the device has too little local memory";

    if (strategy != STRATEGY_AUTO) {
        const char *why =
            find(kernel, spec, platform, strategy, shared_bytes_max);
        if (why != NULL)
            return why;
        return kernel->shared_bytes <= shared_bytes_max ? NULL : no_room;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (find(kernel, spec, platform, order[i], shared_bytes_max) == NULL &&
            kernel->shared_bytes <= shared_bytes_max)
            return NULL;
    }
    return no_room;
}

struct counting
kernel_task(const struct spec *spec, size_t size)
{
    return (struct counting){
        .size = size,
        .cells = spec->cells,
        .record_bytes = (uint32_t)spec->record.bytes,
        .axis_count = (uint32_t)spec->axis_count,
        .is_joint = spec->is_joint,
        .columns = counting_columns(spec->cells),
        .weight_offset = (uint32_t)spec->weight.offset,
        .weight_type = spec->weight.type,
        .weight_is_swapped = spec->weight.is_swapped,
    };
}

size_t
kernel_blocks(const struct kernel *kernel, size_t size)
{
    size_t block_bytes = kernel->shared_bytes / TABLE_PER_INPUT;

    if (block_bytes < kernel->block_bytes)
        block_bytes = kernel->block_bytes;
    return (size + block_bytes - 1) / block_bytes;
}

/* ---- tables ---- */

uint32_t *
kernel_floats_table(const struct binning_axis *axis, size_t *count)
{
    struct floats_rule rule = floats_make_rule(axis);

    _Static_assert(sizeof rule == FLOATS_RULE_WORDS * sizeof(uint32_t),
                   "floats.cl reads it word by word");
    *count = FLOATS_RULE_WORDS + (size_t)axis->bins + 1;
    uint32_t *words = calloc(*count, sizeof *words);
    if (words == NULL)
        return NULL;
    memcpy(words, &rule, sizeof rule);
    for (uint64_t i = 0; i <= axis->bins; i++)
        words[FLOATS_RULE_WORDS + i] = floats_edge_key(axis, i);
    return words;
}

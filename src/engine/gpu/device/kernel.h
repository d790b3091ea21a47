/* SPDX-License-Identifier: MIT */
/* kernel.h -- choose the kernel and the strategy for a spec */

#ifndef GPUHIST_KERNEL_H
#define GPUHIST_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/spec.h"
#include "kernels/binning/binning.h"
#include "kernels/binning/counting.h"

/* Where a kernel keeps its counts. */
enum strategy {
    STRATEGY_AUTO,
    STRATEGY_LANE,   /* in shared memory, a table for each lane or a few */
    STRATEGY_SHARED, /* in shared memory, a table for each block */
    STRATEGY_PACKED, /* as SHARED, with two 16-bit counters in a word */
    STRATEGY_GLOBAL, /* in global memory */
    STRATEGY_COUNT,
};

/* Returns the word for STRATEGY: "lane". */
const char *kernel_strategy_name(enum strategy strategy);

struct kernel {
    enum strategy strategy;
    const char *function; /* name of the kernel in the module */
    size_t shared_bytes;  /* dynamic shared memory of a block */
    size_t block_bytes;   /* the least input worth a block */

    /* OpenCL calls a block a group, and shared memory local memory. */
    unsigned int lanes; /* columns of a table with STRATEGY_LANE */
    unsigned int slots; /* cells with counters, with STRATEGY_GLOBAL */
    bool has_floats;    /* the kernel is count_floats, with its own table */
    bool needs_doubles; /* not all devices have them */
};

/* What runs the kernel. */
enum kernel_platform {
    KERNEL_CUDA,
    KERNEL_OPENCL,
    KERNEL_OPENCL_PROCESSOR, /* a block is one thread, with its own table */
};

/*
 * Find the kernel for SPEC with STRATEGY, or the best kernel for STRATEGY_AUTO.
 * A block of the device can have SHARED_BYTES_MAX of shared memory.  Returns
 * NULL, or the reason why no kernel fits (a static text).
 */
const char *kernel_choose(struct kernel *kernel, const struct spec *spec,
                          enum kernel_platform platform, enum strategy strategy,
                          size_t shared_bytes_max);

/*
 * Returns the parameters of the kernels to count SIZE bytes by SPEC.  All
 * addresses are 0; the engine sets them.
 */
struct counting kernel_task(const struct spec *spec, size_t size);

/* Returns the number of blocks that SIZE bytes of input keep busy. */
size_t kernel_blocks(const struct kernel *kernel, size_t size);

/*
 * Make the words for kernels/binning/floats.cl: a struct floats_rule, and the
 * keys of AXIS->bins + 1 edges (floats.h).  floats_are_enough() must be true
 * for AXIS.  Returns the words, which the caller frees, and sets *COUNT to the
 * number of words; NULL: out of memory.
 */
uint32_t *kernel_floats_table(const struct binning_axis *axis, size_t *count);

#endif

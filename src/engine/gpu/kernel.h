/* kernel.h -- which kernel counts a spec, and with which strategy */

#ifndef GPUHIST_KERNEL_H
#define GPUHIST_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "counting.h"
#include "hist/spec.h"

/* How a kernel keeps its counts. */
enum strategy {
    STRATEGY_AUTO,
    STRATEGY_LANE,   /* in shared memory, a table for each lane */
    STRATEGY_SHARED, /* in shared memory, a table for each block */
    STRATEGY_PACKED, /* likewise, two 16-bit counters in a word */
    STRATEGY_GLOBAL, /* in global memory */
    STRATEGY_COUNT,
};

/* The word for STRATEGY: "lane". */
const char *kernel_strategy_name(enum strategy strategy);

struct kernel {
    enum strategy strategy;
    const char *function; /* its name in the module */
    size_t shared_bytes;  /* dynamic shared memory of a block */
    size_t block_bytes;   /* input that is worth a block, at least */

    /* OpenCL calls blocks groups, and their shared memory local. */
    unsigned int lanes; /* columns of a table with STRATEGY_LANE */
    unsigned int slots; /* cells with counters, with STRATEGY_GLOBAL */
    bool has_floats;    /* it is count_floats, which has a table of its own */
    bool needs_doubles; /* which not all of its devices have */
};

/* What runs the kernel. */
enum kernel_platform {
    KERNEL_CUDA,
    KERNEL_OPENCL,
    KERNEL_OPENCL_PROCESSOR, /* a group is one work-item, with its own table */
};

/*
 * Find the kernel for SPEC that keeps its counts as STRATEGY says, or the best
 * one for STRATEGY_AUTO, on a device whose blocks can have SHARED_BYTES_MAX of
 * shared memory.  Returns NULL, or why there is none (a static text).
 */
const char *kernel_choose(struct kernel *kernel, const struct spec *spec,
                          enum kernel_platform platform, enum strategy strategy,
                          size_t shared_bytes_max);

/*
 * What the kernels get to know of SPEC, to count SIZE bytes.  All addresses,
 * which are the engine's, are 0.
 */
struct counting kernel_task(const struct spec *spec, size_t size);

/* How many blocks SIZE bytes of input keep busy. */
size_t kernel_blocks(const struct kernel *kernel, size_t size);

#endif

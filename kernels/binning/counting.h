/* SPDX-License-Identifier: MIT */
/* counting.h -- the parameter from an engine to its kernels */

#ifndef GPUHIST_COUNTING_H
#define GPUHIST_COUNTING_H

#include "kernels/binning/binning.h"

/*
 * The parameter of all kernels, passed by value.  Addresses in device memory
 * are numbers, for the same layout in C and CUDA C++.  OpenCL has no such
 * numbers; OpenCL's kernels take pointers as separate parameters.
 */
struct counting {
    binning_u64 data;      /* consecutive records, 16-byte aligned */
    binning_u64 size;      /* of the data, bytes; a multiple of record_bytes */
    binning_u64 histogram; /* u64[planes][cells], to add to */
    binning_u64 cells;
    binning_u64 axes;   /* struct binning_axis[axis_count] */
    binning_u64 edges;  /* double[], for struct binning_tables */
    binning_u64 lookup; /* u32[], for struct binning_tables */
    binning_u32 record_bytes;
    binning_u32 axis_count;
    binning_u32 is_joint;
    binning_u32 columns; /* of the table of floats.cuh: a power of two */

    /* The field of weights, if there is one. */
    binning_u32 weight_offset;
    binning_u32 weight_type;
    binning_u32 weight_is_swapped;
    binning_u32 unused; /* as in struct binning_axis */
};

/*
 * For the host: the number of columns, a power of two, of the table of
 * count_floats() for CELLS cells.  With this number, up to 32, the table and
 * the thresholds fit into 48 KiB, and several blocks run on a multiprocessor;
 * if even 2 columns do not fit, the number is 1.
 */
static inline binning_u32
counting_columns(binning_u64 cells)
{
    binning_u32 columns = 32;

    while (columns > 1 && cells * (columns + 1) * 4 > 48 * 1024)
        columns /= 2;
    return columns;
}

/*
 * The number of cells, each with PLANES, with sums in the 48 KiB of shared
 * memory of a block of add_weights_global(): a power of two.
 */
DEVICE_FN binning_u32
counting_weight_slots(binning_u32 planes)
{
    binning_u32 slots = 1;

    /* A word for the cell's number, two words for each plane. */
    while (2 * slots * (1 + 2 * planes) * 4 <= 48 * 1024)
        slots *= 2;
    return slots;
}

#endif

/* counting.h -- what a kernel gets to know, given by the engine */

#ifndef GPUHIST_COUNTING_H
#define GPUHIST_COUNTING_H

#include "binning.h"

/*
 * The parameter of all kernels, by value.  Addresses are of device memory,
 * as numbers: so the layout is the same for C and CUDA C++.  OpenCL has no
 * such numbers: its kernels have parameters of their own in their place.
 */
struct counting {
    binning_u64 data;      /* records one behind the other, 16-byte aligned */
    binning_u64 size;      /* of all: bytes, a multiple of record_bytes */
    binning_u64 histogram; /* u64[planes][cells]; what is counted is added */
    binning_u64 cells;
    binning_u64 axes;   /* struct binning_axis[axis_count] */
    binning_u64 edges;  /* double[]: struct binning_tables */
    binning_u64 lookup; /* u32[]: likewise */
    binning_u32 record_bytes;
    binning_u32 axis_count;
    binning_u32 is_joint;

    /* The field of weights, if there is one. */
    binning_u32 weight_offset;
    binning_u32 weight_type;
    binning_u32 weight_is_swapped;
};

/*
 * How many cells with so many PLANES a block of add_weights_global() can keep
 * sums of in shared memory: a power of two, for 48 KiB.
 */
BINNING_FUNCTION binning_u32
counting_weight_slots(binning_u32 planes)
{
    binning_u32 slots = 1;

    /* A word for the cell's number, two for each plane. */
    while (2 * slots * (1 + 2 * planes) * 4 <= 48 * 1024)
        slots *= 2;
    return slots;
}

#endif

/* SPDX-License-Identifier: MIT */
/* count.cl -- the kernel of an OpenCL program; block.cl explains the macros */

/*
 * Count the records of DATA with COUNT.  The range is one-dimensional.  A block
 * has BLOCK_THREADS threads, or any number if the macro is not defined.
 * kernel.c defines the size of TABLE for COUNT and STRATEGY.
 */
__kernel BLOCK_SIZE void
count(const struct counting task, __global const uchar *data,
      __global ulong *histogram, __global const struct binning_axis *axes,
      __global const binning_real *edges, __global const uint *lookup,
      uint planes, uint slots, __local uint *table)
{
    struct work work = {
        task,   data,  histogram, axes, axes[0], {edges, lookup},
        planes, slots, table,
    };

    COUNT(&work);
}

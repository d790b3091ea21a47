/* count.cl -- the kernel of an OpenCL program; groups.cl explains the macros */

/*
 * Count the records of DATA with COUNT.  The range is one-dimensional; a group
 * has GROUP_ITEMS items, or any number if that is not defined.  kernel.c
 * defines the size of TABLE for COUNT and STRATEGY.
 */
__kernel GROUP_SIZE void
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

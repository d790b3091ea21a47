/* count.cl -- the kernel of an OpenCL program: see groups.cl */

/*
 * One-dimensional, groups of GROUP_ITEMS, or of any size if that is not
 * defined; TABLE is as large as kernel.c says for COUNT and STRATEGY.
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

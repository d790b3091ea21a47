/* kernel_source.h -- the source of the OpenCL kernels */

#ifndef GPUHIST_KERNEL_SOURCE_H
#define GPUHIST_KERNEL_SOURCE_H

/* kernels/kernels.cl with the headers it needs; "" in a build without it. */
extern const char kernel_source[];

#endif

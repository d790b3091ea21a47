/* zstd_cuda.h -- decode zstd on one NVIDIA GPU, for zstd_device.h */

#ifndef GPUHIST_ZSTD_CUDA_H
#define GPUHIST_ZSTD_CUDA_H

#include "engine/gpu/cuda/cu_context.h"
#include "input/decode/zstd/zstd_device.h"

/*
 * Make a driver for the device ORDINAL of --list-devices.  START says how
 * CUDA starts; START.visible must outlive the driver.  Returns NULL if
 * out of memory.
 */
struct zstd_driver *zstd_cuda_new(struct cu_start start, int ordinal);

/*
 * DRIVER, of any kind, has lent the host's SIZE bytes at FROM (lease.h).  Begin
 * to copy those that are still in the GPU's memory to TO, within the GPU, in
 * STREAM, if it is that of CONTEXT, which is an engine's.  Sets *LEFT: that
 * many of the first bytes must come from the host, or all.  Returns 0, or -1
 * with *ERROR set.
 */
int zstd_cuda_copy(struct zstd_driver *driver, const struct cu_context *context,
                   CUdeviceptr to, const unsigned char *from, size_t size,
                   CUstream stream, size_t *left, struct error *error);

#endif

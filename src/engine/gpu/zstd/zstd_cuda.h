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

#endif

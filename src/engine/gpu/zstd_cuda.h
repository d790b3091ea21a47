/* zstd_cuda.h -- decode zstd on one NVIDIA GPU, for zstd_device.h */

#ifndef GPUHIST_ZSTD_CUDA_H
#define GPUHIST_ZSTD_CUDA_H

#include "engine/gpu/cu_visible.h"
#include "sync/zstd_device.h"

/*
 * Make a driver for the device ORDINAL of --list-devices.  VISIBLE says which
 * devices the driver shows; it must outlive the driver.  Returns NULL if out of
 * memory.
 */
struct zstd_driver *zstd_cuda_new(const struct cu_visible *visible,
                                  int ordinal);

#endif

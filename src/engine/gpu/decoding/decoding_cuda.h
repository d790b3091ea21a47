/* SPDX-License-Identifier: MIT */
/* decoding_cuda.h -- decode on one NVIDIA GPU, for decoding_device.h */

#ifndef GPUHIST_DECODING_CUDA_H
#define GPUHIST_DECODING_CUDA_H

#include "engine/gpu/cuda/cu_context.h"
#include "input/device/decoding_device.h"

/*
 * Make a driver for the device ORDINAL of --list-devices.  START says how
 * CUDA starts; START.visible must outlive the driver.  Returns NULL if
 * out of memory.
 */
struct decoding_driver *decoding_cuda_new(struct cu_start start, int ordinal);

#endif

/* SPDX-License-Identifier: MIT */
/* explain.h -- the text of --explain and of the lists of devices, strategies */

#ifndef GPUHIST_EXPLAIN_H
#define GPUHIST_EXPLAIN_H

#include <stdio.h>

#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/cl_devices.h"
#include "hist/spec.h"
#include "run/plan.h"
#include "run/tracks.h"

/* Print on standard error what SPEC counts, before that takes long, in words:
   the fields, and of which records. */
void explain_start(const struct spec *spec);

/* Print on standard error how TRACKS counted COUNTS.  Conditions left out
   LEFT_OUT records. */
void explain_run(const struct tracks *tracks, const struct snapshot *counts,
                 uint64_t left_out);

/* Print a line for each axis of SPEC: its field, its bins and their range. */
void explain_axes(FILE *out, const struct spec *spec);

/* If SPEC has conditions, print the number of records left out. */
void explain_left_out(FILE *out, const struct spec *spec, uint64_t left_out);

/* All devices, CUDA and OpenCL.  The owner frees both arrays. */
struct devices {
    struct cuda_device *cuda;
    int cuda_count;
    struct cl_device *opencl;
    int opencl_count;
};

/* Print a line for the CPU, which has CPUS threads, and for each device. */
void explain_devices(FILE *out, unsigned int cpus,
                     const struct devices *devices);

/*
 * Print a line for each device and strategy: device, strategy, kernel, bytes of
 * shared memory for a block, and whether the strategy can count SPEC.  The last
 * column is "yes", "auto" for the choice of auto, or "no: REASON".  Without
 * devices, the limits are unknown, and each strategy has one line, with the
 * device "-".
 */
void explain_strategies(FILE *out, const struct spec *spec,
                        const struct devices *devices);

#endif

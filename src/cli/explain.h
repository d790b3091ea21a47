/* explain.h -- what a run is made of, in words */

#ifndef GPUHIST_EXPLAIN_H
#define GPUHIST_EXPLAIN_H

#include <stdio.h>

#include "engine/gpu/cl_devices.h"
#include "engine/gpu/engine_cuda.h"
#include "hist/spec.h"
#include "run/pipeline.h"
#include "run/plan.h"

/* A line for each axis: its field, how many bins, from where to where. */
void explain_axes(FILE *out, const struct spec *spec);

/* Lines for the plan: readers, chunks, when a GPU starts. */
void explain_plan(FILE *out, const struct plan *plan);

/*
 * A line for each engine that took part: how it counted, how much and for how
 * long.  The CPU's threads share one.
 */
void explain_engines(FILE *out, const struct pipeline *pipeline);

/* All that there are, of both kinds. */
struct devices {
    struct cuda_device *cuda;
    int cuda_count;
    struct cl_device *opencl;
    int opencl_count;
};

/* A line for the CPU with CPUS threads, and for each of DEVICES. */
void explain_devices(FILE *out, unsigned int cpus,
                     const struct devices *devices);

/*
 * For each of DEVICES a line for each strategy: device, strategy, kernel,
 * bytes of shared memory for a block, and whether SPEC can be counted so:
 * "yes", "auto" (that is the one chosen), or "no: " and why.  Without a
 * device the limits are not known: one line for each, of the device "-".
 */
void explain_strategies(FILE *out, const struct spec *spec,
                        const struct devices *devices);

#endif

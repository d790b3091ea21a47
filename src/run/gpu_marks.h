/* SPDX-License-Identifier: MIT */
/*
 * gpu_marks.h -- from how many bytes on another GPU shortens a run
 *
 * Of the GPUs that the user lists, a plan takes the first ones, as many as the
 * inputs are worth.  The model of both times is in gpu_marks.c.
 */

#ifndef GPUHIST_GPU_MARKS_H
#define GPUHIST_GPU_MARKS_H

#include <stddef.h>
#include <stdint.h>

/* Of a run whose readers feed GPUs. */
struct gpu_marks_job {
    unsigned int cpus; /* that read at a time */
    double feed_cost;  /* of reading for a GPU: record_feed_cost() */
};

/* Returns the bytes per second that GPUS GPUs, at least 1, count for JOB. */
double gpu_marks_rate(const struct gpu_marks_job *job, size_t gpus);

/*
 * Set MARK[I], for I below COUNT: a run of JOB over at least so many bytes is
 * shorter with I + 1 GPUs than with I.  MARK[0] is 0, no mark is less than the
 * one before, and UINT64_MAX means that no size is enough.
 */
void gpu_marks_find(const struct gpu_marks_job *job, uint64_t *mark,
                    size_t count);

/*
 * Returns from how many bytes on a run is shorter with another GPU, which takes
 * OPEN seconds to open: the others process SLOW bytes per second, and all
 * together FAST.  UINT64_MAX: no size is enough.
 */
uint64_t gpu_marks_next(double slow, double fast, double open);

/* Returns the rate of GPUS GPUs that share the memory, if one GPU has RATE. */
double gpu_marks_share(double rate, size_t gpus);

#endif

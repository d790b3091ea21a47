/* SPDX-License-Identifier: MIT */
/*
 * gpu_marks.c -- from how many bytes on another GPU shortens a run
 *
 * The rate of N GPUs.  A byte from the page cache takes 1 / MEMORY_RATE, which
 * all readers together have without GPUs, and 1 / N of 1 / COPY_RATE, because
 * N GPUs copy at the same time:
 *
 *     rate(N) = 1 / (1 / MEMORY_RATE + 1 / (N * COPY_RATE))
 *
 * COPY_RATE is chosen for the rate of one GPU at its wire, 47 GB/s.  Then the
 * formula has 66 and 83 GB/s for two and four GPUs; 63 to 67 and 82 to 85 were
 * measured (bench/NOTES.md, "Several GPUs").  If processors are few, they limit
 * the rate: each takes READ_TIME for a byte, or SHARED_READ_TIME while several
 * GPUs copy.
 *
 * The time of GPU N.  While the driver starts, INIT_TIME passes for each GPU
 * that it shows, and no GPU counts.  While GPU N is opened, for OPEN_TIME, the
 * N - 1 others count.  At the end its closing takes LEAVE_TIME.  So BYTES take
 * as long with N GPUs as with N - 1 if
 *
 *     BYTES / rate(N - 1) = INIT_TIME + OPEN_TIME +
 *         (BYTES - OPEN_TIME * rate(N - 1)) / rate(N) + LEAVE_TIME
 *
 * With enough processors the marks are 51, 144 and 281 GB.
 */

#include "run/gpu_marks.h"

/* Seconds, and bytes per second: measured with H200 (bench/NOTES.md). */
#define INIT_TIME 0.13
#define OPEN_TIME 0.12
#define LEAVE_TIME 0.15
#define MEMORY_RATE 112e9
#define COPY_RATE 81e9
#define READ_TIME 0.2e-9
#define SHARED_READ_TIME 0.3e-9

double
gpu_marks_share(double rate, size_t gpus)
{
    return 1 / (1 / MEMORY_RATE + (1 / rate - 1 / MEMORY_RATE) / (double)gpus);
}

double
gpu_marks_rate(const struct gpu_marks_job *job, size_t gpus)
{
    double rate = 1 / (1 / MEMORY_RATE + 1 / ((double)gpus * COPY_RATE));
    double most = job->cpus / (gpus == 1 ? READ_TIME : SHARED_READ_TIME);

    return (rate < most ? rate : most) / job->feed_cost;
}

uint64_t
gpu_marks_next(double slow, double fast, double open)
{
    if (fast <= slow)
        return UINT64_MAX;
    double bytes = (INIT_TIME + LEAVE_TIME + open * (1 - slow / fast)) /
                   (1 / slow - 1 / fast);

    return bytes < (double)(UINT64_MAX / 2) ? (uint64_t)bytes : UINT64_MAX;
}

void
gpu_marks_find(const struct gpu_marks_job *job, uint64_t *mark, size_t count)
{
    mark[0] = 0;
    for (size_t i = 1; i < count; i++) {
        mark[i] = gpu_marks_next(gpu_marks_rate(job, i),
                                 gpu_marks_rate(job, i + 1), OPEN_TIME);
        if (mark[i] < mark[i - 1])
            mark[i] = mark[i - 1];
    }
}

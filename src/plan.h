/*
 * plan.h -- how a run is done: how many threads, how much memory, which GPU
 *
 * Nothing here changes what is printed, only how long it takes.
 */

#ifndef GPUHIST_PLAN_H
#define GPUHIST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "options.h"

/* What is known of the inputs and of the machine before the first byte. */
struct plan_facts {
    size_t input_count;
    uint64_t known_bytes;    /* in regular files */
    bool has_unknown_length; /* pipes, devices */
    unsigned int cpus;       /* that this process may run on */
    uint64_t memory_bytes;   /* of the machine */
    bool has_cuda_code;      /* in this build */
};

struct plan {
    unsigned int readers;      /* threads that read or decode, at least 1 */
    unsigned int host_threads; /* threads that count, at most; 0: none */
    const int *gpu;            /* CUDA's ordinals, of the options */
    size_t gpu_count;          /* 0: none, ever */
    bool gpu_is_demanded;      /* fail where one is not usable */
    uint64_t gpu_after;        /* start them once so much has been read */
    size_t chunk_bytes;
    size_t chunk_count;
    bool huge_pages;
    uint64_t decoder_bytes; /* for all zstd windows together */
};

/*
 * Make the plan.  It refers to OPTIONS.  Returns 0, or -1 with *ERROR set
 * where the options leave no room for one.
 */
int plan_make(struct plan *plan, const struct options *options,
              const struct plan_facts *facts, struct error *error);

#endif

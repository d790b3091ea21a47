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

#include "engine/engine.h"
#include "engine/gpu/kernel.h"
#include "util/error.h"
#include "util/interval.h"

/* As many GPUs as one run may name. */
#define PLAN_GPUS_MAX 64

/* No value given: to be chosen. */
#define PLAN_CHOOSE UINT64_MAX

/* What may be chosen of a plan. */
struct plan_options {
    enum device device;
    int gpu[PLAN_GPUS_MAX]; /* ordinals, of CUDA or of OpenCL */
    size_t gpu_count;       /* at least 1 */
    uint64_t gpu_after;     /* bytes; or PLAN_CHOOSE */
    double gpu_timeout;     /* seconds for a call; 0: for ever */
    unsigned int threads;   /* 0: choose */
    size_t chunk_bytes;     /* 0: choose */
    uint64_t memory_limit;  /* bytes; or PLAN_CHOOSE */
    enum strategy strategy; /* of a GPU */
    struct interval every;  /* between snapshots; or none are wanted */
};

/* What is known of the inputs and of the machine before the first byte. */
struct plan_facts {
    size_t input_count;
    uint64_t known_bytes;    /* in regular files */
    bool has_unknown_length; /* pipes, devices */
    unsigned int cpus;       /* that this process may run on */
    uint64_t memory_bytes;   /* of the machine */
    bool has_gpu_code;       /* in this build */
    double host_cost;        /* of counting on the CPU: record_count_cost() */
    size_t record_bytes;
    uint64_t table_bytes; /* of a histogram */
    uint64_t other_bytes; /* of what is there once, beside them */
    bool may_share_table; /* CPU threads may count into one */
};

struct plan {
    unsigned int readers;      /* threads that read, at least 1 */
    unsigned int decoders;     /* so many where reading takes decoding */
    unsigned int host_threads; /* threads that count, at most; 0: none */
    bool host_shares;          /* they count into one histogram */
    enum device device;        /* which GPUs: DEVICE_AUTO: the first kind */
    const int *gpu;            /* their ordinals, of the options */
    size_t gpu_count;          /* 0: none, ever */
    bool gpu_is_demanded;      /* fail where one is not usable */
    bool gpu_is_alone;         /* there is no other engine */
    uint64_t gpu_after;        /* start them once so much has been read */
    double gpu_timeout;        /* seconds for a call; 0: for ever */
    enum strategy strategy;    /* of the GPUs */
    unsigned int cpus;         /* that this process may run on */
    size_t chunk_bytes;        /* a multiple of the record's size */
    size_t cached_bytes;       /* so many of a chunk for a reader that counts */
    size_t chunk_count;        /* for READERS ... */
    size_t decoder_chunks;     /* ... and for each one more */
    size_t spare_chunks;       /* beside them: one for each GPU, or 0 */
    bool huge_pages;
    uint64_t decoder_bytes; /* for all zstd windows together */
};

/* How many bytes a run may take, on a machine with MEMORY_BYTES. */
uint64_t plan_memory_limit(const struct plan_options *options,
                           uint64_t memory_bytes);

/*
 * Make the plan.  It refers to OPTIONS.  Returns 0, or -1 with *ERROR set
 * where the options leave no room for one.
 */
int plan_make(struct plan *plan, const struct plan_options *options,
              const struct plan_facts *facts, struct error *error);

#endif

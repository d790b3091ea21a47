/* SPDX-License-Identifier: MIT */
/*
 * plan.h -- choose the threads, the memory and the GPUs of a run
 *
 * A plan affects the speed of a run, never its result.
 */

#ifndef GPUHIST_PLAN_H
#define GPUHIST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/interval.h"
#include "engine/engine.h"
#include "engine/gpu/cuda/cu_visible.h"
#include "engine/gpu/device/kernel.h"
#include "input/device/decoding_devices.h"
#include "input/read/survey.h"

/* The limit of GPUs that the user may list. */
#define PLAN_GPUS_MAX CU_VISIBLE_MAX

/* Not given: the plan chooses a value. */
#define PLAN_CHOOSE UINT64_MAX

/* Whether a GPU decodes. */
enum gpu_decode {
    GPU_DECODE_AUTO,
    GPU_DECODE_ALWAYS,
    GPU_DECODE_NEVER,
};

/* The options for a plan. */
struct plan_options {
    enum device device;
    int gpu[PLAN_GPUS_MAX];     /* ordinals, of CUDA or of OpenCL */
    size_t gpu_count;           /* at least 1 */
    struct cu_visible *visible; /* how CUDA numbers them */
    uint64_t gpu_after;         /* bytes; or PLAN_CHOOSE */
    double gpu_timeout;         /* seconds for a driver call; 0: no limit */
    unsigned int threads;       /* 0: choose */
    uint64_t chunk_bytes;       /* 0: choose */
    uint64_t memory_limit;      /* bytes; or PLAN_CHOOSE */
    enum strategy strategy;     /* of the GPUs */
    enum gpu_decode gpu_decode;
    struct interval every; /* between snapshots; not set: no snapshots */
    bool per_file;         /* a snapshot of each input, on its own ... */
    bool one_track;        /* ... and one at a time */
};

/* Facts about the inputs and the machine before the run starts. */
struct plan_facts {
    size_t input_count;
    uint64_t known_bytes;    /* in regular files ... */
    uint64_t largest_bytes;  /* ... and in the largest of them */
    uint64_t plain_bytes;    /* ... and in those that are not compressed */
    bool has_unknown_length; /* pipes, devices */
    size_t streams;          /* how many of them */
    /* Of files with PLAN_DECODING_FILE_MIN, if there is a driver for CUDA. */
    struct decodable decodable;
    bool may_repeat;       /* a run that fails can be repeated */
    bool may_have_tracks;  /* inputs can be read in any order (tracks.h) */
    unsigned int cpus;     /* that this process may run on */
    uint64_t memory_bytes; /* of the machine */
    bool has_gpu_code;     /* this build has it */
    double host_cost;      /* of counting on the CPU: record_cost() */
    double feed_cost;      /* of reading for a GPU: record_feed_cost() */
    size_t record_bytes;
    uint64_t table_bytes;   /* of one histogram: spec_table_bytes() */
    uint64_t gpu_bytes;     /* of a GPU's histogram, if different */
    uint32_t gpu_keys;      /* that a GPU may know, of text ... */
    uint64_t gpu_key_bytes; /* ... with this much of the host's memory */
    uint64_t kmer_bytes;    /* of a table that not each thread has */
    uint64_t other_bytes;   /* needed once: spec_other_bytes() */
    uint64_t buffer_bytes;  /* of a CPU thread: field_engine_bytes() */
    bool may_share_table;   /* CPU threads may share one histogram */
    bool has_keys;          /* CPU threads share tables that grow */
    bool needs_order;       /* where a record ends: framing_needs_order() */
    bool has_ranges;        /* framing_cuts_anywhere() */
};

/* Whether a GPU pays depends on this and on the throughput of the CPU. */
struct plan_payoff {
    uint64_t known_bytes; /* read side by side */
    double read_time;     /* of a reader, in seconds per byte */
    double device_rate;   /* bytes per second that a GPU counts */
    double device_start;  /* seconds to start, while the CPU counts; ... */
    double device_cost;   /* ... and to leave and for its table, too */
    bool is_content;      /* KNOWN_BYTES are of content, about */
};

struct plan {
    unsigned int readers;      /* threads that read, at least 1 */
    unsigned int decoders;     /* limit of readers if inputs are compressed */
    unsigned int guessers;     /* decoders that no input needs */
    unsigned int host_threads; /* limit of threads that count; 0: none */
    bool hosts_are_reserve;    /* they only count chunks refused by GPUs */
    bool host_shares;          /* they share one histogram ... */
    uint64_t host_bytes;       /* ... and take this much more; of keys: all */
    bool takes_snapshots;      /* while the engines count ... */
    bool is_per_input;         /* ... one of each input, on its own */
    unsigned int tracks;       /* so many inputs at a time; all else is of one
                                  track, but for the memory of decoders */
    enum device device;        /* of the GPUs; DEVICE_AUTO: those found */
    const int *gpu;            /* their ordinals, in the options */
    struct cu_start cuda;      /* how the driver of CUDA starts */
    size_t gpu_count;          /* 0: no GPU is used */
    size_t gpus_listed;        /* by the user, who requests GPUs */
    bool gpu_is_demanded;      /* fail if a GPU is not usable */
    bool gpu_is_alone;         /* the run ends if an open GPU fails */
    uint64_t gpu_after;        /* start the GPUs after this many bytes */
    bool gpu_is_adaptive;      /* ... or when that pays: throughput.h */
    /* Of the GPUs listed, start GPU I after so many bytes; 0: from the start */
    uint64_t gpu_mark[PLAN_GPUS_MAX];
    uint64_t gpu_more; /* so many bytes are worth another GPU; or UINT64_MAX */
    struct plan_payoff payoff;   /* for plan_gpu_pays() */
    double gpu_timeout;          /* seconds for a driver call; 0: no limit */
    enum strategy strategy;      /* of the GPUs */
    enum gpu_decode decoding;    /* by the first GPUs; AUTO: if it works ... */
    uint64_t decoding_window;    /* ... and leaves so much memory to decoders */
    uint64_t decoding_bytes;     /* of content, or more */
    unsigned int decoding_gpus;  /* the first ones, so many, at least 1 */
    unsigned int decoding_belts; /* files that each decodes at a time */
    unsigned int decoding_early; /* files decoded while they start, at most */
    bool decoding_sketches;      /* of records that may have four lines */
    uint32_t gpu_keys;           /* of text, that each GPU may know */
    unsigned int cpus;           /* that this process may run on */
    size_t chunk_bytes;          /* a multiple of the record's size */
    size_t cached_bytes;   /* that a counting reader processes at a time */
    size_t chunk_count;    /* for READERS ... */
    size_t decoder_chunks; /* ... for each additional decoder ... */
    size_t held_chunks;    /* ... and for each GPU, once it is open */
    size_t spare_chunks;   /* in addition: one for each GPU, or 0 */
    bool huge_pages;
    uint64_t decoder_bytes; /* for the memory of all decoders together */
    size_t record_max;      /* the longest record of any length, in bytes */
};

/* For less no GPU is started. */
#define PLAN_DECODING_BYTES_MIN ((uint64_t)64 << 20)

/* Unless the user demands that a GPU decodes, it gets no smaller files. */
#define PLAN_DECODING_FILE_MIN ((uint64_t)512 << 10)

/* For less one GPU is enough, however many are listed ... */
#define PLAN_SEVERAL_BYTES_MIN ((uint64_t)16 << 30)

/* ... and for smaller files: opening them takes readers longer than reading. */
#define PLAN_SEVERAL_FILE_MIN ((uint64_t)4 << 20)

/* Shorter frames have checksums that a GPU computes. */
#define PLAN_DECODING_FRAME_MIN ((uint64_t)512 << 10)

/* Whether the user requests GPUs, which then must work. */
bool plan_demands_gpu(const struct plan_options *options);

/* Returns how many bytes a header of text may have, of LIMIT for a run. */
size_t plan_header_bytes(uint64_t limit);

/*
 * Returns the memory limit of a run, in bytes: half of MEMORY_BYTES, unless the
 * options set the limit; at most half of the address space, so no size wraps.
 */
uint64_t plan_memory_limit(const struct plan_options *options,
                           uint64_t memory_bytes);

/*
 * Returns the memory limit for the keys of a GPU (text_layout_keys()): less if
 * a GPU starts on its own.
 */
uint64_t plan_gpu_limit(const struct plan_options *options,
                        uint64_t memory_bytes);

/*
 * Make *PLAN, which points into OPTIONS; OPTIONS must outlive *PLAN.  Returns
 * 0, or -1 with *ERROR set: the memory limit is too low.
 */
int plan_make(struct plan *plan, const struct plan_options *options,
              const struct plan_facts *facts, struct error *error);

/*
 * Whether only readers count, as long as they can: there is one for each thread
 * that may count, and for each processor.  One more thread would take a
 * processor from a reader for whom the readers of later ranges may wait
 * (input/read/ranges.h).  With more readers, or if some wait for others to be
 * counted, there is a thread that only counts.
 */
static inline bool
plan_readers_count(const struct plan *plan)
{
    return plan->host_threads > 0 && !plan->hosts_are_reserve &&
           plan->readers == plan->host_threads &&
           plan->readers == plan->decoders && plan->readers >= plan->cpus &&
           !plan->takes_snapshots &&
           (plan->gpu_count == 0 || plan->gpu_after > 0);
}

/*
 * Whether a run by PLAN, whose gpu_is_adaptive, will be shorter with a GPU that
 * starts now: COUNTED_BYTES are counted, a thread takes TIME seconds to read
 * and count another byte, and KEYS are found so far.
 */
bool plan_gpu_pays(const struct plan *plan, uint64_t counted_bytes, double time,
                   uint64_t keys);

#endif

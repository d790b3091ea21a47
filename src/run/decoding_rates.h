/* SPDX-License-Identifier: MIT */
/* decoding_rates.h -- how fast files can be decoded and counted, for a plan */

#ifndef GPUHIST_DECODING_RATES_H
#define GPUHIST_DECODING_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "input/read/survey.h"

/* The bytes of content for each byte of a file, or more if the file says so. */
#define DECODING_RATES_RATIO 4

/* Of the files of a run.  Rates are bytes of content per second. */
struct decoding_rates {
    double content; /* bytes, about */
    double host;    /* the rate if the CPU decodes it */
    double by_host; /* ... if a GPU does, and the CPU counts ... */
    double by_gpu;  /* ... or the GPU */
    bool waits;     /* nothing is decoded while the GPU starts */
};

/* The use of the content. */
struct decoding_job {
    unsigned int cpus;  /* processors */
    unsigned int gpus;  /* that decode, at least 1 */
    unsigned int belts; /* files that each of them decodes at a time */
    double count_time;  /* seconds of one for a byte ... */
    bool is_serial;     /* a file is counted when the one before it is */
    bool has_keys;      /* ... or, with keys, a usual time */
    bool needs_order;   /* one reader divides it into records, ... */
    bool has_ranges;    /* ... but several readers divide blocks of BGZF */
};

/* Returns the rates of FILES, which have some of KNOWN_BYTES, for JOB. */
struct decoding_rates decoding_rates_find(const struct decodable *files,
                                          uint64_t known_bytes,
                                          const struct decoding_job *job);

/*
 * Whether a run of JOB over FILES, whose GPUs count, is shorter than the run of
 * FEWER, which has one GPU fewer.  Counts only on content that the files say
 * they have, or that their first blocks show.
 */
bool decoding_rates_pay(const struct decodable *files, uint64_t known_bytes,
                        const struct decoding_job *fewer,
                        const struct decoding_job *job);

#endif

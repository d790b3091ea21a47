/* zstd_rates.h -- how fast zstd can be decoded and counted, for a plan */

#ifndef GPUHIST_ZSTD_RATES_H
#define GPUHIST_ZSTD_RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "input/read/zstd_survey.h"

/* So many bytes of content zstd has for each byte, or more, if it says so. */
#define ZSTD_RATES_RATIO 4

/* The zstd of a run.  Rates are bytes of content per second. */
struct zstd_rates {
    double content; /* bytes, about */
    double host;    /* the rate if the CPU decodes it */
    double by_host; /* ... if a GPU does, and the CPU counts ... */
    double by_gpu;  /* ... or the GPU */
};

/*
 * Returns that of ZSTD, which has some, in files of KNOWN_BYTES, with CPUS
 * processors.  A processor takes COUNT_TIME seconds to count a byte of content,
 * or a usual time if it HAS_KEYS.
 */
struct zstd_rates zstd_rates_find(const struct zstd_survey *zstd,
                                  uint64_t known_bytes, unsigned int cpus,
                                  double count_time, bool has_keys);

#endif

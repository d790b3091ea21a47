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
};

/*
 * Returns the rates of FILES, which have some of KNOWN_BYTES, with CPUS
 * processors.  A processor takes COUNT_TIME seconds to count a byte of content,
 * or a usual time if the run HAS_KEYS.
 */
struct decoding_rates decoding_rates_find(const struct decodable *files,
                                          uint64_t known_bytes,
                                          unsigned int cpus, double count_time,
                                          bool has_keys);

#endif

/* histogram.h -- how often each byte value occurred */

#ifndef GPUHIST_HISTOGRAM_H
#define GPUHIST_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BINS 256

/*
 * Plain counts, with no lock: each engine has a private one.  64 bits count
 * 18 exabytes, so a sum of what one run reads cannot wrap.
 */
struct histogram {
    uint64_t bin[HISTOGRAM_BINS]; /* bin[v]: how many bytes had the value v */
};

/* Add every bin of FROM to TO. */
void histogram_add(struct histogram *to, const struct histogram *from);

/* The sum of all bins: how many values were counted. */
uint64_t histogram_total(const struct histogram *histogram);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * gen_ziggurat.h -- normal and exponential samples
 *
 * The method is that of G. Marsaglia and W. W. Tsang, "The ziggurat method for
 * generating random variables", Journal of Statistical Software 5 (2000), with
 * 256 layers.  Layer, sign and position come from different bits, as in J. A.
 * Doornik, "An improved ziggurat method to generate normal random samples"
 * (2005).  The tail of the normal distribution is that of G. Marsaglia,
 * "Generating a variable from the tail of the normal distribution",
 * Technometrics 6 (1964).
 */

#ifndef GPUHIST_GEN_ZIGGURAT_H
#define GPUHIST_GEN_ZIGGURAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen_random.h"

#define GEN_ZIGGURAT_LAYERS 256

struct gen_ziggurat {
    bool is_normal;
    double tail; /* where the tail starts */

    /*
     * For each layer: a position below `inside` is under the curve; a position
     * times `width` is x.
     */
    uint64_t inside[GEN_ZIGGURAT_LAYERS];
    double width[GEN_ZIGGURAT_LAYERS];
    double height[GEN_ZIGGURAT_LAYERS + 1]; /* of a layer's lower edge */
};

/*
 * Make ZIGGURAT for a normal distribution with mean 0 and standard deviation 1,
 * or else for an exponential distribution with rate 1.
 */
void gen_ziggurat_make(struct gen_ziggurat *ziggurat, bool is_normal);

/* Write COUNT random samples, each times SCALE plus OFFSET, to SAMPLE. */
void gen_ziggurat_draw(const struct gen_ziggurat *ziggurat,
                       struct gen_random *random, double scale, double offset,
                       double *sample, size_t count);

#endif

/* gen_options.h -- the command line of gpuhist-gen */

#ifndef GPUHIST_GEN_OPTIONS_H
#define GPUHIST_GEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "binning.h"
#include "util/error.h"

enum gen_distribution {
    GEN_UNIFORM,
    GEN_NORMAL,
    GEN_BINOMIAL,
    GEN_POISSON,
    GEN_EXPONENTIAL,
    GEN_ZIPF,
    GEN_CONSTANT,
    GEN_SORTED,
    GEN_ACGT, /* this one and all that follow are text */
    GEN_LOG,
    GEN_TEXT,
    GEN_DISTRIBUTIONS,
};

#define GEN_ENDLESS UINT64_MAX

struct gen_options {
    bool is_help;
    enum gen_distribution distribution;
    enum sample_type type;
    bool is_swapped; /* samples are not in the machine's byte order */
    uint64_t seed;
    uint64_t bytes; /* of output, or GEN_ENDLESS */

    /* Parameters; those that the distribution does not have are not set. */
    double lo; /* range of a float type: [lo, hi) */
    double hi;
    uint64_t first; /* range of an integer type: first to last, two's */
    uint64_t last;  /* complement; the value of a constant is `first` */
    double mean;
    double sd;
    double trials;
    double probability;
    double rate;
    double exponent;
    double values;
    double value; /* of a float type */
};

/* The text of --help. */
extern const char gen_options_help[];

/* Read the command line into *OPTIONS.  Returns 0, or -1 with *ERROR set. */
int gen_options_parse(struct gen_options *options, int argc, char **argv,
                      struct error *error);

#endif

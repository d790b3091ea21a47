/* SPDX-License-Identifier: MIT */
/* gen_options.h -- the command line of gpuhist-gen */

#ifndef GPUHIST_GEN_OPTIONS_H
#define GPUHIST_GEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/binning/binning.h"

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
    GEN_FASTA,
    GEN_FASTQ,
    GEN_DISTRIBUTIONS,
};

#define GEN_ENDLESS UINT64_MAX

/* What is allowed in sequences, but rare. */
enum gen_odd {
    GEN_ODD_CRLF = 1,
    GEN_ODD_EMPTY = 2,
    GEN_ODD_IUPAC = 4,
    GEN_ODD_LOWER = 8,
};

struct gen_options {
    bool is_help;
    enum gen_distribution distribution;
    enum sample_type type;
    bool is_swapped; /* samples are not in the machine's byte order */
    uint64_t seed;
    uint64_t bytes;   /* of output, or GEN_ENDLESS */
    uint64_t records; /* of sequences, or GEN_ENDLESS */

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

    /* Sequences: */
    uint64_t genome;   /* bases, at least LONGEST */
    uint64_t shortest; /* bases of a read, from 1 */
    uint64_t longest;
    uint64_t width;  /* bases in a line; 0: one line */
    double coverage; /* or INFINITY */
    double errors;   /* probability of each base */
    double unknown;
    unsigned int odd; /* of enum gen_odd */
};

/* The text of --help. */
extern const char gen_options_help[];

/* Read the command line into *OPTIONS.  Returns 0, or -1 with *ERROR set. */
int gen_options_parse(struct gen_options *options, int argc, char **argv,
                      struct error *error);

#endif

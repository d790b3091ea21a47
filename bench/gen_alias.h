/* SPDX-License-Identifier: MIT */
/*
 * gen_alias.h -- samples of discrete distributions, by the alias method
 *
 * The distributions are binomial, Poisson, Zipf, and any table of weights.  A
 * table of all outcomes gives samples in constant time: A. J. Walker, "An
 * efficient method for generating discrete random variables with general
 * distributions", ACM Transactions on Mathematical Software 3 (1977).  The
 * table is made as in M. D. Vose, "A linear algorithm for generating random
 * numbers with a given distribution", IEEE Transactions on Software Engineering
 * 17 (1991).
 *
 * Outcomes below 2^-80 of the largest probability are left out.  Zipf's
 * distribution may have too many outcomes for a table.  Then one entry stands
 * for all outcomes beyond the table, its tail, and rejection-inversion draws
 * from the tail: W. Hörmann and G. Derflinger, "Rejection-inversion to generate
 * variates from monotone discrete distributions", ACM Transactions on Modeling
 * and Computer Simulation 6 (1996).
 */

#ifndef GPUHIST_GEN_ALIAS_H
#define GPUHIST_GEN_ALIAS_H

#include <stddef.h>
#include <stdint.h>

#include "gen_random.h"

/* The largest variance of a binomial or Poisson distribution. */
#define GEN_ALIAS_VARIANCE_MAX 1e8

/* One column: an entry, its alias, and the border between them. */
struct gen_alias_column {
    uint64_t border;
    uint32_t entry[2]; /* above the border, below */
};

struct gen_alias {
    struct gen_alias_column *column; /* owned */
    uint64_t count;
    double first; /* the outcome of entry 0 */

    /* Zipf's tail. */
    uint32_t tail;     /* its entry; UINT32_MAX if there is no tail */
    double tail_start; /* its first outcome minus 1/2 */
    double tail_mass;  /* integral over the tail; 1 is the density at
                          tail_start times tail_start */
    double last;       /* the last outcome */
    double slope;      /* 1 - the exponent */
};

/*
 * Make ALIAS for COUNT weights, COUNT below 2^32; outcome i has weight[i].  Or
 * for a binomial distribution; or for a Poisson distribution.  Each function
 * returns 0, or -1: out of memory.  The caller calls gen_alias_close() only
 * after 0.
 */
int gen_alias_make(struct gen_alias *alias, const double *weight,
                   uint64_t count);
int gen_alias_make_binomial(struct gen_alias *alias, double trials,
                            double probability);
int gen_alias_make_poisson(struct gen_alias *alias, double mean);

/*
 * Make ALIAS for Zipf's distribution: the outcomes are 1 to VALUES, which is at
 * most 10^15; value v has the weight v^-EXPONENT.  EXPONENT is 0 to 100.
 * Returns as above.
 */
int gen_alias_make_zipf(struct gen_alias *alias, double exponent,
                        double values);

/* The entry for WORD, 64 random bits. */
static inline uint32_t
gen_alias_entry(const struct gen_alias *alias, uint64_t word)
{
    uint64_t index = gen_random_multiply(&word, alias->count);
    const struct gen_alias_column *column = alias->column + index;

    return column->entry[word < column->border];
}

/* Write COUNT random outcomes to SAMPLE. */
void gen_alias_draw(const struct gen_alias *alias, struct gen_random *random,
                    double *sample, size_t count);

/* Free the table of ALIAS. */
void gen_alias_close(struct gen_alias *alias);

#endif

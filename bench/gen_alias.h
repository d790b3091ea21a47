/*
 * gen_alias.h -- binomial, Poisson and Zipf samples, and any weights
 *
 * A table of all outcomes and their weights, and from it samples in constant
 * time: A. J. Walker, "An efficient method for generating discrete random
 * variables with general distributions", ACM Transactions on Mathematical
 * Software 3 (1977); made as in M. D. Vose, "A linear algorithm for
 * generating random numbers with a given distribution", IEEE Transactions on
 * Software Engineering 17 (1991).
 *
 * Outcomes less likely than 2^-80 of the likeliest are left out.  Zipf's
 * distribution may have too many that are likely: those beyond the table are
 * one entry of it, and are told apart by rejection-inversion: W. Hörmann and
 * G. Derflinger, "Rejection-inversion to generate variates from monotone
 * discrete distributions", ACM Transactions on Modeling and Computer
 * Simulation 6 (1996).
 */

#ifndef GPUHIST_GEN_ALIAS_H
#define GPUHIST_GEN_ALIAS_H

#include <stddef.h>
#include <stdint.h>

#include "gen_random.h"

/* The largest variance of a binomial or Poisson distribution. */
#define GEN_ALIAS_VARIANCE_MAX 1e8

/* One column: an entry and its alias, and where the border between them is. */
struct gen_alias_column {
    uint64_t border;
    uint32_t entry[2]; /* above the border, below */
};

struct gen_alias {
    struct gen_alias_column *column; /* owned */
    uint64_t count;
    double first; /* the outcome of entry 0 */

    /* Zipf's tail; `tail` is an entry that does not exist if there is none. */
    uint32_t tail;
    double tail_begin; /* half before its first outcome */
    double tail_mass;  /* in units of what is at tail_begin */
    double last;       /* outcome */
    double slope;      /* 1 - the exponent */
};

/*
 * Each returns 0, or -1: out of memory.  gen_alias_close() is due only after
 * 0.  COUNT is below 2^32.
 */
int gen_alias_make(struct gen_alias *alias, const double *weight,
                   uint64_t count);
int gen_alias_make_binomial(struct gen_alias *alias, double trials,
                            double probability);
int gen_alias_make_poisson(struct gen_alias *alias, double mean);

/*
 * From 1 to VALUES (10^15 at most), each value v with the weight v^-EXPONENT
 * (from 0 to 100).
 */
int gen_alias_make_zipf(struct gen_alias *alias, double exponent,
                        double values);

/* The entry that a random word chooses. */
static inline uint32_t
gen_alias_entry(const struct gen_alias *alias, uint64_t word)
{
    uint64_t index = gen_random_multiply(&word, alias->count);
    const struct gen_alias_column *column = alias->column + index;

    return column->entry[word < column->border];
}

/* COUNT outcomes. */
void gen_alias_draw(const struct gen_alias *alias, struct gen_random *random,
                    double *sample, size_t count);

void gen_alias_close(struct gen_alias *alias);

#endif

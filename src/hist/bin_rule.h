/* SPDX-License-Identifier: MIT */
/*
 * bin_rule.h -- how many bins some numbers should have, by the rules of numpy
 *
 * The rules are those of numpy.histogram_bin_edges of numpy 2.4: a rule gives
 * the width of the bins, and the range divided by the width, rounded up, is
 * their number.  numpy rounds each step; here sums are compensated, and a
 * quotient within 1e-9 of a whole number counts as that number.
 *
 * - fd: D. Freedman and P. Diaconis, Probability Theory 57, 1981: 2 IQR /
 *   n^(1/3).
 * - scott: D. W. Scott, Biometrika 66, 1979.
 * - sturges: H. A. Sturges, JASA 21, 1926; doane: D. P. Doane, American
 *   Statistician 30, 1976, which adds the skewness.
 * - stone: C. J. Stone, Proc. of the Berkeley Conference in Honor of Neyman and
 *   Kiefer 2, 1985: the least estimated integrated squared error.
 * - rice: 2 n^(1/3) bins; sqrt: n^(1/2) bins.
 * - auto: the width of fd or half of that of sqrt, the greater one, but not
 *   more than the width of sturges.
 */

#ifndef GPUHIST_BIN_RULE_H
#define GPUHIST_BIN_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/binning/binning.h"

/* The words of bin_rule_words[], in their order. */
enum bin_rule {
    BIN_RULE_AUTO,
    BIN_RULE_FD,
    BIN_RULE_DOANE,
    BIN_RULE_SCOTT,
    BIN_RULE_STONE,
    BIN_RULE_RICE,
    BIN_RULE_STURGES,
    BIN_RULE_SQRT,
    BIN_RULES,
};

extern const char *const bin_rule_words[BIN_RULES];

/* What --bins takes, for messages. */
#define BIN_RULE_WANTED                                                  \
    "not a number of bins from 1 to 2^31, nor a rule for it: auto, fd, " \
    "doane, scott, stone, rice, sturges or sqrt"

/* Returns the rule that TEXT names, or -1. */
int bin_rule_find(const char *text);

/* Whether RULE needs the numbers; else the facts are enough. */
bool bin_rule_needs_values(enum bin_rule rule);

/* Delivers finite numbers in ascending order, each with its count above 0; a
   number may come several times. */
struct number_source {
    void (*start)(void *context); /* again from the least number */
    bool (*next)(void *context, double *value, uint64_t *count);
    void *context;
};

/* Facts about the finite numbers of a field. */
struct number_facts {
    enum sample_type type;
    uint64_t count;
    double min; /* undefined if COUNT is 0 */
    double max;
};

/*
 * Returns the number of bins that RULE gives for the numbers of SOURCE, with
 * these FACTS, at most MOST: 1 or more.  SOURCE may be NULL if RULE needs no
 * values.
 */
uint64_t bin_rule_bins(enum bin_rule rule, const struct number_facts *facts,
                       const struct number_source *source, uint64_t most);

/*
 * Set EDGE[I], for I up to BINS, to the quantile I / BINS of the numbers of
 * SOURCE, of which there are COUNT, 1 or more: numpy's quantile() with the
 * method "linear".
 */
void bin_rule_quantiles(const struct number_source *source, uint64_t count,
                        uint64_t bins, double *edge);

#endif

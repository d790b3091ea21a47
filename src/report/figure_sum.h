/* SPDX-License-Identifier: MIT */
/*
 * figure_sum.h -- the exact sum of numbers: of decimals, or of doubles
 *
 * Numbers of text and integers are decimals.  Binary floating-point numbers are
 * doubles, whatever their type: any double is an addend.
 */

#ifndef GPUHIST_FIGURE_SUM_H
#define GPUHIST_FIGURE_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/decimal_sum.h"
#include "base/real_sum.h"
#include "hist/key_code.h"

struct figure_sum {
    bool is_real; /* of doubles */
    int64_t nano; /* else a part of the sum, in units of 10^-9: the sum is this
                     plus DECIMAL */
    union {
        struct decimal_sum decimal;
        struct real_sum real;
    } of;
};

/* Returns no addends: of doubles, if IS_REAL. */
struct figure_sum figure_sum_none(bool is_real);

/* Returns SUM, of decimals. */
struct decimal_sum figure_sum_decimal(const struct figure_sum *sum);

/* Add COUNT numbers of COMPONENT, finite, of KIND, to SUM, of decimals. Returns
   false if COMPONENT has too many digits. */
bool figure_sum_add_decimal(struct figure_sum *sum, enum key_kind kind,
                            const struct key_component *component,
                            uint64_t count);

/* Set *ADDEND to COMPONENT, a finite number of KIND, as a decimal.  Returns
   false if COMPONENT has too many digits. */
bool figure_sum_addend(struct decimal_sum *addend, enum key_kind kind,
                       const struct key_component *component);

/* Set *SUM, which knows whether it is of doubles, to COMPONENT, a finite number
   of KIND, COUNT times.  COMPONENT is an addend. */
void figure_sum_set(struct figure_sum *sum, enum key_kind kind,
                    const struct key_component *component, uint64_t count);

/* Add MORE, or subtract LESS, of the same kind. */
void figure_sum_add(struct figure_sum *sum, const struct figure_sum *more);
void figure_sum_subtract(struct figure_sum *sum, const struct figure_sum *less);

/* Returns less than 0, 0, or more, as A is less than, equal to, or more than
   B, of the same kind. */
int figure_sum_compare(const struct figure_sum *a, const struct figure_sum *b);

/*
 * Returns the least sum above SUM * PART / WHOLE.  SUM is not negative, PART is
 * not above WHOLE, which is below 2^63 and not 0.
 */
struct figure_sum figure_sum_above(const struct figure_sum *sum, uint64_t part,
                                   uint64_t whole);

/* Returns SUM / COUNT, rounded once; COUNT is not 0. */
double figure_sum_divide(const struct figure_sum *sum, uint64_t count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * key_decimal.h -- the code of a decimal, from its text
 *
 * A number of at most 15 significant digits is the shortest text of the nearest
 * double, so the double stands for the number.  The codes of most other numbers
 * have both the double and all digits.  With more than DECIMAL_SUM_PLACES
 * digits before or after the decimal point, the code has the double alone,
 * which then is the number.
 */

#ifndef GPUHIST_KEY_DECIMAL_H
#define GPUHIST_KEY_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ordered_decimal.h"
#include "hist/key_code.h"
#include "kernels/text/text_number.h"

/*
 * Write the component of NUMBER, from TEXT, whose nearest double is VALUE, to
 * AT, which has KEY_CODE_DECIMAL_ROOM.  Returns the end of the component.
 */
unsigned char *key_decimal_put(unsigned char *at,
                               const struct text_number *number,
                               const unsigned char *text, double value);

/* Returns the double nearest to NANO, in units of 10^-9; to DECIMAL. */
double key_decimal_nano_double(int64_t nano);
double key_decimal_ordered_double(const struct ordered_decimal *decimal);

/* As key_decimal_put(), of NANO, in units of 10^-9. */
unsigned char *key_decimal_put_nano(unsigned char *at, int64_t nano);

/* The same of DECIMAL. */
unsigned char *key_decimal_put_ordered(unsigned char *at,
                                       const struct ordered_decimal *decimal);

/* The same of SUM, a decimal with at most DECIMAL_SUM_PLACES digits before its
   point. */
unsigned char *key_decimal_put_sum(unsigned char *at,
                                   const struct decimal_sum *sum);

/* Set *NANO to the number of COMPONENT, a decimal or a double, in units of
   10^-9.  Returns whether it is a nano of at most 15 digits. */
bool key_decimal_nano(const struct key_component *component, int64_t *nano);

/*
 * Set *SUM to the number of COMPONENT, a decimal or a double, which is what its
 * shortest text says. Returns whether it is an addend: finite, and with at most
 * DECIMAL_SUM_PLACES digits on each side.
 */
bool key_decimal_sum(const struct key_component *component,
                     struct decimal_sum *sum);

/*
 * Write the number of COMPONENT, a decimal or a double, at AT, which has
 * DECIMAL_SUM_TEXT_BYTES, with all digits.  Returns its end.
 */
char *key_decimal_put_text(const struct key_component *component, char *at);

#endif

/*
 * key_decimal.h -- the code of a decimal, from its text
 *
 * A number of at most 15 significant digits is the shortest text of its nearest
 * double, so that the double stands for it.  Most others have both the double
 * and all digits in their codes. Those with more than DECIMAL_SUM_PLACES digits
 * before the decimal point or after it have the double alone, which then is the
 * number.
 */

#ifndef GPUHIST_KEY_DECIMAL_H
#define GPUHIST_KEY_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/key_code.h"
#include "kernels/text/text_number.h"

/*
 * Write the component of NUMBER, which was found in TEXT and whose nearest
 * double is VALUE, at AT, which has KEY_CODE_DECIMAL_ROOM.  Returns its end.
 */
unsigned char *key_decimal_put(unsigned char *at,
                               const struct text_number *number,
                               const unsigned char *text, double value);

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

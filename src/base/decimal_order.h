/* decimal_order.h -- which of two decimals is greater, exactly */

#ifndef GPUHIST_DECIMAL_ORDER_H
#define GPUHIST_DECIMAL_ORDER_H

#include "kernels/text/text_number.h"

/*
 * Returns less than 0, 0, or more, as A is less than, equal to, or more than B.
 * Both are finite or infinite, and were found in TEXT_A and TEXT_B.  All of
 * their digits count.  The exponent of one of them, as typed, is at most 10^11
 * in magnitude, or the result may be wrong.
 */
int decimal_order(const struct text_number *a, const unsigned char *text_a,
                  const struct text_number *b, const unsigned char *text_b);

#endif

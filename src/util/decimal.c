/*
 * decimal.c -- the shortest decimal that reads back to a double
 *
 * Schubfach: Raffaello Giulietti, "The Schubfach way to render doubles", 2020.
 *
 * All decimals that round to V = C * 2^Q lie between its two boundaries, half
 * way to its neighbours; the boundaries themselves round to V where C is even.
 * For the greatest 10^K that is not wider than this interval, one or more
 * multiples of 10^K lie in it, and at most one multiple of 10^(K+1).  If there
 * is one of those it is the shortest; otherwise the multiple of 10^K that is
 * closest to V is.
 *
 * Numbers are compared as multiples of 10^K / 4.  V and its boundaries are
 * rounded to odd: a fraction that is lost makes the last bit 1, so that no
 * comparison with a whole number goes wrong.  The paper proves that 126 bits of
 * 10^-K are enough for this.
 */

#include <stdbool.h>
#include <string.h>

#include "util/decimal.h"
#include "util/powers_of_ten.h"
#include "util/wide_integer.h"

#define FRACTION_BITS 52
#define EXPONENT_BIAS 1075 /* of a significand that is a whole number */

/* The multiples of 10^K / 4 at V and at its boundaries. */
struct scaled {
    uint64_t lower;
    uint64_t value;
    uint64_t upper;
};

/* floor(log2(10^E)), for any power in the table. */
static int
floor_log2_power_of_ten(int e)
{
    return (e * 1741647) >> 19;
}

/* floor(log10(2^E)), or where IS_CLOSER of 3/4 of that; for any double's E. */
static int
floor_log10_power_of_two(int e, bool is_closer)
{
    return (e * 1262611 - (is_closer ? 524031 : 0)) >> 22;
}

/* The integer part of HIGH:LOW * FACTOR / 2^128, rounded to odd. */
static uint64_t
multiply_to_odd(uint64_t high, uint64_t low, uint64_t factor)
{
    struct wide from_low = wide_product(low, factor);
    struct wide whole =
        wide_add(wide_product(high, factor), wide_of(from_low.high));

    /* The power is rounded up: 1 may be all that this adds. */
    return whole.high | (whole.low > 1);
}

/* The boundaries themselves if IS_EVEN; else the nearest numbers inside. */
static struct scaled
scale(uint64_t significand, int exponent, int k, bool is_closer)
{
    int shift = exponent + floor_log2_power_of_ten(-k) + 1;
    uint64_t high = power_of_ten[-k - POWERS_OF_TEN_MIN].high;
    uint64_t low = power_of_ten[-k - POWERS_OF_TEN_MIN].low;
    uint64_t four = 4 * significand;
    bool is_odd = significand & 1;

    return (struct scaled){
        .lower = multiply_to_odd(high, low, (four - 2 + is_closer) << shift) +
                 is_odd,
        .value = multiply_to_odd(high, low, four << shift),
        .upper = multiply_to_odd(high, low, (four + 2) << shift) - is_odd,
    };
}

struct decimal
decimal_shortest(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    uint64_t significand = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
    int biased = (int)(bits >> FRACTION_BITS);
    /* The neighbour below a power of two is only half as far away. */
    bool is_closer = significand == 0 && biased > 1;
    if (biased != 0)
        significand |= (uint64_t)1 << FRACTION_BITS;
    else
        biased = 1;

    int exponent = biased - EXPONENT_BIAS;
    int k = floor_log10_power_of_two(exponent, is_closer);
    struct scaled scaled = scale(significand, exponent, k, is_closer);
    uint64_t below = scaled.value / 4;

    /* Multiples of 10^(K+1): one below, one above. */
    if (below >= 10) {
        uint64_t tens = below / 10;
        bool has_below = scaled.lower <= 40 * tens;
        bool has_above = 40 * tens + 40 <= scaled.upper;
        if (has_below != has_above)
            return (struct decimal){tens + has_above, k + 1};
    }
    /* Multiples of 10^K: if both are inside, the closer one. */
    bool has_below = scaled.lower <= 4 * below;
    bool has_above = 4 * below + 4 <= scaled.upper;
    uint64_t middle = 4 * below + 2;
    bool is_above = has_below != has_above
                        ? has_above
                        : scaled.value > middle ||
                              (scaled.value == middle && (below & 1) != 0);
    return (struct decimal){below + is_above, k};
}

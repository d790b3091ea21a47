#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""powers_of_ten.py -- print powers_of_ten.h, the table of decimal.c

For each K from -292 to 324 the 128 most significant bits of 10^K, rounded up.
Run it as: python3 src/base/powers_of_ten.py > src/base/powers_of_ten.h
"""

LOWEST, HIGHEST = -292, 324
BITS = 128


def significand(k):
    """10^K, scaled by a power of two to BITS bits, rounded up."""
    if k >= 0:
        shift = BITS - (10**k).bit_length()
        return 10**k << shift if shift >= 0 else -(-(10**k) >> -shift)
    divisor = 10**-k
    # 2^n / divisor has BITS bits: no power of ten but 1 is one of two.
    return -(-(1 << (divisor.bit_length() + BITS - 1)) // divisor)


print(f"""/*
 * powers_of_ten.h -- 10^k, the first {BITS} bits, rounded up; for decimal.c
 *
 * Made by powers_of_ten.py; tests/unit/test_decimal.c proves each entry.
 */

#ifndef GPUHIST_POWERS_OF_TEN_H
#define GPUHIST_POWERS_OF_TEN_H

#include <stdint.h>

#define POWERS_OF_TEN_MIN ({LOWEST})
#define POWERS_OF_TEN_MAX {HIGHEST}

/* From POWERS_OF_TEN_MIN on; the highest bit of HIGH is 1. */
static const struct {{
    uint64_t high;
    uint64_t low;
}} power_of_ten[POWERS_OF_TEN_MAX - POWERS_OF_TEN_MIN + 1] = {{""")
for k in range(LOWEST, HIGHEST + 1):
    bits = significand(k)
    assert bits >> (BITS - 1) == 1
    print(f"    {{0x{bits >> 64:016x}, 0x{bits & (2**64 - 1):016x}}},")
print("""};

#endif""")

/* SPDX-License-Identifier: MIT */
/* value_unit.h -- numbers as multiples of a power of ten */

#ifndef GPUHIST_VALUE_UNIT_H
#define GPUHIST_VALUE_UNIT_H

#include <stdint.h>

/* A number has 9 decimals at most. */
#define VALUE_UNIT_MAX 1000000000

/* A power of ten, and what divides its multiples: the inverse of its odd part
   modulo 2^64, and the log of the other part. */
struct value_unit {
    uint32_t unit; /* 0: not known yet */
    uint64_t inverse;
    unsigned int shift;
};

/* Returns UNIT, a power of ten, with what divides its multiples. */
static inline struct value_unit
value_unit_of(uint32_t unit)
{
    unsigned int shift = (unsigned int)__builtin_ctz(unit);
    uint64_t odd = unit >> shift;
    uint64_t inverse = odd; /* to three bits; each step doubles them */

    for (int step = 0; step < 5; step++)
        inverse *= 2 - odd * inverse;
    return (struct value_unit){unit, inverse, shift};
}

/* Returns NUMBER / UNIT; if NUMBER is not a multiple, an integer that is
   greater than each multiple's. */
static inline uint64_t
value_unit_divide(uint64_t number, const struct value_unit *unit)
{
    uint64_t product = number * unit->inverse;

    return product >> unit->shift | product << (-unit->shift & 63);
}

#endif

/* SPDX-License-Identifier: MIT */
/* integer.h -- the compiler's widest integer, for what tests expect */

#ifndef GPUHIST_INTEGER_H
#define GPUHIST_INTEGER_H

#include <stdint.h>

/*
 * test_integer holds all doubles below TEST_INTEGER_BOUND.  Without 128 bits,
 * on 32-bit processors, it cannot hold the values and limits of 64-bit types.
 */
#ifdef __SIZEOF_INT128__
#    define HAS_INT128 1
#    define TEST_INTEGER_BOUND 0x1p100
__extension__ typedef __int128 test_integer;
#else
#    define HAS_INT128 0
#    define TEST_INTEGER_BOUND 0x1p60
typedef int64_t test_integer;
#endif

#endif

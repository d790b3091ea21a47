/* SPDX-License-Identifier: MIT */
/*
 * test_precise.c -- numbers of 106 bits and their logarithms
 *
 * Beside the compiler's numbers of 113 bits, where it has any: as long double,
 * or as __float128 on x86-64.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "../noise.h"
#include "../tap.h"
#include "base/elementary.h"
#include "base/precise.h"

#define ROUNDS (IS_EMULATED ? 10000 : 100000)

#if LDBL_MANT_DIG == 113
#    define HAS_QUAD 1
typedef long double quad;
#elif defined __SIZEOF_FLOAT128__
#    define HAS_QUAD 1
__extension__ typedef __float128 quad;
#else
#    define HAS_QUAD 0
#endif

/* Any sign, and magnitudes that differ by up to 2^200. */
static double
any_double(void)
{
    double x = ldexp((double)(int64_t)noise(), (int)(noise() % 100));

    return noise() % 16 == 0 ? 0 : noise() % 4 == 0 ? trunc(x * 0x1p-140) : x;
}

static struct precise
any_precise(void)
{
    double high = any_double();

    return precise_sum(high, high * (double)(int64_t)noise() * 0x1p-118);
}

#if HAS_QUAD
static quad
quad_of(struct precise x)
{
    return (quad)x.high + (quad)x.low;
}

static bool
is_near(struct precise got, quad wanted, quad scale)
{
    quad error = quad_of(got) - wanted;
    quad most = scale * (quad)0x1p-101;

    most = most < 0 ? -most : most;
    return error <= most && -error <= most && got.high == got.high + got.low;
}

static void
test_operations(void)
{
    size_t sums = 0, products = 0, quotients = 0, roots = 0, whole = 0;

    for (int i = 0; i < ROUNDS; i++) {
        struct precise a = any_precise(), b = any_precise();
        quad x = quad_of(a), y = quad_of(b);
        quad larger = fabs(a.high) > fabs(b.high) ? x : y;
        uint64_t word = noise() >> noise() % 64;

        sums += !is_near(precise_add(a, b), x + y, larger);
        sums += !is_near(precise_subtract(a, b), x - y, larger);
        products += !is_near(precise_multiply(a, b), x * y, x * y);
        if (y != 0)
            quotients += !is_near(precise_divide(a, b), x / y, x / y);
        if (x > 0) {
            struct precise root = precise_root(a);
            roots += !is_near(precise_multiply(root, root), x, 4 * x);
        }
        whole += quad_of(precise_of_whole(word)) != (quad)word;
        whole += quad_of(precise_of_wide(wide_of_signed((int64_t)word))) !=
                 (quad)(int64_t)word;
    }
    ok(sums == 0, "sums (%zu wrong)", sums);
    ok(products == 0, "products (%zu wrong)", products);
    ok(quotients == 0, "quotients (%zu wrong)", quotients);
    ok(roots == 0, "roots (%zu wrong)", roots);
    ok(whole == 0, "from whole numbers (%zu wrong)", whole);
}
#endif

static void
test_infinite(void)
{
    struct precise infinite = precise_of((double)INFINITY);
    struct precise two = precise_of(2);

    ok(isinf(precise_add(infinite, two).high) &&
           isinf(precise_subtract(two, infinite).high) &&
           isinf(precise_multiply(two, infinite).high) &&
           isinf(precise_divide(infinite, two).high) &&
           isinf(precise_root(infinite).high) &&
           isnan(precise_subtract(infinite, infinite).high),
       "infinity stays infinite");
}

static bool
is_close(struct precise a, struct precise b, double most)
{
    return fabs(precise_subtract(a, b).high) <= most;
}

static void
test_logarithms(void)
{
    static struct log2_table table;
    size_t library = 0, products = 0, powers = 0;

    log2_table_make(&table);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t a = (noise() >> 32 >> noise() % 32) | 1;
        uint64_t b = (noise() >> 32 >> noise() % 32) | 1;
        struct precise got = log2_whole(&table, a);

        library += fabs(got.high - log2((double)a)) > 64 * DBL_EPSILON;
        products += !is_close(precise_add(got, log2_whole(&table, b)),
                              log2_whole(&table, a * b), 3 * 0x1p-68);
    }
    for (int bit = 0; bit < 64; bit++) {
        struct precise got = log2_whole(&table, (uint64_t)1 << bit);
        powers += got.high != bit || got.low != 0;
        if (bit > 40) {
            /* Beside a power: log2(1 + x) is nearly x / log(2). */
            double x = ldexp(1, -bit);
            got = log2_whole(&table, ((uint64_t)1 << bit) + 1);
            powers += !is_close(got, precise_sum(bit, x * 1.4426950408889634),
                                0x1p-68);
        }
    }
    ok(library == 0, "logarithms as the C library's (%zu wrong)", library);
    ok(products == 0, "logarithms of products are sums (%zu wrong)", products);
    ok(powers == 0, "logarithms of powers of 2 (%zu wrong)", powers);
}

/* Those of doubles beside those of whole numbers. */
static void
test_double_logarithms(void)
{
    static struct log2_table table;
    size_t wrong = 0;

    log2_table_make(&table);
    for (int i = 0; i < ROUNDS; i++) {
        /* Half of them near a power of 2, where the logarithm may be near 0. */
        uint64_t near = ((uint64_t)1 << 52) +
                        (noise() >> 12 >> (i % 2 == 0 ? noise() % 52 : 0));
        uint64_t whole = i % 4 == 0 ? ((uint64_t)1 << 53) - near % 4096 : near;
        int scale = i % 8 < 4 ? -52 : -53 + (int)(noise() % 200) - 100;
        struct precise want =
            precise_add(log2_whole(&table, whole), precise_of(scale));
        double got = log2_double(&table, ldexp((double)whole, scale));
        wrong += fabs(got - want.high) > 4 * DBL_EPSILON * fabs(want.high);
    }
    ok(wrong == 0, "logarithms of doubles (%zu wrong)", wrong);
    ok(log2_double(&table, 1) == 0 && log2_double(&table, 0.125) == -3,
       "... and of powers of 2");
}

int
main(void)
{
#if HAS_QUAD
    test_operations();
#else
    ok(true, "operations # SKIP no numbers of 113 bits to compare with");
#endif
    test_infinite();
    test_logarithms();
    test_double_logarithms();
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/* test_wide.c -- integers of 128 bits, against the compiler's where it has any
 */

#include <math.h>

#include "../integer.h"
#include "../noise.h"
#include "../tap.h"
#include "base/wide_integer.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define ROUNDS 300000

#if HAS_INT128
__extension__ typedef unsigned __int128 unsigned_integer;

static test_integer
integer_of(struct wide a)
{
    return (test_integer)((unsigned_integer)a.high << 64 | a.low);
}

static bool
is_integer(struct wide got, test_integer wanted)
{
    return integer_of(got) == wanted;
}

/* Few bits or many, often of one kind in a row. */
static uint64_t
any_word(void)
{
    uint64_t word = noise();

    switch (noise() % 8) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return (uint64_t)1 << word % 64;
    case 3:
        return ((uint64_t)1 << word % 64) - 1;
    case 4:
        return word >> word % 64;
    default:
        return word;
    }
}

static void
test_arithmetic(void)
{
    size_t sums = 0, orders = 0, products = 0, quotients = 0;

    for (int i = 0; i < ROUNDS; i++) {
        struct wide a = {any_word(), any_word()};
        struct wide b = {any_word(), any_word()};
        uint64_t word = any_word();
        unsigned_integer x = (unsigned_integer)integer_of(a);
        unsigned_integer y = (unsigned_integer)integer_of(b);
        test_integer left = (test_integer)x;
        test_integer right = (test_integer)y;

        sums += !is_integer(wide_add(a, b), (test_integer)(x + y));
        sums += !is_integer(wide_subtract(a, b), (test_integer)(x - y));
        sums += !is_integer(wide_negate(a), (test_integer)-x);
        sums += !is_integer(wide_of(word), word);
        sums += !is_integer(wide_of_signed((int64_t)word), (int64_t)word);
        orders += wide_compare(a, b) != (left > right) - (left < right);
        orders += wide_compare(a, a) != 0;
        orders += wide_is_negative(a) != (left < 0);
        unsigned_integer product = (unsigned_integer)word * a.low;
        products +=
            !is_integer(wide_product(word, a.low), (test_integer)product);
        products += !is_integer(wide_product_by_halves(word, a.low),
                                (test_integer)product);
        products +=
            !is_integer(wide_multiply(a, word), (test_integer)(x * word));
        if (word > 0) {
            uint64_t tail;
            struct wide quotient = wide_divide(a, word, &tail);
            quotients += !is_integer(quotient, (test_integer)(x / word)) ||
                         tail != x % word;
        }
    }
    ok(sums == 0, "sums (%zu wrong)", sums);
    ok(orders == 0, "comparisons (%zu wrong)", orders);
    ok(products == 0, "products (%zu wrong)", products);
    ok(quotients == 0, "quotients (%zu wrong)", quotients);
}

static void
test_doubles(void)
{
    size_t from = 0, to = 0;

    for (int i = 0; i < ROUNDS; i++) {
        struct wide a = {any_word(), any_word()};
        double x = (double)integer_of(a);
        from += wide_double(a) != x;
        /* A tie, or beside one. */
        a.low = (uint64_t)1 << noise() % 64;
        a.low += noise() % 3 - 1;
        from += wide_double(a) != (double)integer_of(a);
        x = trunc(ldexp((double)(int64_t)any_word(), (int)(noise() % 63)));
        if (fabs(x) < 0x1p127)
            to += !is_integer(wide_of_double(x), (test_integer)x);
    }
    ok(from == 0, "to the nearest double (%zu wrong)", from);
    ok(to == 0, "from whole doubles (%zu wrong)", to);
}
#endif

/* What any compiler can tell. */
static void
test_identities(void)
{
    size_t wrong = 0;

    for (int i = 0; i < ROUNDS; i++) {
        uint64_t a = noise() >> noise() % 64;
        uint64_t b = (noise() >> noise() % 64) | 1;
        uint64_t c = noise() % b;
        uint64_t tail;
        struct wide product = wide_add(wide_product(a, b), wide_of(c));
        struct wide quotient = wide_divide(product, b, &tail);
        wrong += quotient.high != 0 || quotient.low != a || tail != c;
        product = wide_product_by_halves(a, b);
        wrong += wide_compare(product, wide_product(a, b)) != 0;
        wrong += wide_double(wide_of(a)) != (double)a;
        wrong += wide_double(wide_negate(wide_of(a))) != -(double)a;
    }
    ok(wrong == 0, "products and quotients agree (%zu wrong)", wrong);
}

int
main(void)
{
#if HAS_INT128
    test_arithmetic();
    test_doubles();
#else
    ok(true, "against the compiler's # SKIP it has no such type");
#endif
    test_identities();
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/* test_natural.c -- products and roots of natural numbers */

#include <math.h>
#include <stdint.h>

#include "../noise.h"
#include "../tap.h"
#include "base/natural.h"

#define CASES (IS_INSTRUMENTED ? 300 : 5000)

/* Set A to a number of at most WORDS words, with runs of equal bits. */
static void
make(struct natural *a, size_t words)
{
    uint64_t word[12];
    size_t count = 1 + noise() % words;

    for (size_t w = 0; w < count; w++)
        word[w] = noise() % 4 == 0 ? (noise() % 2 == 0 ? 0 : UINT64_MAX)
                                   : noise() >> noise() % 64;
    natural_set(a, word, count);
}

/* Set A to VALUE times 2^BITS. */
static void
set_shifted(struct natural *a, uint64_t value, unsigned int bits)
{
    natural_set(a, &value, 1);
    for (; bits > 0; bits--)
        natural_multiply(a, 2, 0);
}

/*
 * Compare HALVES / 2 * 2^EXPONENT with the root of A, divided by B: the squares
 * of both times 2 B.
 */
static int
compare(uint64_t halves, int exponent, const struct natural *a,
        const struct natural *b)
{
    struct natural left;
    struct natural right = *a;
    struct natural product;
    struct natural square;

    set_shifted(&left, halves, exponent > 0 ? (unsigned int)exponent : 0);
    natural_product(&product, &left, b);
    natural_product(&square, &product, &product);
    natural_multiply(&right, 4, 0);
    for (int e = exponent; e < 0; e++)
        natural_multiply(&right, 4, 0);
    return natural_compare(&square, &right);
}

/* Whether ROOT is the double nearest to the root of A, divided by B. */
static bool
is_nearest(double root, const struct natural *a, const struct natural *b)
{
    int exponent;
    uint64_t digits = (uint64_t)ldexp(frexp(root, &exponent), 53);

    exponent -= 53;
    int below = compare(2 * digits - 1, exponent, a, b);
    int above = compare(2 * digits + 1, exponent, a, b);
    bool is_even = digits % 2 == 0;
    return (below < 0 || (below == 0 && is_even)) &&
           (above > 0 || (above == 0 && is_even));
}

static void
test_roots(void)
{
    bool is_right = true;

    for (int c = 0; c < CASES && is_right; c++) {
        struct natural a;
        struct natural b;
        struct natural square;
        make(&a, 12);
        make(&b, 4);
        if (b.count == 0)
            continue;
        if (noise() % 4 == 0 && a.count <= 12) {
            natural_product(&square, &a, &a);
            a = square;
        }
        double root = natural_divide_root(&a, &b);
        is_right = a.count == 0 ? root == 0 : is_nearest(root, &a, &b);
    }
    ok(is_right, "roots of quotients are rounded once");
}

static void
test_halves(void)
{
    /* (2^53 + 1)^2 and (2^53 + 3)^2: the roots are between two doubles. */
    for (uint64_t more = 1; more <= 3; more += 2) {
        const uint64_t value = (UINT64_C(1) << 53) + more;
        const uint64_t one = 1;
        struct natural root;
        struct natural square;
        struct natural b;
        natural_set(&root, &value, 1);
        natural_set(&b, &one, 1);
        natural_product(&square, &root, &root);
        ok(natural_divide_root(&square, &b) == 0x1p53 + (more == 3 ? 4 : 0),
           "a tie goes to the even double");
        natural_add(&square, &b);
        ok(natural_divide_root(&square, &b) == 0x1p53 + (double)(more + 1),
           "... and a little more is above it");
    }
}

static void
test_products(void)
{
    bool is_right = true;

    for (int c = 0; c < CASES && is_right; c++) {
        struct natural a;
        struct natural b;
        struct natural product;
        struct natural sum = {.count = 0};
        make(&a, 6);
        make(&b, 6);
        natural_product(&product, &a, &b);
        /* By the limbs of B, the highest one first. */
        for (size_t i = b.count; i-- > 0;) {
            struct natural part = a;
            natural_multiply(&part, b.limb[i], 0);
            for (unsigned int bit = 0; bit < 32; bit++)
                natural_multiply(&sum, 2, 0);
            natural_add(&sum, &part);
        }
        is_right = natural_compare(&product, &sum) == 0;
    }
    ok(is_right, "products are sums of products by limbs");
}

/* The longest numbers that exact figures of doubles need, in units of 2^-1074
   and of 2^-2148. */
static void
test_long(void)
{
    const uint64_t most = UINT64_MAX;
    const uint64_t fewer = UINT64_MAX - 1;
    struct natural count;
    struct natural sum;
    struct natural squares;
    struct natural factor;
    struct natural product;

    /* 2^64 - 1 numbers of 2^1023. */
    natural_set(&count, &most, 1);
    sum = count;
    natural_shift(&sum, 1023 + 1074);
    product = count;
    natural_shift(&product, 1074);
    ok(natural_divide(&sum, &product) == 0x1p1023, "a mean of great numbers");

    /* The root of N * N (N - 1) * 2^4194 / (N (N - 1) 2^1074). */
    natural_set(&factor, &fewer, 1);
    natural_product(&product, &count, &factor);
    natural_product(&squares, &product, &product);
    natural_shift(&squares, 4194);
    natural_shift(&product, 1074);
    ok(natural_divide_root(&squares, &product) == 0x1p1023,
       "a deviation of great numbers");

    /* 1 / 2 of the least double is a tie: 0; and more is not. */
    set_shifted(&sum, 1, 0);
    set_shifted(&product, 1, 1075);
    ok(natural_divide(&sum, &product) == 0, "half of the least double is 0");
    set_shifted(&sum, 3, 0);
    natural_shift(&product, 1);
    ok(natural_divide(&sum, &product) == 0x1p-1074,
       "... and 3 / 4 is the least double");
    set_shifted(&squares, 9, 0);
    ok(natural_divide_root(&squares, &product) == 0x1p-1074,
       "a root is rounded once, too, below the normal doubles");
    struct natural zero = {.count = 0};
    natural_shift(&zero, 100);
    ok(zero.count == 0, "0 stays 0");
}

int
main(void)
{
    test_long();
    test_products();
    test_roots();
    test_halves();
    return done_testing();
}

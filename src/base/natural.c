/* SPDX-License-Identifier: MIT */
/* natural.c -- natural numbers of up to 4608 bits */

#include <assert.h>
#include <string.h>

#include "base/decimal.h"
#include "base/natural.h"

#define LIMB_BITS 32

/* Up to this, whole numbers are doubles. */
#define DOUBLE_LIMIT ((uint64_t)1 << 53)

static void
append(struct natural *a, uint32_t limb)
{
    if (limb == 0)
        return;
    assert(a->count < NATURAL_LIMBS);
    a->limb[a->count++] = limb;
}

/* Remove zeros from the end. */
static void
trim(struct natural *a)
{
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

void
natural_multiply(struct natural *a, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;

    for (size_t i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= LIMB_BITS;
    }
    append(a, (uint32_t)carry);
    trim(a);
}

void
natural_scale(struct natural *a, unsigned int power)
{
    for (; power > 0; power--)
        natural_multiply(a, 10, 0);
}

void
natural_product(struct natural *product, const struct natural *a,
                const struct natural *b)
{
    assert(a->count + b->count <= NATURAL_LIMBS);
    product->count = a->count + b->count;
    memset(product->limb, 0, product->count * sizeof *product->limb);
    for (size_t i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (size_t k = 0; k < b->count; k++) {
            carry += (uint64_t)a->limb[i] * b->limb[k] + product->limb[i + k];
            product->limb[i + k] = (uint32_t)carry;
            carry >>= LIMB_BITS;
        }
        product->limb[i + b->count] = (uint32_t)carry;
    }
    trim(product);
}

void
natural_shift(struct natural *a, unsigned int bits)
{
    size_t limbs = bits / LIMB_BITS;

    if (a->count == 0)
        return;
    natural_multiply(a, (uint32_t)1 << bits % LIMB_BITS, 0);
    assert(a->count + limbs <= NATURAL_LIMBS);
    memmove(a->limb + limbs, a->limb, a->count * sizeof *a->limb);
    memset(a->limb, 0, limbs * sizeof *a->limb);
    a->count += limbs;
}

void
natural_set(struct natural *a, const uint64_t *word, size_t count)
{
    a->count = 2 * count;
    for (size_t w = 0; w < count; w++) {
        a->limb[2 * w] = (uint32_t)word[w];
        a->limb[2 * w + 1] = (uint32_t)(word[w] >> LIMB_BITS);
    }
    trim(a);
}

void
natural_add(struct natural *a, const struct natural *b)
{
    uint64_t carry = 0;

    while (a->count < b->count)
        a->limb[a->count++] = 0;
    for (size_t i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limb[i] + (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= LIMB_BITS;
    }
    append(a, (uint32_t)carry);
}

void
natural_subtract(struct natural *a, const struct natural *b)
{
    int64_t borrow = 0;

    for (size_t i = 0; i < a->count; i++) {
        borrow += (int64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)borrow;
        borrow >>= LIMB_BITS;
    }
    assert(borrow == 0);
    trim(a);
}

int
natural_compare(const struct natural *a, const struct natural *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;) {
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

/* ---- quotients ---- */

/* How many bits A has. */
static unsigned int
size_of(const struct natural *a)
{
    if (a->count == 0)
        return 0;
    return (unsigned int)(a->count * LIMB_BITS) -
           (unsigned int)__builtin_clz(a->limb[a->count - 1]);
}

/* Set A to A / 2, rounded down. */
static void
halve(struct natural *a)
{
    for (size_t i = 0; i < a->count; i++) {
        uint32_t next = i + 1 < a->count ? a->limb[i + 1] : 0;
        a->limb[i] = a->limb[i] >> 1 | next << (LIMB_BITS - 1);
    }
    trim(a);
}

/* A as an integer, if it has at most 53 bits; else DOUBLE_LIMIT. */
static uint64_t
small(const struct natural *a)
{
    if (size_of(a) > 53)
        return DOUBLE_LIMIT;
    uint64_t low = a->count > 0 ? a->limb[0] : 0;
    return low | (a->count > 1 ? (uint64_t)a->limb[1] << LIMB_BITS : 0);
}

double
natural_divide(const struct natural *a, const struct natural *b)
{
    struct natural remainder = *a;
    struct natural part = *b;
    uint64_t quotient = 0;

    /* One operation, rounded once. */
    if (a->count == 0 || (small(a) < DOUBLE_LIMIT && small(b) < DOUBLE_LIMIT))
        return (double)small(a) / (double)small(b);
    /* The quotient of A * 2^SHIFT has 63 or 64 bits. */
    int shift = 63 + (int)size_of(b) - (int)size_of(a);
    if (shift > 0)
        natural_shift(&remainder, (unsigned int)shift);
    else
        natural_shift(&part, (unsigned int)-shift);
    natural_shift(&part, 63);
    for (int bit = 63; bit >= 0; bit--) {
        if (natural_compare(&remainder, &part) >= 0) {
            natural_subtract(&remainder, &part);
            quotient |= (uint64_t)1 << bit;
        }
        halve(&part);
    }
    return decimal_scale(quotient, remainder.count > 0, -shift);
}

/* ---- roots of quotients ---- */

/* A square root times 2^SHIFT, to compare. */
struct root {
    struct natural square; /* A * 4^SHIFT, or A ... */
    const struct natural *divisor;
    unsigned int down; /* ... then what follows is multiplied by 2^DOWN */
};

/* Compare (CANDIDATE * B)^2 with the square: -1, 0 or 1. */
static int
compare_root(const struct root *root, uint64_t candidate)
{
    struct natural multiple;
    struct natural square;
    struct natural factor;

    natural_set(&factor, &candidate, 1);
    natural_product(&multiple, &factor, root->divisor);
    natural_shift(&multiple, root->down);
    natural_product(&square, &multiple, &multiple);
    return natural_compare(&square, &root->square);
}

double
natural_divide_root(const struct natural *a, const struct natural *b)
{
    struct root root = {.square = *a, .divisor = b};
    uint64_t quotient = 0;

    if (a->count == 0)
        return 0;
    /* The root of A * 4^SHIFT, divided by B, has 62 to 64 bits. */
    int shift = 63 + (int)size_of(b) - (int)(size_of(a) + 1) / 2;
    if (shift > 0)
        natural_shift(&root.square, 2 * (unsigned int)shift);
    else
        root.down = (unsigned int)-shift;
    /* The integer part of the square root. */
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t candidate = quotient | (uint64_t)1 << bit;
        if (compare_root(&root, candidate) <= 0)
            quotient = candidate;
    }
    return decimal_scale(quotient, compare_root(&root, quotient) != 0, -shift);
}

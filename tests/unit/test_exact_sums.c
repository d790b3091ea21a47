/* SPDX-License-Identifier: MIT */
/* test_exact_sums.c -- exact sums against long numbers, one value at a time */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/exact_kernels.h"
#include "base/exact_sums.h"

#define CASES (IS_INSTRUMENTED ? 40 : 400)
#define VALUES_MAX 5000

/* The facts about values, found slowly. */
struct facts {
    uint64_t count;
    uint64_t nan;
    uint64_t infinite[2];
    double least;
    double greatest;
    struct wide least_integer;
    struct wide greatest_integer;
    struct natural sum[2];
    struct natural squares;
};

/* Add MAGNITUDE * 2^SHIFT units, of SIGN. */
static void
add_magnitude(struct facts *facts, bool sign, uint64_t magnitude,
              unsigned int shift)
{
    struct natural value;
    struct natural square;

    natural_set(&value, &magnitude, 1);
    natural_product(&square, &value, &value);
    natural_shift(&value, shift);
    natural_shift(&square, 2 * shift);
    natural_add(&facts->sum[sign], &value);
    natural_add(&facts->squares, &square);
}

static void
add_real(struct facts *facts, double x)
{
    int exponent;

    if (isnan(x)) {
        facts->nan++;
        return;
    }
    if (facts->count == 0 || x < facts->least)
        facts->least = x;
    if (facts->count == 0 || x > facts->greatest)
        facts->greatest = x;
    facts->count++;
    if (isinf(x)) {
        facts->infinite[x < 0]++;
        return;
    }
    double fraction = frexp(fabs(x), &exponent);
    /* A double below the normal ones has fewer than 53 bits. */
    int digits = exponent - 53 < -EXACT_PLACES ? exponent + EXACT_PLACES : 53;
    add_magnitude(facts, signbit(x) != 0, (uint64_t)ldexp(fraction, digits),
                  x == 0 ? 0
                         : (unsigned int)(exponent - digits + EXACT_PLACES));
}

static void
add_integer(struct facts *facts, struct wide x)
{
    bool sign = wide_is_negative(x);

    if (facts->count == 0 || wide_compare(x, facts->least_integer) < 0)
        facts->least_integer = x;
    if (facts->count == 0 || wide_compare(x, facts->greatest_integer) > 0)
        facts->greatest_integer = x;
    facts->count++;
    add_magnitude(facts, sign, sign ? wide_negate(x).low : x.low, 0);
}

/* Add the value of TYPE with BITS. */
static void
add_value(struct facts *facts, enum sample_type type, uint64_t bits)
{
    binning_u32 size = binning_size((binning_u32)type);
    unsigned int unused = 64 - 8 * size;

    if (binning_is_float((binning_u32)type))
        add_real(facts, binning_float((binning_u32)type, bits));
    else if (binning_is_signed((binning_u32)type))
        add_integer(facts, wide_of_signed((int64_t)(bits << unused) >> unused));
    else
        add_integer(facts, wide_of(bits));
}

/* ---- values ---- */

/* Returns the bits of a value of TYPE, of a KIND of data. */
static uint64_t
make_value(enum sample_type type, int kind)
{
    uint64_t bits = noise();
    binning_u32 size = binning_size((binning_u32)type);

    if (kind == 0) /* any bits */
        return size == 8 ? bits : bits & ((UINT64_C(1) << 8 * size) - 1);
    if (type != SAMPLE_F8 && type != SAMPLE_F4)
        return bits % 4 == 0 ? UINT64_MAX >> (64 - 8 * size) : bits % 3;
    double x = (double)(bits >> 11) * 0x1p-53;
    switch (kind) {
    case 1: /* evenly spread */
        break;
    case 2: /* of some magnitudes */
        x = (x - 0.5) * ldexp(1, (int)(noise() % 40) - 10);
        break;
    case 3: /* of many, among them denormals */
        x = (x - 0.5) * ldexp(1, (int)(noise() % 240) - 130);
        break;
    case 4:
        x = -1.5;
        break;
    case 5: /* great */
        x *= type == SAMPLE_F8 ? 0x1.8p1023 : 0x1.8p126;
        break;
    case 6: /* below the normal ones */
        x *= type == SAMPLE_F8 ? 0x1p-1040 : 0x1p-140;
        break;
    case 7:
        x = bits % 4 == 0    ? (double)NAN
            : bits % 4 == 1  ? -0.0
            : bits % 64 == 2 ? (double)INFINITY
            : bits % 64 == 3 ? -(double)INFINITY
                             : x - 0.5;
        break;
    default:
        x = (double)NAN;
    }
    if (type == SAMPLE_F8)
        return binning_double_bits(x);
    float narrow = (float)x;
    uint32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    return narrow_bits;
}

/* Write BITS, of SIZE bytes, to AT. */
static void
put_value(unsigned char *at, uint64_t bits, size_t size, bool is_swapped)
{
    for (size_t i = 0; i < size; i++)
        at[is_swapped ? size - 1 - i : i] = (unsigned char)(bits >> 8 * i);
}

/* ---- comparison ---- */

/* Set *SUM to the magnitude of the sum of SUMS, and *SQUARES.  Returns whether
   the sum is below 0. */
static bool
get_sums(const struct exact_sums *sums, enum sample_type type,
         struct natural *sum, struct natural *squares)
{
    const struct real_sum zero = {{0}};
    struct real_sum real = zero;
    struct real_squares real_squares;
    struct wide magnitude;
    bool is_negative;

    if (binning_is_float((binning_u32)type)) {
        exact_sums_real(sums, &real);
        exact_sums_real_squares(sums, &real_squares);
        is_negative = real_sum_compare(&real, &zero) < 0;
        if (is_negative) {
            struct real_sum other = real;
            real = zero;
            real_sum_subtract(&real, &other);
        }
        natural_set(sum, real.word, REAL_SUM_WORDS);
        natural_set(squares, real_squares.word, REAL_SQUARES_WORDS);
        return is_negative;
    }
    is_negative = exact_sums_integer(sums, &magnitude);
    const uint64_t word[] = {magnitude.low, magnitude.high};
    natural_set(sum, word, 2);
    exact_sums_integer_squares(sums, squares);
    return is_negative;
}

static bool
are_equal(struct facts *facts, const struct exact_sums *sums,
          enum sample_type type)
{
    struct natural sum;
    struct natural squares;
    bool sign = natural_compare(&facts->sum[0], &facts->sum[1]) < 0;

    natural_subtract(&facts->sum[sign], &facts->sum[!sign]);
    bool is_negative = get_sums(sums, type, &sum, &squares);
    if (facts->count != sums->count || facts->nan != sums->nan ||
        facts->infinite[0] != sums->infinite[0] ||
        facts->infinite[1] != sums->infinite[1] ||
        natural_compare(&sum, &facts->sum[sign]) != 0 ||
        natural_compare(&squares, &facts->squares) != 0 || is_negative != sign)
        return false;
    if (sums->count == 0)
        return true;
    if (!binning_is_float((binning_u32)type))
        return wide_compare(exact_code_integer(sums->least, type),
                            facts->least_integer) == 0 &&
               wide_compare(exact_code_integer(sums->greatest, type),
                            facts->greatest_integer) == 0;
    return exact_code_real(sums->least) == facts->least &&
           exact_code_real(sums->greatest) == facts->greatest;
}

/* All kernels of this processor: COUNT of them. */
static size_t
find_kernels(const struct exact_kernels *kernels[3])
{
    size_t count = 0;

    kernels[count++] = &exact_kernels_portable;
#ifdef EXACT_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        kernels[count++] = &exact_kernels_avx2;
#endif
#ifdef EXACT_HAS_AVX512
    if (__builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        kernels[count++] = &exact_kernels_avx512;
#endif
    return count;
}

/* Add the COUNT values at DATA to SUMS by KERNELS, in pieces. */
static bool
add_all(struct exact_sums *sums, const struct exact_kernels *kernels,
        enum sample_type type, bool is_swapped, const unsigned char *data,
        size_t count, size_t stride)
{
    *sums = (struct exact_sums){0};
    while (count > 0) {
        size_t some = 1 + noise() % count;
        struct exact_adder *adder = exact_adder_new(
            type, is_swapped, EXACT_EXTREMES | EXACT_SUM | EXACT_SQUARES);
        if (adder == NULL)
            return false;
        adder->kernels = kernels;
        exact_adder_add(adder, data, some, stride);
        exact_sums_add(sums, &adder->sums);
        exact_adder_close(adder);
        data += some * stride;
        count -= some;
    }
    exact_sums_reduce(sums);
    return true;
}

static bool
test_case(const struct exact_kernels *kernels, enum sample_type type, int kind)
{
    static unsigned char data[VALUES_MAX * 11];
    size_t size = binning_size((binning_u32)type);
    size_t stride = size + (noise() % 2 == 0 ? 0 : noise() % 4);
    size_t count = noise() % (noise() % 2 == 0 ? 100 : VALUES_MAX);
    bool is_swapped = noise() % 4 == 0;
    struct exact_sums sums;
    struct facts facts = {0};

    for (size_t i = 0; i < count; i++) {
        uint64_t bits = make_value(type, kind);
        put_value(data + i * stride, bits, size, is_swapped);
        add_value(&facts, type, bits);
    }
    return add_all(&sums, kernels, type, is_swapped, data, count, stride) &&
           are_equal(&facts, &sums, type);
}

int
main(void)
{
    const struct exact_kernels *kernels[3];
    size_t count = find_kernels(kernels);

    for (int type = SAMPLE_U1; type < SAMPLE_DECIMAL; type++) {
        bool is_wide = type == SAMPLE_F4 || type == SAMPLE_F8;
        for (int kind = 0; kind < (is_wide ? 9 : 2); kind++) {
            bool is_right = true;
            for (int c = 0; c < CASES / (is_wide ? 9 : 2) && is_right; c++)
                is_right = test_case(kernels[noise() % count],
                                     (enum sample_type)type, kind);
            ok(is_right, "type %d, data of kind %d", type, kind);
        }
    }
    return done_testing();
}

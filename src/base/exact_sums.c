/* SPDX-License-Identifier: MIT */
/*
 * exact_sums.c -- exact sums of numbers: of doubles, floats and integers
 *
 * A block of numbers is added by vectors (exact_lanes.h).  Floats of a block
 * that differ too much in magnitude are added one by one to a sum with a bit
 * for each bit of any double, as Kulisch proposes; Neal ("Fast exact summation
 * using small and large superaccumulators", 2015) compares ways to do so.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/double_order.h"
#include "base/exact_kernels.h"
#include "base/exact_sums.h"
#include "base/long_sum.h"

/* The bits of an infinite double. */
#define DOUBLE_INFINITY ((uint64_t)LONG_SUM_EXPONENTS << LONG_SUM_FRACTION_BITS)

/* Blocks that are added one by one after a block that was too wide. */
#define SLOW_BLOCKS 7

/* ---- long sums ---- */

/* Add the finite number X, in units of 2^-UNIT, to the COUNT words at WORD. */
static void
add_double(uint64_t *word, size_t count, unsigned int unit, double x)
{
    struct long_sum_digits of = long_sum_digits(binning_double_bits(x));
    unsigned int bit = unit - EXACT_PLACES + of.bit;

    if (x < 0)
        long_sum_subtract_bits(word, count, bit, of.digits);
    else
        long_sum_add_bits(word, count, bit, of.digits);
}

/* ---- the facts ---- */

void
exact_sums_add(struct exact_sums *sums, const struct exact_sums *more)
{
    if (more->count > 0) {
        if (sums->count == 0 || more->least < sums->least)
            sums->least = more->least;
        if (sums->count == 0 || more->greatest > sums->greatest)
            sums->greatest = more->greatest;
    }
    sums->count += more->count;
    sums->nan += more->nan;
    for (int s = 0; s < 2; s++) {
        sums->infinite[s] += more->infinite[s];
        long_sum_add(sums->sum[s], more->sum[s], EXACT_SUM_WORDS);
    }
    long_sum_add(sums->squares, more->squares, EXACT_SQUARE_WORDS);
}

/* Whether the sum of SIGN is less than the other one. */
static bool
is_less(const struct exact_sums *sums, int sign)
{
    size_t w = EXACT_SUM_WORDS;

    while (w > 0 && sums->sum[0][w - 1] == sums->sum[1][w - 1])
        w--;
    return w > 0 && sums->sum[sign][w - 1] < sums->sum[1 - sign][w - 1];
}

void
exact_sums_reduce(struct exact_sums *sums)
{
    int less = is_less(sums, 0) ? 0 : 1;

    long_sum_subtract(sums->sum[1 - less], sums->sum[less], EXACT_SUM_WORDS);
    memset(sums->sum[less], 0, sizeof sums->sum[less]);
}

void
exact_sums_real(const struct exact_sums *sums, struct real_sum *sum)
{
    struct real_sum negative;

    memcpy(sum->word, sums->sum[0], sizeof sum->word);
    memcpy(negative.word, sums->sum[1], sizeof negative.word);
    real_sum_subtract(sum, &negative);
}

void
exact_sums_real_squares(const struct exact_sums *sums,
                        struct real_squares *squares)
{
    memcpy(squares->word, sums->squares, sizeof squares->word);
}

bool
exact_sums_integer(const struct exact_sums *sums, struct wide *magnitude)
{
    bool is_negative = is_less(sums, 0);
    const uint64_t *word = sums->sum[is_negative];

    *magnitude = (struct wide){word[0], word[1]};
    return is_negative;
}

void
exact_sums_integer_squares(const struct exact_sums *sums, struct natural *a)
{
    natural_set(a, sums->squares, EXACT_SQUARE_WORDS);
}

/* ---- codes ---- */

double
exact_code_real(uint64_t code)
{
    return binning_bits_double(double_order_bits(code));
}

/* Whether TYPE is one of integers below 0, too. */
static bool
is_signed(enum sample_type type)
{
    return type == SAMPLE_I1 || type == SAMPLE_I2 || type == SAMPLE_I4 ||
           type == SAMPLE_I8;
}

/* Returns the size of the integers of TYPE in bits. */
static unsigned int
bits_of(enum sample_type type)
{
    return 8 * (unsigned int)binning_size((binning_u32)type);
}

/* The code of an integer of a type with a sign is the integer plus this. */
static uint64_t
bias_of(enum sample_type type)
{
    return is_signed(type) ? UINT64_C(1) << (bits_of(type) - 1) : 0;
}

struct wide
exact_code_integer(uint64_t code, enum sample_type type)
{
    return wide_subtract(wide_of(code), wide_of(bias_of(type)));
}

uint64_t
exact_code_zero(enum sample_type type)
{
    return binning_is_float((binning_u32)type) ? double_order(0)
                                               : bias_of(type);
}

/* Whether N times the sum of squares of N numbers is at least the square of the
   sum. */
static bool
have_deviation(const struct exact_sums *sums)
{
    struct natural count;
    struct natural factor;
    struct natural squares;
    struct natural square;

    natural_set(&count, &sums->count, 1);
    natural_set(&factor, sums->squares, REAL_SQUARES_WORDS);
    natural_product(&squares, &factor, &count);
    natural_set(&factor, sums->sum[is_less(sums, 0)], EXACT_SUM_WORDS);
    natural_product(&square, &factor, &factor);
    return natural_compare(&squares, &square) >= 0;
}

bool
exact_sums_are_possible(const struct exact_sums *sums, enum sample_type type)
{
    bool is_real = binning_is_float((binning_u32)type);
    uint64_t infinite = sums->infinite[0] + sums->infinite[1];
    /* Greater codes are of infinite numbers and NaN. */
    uint64_t most = is_real ? double_order((double)INFINITY)
                            : UINT64_MAX >> (64 - bits_of(type));
    uint64_t least = is_real ? double_order(-(double)INFINITY) : 0;

    if (infinite < sums->infinite[0] || infinite > sums->count ||
        sums->count + sums->nan < sums->nan ||
        sums->squares[EXACT_SQUARE_WORDS - 1] != 0)
        return false;
    if (!is_real && (infinite > 0 || sums->nan > 0))
        return false;
    return (sums->count == 0 ||
            (sums->least >= least && sums->least <= sums->greatest &&
             sums->greatest <= most)) &&
           have_deviation(sums);
}

/* ---- one by one ---- */

/* Numbers from LEAST to GREATEST will be counted: they are codes. */
static void
widen(struct exact_sums *sums, uint64_t least, uint64_t greatest)
{
    if (sums->count == 0 || least < sums->least)
        sums->least = least;
    if (sums->count == 0 || greatest > sums->greatest)
        sums->greatest = greatest;
}

/* Add DIGITS * 2^BIT units to the sum of SIGN. */
static inline void
add_one(struct exact_sums *sums, uint64_t sign, unsigned int bit,
        uint64_t digits, bool has_squares)
{
    long_sum_add_bits(sums->sum[sign], EXACT_SUM_WORDS, bit, digits);
    if (!has_squares)
        return;
    struct wide square = wide_product(digits, digits);
    long_sum_add_bits(sums->squares, EXACT_SQUARE_WORDS, 2 * bit, square.low);
    long_sum_add_bits(sums->squares, EXACT_SQUARE_WORDS, 2 * bit + 64,
                      square.high);
}

/* Add the COUNT finite doubles in X. */
static void
add_slowly(struct exact_sums *sums, const double *x, size_t count,
           bool has_squares)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = binning_double_bits(x[i]);
        struct long_sum_digits of = long_sum_digits(bits);
        add_one(sums, bits >> 63, of.bit, of.digits, has_squares);
    }
}

/* ---- floats ---- */

/* Add PARTS, of a block. */
static void
add_parts(struct exact_sums *sums, const struct exact_parts *parts,
          bool has_squares)
{
    for (int p = 0; p < parts->sums; p++) {
        double part = parts->sum[p];
        add_double(sums->sum[part < 0], EXACT_SUM_WORDS, EXACT_PLACES,
                   fabs(part));
    }
    for (int p = 0; p < 6 && has_squares; p++)
        add_double(sums->squares, EXACT_SQUARE_WORDS, EXACT_SQUARE_PLACES,
                   parts->squares[p]);
}

/* Set *EXPONENT to that of MOST, the greatest magnitude of a block.  Returns
   whether the block may be added by vectors. */
static bool
try_vectors(struct exact_adder *adder, double most, int *exponent)
{
    uint64_t bits = binning_double_bits(most);
    int far = (adder->wants & EXACT_SQUARES) != 0 ? EXACT_SQUARES_FAR
                                                  : EXACT_EXPONENTS_FAR;

    *exponent = (int)(bits >> LONG_SUM_FRACTION_BITS) - 1023;
    if (*exponent < -far || *exponent > far)
        return false;
    if (adder->slow == 0)
        return true;
    adder->slow--;
    return false;
}

/* The part of COUNT numbers that vectors take. */
static size_t
in_steps(size_t count)
{
    return count / EXACT_STEP * EXACT_STEP;
}

/* Count the COUNT infinities of SIGN. */
static void
add_infinite(struct exact_sums *sums, int sign, uint64_t count)
{
    uint64_t code =
        double_order(sign > 0 ? -(double)INFINITY : (double)INFINITY);

    if (count == 0)
        return;
    widen(sums, code, code);
    sums->count += count;
    sums->infinite[sign] += count;
}

/* Leave the finite ones of the COUNT doubles in X, and count the others.
   Returns the number of finite ones. */
static size_t
choose_finite(struct exact_sums *sums, double *x, size_t count)
{
    uint64_t infinite[2] = {0};
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t bits = binning_double_bits(x[i]);
        uint64_t magnitude = bits & ~DOUBLE_ORDER_SIGN;
        x[left] = x[i];
        left += magnitude < DOUBLE_INFINITY;
        infinite[bits >> 63] += magnitude == DOUBLE_INFINITY;
    }
    sums->nan += count - left - infinite[0] - infinite[1];
    add_infinite(sums, 0, infinite[0]);
    add_infinite(sums, 1, infinite[1]);
    return left;
}

/* Add the COUNT doubles of ADDER's block. */
static void
add_f8(struct exact_adder *adder, size_t count)
{
    const struct exact_kernels *kernels = adder->kernels;
    struct exact_sums *sums = &adder->sums;
    bool has_squares = (adder->wants & EXACT_SQUARES) != 0;
    double *x = adder->f8;
    size_t steps = in_steps(count);
    struct exact_parts parts;
    double least;
    double greatest;
    int exponent;
    bool has_nan = kernels->find_f8(x, steps, &least, &greatest);

    for (size_t i = steps; i < count; i++) {
        has_nan |= isnan(x[i]);
        least = x[i] < least ? x[i] : least;
        greatest = x[i] > greatest ? x[i] : greatest;
    }
    if (has_nan || isinf(least) || isinf(greatest)) {
        count = choose_finite(sums, x, count);
        if (count > 0)
            add_f8(adder, count);
        return;
    }
    widen(sums, double_order(least), double_order(greatest));
    sums->count += count;
    double most = fmax(-least, greatest);
    if ((adder->wants & EXACT_SUM) == 0 || (least == 0 && greatest == 0))
        return;
    if (!try_vectors(adder, most, &exponent)) {
        steps = 0;
    } else if (kernels->add_f8(x, steps, exponent, has_squares, &parts)) {
        add_parts(sums, &parts, has_squares);
    } else {
        adder->slow = SLOW_BLOCKS;
        steps = 0;
    }
    add_slowly(sums, x + steps, count - steps, has_squares);
}

/* Add the COUNT floats of ADDER's block. */
static void
add_f4(struct exact_adder *adder, size_t count)
{
    const struct exact_kernels *kernels = adder->kernels;
    struct exact_sums *sums = &adder->sums;
    bool has_squares = (adder->wants & EXACT_SQUARES) != 0;
    const float *x = adder->block.f4;
    struct exact_parts parts;
    float least;
    float greatest;
    int exponent;

    /* All that is not as usual is added as doubles. */
    if (adder->slow == 0 && count == in_steps(count) &&
        !kernels->find_f4(x, count, &least, &greatest) && isfinite(least) &&
        isfinite(greatest)) {
        double most = fmax(-(double)least, (double)greatest);
        bool is_done = (adder->wants & EXACT_SUM) == 0 || most == 0;
        if (!is_done && try_vectors(adder, most, &exponent) &&
            (kernels->add_f4(x, count, exponent, has_squares, &parts) ||
             (!has_squares &&
              kernels->add_wide_f4(x, count, exponent, &parts)))) {
            add_parts(sums, &parts, has_squares);
            is_done = true;
        }
        if (is_done) {
            widen(sums, double_order((double)least),
                  double_order((double)greatest));
            sums->count += count;
            return;
        }
    }
    for (size_t i = 0; i < count; i++)
        adder->f8[i] = (double)x[i];
    add_f8(adder, count);
}

/* ---- integers ---- */

/* Add PARTS, of COUNT codes of integers of TYPE. */
static void
add_integers(struct exact_adder *adder, const struct exact_integers *parts,
             size_t count)
{
    struct exact_sums *sums = &adder->sums;
    const bool is_biased = is_signed(adder->type);
    const unsigned int bits = bits_of(adder->type);
    uint64_t *square = sums->squares;

    widen(sums, parts->least, parts->greatest);
    sums->count += count;
    if ((adder->wants & EXACT_SUM) == 0)
        return;
    for (unsigned int p = 0; p < 2; p++)
        long_sum_add_bits(sums->sum[0], EXACT_SUM_WORDS, 32 * p, parts->sum[p]);
    if (is_biased)
        long_sum_add_bits(sums->sum[1], EXACT_SUM_WORDS, bits - 1, count);
    if ((adder->wants & EXACT_SQUARES) == 0)
        return;
    /* The square of (code - b) is that of the code, plus b^2 - 2 b code. */
    for (unsigned int p = 0; p < 4; p++)
        long_sum_add_bits(square, EXACT_SQUARE_WORDS, 32 * p,
                          parts->squares[p]);
    if (!is_biased)
        return;
    long_sum_add_bits(square, EXACT_SQUARE_WORDS, 2 * bits - 2, count);
    for (unsigned int p = 0; p < 2; p++)
        long_sum_subtract_bits(square, EXACT_SQUARE_WORDS, bits + 32 * p,
                               parts->sum[p]);
}

/* Add the COUNT integers of ADDER's block, which are codes. */
static void
add_codes(struct exact_adder *adder, size_t count)
{
    const struct exact_kernels *kernels = adder->kernels;
    const bool has_squares = (adder->wants & EXACT_SQUARES) != 0;
    struct exact_integers parts;

    switch (bits_of(adder->type)) {
    case 8:
        kernels->add_u1(adder->block.u1, count, has_squares, &parts);
        break;
    case 16:
        kernels->add_u2(adder->block.u2, count, has_squares, &parts);
        break;
    case 32:
        kernels->add_u4(adder->block.u4, count, has_squares, &parts);
        break;
    default:
        kernels->add_u8(adder->block.u8, count, has_squares, &parts);
    }
    add_integers(adder, &parts, count);
}

/* ---- blocks ---- */

/* Copy COUNT elements of BYTES bytes, STRIDE bytes apart, from DATA to TO. */
static void
copy_elements(void *to, const unsigned char *data, size_t count, size_t stride,
              size_t bytes)
{
    unsigned char *at = to;

    if (stride == bytes) {
        memcpy(to, data, count * bytes);
        return;
    }
    for (size_t i = 0; i < count; i++)
        memcpy(at + i * bytes, data + i * stride, bytes);
}

/* Swap the bytes of the COUNT elements of BYTES bytes in BLOCK. */
static void
swap_bytes(struct exact_adder *adder, size_t count, size_t bytes)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes == 2)
            adder->block.u2[i] = __builtin_bswap16(adder->block.u2[i]);
        else if (bytes == 4)
            adder->block.u4[i] = __builtin_bswap32(adder->block.u4[i]);
        else
            adder->block.u8[i] = __builtin_bswap64(adder->block.u8[i]);
    }
}

/* Make the COUNT integers of ADDER's block codes. */
static void
bias_block(struct exact_adder *adder, size_t count, size_t bytes)
{
    const uint64_t bias = bias_of(adder->type);

    if (bias == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        if (bytes == 1)
            adder->block.u1[i] ^= (uint8_t)bias;
        else if (bytes == 2)
            adder->block.u2[i] ^= (uint16_t)bias;
        else if (bytes == 4)
            adder->block.u4[i] ^= (uint32_t)bias;
        else
            adder->block.u8[i] ^= bias;
    }
}

/* Returns the value of an f2 with these BITS: without branches, so that
   compilers make vectors. */
static inline float
half_value(uint32_t bits)
{
    uint32_t magnitude = (bits & 0x7fff) << 13;
    uint32_t is_finite = magnitude < UINT32_C(31) << 23;
    uint32_t wide;

    /* The exponent of an f2 is 112 less than that of the same float. */
    float value = binning_bits_float(magnitude) * 0x1p112f;
    memcpy(&wide, &value, sizeof wide);
    wide |= (is_finite - 1) & UINT32_C(0xff) << 23;
    return binning_bits_float(wide | (bits & 0x8000) << 16);
}

/* Add the COUNT short floats of ADDER's block: each is a float. */
static void
add_short(struct exact_adder *adder, size_t count)
{
    const binning_u32 type = (binning_u32)adder->type;
    float *x = adder->block.f4;
    uint16_t u2[EXACT_BLOCK];
    uint8_t u1[EXACT_BLOCK];

    memcpy(u2, adder->block.u2, sizeof u2);
    memcpy(u1, adder->block.u1, sizeof u1);
    if (type == SAMPLE_F2) {
        for (size_t i = 0; i < count; i++)
            x[i] = half_value(u2[i]);
    } else if (type == SAMPLE_BF16) {
        for (size_t i = 0; i < count; i++)
            x[i] = binning_bits_float((uint32_t)u2[i] << 16);
    } else {
        for (size_t i = 0; i < count; i++)
            x[i] = (float)binning_float(type, u1[i]);
    }
    add_f4(adder, count);
}

void
exact_adder_add(struct exact_adder *adder, const unsigned char *data,
                size_t count, size_t stride)
{
    size_t bytes = binning_size((binning_u32)adder->type);
    bool is_f8 = adder->type == SAMPLE_F8;

    while (count > 0) {
        size_t some = count < EXACT_BLOCK ? count : EXACT_BLOCK;
        bool is_native = !adder->is_swapped || bytes == 1;
        copy_elements(is_f8 && is_native ? (void *)adder->f8
                                         : (void *)&adder->block,
                      data, some, stride, bytes);
        if (!is_native)
            swap_bytes(adder, some, bytes);
        if (is_f8 && !is_native)
            memcpy(adder->f8, &adder->block, some * bytes);
        if (is_f8) {
            add_f8(adder, some);
        } else if (adder->type == SAMPLE_F4) {
            add_f4(adder, some);
        } else if (binning_is_float((binning_u32)adder->type)) {
            add_short(adder, some);
        } else {
            bias_block(adder, some, bytes);
            add_codes(adder, some);
        }
        data += some * stride;
        count -= some;
    }
}

/* Returns the best kernels for this processor. */
static const struct exact_kernels *
best_kernels(void)
{
#ifdef EXACT_HAS_AVX512
    if (__builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return &exact_kernels_avx512;
#endif
#ifdef EXACT_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &exact_kernels_avx2;
#endif
    return &exact_kernels_portable;
}

struct exact_adder *
exact_adder_new(enum sample_type type, bool is_swapped, unsigned int wants)
{
    struct exact_adder *adder =
        aligned_alloc(_Alignof(struct exact_adder), sizeof *adder);

    if (adder == NULL)
        return NULL;
    memset(adder, 0, sizeof *adder);
    adder->kernels = best_kernels();
    adder->type = type;
    adder->is_swapped = is_swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    adder->wants = wants;
    return adder;
}

void
exact_adder_close(struct exact_adder *adder)
{
    free(adder);
}

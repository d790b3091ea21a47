/* SPDX-License-Identifier: MIT */
/* test_sum.c -- sums are exact for any values in any order */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "hist/sum.h"
#include "kernels/binning/weighing.h"

#define STRIDE 3 /* the cell is one of three: the others stay as they were */

struct cell {
    uint64_t plane[WEIGHING_PLANES_MAX * STRIDE];
};

static const char *const type_name[] = {"u1", "i1",   "u2",     "i2",    "u4",
                                        "i4", "u8",   "i8",     "f2",    "f4",
                                        "f8", "bf16", "f8e4m3", "f8e5m2"};

#define TYPES (sizeof type_name / sizeof *type_name)

static void
cell_add_times(struct cell *cell, enum sample_type type, uint64_t bits,
               uint64_t times)
{
    struct weighing_parts parts;

    weighing_split(type, bits, &parts);
    for (binning_u32 i = 0; i < parts.count; i++) {
        cell->plane[(parts.first + i) * STRIDE] +=
            (uint64_t)parts.addend[i] * times;
    }
}

static void
cell_add(struct cell *cell, enum sample_type type, uint64_t bits)
{
    cell_add_times(cell, type, bits, 1);
}

static void
cell_carry(struct cell *cell, enum sample_type type)
{
    weighing_carry(cell->plane, weighing_digits(type), STRIDE);
}

static void
cell_merge(struct cell *to, const struct cell *from)
{
    for (size_t i = 0; i < WEIGHING_PLANES_MAX * STRIDE; i++)
        to->plane[i] += from->plane[i];
}

static double
cell_double(const struct cell *cell, enum sample_type type)
{
    return sum_double(type, cell->plane, STRIDE);
}

static void
cell_text(const struct cell *cell, enum sample_type type,
          char text[SUM_TEXT_BYTES])
{
    *sum_put(type, cell->plane, STRIDE, text) = '\0';
}

static bool
cell_has_text(const struct cell *cell, enum sample_type type, const char *text)
{
    char actual[SUM_TEXT_BYTES];

    cell_text(cell, type, actual);
    if (strcmp(actual, text) != 0)
        printf("# %s, not %s\n", actual, text);
    return strcmp(actual, text) == 0;
}

/* The same double, and the text of it. */
static bool
cell_has_double(const struct cell *cell, enum sample_type type, double value)
{
    char text[SUM_TEXT_BYTES];
    double actual = cell_double(cell, type);

    cell_text(cell, type, text);
    double reread = strtod(text, NULL);
    if (isnan(value))
        return isnan(actual) && strcmp(text, "nan") == 0;
    bool is_same = binning_double_bits(actual) == binning_double_bits(value) &&
                   binning_double_bits(reread) == binning_double_bits(value);
    if (!is_same)
        printf("# %a and \"%s\", not %a\n", actual, text, value);
    return is_same;
}

/* ---- how a value is split ---- */

static void
test_planes(void)
{
    static const unsigned int digits[] = {2, 2, 2,  2,  2,  2, 3,
                                          3, 3, 10, 67, 10, 3, 3};

    for (unsigned int type = 0; type < TYPES; type++) {
        unsigned int planes = digits[type] + (type >= SAMPLE_F2 ? 3 : 0);
        ok(weighing_digits(type) == digits[type] &&
               weighing_planes(type) == planes,
           "%s: %u digits, %u planes", type_name[type], digits[type], planes);
    }
}

static void
test_split(void)
{
    static const struct {
        const char *name;
        enum sample_type type;
        uint64_t bits;
        struct weighing_parts parts;
    } table[] = {
        {"i2 -1", SAMPLE_I2, 0xffff, {0, 1, {-1}}},
        {"u8 0", SAMPLE_U8, 0, {0, 0, {0}}},
        {"i8 minimum", SAMPLE_I8, 1ull << 63, {0, 2, {0, INT32_MIN}}},
        {"f2 -0", SAMPLE_F2, 0x8000, {0, 0, {0}}},
        {"f2 maximum", SAMPLE_F2, 0x7bff, {0, 2, {0xe0000000, 0xff}}},
        {"f4 smallest", SAMPLE_F4, 0x80000001, {0, 2, {-1}}},
        {"f4 maximum", SAMPLE_F4, 0x7f7fffff, {7, 2, {0xe0000000, 0x1fffff}}},
        {"f4 -inf", SAMPLE_F4, 0xff800000, {12, 1, {1}}},
        {"f8 -maximum",
         SAMPLE_F8,
         0xffefffffffffffff,
         {63, 3, {-0xe0000000ll, -0xffffffffll, -0x3ffff}}},
        {"f8 nan, with a sign", SAMPLE_F8, ~0ull, {67, 1, {1}}},
        {"f8 inf", SAMPLE_F8, 0x7ff0000000000000, {68, 1, {1}}},
        {"bf16 smallest", SAMPLE_BF16, 0x8001, {0, 2, {-0x10000}}},
        {"bf16 nan", SAMPLE_BF16, 0x7f81, {10, 1, {1}}},
        {"f8e4m3 smallest", SAMPLE_E4M3, 1, {0, 2, {0x80}}},
        {"f8e4m3 -maximum", SAMPLE_E4M3, 0xfe, {0, 2, {-448 * 65536}}},
        {"f8e4m3 nan, with a sign", SAMPLE_E4M3, 0xff, {3, 1, {1}}},
        {"f8e5m2 maximum", SAMPLE_E5M2, 0x7b, {0, 2, {0, 0xe0}}},
        {"f8e5m2 -inf", SAMPLE_E5M2, 0xfc, {5, 1, {1}}},
        {"f8e5m2 nan", SAMPLE_E5M2, 0x7d, {3, 1, {1}}},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct weighing_parts *wanted = &table[i].parts;
        struct weighing_parts parts;
        weighing_split(table[i].type, table[i].bits, &parts);
        ok((wanted->count == 0 || parts.first == wanted->first) &&
               parts.count == wanted->count &&
               memcmp(parts.addend, wanted->addend, sizeof parts.addend) == 0,
           "split: %s", table[i].name);
    }
}

/* ---- a few values and their sum ---- */

static void
test_integers(void)
{
    static const struct {
        enum sample_type type;
        int count;
        uint64_t bits[4];
        const char *text;
    } table[] = {
        {SAMPLE_U1, 0, {0}, "0"},
        {SAMPLE_U1, 1, {0}, "0"},
        {SAMPLE_U1, 2, {0xff, 0xff}, "510"},
        {SAMPLE_I1, 1, {0x80}, "-128"},
        {SAMPLE_I1, 3, {0x80, 0x7f, 0xff}, "-2"},
        {SAMPLE_U2, 2, {0xffff, 0xffff}, "131070"},
        {SAMPLE_I2, 1, {0x8000}, "-32768"},
        {SAMPLE_I2, 3, {0x7fff, 0x8000, 0xffff}, "-2"},
        {SAMPLE_U4, 2, {0xffffffff, 0xffffffff}, "8589934590"},
        {SAMPLE_I4, 1, {0x80000000}, "-2147483648"},
        {SAMPLE_I4, 3, {0x80000000, 0x80000000, 0x7fffffff}, "-2147483649"},
        {SAMPLE_I4, 2, {0x80000001, 0x7fffffff}, "0"},
        {SAMPLE_U8, 1, {UINT64_MAX}, "18446744073709551615"},
        {SAMPLE_U8, 2, {UINT64_MAX, 1}, "18446744073709551616"},
        {SAMPLE_I8, 1, {1ull << 63}, "-9223372036854775808"},
        {SAMPLE_I8, 1, {INT64_MAX}, "9223372036854775807"},
        {SAMPLE_I8, 2, {1ull << 63, INT64_MAX}, "-1"},
        {SAMPLE_I8,
         3,
         {1ull << 63, 1ull << 63, UINT64_MAX},
         "-18446744073709551617"},
        {SAMPLE_I8, 2, {0x100000000, 0xffffffff00000001}, "1"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct cell cell = {0};
        for (int k = 0; k < table[i].count; k++)
            cell_add(&cell, table[i].type, table[i].bits[k]);
        ok(cell_has_text(&cell, table[i].type, table[i].text), "%s: %s",
           type_name[table[i].type], table[i].text);
    }
}

static void
test_small_floats(void)
{
    static const struct {
        const char *name;
        enum sample_type type;
        int count;
        uint64_t bits[4];
        double sum;
    } table[] = {
        {"nothing", SAMPLE_F2, 0, {0}, 0},
        {"-0", SAMPLE_F2, 1, {0x8000}, 0},
        {"1", SAMPLE_F2, 1, {0x3c00}, 1},
        {"smallest", SAMPLE_F2, 1, {0x8001}, -0x1p-24},
        {"largest subnormal", SAMPLE_F2, 1, {0x3ff}, 0x3ffp-24},
        {"smallest normal", SAMPLE_F2, 1, {0x400}, 0x1p-14},
        {"maxima", SAMPLE_F2, 2, {0x7bff, 0x7bff}, 131008},
        {"maximum and smallest", SAMPLE_F2, 2, {0xfbff, 1}, -65504 + 0x1p-24},
        {"inf", SAMPLE_F2, 2, {0x7c00, 0xfbff}, (double)INFINITY},
        {"-inf", SAMPLE_F2, 1, {0xfc00}, -(double)INFINITY},
        {"both infinities", SAMPLE_F2, 2, {0x7c00, 0xfc00}, (double)NAN},
        {"nan", SAMPLE_F2, 2, {0x7c01, 0x7c00}, (double)NAN},
        {"-0", SAMPLE_F4, 2, {0x80000000, 0x80000000}, 0},
        {"1 - 1", SAMPLE_F4, 2, {0x3f800000, 0xbf800000}, 0},
        {"smallest", SAMPLE_F4, 1, {1}, 0x1p-149},
        {"largest subnormal", SAMPLE_F4, 1, {0x807fffff}, -0x7fffffp-149},
        {"smallest normal", SAMPLE_F4, 1, {0x800000}, 0x1p-126},
        {"maxima", SAMPLE_F4, 2, {0x7f7fffff, 0x7f7fffff}, 0x1.fffffep128},
        {"huge, smallest, -huge",
         SAMPLE_F4,
         3,
         {0x7f7fffff, 0x80000001, 0xff7fffff},
         -0x1p-149},
        {"inf", SAMPLE_F4, 2, {0x7f800000, 0x7f800000}, (double)INFINITY},
        {"-inf", SAMPLE_F4, 2, {0xff800000, 0x7f7fffff}, -(double)INFINITY},
        {"both", SAMPLE_F4, 2, {0xff800000, 0x7f800000}, (double)NAN},
        {"nan", SAMPLE_F4, 2, {0xffffffff, 0x3f800000}, (double)NAN},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct cell cell = {0};
        for (int k = 0; k < table[i].count; k++)
            cell_add(&cell, table[i].type, table[i].bits[k]);
        ok(cell_has_double(&cell, table[i].type, table[i].sum), "%s: %s",
           type_name[table[i].type], table[i].name);
    }
}

static void
test_doubles(void)
{
    const double inf = (double)INFINITY;
    const double nan = (double)NAN;
    const double half_last = 0x1p970; /* of the last place of DBL_MAX */
    const struct {
        const char *name;
        int count;
        double value[5];
        double sum;
    } table[] = {
        {"nothing", 0, {0}, 0},
        {"-0", 2, {-0.0, -0.0}, 0},
        {"1 - 1", 2, {1, -1}, 0},
        {"0.1", 1, {0.1}, 0.1},
        {"1e308, 1, -1e308", 3, {1e308, 1, -1e308}, 1},
        {"huge and tiny", 5, {-1e308, 5e-324, 1e308, 1e-300, -1e-300}, 5e-324},
        {"ten decimals", 4, {0.1, 0.2, 0.3, 0.4}, 1},
        {"smallest", 1, {-0x1p-1074}, -0x1p-1074},
        {"subnormals", 2, {0x1p-1074, 0x1p-1073}, 0x3p-1074},
        {"subnormals to a normal",
         2,
         {0x0.fffffffffffffp-1022, 0x1p-1074},
         0x1p-1022},
        {"normals to a subnormal", 2, {0x1p-1021, -0x1.8p-1021}, -0x1p-1022},
        {"normals to a smaller one",
         2,
         {0x1.0000000000001p-1022, -0x1p-1022},
         0x1p-1074},
        {"negative", 3, {-1, -2, -0x1p-40}, -3 - 0x1p-40},
        {"across a digit", 2, {0x1.fffffffep31, 0x1p-1}, 0x1p32 - 0.5},

        /* 1 is even in its last place, 1 + 2^-52 is odd. */
        {"tie, down to even", 2, {1, 0x1p-53}, 1},
        {"tie, up to even", 2, {1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51},
        {"tie, negative, to even", 2, {-1, -0x1p-53}, -1},
        {"tie, negative, away", 2, {-1 - 0x1p-52, -0x1p-53}, -1 - 0x1p-51},
        {"above a tie", 3, {1, 0x1p-53, 0x1p-1074}, 1 + 0x1p-52},
        {"below a tie", 3, {1 + 0x1p-52, 0x1p-53, -0x1p-1074}, 1 + 0x1p-52},
        {"just above a tie", 3, {1, 0x1p-53, 0x1p-54}, 1 + 0x1p-52},
        {"once, not twice", 3, {1, 0x1p-53, -0x1p-106}, 1},
        {"tie, up to a power", 2, {2 - 0x1p-52, 0x1p-53}, 2},
        {"tie, smallest normals",
         2,
         {0x1.0000000000001p-1021, 0x1p-1074},
         0x1.0000000000002p-1021},

        {"maximum", 1, {DBL_MAX}, DBL_MAX},
        {"maxima", 2, {DBL_MAX, DBL_MAX}, inf},
        {"-maxima", 2, {-DBL_MAX, -DBL_MAX}, -inf},
        {"maxima and back", 4, {DBL_MAX, DBL_MAX, -DBL_MAX, 1}, DBL_MAX},
        {"tie to inf", 2, {DBL_MAX, half_last}, inf},
        {"tie to -inf", 2, {-DBL_MAX, -half_last}, -inf},
        {"below the tie", 3, {DBL_MAX, half_last, -0x1p-1074}, DBL_MAX},
        {"-below the tie", 3, {-DBL_MAX, -half_last, 0x1p-1074}, -DBL_MAX},

        {"inf", 3, {inf, -DBL_MAX, inf}, inf},
        {"-inf", 2, {-inf, 1}, -inf},
        {"both infinities", 3, {inf, 1, -inf}, nan},
        {"nan", 2, {nan, 1}, nan},
        {"-nan and inf", 2, {-nan, inf}, nan},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct cell cell = {0};
        for (int k = 0; k < table[i].count; k++)
            cell_add(&cell, SAMPLE_F8, binning_double_bits(table[i].value[k]));
        ok(cell_has_double(&cell, SAMPLE_F8, table[i].sum), "f8: %s",
           table[i].name);
    }
}

/* 1 + 2^-53 is a tie; every lower bit, alone, decides it. */
static void
test_tie_breakers(void)
{
    int wrong = 0;

    for (int exponent = -1074; exponent <= -54; exponent++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double breaker = ldexp(sign, exponent);
            struct cell cell = {0};
            cell_add(&cell, SAMPLE_F8, binning_double_bits(-1));
            cell_add(&cell, SAMPLE_F8, binning_double_bits(-0x1p-53));
            cell_add(&cell, SAMPLE_F8, binning_double_bits(breaker));
            wrong += !cell_has_double(&cell, SAMPLE_F8,
                                      sign < 0 ? -1 - 0x1p-52 : -1);
        }
    }
    ok(wrong == 0, "f8: a tie broken by each lower bit");
}

static void
test_text(void)
{
    struct cell cell = {0};

    ok(cell_has_text(&cell, SAMPLE_F8, "0"), "text: nothing");
    cell_add(&cell, SAMPLE_F8, binning_double_bits(0.1));
    ok(cell_has_text(&cell, SAMPLE_F8, "0.1"), "text: 0.1");
    cell_add(&cell, SAMPLE_F8, binning_double_bits(-0.1));
    ok(cell_has_text(&cell, SAMPLE_F8, "0"), "text: 0.1 - 0.1");
    cell_add(&cell, SAMPLE_F8, binning_double_bits(-0.0));
    ok(cell_has_text(&cell, SAMPLE_F8, "0"), "text: -0");
    cell_add(&cell, SAMPLE_F8, binning_double_bits(-(double)INFINITY));
    ok(cell_has_text(&cell, SAMPLE_F8, "-inf"), "text: -inf");
    cell_add(&cell, SAMPLE_F8, binning_double_bits((double)INFINITY));
    ok(cell_has_text(&cell, SAMPLE_F8, "nan"), "text: nan");
}

/* ---- every single value of the short types, many of the others ---- */

static uint64_t random_state = 1;

static uint64_t
random_bits(enum sample_type type)
{
    uint64_t bits = 0;

    for (int i = 0; i < 4; i++) {
        random_state =
            random_state * 6364136223846793005u + 1442695040888963407u;
        bits = bits << 16 | random_state >> 48;
    }
    return bits >> (64 - 8 * binning_size(type));
}

/* The value of an element; of 8-byte integers it is the nearest double. */
static double
element_value(enum sample_type type, uint64_t bits)
{
    switch (type) {
    case SAMPLE_I1:
        return (int8_t)bits;
    case SAMPLE_I2:
        return (int16_t)bits;
    case SAMPLE_I4:
        return (int32_t)bits;
    case SAMPLE_I8:
        return (double)(int64_t)bits;
    default:
        return binning_is_float(type) ? binning_float(type, bits)
                                      : (double)bits;
    }
}

static bool
is_alone_right(enum sample_type type, uint64_t bits)
{
    struct cell cell = {0};
    double value = element_value(type, bits);

    cell_add(&cell, type, bits);
    double sum = cell_double(&cell, type);
    return isnan(value) ? isnan(sum) : sum == value;
}

static void
test_alone(void)
{
    for (unsigned int type = 0; type < TYPES; type++) {
        uint64_t wrong = 0;
        bool is_short = binning_size(type) <= 2;
        for (uint64_t i = 0; i < 65536; i++) {
            uint64_t bits = is_short ? i : random_bits(type);
            if (is_short && i >> (8 * binning_size(type)) != 0)
                break;
            wrong += !is_alone_right(type, bits);
        }
        ok(wrong == 0, "%s: %s is the sum of itself", type_name[type],
           is_short ? "each value" : "a random value");
    }
}

/* ---- order, partial sums, carries ---- */

#define VALUES 999
#define PARTS 3

static bool
is_order_irrelevant(enum sample_type type)
{
    struct cell forward = {0};
    struct cell backward = {0};
    struct cell part[PARTS] = {0};
    static uint64_t bits[VALUES];

    for (int i = 0; i < VALUES; i++) {
        do {
            bits[i] = random_bits(type);
        } while (!isfinite(element_value(type, bits[i])));
        cell_add(&forward, type, bits[i]);
    }
    for (int i = VALUES; i-- > 0;) {
        cell_add(&backward, type, bits[i]);
        cell_carry(&backward, type);
    }
    for (int i = 0; i < VALUES; i++) {
        struct cell *to = &part[random_bits(SAMPLE_U4) % PARTS];
        cell_add(to, type, bits[i]);
        if (random_bits(SAMPLE_U1) % 8 == 0)
            cell_carry(to, type);
    }
    for (int i = 1; i < PARTS; i++)
        cell_merge(&part[0], &part[i]);

    char text[SUM_TEXT_BYTES];
    cell_text(&forward, type, text);
    bool is_same_text = cell_has_text(&backward, type, text) &&
                        cell_has_text(&part[0], type, text);
    cell_carry(&forward, type);
    cell_carry(&part[0], type);
    return is_same_text && memcmp(&forward, &backward, sizeof forward) == 0 &&
           memcmp(&forward, &part[0], sizeof forward) == 0;
}

static void
test_order(void)
{
    for (unsigned int type = 0; type < TYPES; type++) {
        int wrong = 0;
        for (int round = 0; round < 100; round++)
            wrong += !is_order_irrelevant(type);
        ok(wrong == 0, "%s: any order, parts and carries give the same planes",
           type_name[type]);
    }
}

/* ---- the bounds ---- */

/*
 * All digits as large, or small, as WEIGHING_ADDS_MAX allows.  The sum is then
 * 2^31 * (2^(32 n) - 1), or 1 - 2^31 times the same.
 */
static void
test_full_digits(enum sample_type type)
{
    const uint64_t digit_max = 0xffffffff;
    struct cell cell = {0};
    binning_u32 top = weighing_digits(type) - 1;

    for (binning_u32 k = 0; k < top; k++)
        cell.plane[k * STRIDE] = digit_max + digit_max * WEIGHING_ADDS_MAX;
    cell_carry(&cell, type);
    bool is_right = cell.plane[0] == 1ull << 31 &&
                    cell.plane[top * STRIDE] == (1ull << 31) - 1;
    for (binning_u32 k = 1; k < top; k++)
        is_right &= cell.plane[k * STRIDE] == digit_max;
    ok(is_right, "%s: digits at their maximum", type_name[type]);

    for (binning_u32 k = 0; k <= top; k++)
        cell.plane[k * STRIDE] = k < top ? -(digit_max * WEIGHING_ADDS_MAX) : 0;
    cell_carry(&cell, type);
    is_right = cell.plane[0] == (1ull << 31) - 1 &&
               cell.plane[top * STRIDE] == 1 - (1ull << 31);
    for (binning_u32 k = 1; k < top; k++)
        is_right &= cell.plane[k * STRIDE] == 0;
    ok(is_right, "%s: digits at their minimum", type_name[type]);
}

/* The extreme values; the sums were worked out in Python. */
static void
test_adds_max(void)
{
    static const struct {
        enum sample_type type;
        uint64_t bits;
        const char *text; /* of WEIGHING_ADDS_MAX values */
        const char *full; /* of 2^32 times as many */
    } table[] = {
        {SAMPLE_U1, 0xff, "547608329985", "2351959868302751170560"},
        {SAMPLE_I1, 0x80, "-274877906816", "-1180591620167655489536"},
        {SAMPLE_I1, 0x7f, "272730423169", "1171368248135095681024"},
        {SAMPLE_U2, 0xffff, "140735340806145", "604453686153807050833920"},
        {SAMPLE_I2, 0x8000, "-70368744144896", "-302231454762919805321216"},
        {SAMPLE_I2, 0x7fff, "70366596661249", "302222231390887245512704"},
        {SAMPLE_U4, 0xffffffff, "9223372030412324865",
         "39614081229462052690502615040"},
        {SAMPLE_I4, 0x80000000, "-4611686016279904256",
         "-19807040619342712361531211776"},
        {SAMPLE_I4, 0x7fffffff, "4611686014132420609",
         "19807040610119340328971403264"},
        {SAMPLE_U8, 0xffffffffffffffff, "39614081238685424720914939905",
         "170141183381241069208199594089780346880"},
        {SAMPLE_I8, 0x8000000000000000, "-19807040619342712361531211776",
         "-85070591690620534608711483061170077696"},
        {SAMPLE_I8, 0x7fffffffffffffff, "19807040619342712359383728129",
         "85070591690620534599488111028610269184"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        enum sample_type type = table[i].type;
        struct cell cell = {0};
        cell_add_times(&cell, type, table[i].bits, WEIGHING_ADDS_MAX);
        ok(cell_has_text(&cell, type, table[i].text), "%s: 2^31 - 1 times %s",
           type_name[type], table[i].text[0] == '-' ? "minimum" : "maximum");
        for (int k = 0; k < 32; k++) {
            cell_carry(&cell, type);
            cell_merge(&cell, &cell);
        }
        ok(cell_has_text(&cell, type, table[i].full), "%s: almost 2^63 times",
           type_name[type]);
    }
}

/* The product of two doubles is rounded once, as the sum must be. */
static void
test_adds_max_float(enum sample_type type, uint64_t bits)
{
    const double times = WEIGHING_ADDS_MAX;
    double value = element_value(type, bits);
    struct cell cell = {0};

    cell_add_times(&cell, type, bits, WEIGHING_ADDS_MAX);
    bool is_right = cell_has_double(&cell, type, value * times);
    for (int k = 0; k < 32; k++) {
        cell_carry(&cell, type);
        cell_merge(&cell, &cell);
    }
    is_right &= cell_has_double(&cell, type, value * times * 0x1p32);

    /* And nothing is lost on the way back. */
    struct cell back = {0};
    cell_add_times(&back, type, bits, 0u - (uint64_t)WEIGHING_ADDS_MAX);
    for (int k = 0; k < 32; k++) {
        cell_carry(&back, type);
        cell_merge(&back, &back);
    }
    cell_carry(&cell, type);
    cell_merge(&cell, &back);
    cell_add(&cell, type, 1);
    is_right &= cell_has_double(&cell, type, element_value(type, 1));
    ok(is_right, "%s: almost 2^63 times %a, and back", type_name[type], value);
}

static void
test_bounds(void)
{
    for (unsigned int type = 0; type < TYPES; type++)
        test_full_digits(type);
    test_adds_max();
    test_adds_max_float(SAMPLE_F2, 0x7bff);
    test_adds_max_float(SAMPLE_F2, 0xfbff);
    test_adds_max_float(SAMPLE_F4, 0x7f7fffff);
    test_adds_max_float(SAMPLE_F4, 0xff7fffff);
    test_adds_max_float(SAMPLE_F8, binning_double_bits(DBL_MAX));
    test_adds_max_float(SAMPLE_F8, binning_double_bits(-DBL_MAX));
    test_adds_max_float(SAMPLE_F8, binning_double_bits(0x1.fffffffffffffp900));
    test_adds_max_float(SAMPLE_F8, binning_double_bits(-0x1.fffffffffffffp-3));
}

int
main(void)
{
    test_planes();
    test_split();
    test_integers();
    test_small_floats();
    test_doubles();
    test_tie_breakers();
    test_text();
    test_alone();
    test_order();
    test_bounds();
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/*
 * test_binning.c -- the cell of a value, against exact arithmetic
 *
 * The oracle here knows integers of 128 bits and compares them with an edge,
 * a double, without rounding; it finds a bin by counting the edges that a
 * value is not below.
 */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../integer.h"
#include "../noise.h"
#include "../tap.h"
#include "base/number.h"
#include "hist/axis.h"
#include "hist/axis_rule.h"
#include "hist/record.h"
#include "hist/spec.h"
#include "kernels/binning/binning.h"

#define WATCHDOG_SECONDS 300
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- what is tested ---- */

enum {
    U1 = 1 << SAMPLE_U1,
    I1 = 1 << SAMPLE_I1,
    U2 = 1 << SAMPLE_U2,
    I2 = 1 << SAMPLE_I2,
    U4 = 1 << SAMPLE_U4,
    I4 = 1 << SAMPLE_I4,
    U8 = 1 << SAMPLE_U8,
    I8 = 1 << SAMPLE_I8,
    F2 = 1 << SAMPLE_F2,
    F4 = 1 << SAMPLE_F4,
    F8 = 1 << SAMPLE_F8,
    NARROW = U1 | I1 | U2 | I2,
    SIGNED = I1 | I2 | I4 | I8,
    INTEGERS = NARROW | U4 | I4 | U8 | I8,
    FLOATS = F2 | F4 | F8,
    ALL = INTEGERS | FLOATS,
};

#define TYPES 11

/* Which edge belongs to a bin. */
enum {
    LEFT = 1 << BINNING_LEFT,
    RIGHT = 1 << BINNING_RIGHT,
    NUMPY = 1 << BINNING_NUMPY,
    EVERY = LEFT | RIGHT | NUMPY,
};

static const struct test_case {
    unsigned int types;
    unsigned int closed;
    struct axis_texts texts;
} cases[] = {
    /* A bin for each value. */
    {NARROW, LEFT | RIGHT, {0}},
    {INTEGERS, LEFT | RIGHT, {.range = "10,20"}},
    {INTEGERS, LEFT | RIGHT, {.range = "0,1"}},
    {SIGNED, LEFT | RIGHT, {.range = "-5,100"}},
    {SIGNED, LEFT | RIGHT, {.range = "-128,-127"}},
    {U4, LEFT, {.range = "4294967290,4294967296"}},
    {I4, LEFT, {.range = "-2147483648,-2147483600"}},
    {U8, LEFT, {.range = "18446744073709551600,18446744073709551616"}},
    {U8, LEFT, {.range = "9223372036854775800,9223372036854775816"}},
    {U8, RIGHT, {.range = "18446744073709551600,18446744073709551615"}},
    {I8, LEFT, {.range = "-9223372036854775808,-9223372036854775000"}},
    {I8, LEFT, {.range = "9223372036854775000,9223372036854775808"}},
    {INTEGERS, LEFT | RIGHT, {.shift = "4", .range = "1,9"}},
    {INTEGERS, LEFT | RIGHT, {.shift = "7", .mod = "3"}},
    {INTEGERS, LEFT, {.mod = "10"}},
    {INTEGERS, LEFT, {.mod = "1"}},
    {INTEGERS, LEFT, {.mod = "7", .range = "2,5"}},
    {INTEGERS, LEFT, {.mod = "256"}},
    {INTEGERS, LEFT, {.mask = "0xf0"}},
    {INTEGERS, LEFT, {.mask = "0"}},
    {INTEGERS, LEFT, {.mask = "0x55", .mod = "11"}},
    {INTEGERS, LEFT, {.shift = "3", .mask = "0xff", .mod = "60"}},
    {INTEGERS, LEFT, {.mod = "9223372036854775808", .range = "0,50"}},
    {U8 | I8, LEFT, {.mod = "9223372036854775807", .range = "0,50"}},
    {SIGNED, LEFT, {.mask = "0xfffffffffffffff0", .range = "-64,64"}},
    {SIGNED, LEFT, {.mask = "0xfffffffffffffff3", .mod = "13"}},
    {U8, LEFT, {.shift = "60"}},
    {I8, LEFT, {.shift = "63"}},
    {I8, LEFT, {.shift = "60", .mod = "5"}},

    /* Bins of one width. */
    {NARROW, EVERY, {.bins = "10"}},
    {NARROW, EVERY, {.bins = "256"}},
    {NARROW, EVERY, {.bin_width = "5"}},
    {ALL, EVERY, {.bins = "7", .range = "0,100"}},
    {ALL, EVERY, {.bins = "1", .range = "0,1"}},
    {ALL, EVERY, {.bins = "13", .range = "-1e3,1e3"}},
    {ALL, EVERY, {.bin_width = "0.1", .range = "0,1"}},
    {ALL, EVERY, {.bin_width = "0.3", .range = "-1,1"}},
    {ALL, EVERY, {.bins = "6", .range = "0.1,0.7"}},
    {ALL, EVERY, {.bins = "1000", .range = "1e-3,126.7"}},
    {FLOATS,
     EVERY,
     {.bins = "1000", .range = "0.3333333333333333,0.6666666666666666"}},
    {INTEGERS, EVERY, {.bins = "4", .mod = "17", .range = "0,17"}},
    {INTEGERS, EVERY, {.bins = "5", .shift = "2", .range = "-9,31"}},
    {U8 | I8 | F8, EVERY, {.bins = "10", .range = "1e15,1000000000000010"}},
    {U8 | I8 | F8, EVERY, {.bins = "4", .range = "1e15,1000000000000001"}},
    {U8 | I8 | F8, EVERY, {.bins = "8", .range = "1e15,1000000000000001"}},
    {U8 | I8 | F8, EVERY, {.bins = "3", .range = "1e15,1000000000000001"}},
    {U8 | I8 | F8,
     EVERY,
     {.bins = "7", .range = "9007199254740990,9007199254741010"}},
    {U8 | I8 | F8,
     EVERY,
     {.bins = "10", .range = "9007199254740990,9007199254741010"}},
    {I8 | F8,
     EVERY,
     {.bins = "10", .range = "-9007199254741010,-9007199254740990"}},
    {U4 | U8 | F8, EVERY, {.bins = "64", .range = "0,18446744073709551616"}},
    {U8 | F8, EVERY, {.bins = "1000", .range = "0,18446744073709551616"}},
    {U8 | F8,
     EVERY,
     {.bins = "3", .range = "18446744073709500000,18446744073709551616"}},
    {I8,
     EVERY,
     {.bins = "3", .range = "-9223372036854775808,9223372036854775808"}},
    {I8, EVERY, {.bins = "1", .range = "-9223372036854775808,0"}},
    {U4 | U8 | F8, EVERY, {.bins = "2147483648", .range = "0,4294967296"}},
    {F4 | F8, EVERY, {.bins = "2147483648", .range = "0,1"}},
    {F8, EVERY, {.bins = "9", .range = "1e-300,2e-300"}},
    {F8, EVERY, {.bins = "10", .range = "-1.7e308,0"}},
    {F8, EVERY, {.bins = "3", .range = "0,1e308"}},
    {F8, EVERY, {.bins = "3", .range = "-8e307,8e307"}},
    {F4 | F8, EVERY, {.bins = "5", .range = "0,1e-40"}},
    {F2 | F4 | F8, EVERY, {.bins = "3", .range = "0,1e-7"}},

    /* Listed edges. */
    {ALL, EVERY, {.edges = "0,1,2,4,8,100"}},
    {ALL, EVERY, {.edges = "-1.5,-0.5,0,0.25,1e10"}},
    {ALL, EVERY, {.edges = "-0,5e-324"}},
    {ALL, EVERY, {.edges = "-5e-324,0,5e-324,1e-323,2e-310"}},
    {ALL, EVERY, {.edges = "-1e300,1e300"}},
    {ALL, EVERY, {.edges = "5,6"}},
    {FLOATS, EVERY, {.edges = "-65504,-6e-8,6e-8,1e-4,65504"}},
    {INTEGERS, EVERY, {.edges = "0.5,1.5,2,2.5,3", .mod = "5"}},
    {U8 | I8 | F8,
     EVERY,
     {.edges = "9007199254740991,9007199254740992,9007199254740994,"
               "9007199254740996,9007199254741000"}},
    {I8 | F8,
     EVERY,
     {.edges = "-9007199254740996,-9007199254740994,-9007199254740992,"
               "-9007199254740991"}},
    {U8 | I8 | F8,
     EVERY,
     {.edges = "-9223372036854775808,-1,0,9223372036854774784,"
               "9223372036854775808"}},
    {U8 | F8,
     EVERY,
     {.edges = "9223372036854775808,18446744073709549568,"
               "18446744073709551616"}},
    {U8 | F8, EVERY, {.edges = "0,18446744073709549568"}},

    /* Bins of one ratio. */
    {ALL, EVERY, {.log = "2"}},
    {ALL, EVERY, {.log = "2", .subdiv = "0"}},
    {ALL, EVERY, {.log = "2", .subdiv = "3"}},
    {ALL, EVERY, {.log = "2", .range = "0.001,1000", .subdiv = "2"}},
    {ALL, EVERY, {.log = "2", .range = "3,1e6"}},
    {ALL, EVERY, {.log = "2", .range = "1,2", .subdiv = "20"}},
    {INTEGERS, EVERY, {.log = "2", .shift = "1", .subdiv = "1"}},
    {INTEGERS, EVERY, {.log = "2", .mod = "1000"}},
    {U8 | F8, EVERY, {.log = "2", .range = "1e15,1e19", .subdiv = "10"}},
    {F8, EVERY, {.log = "2", .range = "2.2250738585072014e-308,1e308"}},
    {F4 | F8, EVERY, {.log = "2", .range = "1e-45,1e-37", .subdiv = "1"}},
    {ALL, EVERY, {.log = "10"}},
    {ALL, EVERY, {.log = "10", .subdiv = "3"}},
    {ALL, EVERY, {.log = "10", .range = "0.01,1e6"}},
    {ALL, EVERY, {.log = "10", .range = "0.02,9e5", .subdiv = "1"}},
    {ALL, EVERY, {.log = "e"}},
    {ALL, EVERY, {.log = "e", .range = "1,20", .subdiv = "4"}},
    {INTEGERS, EVERY, {.log = "10", .mod = "1000"}},
};

/* ---- the oracle ---- */

/* An element's value: a floating-point one, or an integer. */
struct value {
    bool is_float;
    double number;
    test_integer integer;
};

static unsigned int
bits_of(enum sample_type type)
{
    static const unsigned int bits[TYPES] = {8,  8,  16, 16, 32, 32,
                                             64, 64, 16, 32, 64};

    return bits[type];
}

static bool
is_integer(enum sample_type type)
{
    return (1 << type & INTEGERS) != 0;
}

static bool
is_signed(enum sample_type type)
{
    return (1 << type & SIGNED) != 0;
}

/* IEEE 754, by its definition. */
static double
decode_float(uint64_t bits, unsigned int all, unsigned int fraction_bits)
{
    unsigned int exponent_bits = all - 1 - fraction_bits;
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> fraction_bits) & (2 * bias + 1);
    uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
    double sign = bits >> (all - 1) != 0 ? -1 : 1;

    if (exponent == 2 * bias + 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0)
        exponent = 1;
    else
        fraction |= (uint64_t)1 << fraction_bits;
    return sign * ldexp((double)fraction, exponent - bias - (int)fraction_bits);
}

static struct value
decode(enum sample_type type, uint64_t bits)
{
    struct value value = {.is_float = !is_integer(type)};
    unsigned int all = bits_of(type);

    if (value.is_float) {
        unsigned int fraction = all == 16 ? 10 : all == 32 ? 23 : 52;
        value.number = decode_float(bits, all, fraction);
        return value;
    }
    value.integer = (test_integer)bits;
    if (is_signed(type) && bits >> (all - 1) != 0)
        value.integer -= (test_integer)1 << all;
    return value;
}

/* The quotient, rounded down, and the remainder as Python has it. */
static test_integer
floor_divide(test_integer a, test_integer b)
{
    test_integer quotient = a / b;

    return a % b < 0 ? quotient - 1 : quotient;
}

static test_integer
operate(const struct axis_texts *texts, enum sample_type type,
        test_integer value)
{
    if (texts->shift != NULL)
        value = floor_divide(value, (test_integer)1 << atoi(texts->shift));
    if (texts->mask != NULL) {
        uint64_t mask = strtoull(texts->mask, NULL, 0);
        test_integer kept = 0;
        for (int bit = 0; bit < 64; bit++) {
            test_integer weight = (test_integer)((uint64_t)1 << bit);
            bool is_sign = bit == 63 && is_signed(type);
            bool is_set = (value >> bit & 1) != 0;
            if (is_set && (mask >> bit & 1) != 0)
                kept += is_sign ? INT64_MIN : weight;
        }
        value = kept;
    }
    if (texts->mod != NULL) {
        test_integer mod = (test_integer)strtoull(texts->mod, NULL, 0);
        value -= floor_divide(value, mod) * mod;
    }
    return value;
}

/* The sign of VALUE - EDGE, where VALUE is a number. */
static int
compare(const struct value *value, double edge)
{
    if (value->is_float)
        return (value->number > edge) - (value->number < edge);
    if (fabs(edge) > TEST_INTEGER_BOUND)
        return edge > 0 ? -1 : 1;
    test_integer whole = (test_integer)floor(edge);
    if (value->integer != whole)
        return value->integer < whole ? -1 : 1;
    return edge > floor(edge) ? -1 : 0;
}

/* An axis and what the oracle knows of its edges. */
struct oracle {
    const struct test_case *test;
    const struct binning_axis *axis;
    const struct axis_edges *edges;
    double *listed; /* the numbers in --edges */
};

static double
oracle_edge(const struct oracle *oracle, uint64_t i)
{
    const struct binning_axis *axis = oracle->axis;

    if (oracle->listed != NULL)
        return oracle->listed[i];
    if (axis->kind == BINNING_LOG2) {
        int octave;
        double step = frexp(axis->lo, &octave) * 2 - 1;
        uint64_t steps = (uint64_t)1 << axis->subdivision;
        uint64_t n = (uint64_t)(step * (double)steps) + i;
        return ldexp(1 + (double)(n % steps) / (double)steps,
                     octave - 1 + (int)(n / steps));
    }
    if (axis->kind == BINNING_EDGES)
        return axis_edge(axis, oracle->edges, i);
    if (i == axis->bins)
        return axis->hi;
    volatile double distance = (double)i * axis->width;
    return axis->lo + distance;
}

static uint64_t
oracle_cell(const struct oracle *oracle, enum sample_type type, uint64_t bits)
{
    const struct binning_axis *axis = oracle->axis;
    struct value value = decode(type, bits);
    bool is_right = axis->closed == BINNING_RIGHT;

    if (!value.is_float)
        value.integer = operate(&oracle->test->texts, type, value.integer);
    if (axis->kind == BINNING_DIRECT) {
        test_integer first = is_signed(type)
                                 ? (test_integer)(int64_t)axis->first
                                 : (test_integer)axis->first;
        if (value.integer < first)
            return axis->bins + BINNING_UNDERFLOW;
        if (value.integer - first >= (test_integer)axis->bins)
            return axis->bins + BINNING_OVERFLOW;
        return (uint64_t)(value.integer - first);
    }
    if (value.is_float && isnan(value.number))
        return axis->bins + BINNING_NAN;
    if (oracle->test->texts.log != NULL && compare(&value, 0) <= 0)
        return axis->bins +
               (compare(&value, 0) == 0 ? BINNING_ZERO : BINNING_NEGATIVE);
    if (axis->closed == BINNING_NUMPY &&
        compare(&value, oracle_edge(oracle, axis->bins)) == 0)
        return axis->bins - 1;

    /* Count the edges that the value is not below. */
    uint64_t behind = 0;
    uint64_t most = axis->bins + 1;
    while (behind < most) {
        uint64_t middle = behind + (most - behind) / 2;
        int sign = compare(&value, oracle_edge(oracle, middle));
        if (is_right ? sign > 0 : sign >= 0)
            behind = middle + 1;
        else
            most = middle;
    }
    if (behind == 0)
        return axis->bins + BINNING_UNDERFLOW;
    return behind <= axis->bins ? behind - 1 : axis->bins + BINNING_OVERFLOW;
}

/* ---- values ---- */

#define VALUES_MAX 200000

static uint64_t value[VALUES_MAX];
static size_t value_count;

static void
add_bits(uint64_t bits)
{
    if (value_count == VALUES_MAX)
        abort();
    value[value_count++] = bits;
}

/* INTEGER and its neighbours, as far as TYPE has them. */
static void
add_integers(enum sample_type type, test_integer integer)
{
    unsigned int bits = bits_of(type);
    test_integer least = is_signed(type) ? -((test_integer)1 << (bits - 1)) : 0;
    test_integer most = least + ((test_integer)1 << bits) - 1;

    for (int i = -2; i <= 2; i++) {
        test_integer n = integer + i;
        if (n >= least && n <= most)
            add_bits((uint64_t)n & (UINT64_MAX >> (64 - bits)));
    }
}

/* NUMBER as TYPE has it, and what lies next to that. */
static void
add_numbers(enum sample_type type, double number)
{
    uint64_t bits;

    if (type == SAMPLE_F8) {
        memcpy(&bits, &number, sizeof bits);
    } else {
        float rounded = (float)number;
        uint32_t half;
        memcpy(&half, &rounded, sizeof half);
        bits = half;
    }
    for (uint64_t i = 0; i < 5; i++)
        add_bits((bits + i - 2) & (UINT64_MAX >> (64 - bits_of(type))));
}

static void
add_special_numbers(enum sample_type type)
{
    unsigned int all = bits_of(type);
    unsigned int fraction = all == 32 ? 23 : 52;
    uint64_t infinite = ((UINT64_MAX >> (64 - all)) >> 1) >> fraction
                                                                 << fraction;
    uint64_t quiet = (uint64_t)1 << (fraction - 1);
    uint64_t least_normal = (uint64_t)1 << fraction;
    uint64_t magnitudes[] = {
        0,
        1,
        2,
        least_normal - 1,
        least_normal,
        least_normal + 1,
        infinite - 1,
        infinite,
        infinite | 1,                  /* signals */
        infinite | (quiet - 1),        /* signals */
        infinite | 0x12345,            /* signals */
        infinite | quiet,              /* does not */
        infinite | quiet | 0x54321,    /* does not */
        infinite | (least_normal - 1), /* does not */
    };

    for (size_t i = 0; i < COUNT(magnitudes); i++) {
        add_bits(magnitudes[i]);
        add_bits(magnitudes[i] | (uint64_t)1 << (all - 1));
    }
}

/* An edge, and each integer that becomes one by way of --shift. */
static void
add_edge(const struct oracle *oracle, enum sample_type type, double edge)
{
    const char *shift = oracle->test->texts.shift;
    test_integer factor = (test_integer)1 << (shift == NULL ? 0 : atoi(shift));

    if (!is_integer(type)) {
        add_numbers(type, edge);
        add_numbers(type, -edge);
    } else if (fabs(edge) < (HAS_INT128 ? 0x1p70 : 0x1p32)) {
        test_integer whole = (test_integer)floor(edge);
        add_integers(type, whole * factor);
        add_integers(type, (whole + 1) * factor);
    }
}

static void
choose_values(const struct oracle *oracle, enum sample_type type)
{
    const struct binning_axis *axis = oracle->axis;
    unsigned int bits = bits_of(type);

    value_count = 0;
    if (bits <= 16) {
        /* A step that meets each byte, low or high, at some time. */
        unsigned int step = IS_INSTRUMENTED && bits > 8 ? 251 : 1;
        for (uint64_t v = 0; v < (uint64_t)1 << bits; v += step)
            add_bits(v);
        return;
    }
    for (int i = 0; i < rounds_of(500); i++)
        add_bits(noise() >> (64 - bits) >> (noise() % bits));
    if (!is_integer(type))
        add_special_numbers(type);
    for (unsigned int i = 0; i <= bits && is_integer(type); i++) {
        add_integers(type, (test_integer)1 << i);
        add_integers(type, -((test_integer)1 << i));
    }
    if (axis->kind == BINNING_DIRECT) {
        test_integer first = is_signed(type)
                                 ? (test_integer)(int64_t)axis->first
                                 : (test_integer)axis->first;
        add_integers(type, first);
        add_integers(type, first + (test_integer)axis->bins);
        return;
    }
    const uint64_t most = IS_EMULATED ? 15 : 100;
    for (uint64_t i = 0; i <= axis->bins && i < most; i++) {
        add_edge(oracle, type, oracle_edge(oracle, i));
        add_edge(oracle, type, oracle_edge(oracle, axis->bins - i));
        add_edge(oracle, type, oracle_edge(oracle, noise() % axis->bins));
    }
}

/* ---- the comparison ---- */

static void
print_wrong(const char *name, uint64_t bits, uint64_t cell, uint64_t wanted)
{
    printf("# %s: the bits 0x%llx are in cell %llu, not in %llu\n", name,
           (unsigned long long)bits, (unsigned long long)cell,
           (unsigned long long)wanted);
}

/* The bytes of an element, the lowest first unless IS_BIG. */
static void
store(unsigned char *bytes, unsigned int bits_of_it, uint64_t bits, bool is_big)
{
    unsigned int size = bits_of_it / 8;

    for (unsigned int i = 0; i < size; i++)
        bytes[is_big ? size - 1 - i : i] = (unsigned char)(bits >> 8 * i);
}

/* How many values of TYPE are in a wrong cell. */
static size_t
count_wrong(const struct oracle *oracle, const char *name,
            enum sample_type type, bool is_big)
{
    const struct binning_axis *axis = oracle->axis;
    struct binning_tables tables = {oracle->edges->edge, NULL};
    /* The second order need not see all 65536. */
    size_t step = value_count > 60000 && is_big ? 17 : 1;
    size_t wrong = 0;

    for (size_t i = 0; i < value_count; i += step) {
        unsigned char bytes[9];
        store(bytes + 1, bits_of(type), value[i], is_big);
        uint64_t bits = binning_load(bytes + 1, axis->type, axis->is_swapped);
        uint64_t cell = binning_cell(axis, &tables, bits);
        uint64_t wanted = oracle_cell(oracle, type, value[i]);
        if (cell != wanted && wrong++ == 0)
            print_wrong(name, value[i], cell, wanted);
    }
    return wrong;
}

/* The numbers in TEXT, for free(). */
static double *
list_numbers(const char *text)
{
    double *list = calloc(strlen(text), sizeof *list);
    size_t count = 0;

    if (list == NULL)
        abort();
    for (;;) {
        char *end;
        list[count++] = strtod(text, &end) + 0.0;
        if (*end == '\0')
            return list;
        text = end + 1;
    }
}

static size_t
try_axis(const struct test_case *test, enum sample_type type,
         enum binning_closed closed, bool is_big)
{
    struct axis_edges edges = {0};
    struct binning_axis axis;
    struct record record;
    struct error error = ERROR_NONE;
    char name[8];
    size_t wrong = 1;

    snprintf(name, sizeof name, "%c%s", is_big ? '>' : '<',
             record_type_name(type));
    if (record_parse(&record, name, ORDER_MACHINE, "--dtype", &error) == 0 &&
        axis_make(&axis, &edges, &test->texts, &record.element[0], closed,
                  &error) == 0) {
        struct oracle oracle = {test, &axis, &edges, NULL};
        if (test->texts.edges != NULL)
            oracle.listed = list_numbers(test->texts.edges);
        choose_values(&oracle, type);
        wrong = count_wrong(&oracle, name, type, is_big);
        free(oracle.listed);
    } else {
        printf("# %s: %s\n", name, error.text);
    }
    error_clear(&error);
    record_close(&record);
    free(edges.edge);
    return wrong;
}

static void
print_texts(char text[200], const struct axis_texts *texts)
{
    const char *const names[] = {"bins",   "range", "width", "edges", "log",
                                 "subdiv", "shift", "mask",  "mod"};
    const char *const given[] = {texts->bins,  texts->range, texts->bin_width,
                                 texts->edges, texts->log,   texts->subdiv,
                                 texts->shift, texts->mask,  texts->mod};
    size_t used = 0;

    *text = '\0';
    for (size_t i = 0; i < COUNT(names); i++) {
        if (given[i] != NULL)
            used += (size_t)snprintf(text + used, 200 - used, " %s=%.40s",
                                     names[i], given[i]);
    }
}

static void
test_cases(void)
{
    static const char *const names[] = {"left", "right", "numpy"};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct test_case *test = &cases[i];
        for (unsigned int closed = 0; closed < 3; closed++) {
            char text[200];
            size_t wrong = 0;
            if ((test->closed >> closed & 1) == 0)
                continue;
            for (unsigned int type = 0; type < TYPES; type++) {
                bool is_tested = test->types >> type & 1;
                if (!HAS_INT128 && (1 << type & (U8 | I8)) != 0)
                    is_tested = false;
                for (int big = 0; big < 2 && is_tested; big++)
                    wrong += try_axis(test, (enum sample_type)type,
                                      (enum binning_closed)closed, big);
            }
            print_texts(text, &test->texts);
            ok(wrong == 0, "%s closed:%s (%zu wrong)", names[closed], text,
               wrong);
        }
    }
}

/* ---- the edges of logarithmic axes ---- */

/* Whether the edges of a log axis are the powers that they stand for. */
static void
test_powers(const char *base, long double ratio)
{
    static const char *const subdivs[] = {"0", "1", "4"};
    size_t wrong = 0;

    for (size_t s = 0; s < COUNT(subdivs); s++) {
        struct axis_texts texts = {
            .log = base, .subdiv = subdivs[s], .range = "1e-20,1e20"};
        struct element element = {.type = SAMPLE_F8};
        struct axis_edges edges = {0};
        struct binning_axis axis;
        struct error error = ERROR_NONE;
        long double steps = powl(2, atoi(subdivs[s]));

        if (axis_make(&axis, &edges, &texts, &element, BINNING_LEFT, &error) <
            0)
            abort();
        long double lo = axis_edge(&axis, &edges, 0);
        long double first = roundl(logl(lo) / logl(ratio) * steps);
        for (uint64_t i = 0; i <= axis.bins; i++) {
            long double wanted = powl(ratio, (first + (long double)i) / steps);
            long double edge = axis_edge(&axis, &edges, i);
            wrong += fabsl(edge - wanted) > wanted * 0x1p-51L;
        }
        wrong += lo > 1e-20L || axis_edge(&axis, &edges, 1) <= 1e-20;
        wrong += axis_edge(&axis, &edges, axis.bins) < 1e20 ||
                 axis_edge(&axis, &edges, axis.bins - 1) >= 1e20;
        free(edges.edge);
    }
    ok(wrong == 0, "the edges are powers of %s (%zu wrong)", base, wrong);
}

/* Powers of ten are exact. */
static void
test_decades(void)
{
    struct axis_texts texts = {.log = "10", .range = "1e-300,1e300"};
    struct element element = {.type = SAMPLE_F8};
    struct axis_edges edges = {0};
    struct binning_axis axis;
    struct error error = ERROR_NONE;
    bool is_right =
        axis_make(&axis, &edges, &texts, &element, BINNING_LEFT, &error) == 0;

    for (int i = 0; i <= 600 && is_right; i++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", i - 300);
        is_right = axis.bins == 600 &&
                   axis_edge(&axis, &edges, (uint64_t)i) == strtod(text, NULL);
    }
    ok(is_right, "decades begin at whole powers of 10, exactly");
    free(edges.edge);
}

/* ---- narrow elements: by their bits, or looked up ---- */

/* Count fields of TYPE with a rule, and weights where it is to be a lookup. */
static size_t
try_narrow(const struct axis_texts *texts, enum sample_type type,
           enum binning_closed closed, bool is_big, bool is_lookup)
{
    struct test_case test = {.texts = *texts};
    struct spec_options options = {.closed = closed};
    struct spec spec;
    struct error error = ERROR_NONE;
    char record[16];
    size_t wrong = 1;

    snprintf(record, sizeof record, "x*3,%c%s,u1", is_big ? '>' : '<',
             record_type_name(type));
    options.record = record;
    options.fields = (struct axis_option){.text = {"1"}, .count = 1};
    options.weights = is_lookup ? "2" : NULL;
    options.axis.bins = (struct axis_option){"bins", {texts->bins}, 1};
    options.axis.range = (struct axis_option){"range", {texts->range}, 1};
    options.axis.edges = (struct axis_option){"edges", {texts->edges}, 1};
    options.axis.log = (struct axis_option){"log", {texts->log}, 1};
    options.axis.mod = (struct axis_option){"mod", {texts->mod}, 1};
    if (spec_make(&spec, &options, NULL, UINT64_MAX, &error) < 0) {
        printf("# %s: %s\n", record, error.text);
        error_clear(&error);
        spec_close(&spec);
        return 1;
    }
    const struct binning_axis *counted = &spec.counted[0];
    struct oracle oracle = {&test, &spec.shown[0], &spec.edges, NULL};
    struct binning_tables tables = spec_tables(&spec);
    if (texts->edges != NULL)
        oracle.listed = list_numbers(texts->edges);
    unsigned int kind = is_lookup ? BINNING_LOOKUP : BINNING_RAW;
    if (counted->kind == kind && counted->offset == 3) {
        wrong = 0;
        /* A step that meets each byte, low or high, at some time. */
        unsigned int step = IS_INSTRUMENTED && bits_of(type) > 8 ? 251 : 1;
        for (uint64_t bits = 0; bits < (uint64_t)1 << bits_of(type);
             bits += step) {
            unsigned char bytes[8];
            store(bytes, bits_of(type), bits, is_big);
            uint64_t cell = binning_cell(
                counted, &tables,
                binning_load(bytes, counted->type, counted->is_swapped));
            uint64_t wanted = is_lookup ? oracle_cell(&oracle, type, bits)
                              : bits_of(type) == 8
                                  ? bits
                                  : (uint64_t)bytes[0] | (uint64_t)bytes[1]
                                                             << 8;
            if (cell != wanted && wrong++ == 0)
                print_wrong(record, bits, cell, wanted);
        }
    }
    free(oracle.listed);
    spec_close(&spec);
    return wrong;
}

static void
test_narrow(void)
{
    static const enum sample_type types[] = {SAMPLE_U1, SAMPLE_I1, SAMPLE_U2,
                                             SAMPLE_I2, SAMPLE_F2};
    static const struct axis_texts rules[] = {
        {.bins = "10", .range = "-50,50"},
        {.edges = "-3,0,0.5,7,1000"},
        {.log = "2"},
        {.log = "10", .range = "0.1,100"},
        {.mod = "10"},
        {0},
    };

    for (size_t t = 0; t < COUNT(types); t++) {
        for (int lookup = 0; lookup < 2; lookup++) {
            size_t wrong = 0;
            for (size_t i = 0; i < COUNT(rules); i++) {
                const struct axis_texts *rule = &rules[i];
                bool is_direct = rule->bins == NULL && rule->edges == NULL &&
                                 rule->log == NULL;
                if (types[t] == SAMPLE_F2 && is_direct)
                    continue;
                for (unsigned int n = 0; n < 6; n++) {
                    enum binning_closed closed = (enum binning_closed)(n / 2);
                    if (is_direct && closed == BINNING_NUMPY)
                        continue;
                    wrong += try_narrow(rule, types[t], closed, n % 2, lookup);
                }
            }
            ok(wrong == 0, "%s: all values, %s (%zu wrong)",
               record_type_name(types[t]),
               lookup ? "looked up" : "by their bits", wrong);
        }
    }
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    test_cases();
    if (LDBL_MANT_DIG >= 64) {
        test_powers("10", 10);
        test_powers("e", expl(1));
    } else {
        ok(true, "powers # SKIP a long double has no more digits than an edge");
    }
    test_decades();
    test_narrow();
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/*
 * binning.h -- the cell of a value: the only definition
 *
 * Every engine includes this file, which is written in the common subset of
 * C11, CUDA C++ and OpenCL C.  Arithmetic is in double, and each operation is
 * rounded separately: the C code is built with -ffp-contract=off, the CUDA
 * kernels with -fmad=false; a pragma below does the same for OpenCL.
 *
 * DEVICE_GLOBAL marks pointers to device memory, for OpenCL only.
 * BINNING_NO_DOUBLES is defined for OpenCL devices without doubles; the
 * functions that need doubles are then left out.
 *
 * An axis has BINS bins, followed by flow cells for the values in no bin.  A
 * value x is in bin i if edge(i) <= x < edge(i + 1).  The comparison uses the
 * exact edges that are printed; an index computed by multiplication is only a
 * first guess.
 *
 * A 64-bit integer may have no exact double.  Such an integer is rounded down
 * if bins are closed on the left, and up if bins are closed on the right.  Then
 * each comparison with an edge, a double, has the same result as for the
 * integer itself.
 */

#ifndef GPUHIST_BINNING_H
#define GPUHIST_BINNING_H

#ifdef __CUDACC__
#    define DEVICE_FN __device__ static __forceinline__
typedef int binning_i32;
typedef unsigned int binning_u32;
typedef long long binning_i64;
typedef unsigned long long binning_u64;
#    define binning_double_bits(x) ((binning_u64)__double_as_longlong(x))
#    define binning_bits_double(b) __longlong_as_double((binning_i64)(b))
#    define binning_bits_float(b) __uint_as_float(b)
#    define binning_leading_zeros(x) __clzll((binning_i64)(x))
#    define DEVICE_GLOBAL
#elif defined __OPENCL_C_VERSION__
#    pragma OPENCL FP_CONTRACT OFF
#    define DEVICE_FN static inline __attribute__((always_inline))
#    define DEVICE_GLOBAL __global
typedef int binning_i32;
typedef uint binning_u32;
typedef long binning_i64;
typedef ulong binning_u64;
#    ifndef BINNING_NO_DOUBLES
#        define binning_double_bits(x) as_ulong(x)
#        define binning_bits_double(b) as_double(b)

/* A device may treat subnormal floats as 0, but not subnormal doubles. */
DEVICE_FN double
binning_bits_float(binning_u32 bits)
{
    double fraction = (double)(bits & 0x7fffff) * 0x1p-149;

    if ((bits >> 23 & 255) != 0)
        return (double)as_float(bits);
    return bits >> 31 != 0 ? -fraction : fraction;
}

#        define binning_leading_zeros(x) clz(x)
#    endif
#else
#    include <stdint.h>
#    include <string.h>
#    define DEVICE_FN static inline __attribute__((always_inline))
#    define DEVICE_GLOBAL
typedef int32_t binning_i32;
typedef uint32_t binning_u32;
typedef int64_t binning_i64;
typedef uint64_t binning_u64;

DEVICE_FN binning_u64
binning_double_bits(double x)
{
    binning_u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

DEVICE_FN double
binning_bits_double(binning_u64 bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

DEVICE_FN float
binning_bits_float(binning_u32 bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#    define binning_leading_zeros(x) __builtin_clzll(x)
#endif

/* A double in structures; without doubles, an integer of the same size. */
#ifdef BINNING_NO_DOUBLES
typedef binning_u64 binning_real;
#else
typedef double binning_real;
#endif

/*
 * Types of an element, as numpy names them: the digit is the size in bytes.
 * The name of a float of one byte has the bits of its exponent and fraction.
 */
enum sample_type {
    SAMPLE_U1,
    SAMPLE_I1,
    SAMPLE_U2,
    SAMPLE_I2,
    SAMPLE_U4,
    SAMPLE_I4,
    SAMPLE_U8,
    SAMPLE_I8,
    SAMPLE_F2,
    SAMPLE_F4,
    SAMPLE_F8,
    SAMPLE_BF16,    /* bfloat16 */
    SAMPLE_E4M3,    /* OCP 8-bit floating point (2023), without infinities */
    SAMPLE_E5M2,    /* of the same specification, with infinities */
    SAMPLE_DECIMAL, /* of weights in text only, without bits */
};

/*
 * How a cell is found.  Several rules (src/hist/axis_rule.h) may make axes of
 * one kind.  A new kind needs a case in binning_number_cell(), which is for all
 * engines, and in
 * - src/hist/axis.c: axis_edge(), and axis_cut() if its axes are trimmed;
 * - src/engine/cpu/cells/bin_row.c: find_numbers(), which finds many cells at
 *   a time;
 * - kernels/binning/samples.cuh: for_samples() and find_method();
 * - tests/unit/test_bin_row.c, which compares bin_row.c with this file, and the
 *   oracle of tests/unit/test_binning.c;
 * - tests/fake/fake_cuda.c: is_sound(), if the kind has a table.
 */
enum binning_kind {
    BINNING_RAW,    /* the element's bits; 8 and 16 bits only */
    BINNING_LOOKUP, /* a table's entry for these bits; 8 and 16 bits only */
    BINNING_DIRECT, /* an integer, or the bits of a float, minus `first` */
    BINNING_EVEN,   /* bins of equal width */
    BINNING_EDGES,  /* bins between the edges of a table */
    BINNING_LOG2,   /* 2^subdivision even bins in each octave */
    BINNING_KEY,    /* a key of src/hist/key_list.h; binning_cell() has none */
    BINNING_NUMBER, /* a key that is the code of a number */
};

/* The edge that belongs to a bin. */
enum binning_closed {
    BINNING_LEFT,  /* [lo, hi) */
    BINNING_RIGHT, /* (lo, hi] */
    BINNING_NUMPY, /* [lo, hi), but the last bin is [lo, hi] */
};

/*
 * On an axis with automatic range, values with a greater magnitude count as
 * infinite: no computation overflows.
 */
#define BINNING_AUTO_MAX 0x1p1020

/* The flow cells, numbered from the cell after the last bin. */
enum binning_flow {
    BINNING_UNDERFLOW, /* below the first edge; on a log axis also above 0 */
    BINNING_OVERFLOW,
    BINNING_NAN,
    BINNING_ZERO,     /* on a log axis only */
    BINNING_NEGATIVE, /* on a log axis only */
    BINNING_FLOWS,
};

/* An element of a record, and the rule from values to cells. */
struct binning_axis {
    binning_u64 bins;
    binning_u64 base;   /* of its first cell in the histogram */
    binning_u64 stride; /* between its adjacent cells in the histogram */

    /* Integers: first >> shift, then & mask, then modulo mod (unless 0). */
    binning_u64 mask;
    binning_u64 mod;
    binning_u32 shift;

    binning_u32 offset;      /* of the element in the record, in bytes */
    binning_u32 type;        /* enum sample_type */
    binning_u32 is_swapped;  /* the highest byte first */
    binning_u32 kind;        /* enum binning_kind */
    binning_u32 closed;      /* enum binning_closed */
    binning_u32 is_log;      /* zero and negatives have flow cells */
    binning_u32 is_auto;     /* EVEN, on a lattice found while counting: lo to
                                scale */
    binning_u32 is_trimmed;  /* only occurring bins are shown */
    binning_u32 subdivision; /* LOG2: 2^subdivision bins an octave; or a
                            scale: axis_scale() of src/hist/axis.h */
    binning_u32 rule;        /* the rule of the axis: src/hist/axis_rule.h */
    binning_u32 is_text;     /* a number in a field of text: src/hist/axis.h */
    binning_u32 has_invalid; /* of keys: a record may be wrong */
    binning_u32 is_decimal;  /* NUMBER: as written, not rounded */

    binning_u64 first;      /* DIRECT: the value of bin 0, two's complement */
    binning_u64 table;      /* EDGES, LOOKUP: index of its first entry */
    binning_real lo;        /* first edge */
    binning_real hi;        /* last edge */
    binning_real width;     /* EVEN: width of a bin */
    binning_real scale;     /* EVEN: bins / (hi - lo) */
    binning_i64 first_step; /* LOG2: (octave << subdivision) + step of lo */
};

/* The tables that axes index. */
struct binning_tables {
    DEVICE_GLOBAL const binning_real *edges;
    DEVICE_GLOBAL const binning_u32 *lookup;
};

/* The size of an element of TYPE, in bytes. */
DEVICE_FN binning_u32
binning_size(binning_u32 type)
{
    switch (type) {
    case SAMPLE_U1:
    case SAMPLE_I1:
    case SAMPLE_E4M3:
    case SAMPLE_E5M2:
        return 1;
    case SAMPLE_U2:
    case SAMPLE_I2:
    case SAMPLE_F2:
    case SAMPLE_BF16:
        return 2;
    case SAMPLE_U4:
    case SAMPLE_I4:
    case SAMPLE_F4:
        return 4;
    default:
        return 8;
    }
}

DEVICE_FN int
binning_is_float(binning_u32 type)
{
    return type >= SAMPLE_F2;
}

DEVICE_FN int
binning_is_signed(binning_u32 type)
{
    return !binning_is_float(type) && (type & 1) != 0;
}

/*
 * The type that is computed with for TYPE: each value of a short type is one of
 * a longer type, of other bits.  For E4M3 it is 2^-8 times the value.
 */
DEVICE_FN binning_u32
binning_wide_type(binning_u32 type)
{
    return type == SAMPLE_BF16                          ? SAMPLE_F4
           : type == SAMPLE_E4M3 || type == SAMPLE_E5M2 ? SAMPLE_F2
                                                        : type;
}

/* The bits of an element of TYPE with these BITS, as binning_wide_type(). */
DEVICE_FN binning_u64
binning_wide_bits(binning_u32 type, binning_u64 bits)
{
    if (type == SAMPLE_BF16)
        return bits << 16;
    if (type == SAMPLE_E5M2)
        return bits << 8;
    if (type != SAMPLE_E4M3)
        return bits;
    /* The greatest exponent is one like others, but for one NaN. */
    binning_u64 magnitude = bits & 127;
    return (bits & 128) << 8 | (magnitude == 127 ? 0x7e00 : magnitude << 7);
}

/* The bits of an element at any address. */
DEVICE_FN binning_u64
binning_load(DEVICE_GLOBAL const unsigned char *element, binning_u32 type,
             binning_u32 is_swapped)
{
    binning_u32 size = binning_size(type);
    binning_u64 bits = 0;

    for (binning_u32 i = 0; i < size; i++)
        bits |= (binning_u64)element[is_swapped ? size - 1 - i : i] << (8 * i);
    return bits;
}

/*
 * The value of an integer element after shift, mask and mod, as 64-bit two's
 * complement.
 */
DEVICE_FN binning_u64
binning_integer(const struct binning_axis *axis, binning_u64 bits)
{
    int is_signed = binning_is_signed(axis->type);
    binning_u32 unused = 64 - 8 * binning_size(axis->type);
    binning_u64 value = bits;

    if (is_signed)
        value = (binning_u64)((binning_i64)(value << unused) >> unused >>
                              axis->shift);
    else
        value >>= axis->shift;
    value &= axis->mask;
    if (axis->mod != 0) {
        /* -1 modulo 3 is 2. */
        if (is_signed && (binning_i64)value < 0)
            value = axis->mod - 1 - (~value % axis->mod);
        else
            value %= axis->mod;
    }
    return value;
}

#ifndef BINNING_NO_DOUBLES

/* The value of an f2 with these BITS. */
DEVICE_FN double
binning_half(binning_u64 bits)
{
    binning_u64 sign = bits >> 15 << 63;
    binning_u64 exponent = bits >> 10 & 31;
    binning_u64 fraction = bits & 1023;
    double magnitude;

    if (exponent == 0) /* a multiple of 2^-24 */
        magnitude = (double)fraction * (1.0 / 16777216);
    else if (exponent == 31) /* infinite or NaN */
        magnitude =
            binning_bits_double((binning_u64)2047 << 52 | fraction << 42);
    else
        magnitude =
            binning_bits_double((exponent + 1008) << 52 | fraction << 42);
    return binning_bits_double(binning_double_bits(magnitude) | sign);
}

/* The value of an element of TYPE, which is of floats, with these BITS. */
DEVICE_FN double
binning_float(binning_u32 type, binning_u64 bits)
{
    binning_u64 wide = binning_wide_bits(type, bits);

    if (type == SAMPLE_F8)
        return binning_bits_double(wide);
    if (binning_wide_type(type) == SAMPLE_F4)
        return (double)binning_bits_float((binning_u32)wide);
    return binning_half(wide) * (type == SAMPLE_E4M3 ? 256 : 1);
}

/* MAGNITUDE as a double, rounded down, or up if UP. */
DEVICE_FN double
binning_round(binning_u64 magnitude, int up)
{
    binning_u64 excess = magnitude >> 53;

    if (excess == 0)
        return (double)magnitude;
    binning_u32 shift = 64 - (binning_u32)binning_leading_zeros(excess);
    binning_u64 kept = magnitude >> shift;
    up = up && kept << shift != magnitude;
    /* At most 2^53 times a power of two: factors and product are exact. */
    return (double)(kept + (up ? 1 : 0)) * (double)((binning_u64)1 << shift);
}

/* An integer as a double, for comparisons with edges: see above. */
DEVICE_FN double
binning_ordered(binning_u64 value, int is_signed, int up)
{
    if (is_signed && (binning_i64)value < 0)
        return -binning_round(0 - value, !up);
    return binning_round(value, up);
}

/* Whether an integer and a double are the same number. */
DEVICE_FN int
binning_is_exactly(binning_u64 value, int is_signed, double x)
{
    return binning_ordered(value, is_signed, 0) == x &&
           binning_ordered(value, is_signed, 1) == x;
}

/* Edge I of an EVEN axis. */
DEVICE_FN double
binning_even_edge(const struct binning_axis *axis, binning_u64 i)
{
    return i == axis->bins ? axis->hi : axis->lo + (double)i * axis->width;
}

/* Edge I of a LOG2 axis; the edge is at least 2^-1022. */
DEVICE_FN double
binning_log2_edge(const struct binning_axis *axis, binning_u64 i)
{
    binning_i64 step = axis->first_step + (binning_i64)i;

    /* The exponent and the first bits of the fraction are adjacent. */
    return binning_bits_double(
        (binning_u64)(step + ((binning_i64)1023 << axis->subdivision))
        << (52 - axis->subdivision));
}

/* Whether a value at edge I of AXIS belongs to the bin below it. */
DEVICE_FN int
binning_is_excluded(const struct binning_axis *axis, binning_u64 i)
{
    return axis->closed == BINNING_RIGHT ||
           (axis->closed == BINNING_NUMPY && i == axis->bins);
}

/*
 * Whether X belongs to a bin above EDGE.  If X is EDGE, the closed side of bins
 * decides: RIGHT, or left.
 */
DEVICE_FN int
binning_is_above(double x, double edge, int right)
{
    return right ? x > edge : x >= edge;
}

/* The bin of X on an EVEN axis; X is between the first and the last edge. */
DEVICE_FN binning_u64
binning_even_bin(const struct binning_axis *axis, double x, int right)
{
    double guess = (x - axis->lo) * axis->scale;
    binning_u64 bin =
        guess >= (double)axis->bins ? axis->bins - 1 : (binning_u64)guess;

    while (bin > 0 && !binning_is_above(x, binning_even_edge(axis, bin), right))
        bin--;
    while (bin + 1 < axis->bins &&
           binning_is_above(x, binning_even_edge(axis, bin + 1), right))
        bin++;
    return bin;
}

/* The bin of X on an EDGES axis; X is between the first and the last edge. */
DEVICE_FN binning_u64
binning_edges_bin(const struct binning_axis *axis,
                  DEVICE_GLOBAL const double *edges, double x, int right)
{
    binning_u64 low = 0;
    binning_u64 high = axis->bins;

    /* x is above edge `low`, and not above edge `high`. */
    while (high - low > 1) {
        binning_u64 middle = low + (high - low) / 2;
        if (binning_is_above(x, edges[middle], right))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The bin of X on a LOG2 axis; X is between the first and the last edge. */
DEVICE_FN binning_u64
binning_log2_bin(const struct binning_axis *axis, double x, int right)
{
    binning_u32 shift = 52 - axis->subdivision;
    binning_u64 bits = binning_double_bits(x);
    binning_i64 step = (binning_i64)(bits >> shift) -
                       ((binning_i64)1023 << axis->subdivision) -
                       axis->first_step;

    if (right && bits >> shift << shift == bits)
        step--;
    return (binning_u64)step;
}

/* The cell of X, a bin or a flow cell, on an axis that compares doubles. */
DEVICE_FN binning_u64
binning_number_cell(const struct binning_axis *axis,
                    const struct binning_tables *tables, double x)
{
    int right = axis->closed == BINNING_RIGHT;

    if (x != x)
        return axis->bins + BINNING_NAN;
    if (axis->is_log && x <= 0)
        return axis->bins + (x == 0 ? BINNING_ZERO : BINNING_NEGATIVE);
    if (!binning_is_above(x, axis->lo, right) ||
        (axis->is_auto && x < -BINNING_AUTO_MAX))
        return axis->bins + BINNING_UNDERFLOW;
    if (binning_is_above(x, axis->hi, right) ||
        (axis->is_auto && x > BINNING_AUTO_MAX))
        return axis->bins + BINNING_OVERFLOW;
    if (axis->kind == BINNING_EVEN)
        return binning_even_bin(axis, x, right);
    if (axis->kind == BINNING_LOG2)
        return binning_log2_bin(axis, x, right);
    return binning_edges_bin(axis, tables->edges + axis->table, x, right);
}

/* As binning_number_cell(), of a float: X is exact. */
DEVICE_FN binning_u64
binning_real_cell(const struct binning_axis *axis,
                  const struct binning_tables *tables, double x)
{
    /* As in numpy, the last edge belongs to the last bin. */
    if (axis->closed == BINNING_NUMPY && x == axis->hi)
        return axis->bins - 1;
    return binning_number_cell(axis, tables, x);
}

#endif

/* The cell of VALUE, an integer, on a DIRECT axis. */
DEVICE_FN binning_u64
binning_direct_cell(const struct binning_axis *axis, binning_u64 value)
{
    /* Distances below `first` wrap around to large ones. */
    binning_u64 distance = value - axis->first;
    int is_below = binning_is_signed(axis->type)
                       ? (binning_i64)value < (binning_i64)axis->first
                       : value < axis->first;

    if (is_below)
        return axis->bins + BINNING_UNDERFLOW;
    return distance < axis->bins ? distance : axis->bins + BINNING_OVERFLOW;
}

/*
 * The cell of an element with these BITS, zero-extended: 0 to bins - 1, or bins
 * plus one of enum binning_flow.
 */
DEVICE_FN binning_u64
binning_cell(const struct binning_axis *axis,
             const struct binning_tables *tables, binning_u64 bits)
{
    if (axis->kind == BINNING_RAW)
        return bits;
    if (axis->kind == BINNING_LOOKUP)
        return tables->lookup[axis->table + bits];

#ifndef BINNING_NO_DOUBLES
    if (binning_is_float(axis->type) && axis->kind != BINNING_DIRECT)
        return binning_real_cell(axis, tables, binning_float(axis->type, bits));
#endif

    binning_u64 value = binning_integer(axis, bits);
#ifdef BINNING_NO_DOUBLES
    return binning_direct_cell(axis, value);
#else
    int is_signed = binning_is_signed(axis->type);
    if (axis->kind == BINNING_DIRECT)
        return binning_direct_cell(axis, value);
    if (axis->closed == BINNING_NUMPY &&
        binning_is_exactly(value, is_signed, axis->hi))
        return axis->bins - 1;
    return binning_number_cell(
        axis, tables,
        binning_ordered(value, is_signed, axis->closed == BINNING_RIGHT));
#endif
}

#endif

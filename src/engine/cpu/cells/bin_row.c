/* SPDX-License-Identifier: MIT */
/*
 * bin_row.c -- find the cells of many elements at once, on the CPU
 *
 * Numbers are compared with edges as doubles, as in binning.h.  If bins are
 * closed on the right, each number is replaced by the next double below it,
 * because x > edge is the same as below(x) >= edge.  So all axes use one kind
 * of comparison and differ only in a few constants of the rule.
 *
 * An integer of 64 bits is the sum of two halves, which have exact doubles.
 * The rounding error of the sum is known exactly (T. J. Dekker, A
 * floating-point technique for extending the available precision, 1971), and
 * its sign tells whether the next double below is needed.
 */

#include <endian.h>
#include <math.h>
#include <string.h>

#include "base/wide_integer.h"
#include "engine/cpu/cells/bin_row.h"

#define INLINE static inline __attribute__((always_inline))

#define SIGN_BIT ((uint64_t)1 << 63)

/* ---- the constants of an axis ---- */

/* Whether all integers of AXIS fit into 51 bits and a sign. */
static bool
is_narrow_integer(const struct binning_axis *axis)
{
    /* A mask or a modulus can turn negative numbers into large ones. */
    if (binning_is_signed(axis->type) &&
        ((axis->mask != UINT64_MAX && axis->mask >> 51 != 0) ||
         axis->mod >> 51 != 0))
        return false;
    return binning_size(axis->type) <= 4;
}

/* Whether all edges of an EVEN axis are whole multiples of its width and exact
   doubles, as those of lattice.h are. */
static bool
has_exact_edges(const struct binning_axis *axis)
{
    double number = axis->lo / axis->width;
    int exponent;

    return frexp(axis->width, &exponent) == 0.5 && floor(number) == number &&
           fabs(number) + (double)axis->bins <= 0x1p53;
}

/*
 * Whether the computed position among the bins of an EVEN axis is always less
 * than 3/8 of a bin off.  Then the position plus 5/8, rounded down, is the
 * number of the bin or of the next bin, and one comparison decides.  The
 * relative rounding errors of scale and position are below 2^-38, for positions
 * up to 2^31.  Those of the edges are at most a quarter of a width.
 */
static bool
is_near(const struct binning_axis *axis)
{
    double most = fmax(fabs(axis->lo), fabs(axis->hi));
    double bins = (double)axis->bins;

    return isnormal(axis->width) && isnormal(axis->scale) &&
           fabs(axis->scale * axis->width - 1) < 0x1p-40 &&
           fabs(axis->scale * (axis->hi - axis->lo) - bins) < bins * 0x1p-40 &&
           (axis->width > most * 0x1p-50 || has_exact_edges(axis));
}

static void
set_flow(struct bin_row_rule *rule)
{
    const struct binning_axis *axis = rule->axis;
    struct bin_row_flow *flow = &rule->flow;
    bool right = axis->closed == BINNING_RIGHT;

    rule->least = right ? nextafter(-BINNING_AUTO_MAX, -(double)INFINITY)
                        : -BINNING_AUTO_MAX;
    rule->end = right ? BINNING_AUTO_MAX
                      : nextafter(BINNING_AUTO_MAX, (double)INFINITY);
    flow->under = axis->is_auto ? fmax(axis->lo, rule->least) : axis->lo;
    flow->over = axis->is_auto ? fmin(axis->hi, rule->end) : axis->hi;
    /* A number equal to the last edge is in the last bin. */
    if (axis->closed == BINNING_NUMPY)
        flow->over = nextafter(axis->hi, (double)INFINITY);
    flow->zero = right ? -0x1p-1074 : 0;
    for (int f = 0; f < BINNING_FLOWS; f++)
        flow->cell[f] = (double)axis->bins + f;
}

void
bin_row_rule_make(struct bin_row_rule *rule, const struct binning_axis *axis,
                  const struct binning_tables *tables, size_t record_bytes)
{
    *rule = (struct bin_row_rule){
        .axis = axis, .tables = tables, .record_bytes = record_bytes};
    rule->is_wide = !is_narrow_integer(axis);
    set_flow(rule);
    /* If more numbers are uncertain, computing in double is faster. */
    rule->is_single = axis->kind == BINNING_EVEN && axis->type == SAMPLE_F4 &&
                      floats_are_enough(axis) &&
                      floats_margin(axis) < 1.0 / 256;
    if (rule->is_single)
        rule->single = floats_make_rule(axis);
    rule->is_possible = true;
    if (axis->kind == BINNING_EVEN && !is_near(axis))
        rule->is_possible = false;
    /* No number is above an infinite edge.  If the last edge belongs to the
       last bin, an integer must not be rounded to that edge. */
    if (axis->closed == BINNING_NUMPY &&
        (isinf(axis->hi) || (rule->is_wide && fabs(axis->hi) > 0x1p52)))
        rule->is_possible = false;
}

/* ---- elements ---- */

/* As binning_load(), for elements with the lowest byte first. */
INLINE uint64_t
load(const unsigned char *element, size_t size)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (size) {
    case 1:
        return *element;
    case 2:
        memcpy(&two, element, sizeof two);
        return le16toh(two);
    case 4:
        memcpy(&four, element, sizeof four);
        return le32toh(four);
    default:
        memcpy(&eight, element, sizeof eight);
        return le64toh(eight);
    }
}

INLINE void
load_stride(const unsigned char *element, size_t count, size_t stride,
            size_t size, uint64_t *bits)
{
    for (size_t i = 0; i < count; i++)
        bits[i] = load(element + i * stride, size);
}

/* Constant strides, for which compilers generate shuffles. */
INLINE void
load_size(const unsigned char *element, size_t count, size_t stride,
          size_t size, uint64_t *bits)
{
    if (stride == size)
        load_stride(element, count, size, size, bits);
    else if (stride == 2 * size)
        load_stride(element, count, 2 * size, size, bits);
    else if (stride == 3 * size)
        load_stride(element, count, 3 * size, size, bits);
    else
        load_stride(element, count, stride, size, bits);
}

/* bin_row_load(), inlined. */
INLINE void
load_row(uint32_t type, bool is_swapped, const unsigned char *element,
         size_t count, size_t record_bytes, uint64_t *bits)
{
    uint32_t size = binning_size(type);

    switch (size) {
    case 1:
        load_size(element, count, record_bytes, 1, bits);
        break;
    case 2:
        load_size(element, count, record_bytes, 2, bits);
        break;
    case 4:
        load_size(element, count, record_bytes, 4, bits);
        break;
    default:
        load_size(element, count, record_bytes, 8, bits);
        break;
    }
    for (size_t i = count; i < BIN_ROW_ELEMENTS; i++)
        bits[i] = 0;
    if (is_swapped) {
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            bits[i] = __builtin_bswap64(bits[i]) >> (64 - 8 * size);
    }
}

void
bin_row_load(uint32_t type, bool is_swapped, const unsigned char *element,
             size_t count, size_t record_bytes, uint64_t bits[BIN_ROW_ELEMENTS])
{
    load_row(type, is_swapped, element, count, record_bytes, bits);
}

/*
 * N modulo MOD, which is not 0.  INVERSE is (2^64 - 1) / MOD, so that the
 * quotient is at most 1 too small.
 */
INLINE uint64_t
modulo(uint64_t n, uint64_t mod, uint64_t inverse)
{
    uint64_t quotient = wide_product(n, inverse).high;
    uint64_t remainder = n - quotient * mod;

    return remainder >= mod ? remainder - mod : remainder;
}

/* Turn bits into integers, as binning_integer() does. */
INLINE void
make_integers(const struct binning_axis *axis, uint64_t *bits)
{
    bool is_signed = binning_is_signed(axis->type);
    uint64_t sign = (uint64_t)is_signed << (8 * binning_size(axis->type) - 1);
    uint64_t top = is_signed ? SIGN_BIT : 0;
    uint32_t shift = axis->shift;
    uint64_t mask = axis->mask;
    uint64_t mod = axis->mod;

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        uint64_t value = (bits[i] ^ sign) - sign;
        /* AVX2 has no arithmetic shift of 64 bits. */
        bits[i] = (((value ^ top) >> shift) - (top >> shift)) & mask;
    }
    if (mod == 0)
        return;
    uint64_t inverse = UINT64_MAX / mod;
    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        /* -1 modulo 3 is 2. */
        uint64_t flip = is_signed ? -(bits[i] >> 63) : 0;
        uint64_t remainder = modulo(bits[i] ^ flip, mod, inverse);
        bits[i] = (remainder ^ flip) + (mod & flip);
    }
}

/* An integer of 51 bits and a sign, through the low bits of a fraction. */
INLINE double
small_double(uint64_t value)
{
    return binning_bits_double(value + UINT64_C(0x4338000000000000)) - 0x1.8p52;
}

/* The next double below X.  Returns NaN and -infinity unchanged. */
INLINE double
below(double x)
{
    uint64_t bits = x == 0 ? SIGN_BIT : binning_double_bits(x);
    /* For negative numbers larger bits mean a smaller number. */
    double next = binning_bits_double(bits + (bits >> 63 << 1) - 1);

    return x > -(double)INFINITY ? next : x;
}

/* As binning_ordered(), or if bins are closed on the right, the next double
   below that. */
INLINE void
order_integers(const struct bin_row_rule *rule, const uint64_t *value,
               double *x)
{
    bool right = rule->axis->closed == BINNING_RIGHT;
    uint64_t top = binning_is_signed(rule->axis->type) ? SIGN_BIT : 0;
    double exact = right ? 1 : 0;

    if (!rule->is_wide) {
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            x[i] = small_double(value[i]);
        for (size_t i = 0; right && i < BIN_ROW_ELEMENTS; i++)
            x[i] = below(x[i]);
        return;
    }
    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        uint64_t upper = ((value[i] ^ top) >> 32) - (top >> 32);
        double high = small_double(upper) * 0x1p32;
        double low = small_double(value[i] & 0xffffffffu);
        double sum = high + low;
        double lost = low - (sum - high);
        x[i] = lost < exact ? below(sum) : sum;
    }
}

/* Turn bits into numbers to compare with edges: a number is in a bin if it is
   at or above the bin's first edge and below the second. */
INLINE void
order_row(const struct bin_row_rule *rule, uint64_t *bits, double *x)
{
    const struct binning_axis *axis = rule->axis;

    switch (axis->type) {
    case SAMPLE_F8:
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            x[i] = binning_bits_double(bits[i]);
        break;
    case SAMPLE_F4:
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            x[i] = (double)binning_bits_float((uint32_t)bits[i]);
        break;
    case SAMPLE_F2:
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            x[i] = binning_half(bits[i]);
        break;
    case SAMPLE_BF16:
    case SAMPLE_E4M3:
    case SAMPLE_E5M2:
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            x[i] = binning_float(axis->type, bits[i]);
        break;
    default:
        make_integers(axis, bits);
        order_integers(rule, bits, x);
        return;
    }
    if (axis->closed == BINNING_RIGHT) {
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            x[i] = below(x[i]);
    }
}

/* ---- cells ---- */

/*
 * Find the bins of numbers.  The result for a number in no bin is ignored, but
 * must fit into 32 bits.
 */
INLINE void
find_even(const struct binning_axis *axis, const double *x, double *bin)
{
    double lo = axis->lo;
    double width = axis->width;
    double scale = axis->scale;
    double last = (double)(axis->bins - 1);

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        /* The edge of the bin or the next edge: see is_near(). */
        double next = (x[i] - lo) * scale + 0.625;
        next = next > 1 ? next : 1; /* also for NaN */
        next = next < last ? next : last;
        next = (double)(int32_t)next;
        double step = x[i] >= lo + next * width ? 0 : 1;
        bin[i] = next - step;
    }
}

/* The steps depend only on the axis, so all numbers take the same steps. */
INLINE void
find_edges(const struct binning_axis *axis, const double *edges,
           const double *x, double *bin)
{
    const double *edge = edges + axis->table;
    int32_t left = (int32_t)axis->bins;
    int32_t low[BIN_ROW_ELEMENTS] = {0};

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
        bin[i] = 0;
    if (left <= BIN_ROW_EDGES_FEW) {
        for (int32_t e = 1; e < left; e++) {
            double lowest = edge[e];
            for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
                bin[i] += x[i] >= lowest ? 1 : 0;
        }
        return;
    }
    while (left > 1) {
        int32_t half = left / 2;
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
            int32_t middle = low[i] + half;
            low[i] = x[i] >= edge[middle] ? middle : low[i];
        }
        left -= half;
    }
    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
        bin[i] = low[i];
}

INLINE void
find_log2(const struct binning_axis *axis, const double *x, double *bin)
{
    uint32_t shift = 52 - axis->subdivision;
    uint64_t first =
        (uint64_t)(((int64_t)1023 << axis->subdivision) + axis->first_step);
    double last = (double)(axis->bins - 1);

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        uint64_t step = (binning_double_bits(x[i]) >> shift) - first;
        double found = (int32_t)(uint32_t)step;
        /* With BINNING_NUMPY the last edge belongs to the last bin. */
        bin[i] = found < last ? found : last;
    }
}

/* Turn the bins of numbers into cells. */
INLINE void
find_cells(const struct bin_row_rule *rule, const double *x, const double *bin,
           uint32_t *cell)
{
    const struct bin_row_flow flow = rule->flow;

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        double place = bin[i];
        place = x[i] >= flow.over ? flow.cell[BINNING_OVERFLOW] : place;
        place = x[i] < flow.under ? flow.cell[BINNING_UNDERFLOW] : place;
        place = x[i] != x[i] ? flow.cell[BINNING_NAN] : place;
        cell[i] = (uint32_t)(int32_t)place;
    }
    if (!rule->axis->is_log)
        return;
    uint32_t zero_cell = (uint32_t)(rule->axis->bins + BINNING_ZERO);
    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        uint32_t place = x[i] == flow.zero ? zero_cell : cell[i];
        /* The cell of negative numbers follows that of zero. */
        cell[i] = x[i] < flow.zero ? zero_cell + 1 : place;
    }
}

INLINE void
find_direct(const struct binning_axis *axis, const uint64_t *value,
            uint32_t *cell)
{
    uint64_t top = binning_is_signed(axis->type) ? SIGN_BIT : 0;
    uint64_t first = axis->first;
    uint64_t bins = axis->bins;

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        uint64_t distance = value[i] - first;
        uint64_t bin = distance < bins ? distance : bins + BINNING_OVERFLOW;
        bin = (value[i] ^ top) < (first ^ top) ? bins + BINNING_UNDERFLOW : bin;
        cell[i] = (uint32_t)bin;
    }
}

INLINE void
find_numbers(const struct bin_row_rule *rule, uint64_t *bits, uint32_t *cell)
{
    const struct binning_axis *axis = rule->axis;
    double x[BIN_ROW_ELEMENTS];
    double bin[BIN_ROW_ELEMENTS];

    order_row(rule, bits, x);
    if (axis->kind == BINNING_EVEN)
        find_even(axis, x, bin);
    else if (axis->kind == BINNING_EDGES)
        find_edges(axis, rule->tables->edges, x, bin);
    else
        find_log2(axis, x, bin);
    find_cells(rule, x, bin, cell);
}

/* As load_stride() and load_size(), but to 32 bits. */
INLINE void
spread_stride(const unsigned char *element, size_t count, size_t stride,
              size_t size, uint32_t *bits)
{
    for (size_t i = 0; i < count; i++)
        bits[i] = (uint32_t)load(element + i * stride, size);
}

INLINE void
spread_size(const unsigned char *element, size_t count, size_t stride,
            size_t size, uint32_t *bits)
{
    if (stride == size)
        spread_stride(element, count, size, size, bits);
    else if (stride == 2 * size)
        spread_stride(element, count, 2 * size, size, bits);
    else if (stride == 3 * size)
        spread_stride(element, count, 3 * size, size, bits);
    else if (stride == 4 * size)
        spread_stride(element, count, 4 * size, size, bits);
    else
        spread_stride(element, count, stride, size, bits);
}

/* Find the cells of elements of 1 or 2 bytes: their bits, or by lookup. */
INLINE void
find_narrow(const struct bin_row_rule *rule, const unsigned char *element,
            size_t count, uint32_t *restrict cell)
{
    const struct binning_axis *axis = rule->axis;

    if (binning_size(axis->type) == 1)
        spread_size(element, count, rule->record_bytes, 1, cell);
    else
        spread_size(element, count, rule->record_bytes, 2, cell);
    if (axis->is_swapped && binning_size(axis->type) == 2) {
        for (size_t i = 0; i < count; i++)
            cell[i] = (cell[i] & 255) << 8 | cell[i] >> 8;
    }
    if (axis->kind == BINNING_LOOKUP) {
        const binning_u32 *lookup = rule->tables->lookup + axis->table;
        for (size_t i = 0; i < count; i++)
            cell[i] = lookup[cell[i]];
    }
}

/* Set in a place or cell that is not certain. */
#define UNCERTAIN ((uint32_t)1 << 31)

/*
 * Find the even bins of 32-bit floats, in twice as many lanes as with doubles.
 * As in floats_find(), the position is computed in float, and the bin is
 * certain if the position is further from every edge than its error.  PLACE is
 * 0 below the first edge, 1 in the first bin, and bins + 1 above the last edge.
 * Returns how many places are not certain.
 */
INLINE uint32_t
place_singles(const struct bin_row_rule *rule, const uint32_t *bits,
              uint32_t *place)
{
    float lo = rule->single.lo;
    float scale = rule->single.scale;
    float last = rule->single.bins + 0.5f;
    float certain = rule->single.certain;
    uint32_t uncertain = 0;

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        float position = (binning_bits_float(bits[i]) - lo) * scale;
        /* Half a bin outside is certain.  NaN also counts as certain here. */
        position = position > -0.5f ? position : -0.5f;
        position = position < last ? position : last;
        position += 1;
        int32_t whole = (int32_t)position;
        float excess = position - (float)whole - 0.5f;
        uint32_t doubt = fabsf(excess) < certain ? 0 : UNCERTAIN;
        place[i] = (uint32_t)whole | doubt;
        uncertain += doubt >> 31;
    }
    return uncertain;
}

/* Turn such places into cells. */
INLINE void
find_singles(const struct binning_axis *axis, const uint32_t *bits,
             uint32_t *cell)
{
    int32_t bins = (int32_t)axis->bins;

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++) {
        float x = binning_bits_float(bits[i]);
        uint32_t doubt = cell[i] & UNCERTAIN;
        int32_t place = (int32_t)(cell[i] ^ doubt);
        int32_t found = place > bins ? bins + BINNING_OVERFLOW : place - 1;
        found = place == 0 ? bins + BINNING_UNDERFLOW : found;
        found = x != x ? bins + BINNING_NAN : found;
        cell[i] = (uint32_t)found | doubt;
    }
}

/* Find the cells of 32-bit floats.  Returns false: too many are uncertain. */
INLINE bool
find_single_row(const struct bin_row_rule *rule, const unsigned char *element,
                size_t count, uint32_t *cell)
{
    const struct binning_axis *axis = rule->axis;
    uint32_t bits[BIN_ROW_ELEMENTS];

    spread_size(element, count, rule->record_bytes, sizeof *bits, bits);
    for (size_t i = count; i < BIN_ROW_ELEMENTS; i++)
        bits[i] = 0;
    if (axis->is_swapped) {
        for (size_t i = 0; i < BIN_ROW_ELEMENTS; i++)
            bits[i] = __builtin_bswap32(bits[i]);
    }
    uint32_t uncertain = place_singles(rule, bits, cell);
    if (uncertain > BIN_ROW_ELEMENTS / 16)
        return false;
    find_singles(axis, bits, cell);
    for (size_t i = 0; uncertain > 0 && i < count; i++) {
        if (cell[i] >= UNCERTAIN)
            cell[i] = (uint32_t)binning_cell(axis, rule->tables, bits[i]);
    }
    return true;
}

INLINE void
find_row(const struct bin_row_rule *rule, const unsigned char *data,
         size_t count, uint32_t *cell)
{
    const struct binning_axis *axis = rule->axis;
    const unsigned char *element = data + axis->offset;
    uint64_t bits[BIN_ROW_ELEMENTS];

    if (axis->kind == BINNING_RAW || axis->kind == BINNING_LOOKUP) {
        find_narrow(rule, element, count, cell);
        return;
    }
    if (rule->is_single && find_single_row(rule, element, count, cell))
        return;
    load_row(axis->type, axis->is_swapped, element, count, rule->record_bytes,
             bits);
    if (!rule->is_possible) {
        for (size_t i = 0; i < count; i++)
            cell[i] = (uint32_t)binning_cell(axis, rule->tables, bits[i]);
    } else if (axis->kind == BINNING_DIRECT) {
        make_integers(axis, bits);
        find_direct(axis, bits, cell);
    } else {
        find_numbers(rule, bits, cell);
    }
}

/* ---- extents ---- */

/* Separate extents, for vector instructions. */
enum {
    LANES = 64
};

INLINE void
widen_lanes(const struct bin_row_rule *rule, const double *x, double *low,
            double *high)
{
    double least = rule->least;
    double end = rule->end;

    for (size_t i = 0; i < BIN_ROW_ELEMENTS; i += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            double number = x[i + l];
            /* Comparisons with NaN are false. */
            number = number >= least ? number : (double)NAN;
            number = number < end ? number : (double)NAN;
            low[l] = number < low[l] ? number : low[l];
            high[l] = number > high[l] ? number : high[l];
        }
    }
}

INLINE void
widen_rows(const struct bin_row_rule *rule, const unsigned char *data,
           size_t rows, double *min, double *max)
{
    const struct binning_axis *axis = rule->axis;
    uint64_t bits[BIN_ROW_ELEMENTS];
    double x[BIN_ROW_ELEMENTS];
    double low[LANES], high[LANES];

    for (size_t l = 0; l < LANES; l++) {
        low[l] = INFINITY;
        high[l] = -INFINITY;
    }
    for (size_t r = 0; r < rows; r++) {
        load_row(axis->type, axis->is_swapped, data + axis->offset,
                 BIN_ROW_ELEMENTS, rule->record_bytes, bits);
        order_row(rule, bits, x);
        widen_lanes(rule, x, low, high);
        data += BIN_ROW_ELEMENTS * rule->record_bytes;
    }
    for (size_t l = 1; l < LANES; l++) {
        low[0] = fmin(low[0], low[l]);
        high[0] = fmax(high[0], high[l]);
    }
    if (low[0] > high[0])
        return;
    /* Undo below(), which order_row() applied. */
    if (axis->closed == BINNING_RIGHT) {
        low[0] = nextafter(low[0], (double)INFINITY);
        high[0] = nextafter(high[0], (double)INFINITY);
    }
    *min = fmin(*min, low[0]);
    *max = fmax(*max, high[0]);
}

/* ---- for each kind of processor ---- */

static bool
is_always_possible(void)
{
    return true;
}

static void
find_plain(const struct bin_row_rule *rule, const unsigned char *data,
           size_t count, uint32_t cell[BIN_ROW_ELEMENTS])
{
    find_row(rule, data, count, cell);
}

static void
widen_plain(const struct bin_row_rule *rule, const unsigned char *data,
            size_t rows, double *min, double *max)
{
    widen_rows(rule, data, rows, min, max);
}

#ifdef BYTE_COUNT_HAS_AVX2
#    define AVX2 __attribute__((target("avx2")))

static bool
is_avx2_possible(void)
{
    return __builtin_cpu_supports("avx2");
}

AVX2 static void
find_avx2(const struct bin_row_rule *rule, const unsigned char *data,
          size_t count, uint32_t cell[BIN_ROW_ELEMENTS])
{
    find_row(rule, data, count, cell);
}

AVX2 static void
widen_avx2(const struct bin_row_rule *rule, const unsigned char *data,
           size_t rows, double *min, double *max)
{
    widen_rows(rule, data, rows, min, max);
}
#endif

#ifdef BYTE_COUNT_HAS_AVX512
#    define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

static bool
is_avx512_possible(void)
{
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

AVX512 static void
find_avx512(const struct bin_row_rule *rule, const unsigned char *data,
            size_t count, uint32_t cell[BIN_ROW_ELEMENTS])
{
    find_row(rule, data, count, cell);
}

AVX512 static void
widen_avx512(const struct bin_row_rule *rule, const unsigned char *data,
             size_t rows, double *min, double *max)
{
    widen_rows(rule, data, rows, min, max);
}
#endif

const struct bin_row_form bin_row_forms[] = {
#ifdef BYTE_COUNT_HAS_AVX512
    {"AVX-512", is_avx512_possible, find_avx512, widen_avx512},
#endif
#ifdef BYTE_COUNT_HAS_AVX2
    {"AVX2", is_avx2_possible, find_avx2, widen_avx2},
#endif
    {"plain", is_always_possible, find_plain, widen_plain},
    {NULL, NULL, NULL, NULL},
};

const struct bin_row_form *
bin_row_form_choose(void)
{
    const struct bin_row_form *form = bin_row_forms;

    while (!form->is_possible())
        form++;
    return form;
}

void
bin_row_widen(struct extent *extent, const struct binning_axis *axis,
              const unsigned char *data, size_t size, size_t record_bytes)
{
    size_t rows = size / record_bytes / BIN_ROW_ELEMENTS;
    const unsigned char *tail = data + rows * BIN_ROW_ELEMENTS * record_bytes;
    struct bin_row_rule rule;

    bin_row_rule_make(&rule, axis, NULL, record_bytes);
    bin_row_form_choose()->widen(&rule, data, rows, &extent->min, &extent->max);
    for (; tail < data + size; tail += record_bytes)
        extent_widen_bits(
            extent, axis,
            binning_load(tail + axis->offset, axis->type, axis->is_swapped));
}

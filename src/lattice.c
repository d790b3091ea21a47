/* lattice.c -- even bins for values whose range is not known beforehand */

#include <math.h>

#include "lattice.h"

/* So that nothing here overflows. */
#define MAGNITUDE_MAX 0x1p1020

/* A normal double has so many bits. */
#define DOUBLE_BITS 53
#define EXPONENT_MIN (-1022)

const struct extent extent_none = {INFINITY, -INFINITY};

/* ---- extents ---- */

/* Inlined for one type: it looks at every value. */
static inline __attribute__((always_inline)) void
add_value(struct extent *extent, const struct binning_axis *axis, uint32_t type,
          uint64_t bits)
{
    bool right = axis->closed == BINNING_RIGHT;
    double x = type == SAMPLE_F8   ? binning_bits_double(bits)
               : type == SAMPLE_F4 ? (double)binning_bits_float((uint32_t)bits)
               : type == SAMPLE_F2
                   ? binning_half(bits)
                   : binning_ordered(binning_integer(axis, bits),
                                     binning_is_signed(type), right);

    /* Not true of NaN. */
    if (fabs(x) <= MAGNITUDE_MAX) {
        extent->min = x < extent->min ? x : extent->min;
        extent->max = x > extent->max ? x : extent->max;
    }
}

void
extent_add_bits(struct extent *extent, const struct binning_axis *axis,
                uint64_t bits)
{
    add_value(extent, axis, axis->type, bits);
}

static inline __attribute__((always_inline)) void
add_elements(struct extent *extent, const struct binning_axis *axis,
             uint32_t type, const unsigned char *element,
             const unsigned char *end, size_t stride)
{
    struct extent sum = *extent;

    for (; element < end; element += stride)
        add_value(&sum, axis, type,
                  binning_load(element, type, axis->is_swapped));
    *extent = sum;
}

void
extent_add(struct extent *extent, const struct binning_axis *axis,
           const unsigned char *data, size_t size, size_t record_bytes)
{
    const unsigned char *element = data + axis->offset;
    const unsigned char *end = data + size;

    if (axis->type == SAMPLE_F4)
        add_elements(extent, axis, SAMPLE_F4, element, end, record_bytes);
    else if (axis->type == SAMPLE_F8)
        add_elements(extent, axis, SAMPLE_F8, element, end, record_bytes);
    else
        add_elements(extent, axis, axis->type, element, end, record_bytes);
}

/* ---- lattices ---- */

/* The number of the bin that X is in, counted from 0, if bins are 2^EXPONENT
 * wide. */
static double
bin_number(double x, int exponent, bool right)
{
    double position = ldexp(x, -exponent);

    return right ? ceil(position) - 1 : floor(position);
}

void
lattice_set(struct binning_axis *axis, const struct extent *extent)
{
    bool right = axis->closed == BINNING_RIGHT;
    bool is_empty = extent->min > extent->max;
    double min = is_empty ? 0 : extent->min;
    double max = is_empty ? 0 : extent->max;
    /* Bins of integers need not be narrower than 1, nor any than doubles. */
    int exponent = binning_is_float(axis->type) ? EXPONENT_MIN : 0;
    int exponent_of_max;

    frexp(fmax(fabs(min), fabs(max)), &exponent_of_max);
    if (exponent < exponent_of_max - DOUBLE_BITS)
        exponent = exponent_of_max - DOUBLE_BITS;
    while (bin_number(max, exponent, right) -
               bin_number(min, exponent, right) >=
           (double)axis->bins)
        exponent++;

    double first = bin_number(min, exponent, right);
    axis->width = ldexp(1, exponent);
    axis->lo = ldexp(first, exponent);
    axis->hi = ldexp(first + (double)axis->bins, exponent);
    axis->scale = ldexp(1, -exponent);
}

bool
lattice_is_same(const struct binning_axis *a, const struct binning_axis *b)
{
    return a->lo == b->lo && a->width == b->width;
}

uint64_t
lattice_bin(const struct binning_axis *old, uint64_t i,
            const struct binning_axis *new)
{
    /* Both are whole numbers below 2^53, near each other. */
    return (uint64_t)(floor(binning_even_edge(old, i) / new->width) -
                      new->lo / new->width);
}

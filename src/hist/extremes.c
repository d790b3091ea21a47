/* SPDX-License-Identifier: MIT */
/* extremes.c -- the exact least and greatest value of a field of samples */

#include <float.h>
#include <math.h>
#include <string.h>

#include "hist/extremes.h"

/* ---- floating-point numbers ---- */

/* Numbers of floats side by side, in the byte order of this machine, whose
   comparisons a compiler can do together. */
#define LANES 8

#define WIDEN(name, type)                                                      \
    static void name(double *min, double *max, const unsigned char *data,      \
                     size_t count, double greatest)                            \
    {                                                                          \
        type least[LANES], most[LANES], x[LANES];                              \
        for (size_t l = 0; l < LANES; l++) {                                   \
            least[l] = (type)INFINITY;                                         \
            most[l] = (type)-INFINITY;                                         \
        }                                                                      \
        for (size_t i = 0; i + LANES <= count; i += LANES) {                   \
            memcpy(x, data + i * sizeof *x, sizeof x);                         \
            for (size_t l = 0; l < LANES; l++) {                               \
                /* False for NaN and for infinite numbers. */                  \
                least[l] = x[l] < least[l] && x[l] >= (type)-greatest          \
                               ? x[l]                                          \
                               : least[l];                                     \
                most[l] =                                                      \
                    x[l] > most[l] && x[l] <= (type)greatest ? x[l] : most[l]; \
            }                                                                  \
        }                                                                      \
        for (size_t l = 0; l < LANES; l++) {                                   \
            *min = (double)least[l] < *min ? (double)least[l] : *min;          \
            *max = (double)most[l] > *max ? (double)most[l] : *max;            \
        }                                                                      \
    }

WIDEN(widen_floats, float)
WIDEN(widen_doubles, double)

/* Widen MIN and MAX to the numbers at DATA, as far as they are side by side and
   as this machine has them.  Returns their number. */
static size_t
widen_packed(double *min, double *max, const struct binning_axis *axis,
             const unsigned char *data, size_t count, size_t record_bytes)
{
    bool is_native =
        axis->is_swapped == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

    if (!is_native || record_bytes != binning_size(axis->type))
        return 0;
    if (axis->type == SAMPLE_F4)
        widen_floats(min, max, data, count, FLT_MAX);
    else if (axis->type == SAMPLE_F8)
        widen_doubles(min, max, data, count, DBL_MAX);
    else
        return 0;
    return count - count % LANES;
}

static void
widen_reals(struct extremes *extremes, const struct binning_axis *axis,
            const unsigned char *data, size_t count, size_t record_bytes)
{
    double min = extremes->has_any ? extremes->min : INFINITY;
    double max = extremes->has_any ? extremes->max : -INFINITY;

    for (size_t i = widen_packed(&min, &max, axis, data, count, record_bytes);
         i < count; i++) {
        double x = binning_float(
            axis->type, binning_load(data + i * record_bytes + axis->offset,
                                     axis->type, axis->is_swapped));
        /* False for NaN. */
        if (fabs(x) <= DBL_MAX) {
            min = x < min ? x : min;
            max = x > max ? x : max;
        }
    }
    if (min <= max)
        *extremes = (struct extremes){.has_any = true, .min = min, .max = max};
}

/* ---- integers ---- */

/* Integers are compared as unsigned numbers with this bit inverted. */
static uint64_t
sign_bit(const struct binning_axis *axis)
{
    return binning_is_signed(axis->type) ? (uint64_t)1 << 63 : 0;
}

static struct wide
wide_of_code(const struct binning_axis *axis, uint64_t code)
{
    return binning_is_signed(axis->type)
               ? wide_of_signed((int64_t)(code ^ sign_bit(axis)))
               : wide_of(code);
}

static void
widen_integers(struct extremes *extremes, const struct binning_axis *axis,
               const unsigned char *data, size_t count, size_t record_bytes)
{
    uint64_t sign = sign_bit(axis);
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t bits = binning_load(data + i * record_bytes + axis->offset,
                                     axis->type, axis->is_swapped);
        uint64_t code = binning_integer(axis, bits) ^ sign;
        least = code < least ? code : least;
        most = code > most ? code : most;
    }
    const struct extremes more = {.has_any = count > 0,
                                  .least = wide_of_code(axis, least),
                                  .most = wide_of_code(axis, most)};
    extremes_join(extremes, &more);
}

/* ---- both ---- */

void
extremes_widen(struct extremes *extremes, const struct binning_axis *axis,
               const unsigned char *data, size_t size, size_t record_bytes)
{
    size_t count = size / record_bytes;

    if (binning_is_float(axis->type))
        widen_reals(extremes, axis, data, count, record_bytes);
    else
        widen_integers(extremes, axis, data, count, record_bytes);
}

void
extremes_join(struct extremes *extremes, const struct extremes *more)
{
    if (!more->has_any)
        return;
    if (!extremes->has_any) {
        *extremes = *more;
        return;
    }
    extremes->min = more->min < extremes->min ? more->min : extremes->min;
    extremes->max = more->max > extremes->max ? more->max : extremes->max;
    if (wide_compare(more->least, extremes->least) < 0)
        extremes->least = more->least;
    if (wide_compare(more->most, extremes->most) > 0)
        extremes->most = more->most;
}

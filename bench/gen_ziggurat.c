/* SPDX-License-Identifier: MIT */
/* gen_ziggurat.c -- normal and exponential samples */

#include <math.h>

#include "gen_math.h"
#include "gen_ziggurat.h"
#include "kernels/binning/binning.h"

/*
 * The start of the tail, and the area of a layer.  With these constants, all
 * 256 layers have the same area and the topmost one ends at 1.  The first layer
 * includes the tail.
 */
#define NORMAL_TAIL 3.654152885361009
#define NORMAL_AREA 0.004928673233974658
#define EXPONENTIAL_TAIL 7.697117470131049
#define EXPONENTIAL_AREA 0.003949659822581559

#define POSITIONS 0x1p53

static double
density(bool is_normal, double x)
{
    return gen_math_exp(is_normal ? -0.5 * x * x : -x);
}

static double
inverse_density(bool is_normal, double y)
{
    double x = -gen_math_log(y);

    return is_normal ? sqrt(2 * x) : x;
}

void
gen_ziggurat_make(struct gen_ziggurat *ziggurat, bool is_normal)
{
    double tail = is_normal ? NORMAL_TAIL : EXPONENTIAL_TAIL;
    double area = is_normal ? NORMAL_AREA : EXPONENTIAL_AREA;

    /* The width of the first layer is that of a rectangle of its area. */
    double x = area / density(is_normal, tail);
    double next = tail;

    ziggurat->is_normal = is_normal;
    ziggurat->tail = tail;
    ziggurat->height[0] = 0;
    for (int i = 0; i < GEN_ZIGGURAT_LAYERS; i++) {
        ziggurat->inside[i] = (uint64_t)(next / x * POSITIONS);
        ziggurat->width[i] = x / POSITIONS;
        ziggurat->height[i + 1] = next > 0 ? density(is_normal, next) : 1;
        x = next;
        /* Set 0 for the last layer, because of rounding. */
        next =
            i + 2 < GEN_ZIGGURAT_LAYERS
                ? inverse_density(is_normal, ziggurat->height[i + 1] + area / x)
                : 0;
    }
}

/* A random number in (0, 1], which has a logarithm. */
static double
positive_unit(struct gen_random *random)
{
    return 1 - gen_random_unit(random);
}

static double
draw_tail(const struct gen_ziggurat *ziggurat, struct gen_random *random)
{
    double x;
    double y;

    if (!ziggurat->is_normal)
        return ziggurat->tail - gen_math_log(positive_unit(random));
    do {
        x = -gen_math_log(positive_unit(random)) / ziggurat->tail;
        y = -gen_math_log(positive_unit(random));
    } while (2 * y < x * x);
    return ziggurat->tail + x;
}

/*
 * Draw at POSITION in LAYER, which is not surely under the curve.  Returns the
 * magnitude of the sample, or -1 if the point is above the curve.
 */
static double
draw_edge(const struct gen_ziggurat *ziggurat, struct gen_random *random,
          unsigned int layer, uint64_t position)
{
    if (layer == 0)
        return draw_tail(ziggurat, random);
    const double *height = ziggurat->height + layer;
    double x = (double)position * ziggurat->width[layer];
    double y = height[0] + gen_random_unit(random) * (height[1] - height[0]);
    return y < density(ziggurat->is_normal, x) ? x : -1;
}

void
gen_ziggurat_draw(const struct gen_ziggurat *ziggurat,
                  struct gen_random *random, double scale, double offset,
                  double *sample, size_t count)
{
    /* The compiler can keep a copy in registers. */
    struct gen_random local = *random;
    const uint64_t sign_mask = ziggurat->is_normal ? (uint64_t)1 << 63 : 0;

    for (size_t i = 0; i < count;) {
        uint64_t word = gen_random_word(&local);
        unsigned int layer = word % GEN_ZIGGURAT_LAYERS;
        uint64_t position = word >> 11;
        double x = (double)(int64_t)position * ziggurat->width[layer];

        if (position >= ziggurat->inside[layer]) {
            x = draw_edge(ziggurat, &local, layer, position);
            if (x < 0)
                continue;
        }
        uint64_t sign = word << 55 & sign_mask; /* bit 8 */
        sample[i++] = binning_bits_double(binning_double_bits(x) | sign);
    }
    for (size_t i = 0; i < count; i++)
        sample[i] = sample[i] * scale + offset;
    *random = local;
}

/* SPDX-License-Identifier: MIT */
/* scale.c -- from an amount to the length of a bar, and round numbers */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot/scale.h"

/* 10 to the power of EXPONENT, rounded once. */
static double
ten_to(int exponent)
{
    char text[NUMBER_TEXT_BYTES];

    snprintf(text, sizeof text, "1e%d", exponent);
    return strtod(text, NULL);
}

double
scale_part(const struct scale *scale, double amount)
{
    double magnitude = fabs(amount);

    if (isnan(amount) || magnitude == 0)
        return 0;
    if (magnitude >= scale->most)
        return 1;
    if (!scale->is_log)
        return magnitude / scale->most;
    if (magnitude <= scale->least)
        return 0;
    return (log10(magnitude) - log10(scale->least)) /
           (log10(scale->most) - log10(scale->least));
}

double
scale_place(const struct scale *scale, double amount)
{
    double part = scale_part(scale, amount);
    double below = scale_part(scale, scale->below);

    if (below == 0)
        return part;
    return (below + (amount < 0 ? -part : part)) /
           (below + scale_part(scale, scale->above));
}

size_t
scale_shade(const struct scale *scale, double amount, size_t shades)
{
    size_t shade = (size_t)(scale_part(scale, amount) * (double)shades) + 1;

    if (amount == 0 || isnan(amount))
        return 0;
    return shade < shades ? shade : shades;
}

double
scale_step(double lo, double hi, size_t most)
{
    static const int factor[] = {1, 2, 5};
    /* Divide first: the difference may overflow a double. */
    double wanted = hi / (double)most - lo / (double)most;

    if (wanted < DBL_TRUE_MIN)
        wanted = DBL_TRUE_MIN;
    for (int exponent = (int)floor(log10(wanted)) - 1;; exponent++) {
        for (size_t i = 0; i < 3; i++) {
            double step = factor[i] * ten_to(exponent);
            /* The tolerance keeps a rounding error from doubling the step. */
            if (step >= wanted * (1 - 1e-9))
                return step;
        }
    }
}

void
scale_round_text(double value, char text[NUMBER_TEXT_BYTES])
{
    char rounded[NUMBER_TEXT_BYTES];

    snprintf(rounded, sizeof rounded, "%.12g", value);
    number_text(strtod(rounded, NULL), text);
}

/* Write a big number with a prefix: 20k, 1.5M. */
static void
short_text(double value, char text[NUMBER_TEXT_BYTES])
{
    static const char prefix[] = "kMGTPE";
    int i = -1;

    if (value >= 1e4 && value < 1e21) {
        while (value >= 1e3) {
            value /= 1e3;
            i++;
        }
        snprintf(text, NUMBER_TEXT_BYTES, "%.6g%c", value, prefix[i]);
        return;
    }
    scale_round_text(value, text);
}

static size_t
add_tick(struct tick *tick, size_t count, double value)
{
    tick[count].value = value;
    short_text(value, tick[count].text);
    return count + 1;
}

/* Powers of ten or every n-th of them; 1, 2 and 5 times each if these fit. */
static size_t
log_ticks(const struct scale *scale, size_t most, struct tick *tick)
{
    static const int factor[] = {1, 2, 5};
    int first = (int)floor(log10(scale->least));
    int last = (int)floor(log10(scale->most));
    size_t decades = (size_t)(last - first + 1);
    size_t factors = decades * 3 <= most ? 3 : 1;
    int stride = (int)((decades + most - 1) / most);
    size_t count = 0;

    for (int exponent = first; exponent <= last; exponent++) {
        if (exponent % stride != 0)
            continue;
        for (size_t i = 0; i < factors; i++) {
            double value = factor[i] * ten_to(exponent);
            if (value >= scale->least && value <= scale->most &&
                (!scale->is_whole || value >= 1))
                count = add_tick(tick, count, value);
        }
    }
    return count;
}

/* Multiples of a step between the ends of a short logarithmic scale. */
static size_t
short_log_ticks(const struct scale *scale, size_t most, struct tick *tick)
{
    double step = scale_step(scale->least, scale->most, most - 1);
    size_t count = 0;

    if (scale->is_whole && step < 1)
        step = 1;
    for (double k = ceil(scale->least / step);
         k * step <= scale->most * (1 + 1e-9) && count < most; k++)
        count = add_tick(tick, count, k * step);
    return count;
}

size_t
scale_ticks(const struct scale *scale, size_t most, struct tick *tick)
{
    size_t count = 0;

    if (scale->most <= 0 || most < 2)
        return 0;
    if (most > SCALE_TICKS_MAX)
        most = SCALE_TICKS_MAX;
    if (scale->is_log) {
        count = log_ticks(scale, most, tick);
        return count < 2 && scale->least < scale->most
                   ? short_log_ticks(scale, most, tick)
                   : count;
    }

    /* A step that ends exactly at the maximum needs a further tick. */
    double step = scale_step(0, scale->most, most);
    if ((double)most * step <= scale->most * (1 + 1e-9))
        step = scale_step(0, scale->most, most - 1);
    if (scale->is_whole && step < 1)
        step = 1;
    while (count < most && (double)count * step <= scale->most * (1 + 1e-9))
        count = add_tick(tick, count, (double)count * step);
    return count;
}

size_t
scale_places(const struct scale *scale, size_t most, struct tick *tick)
{
    struct tick whole[SCALE_TICKS_MAX];
    size_t places = 0;

    if (scale->below == 0)
        return scale_ticks(scale, most, tick);
    /* The line is longer than the scale. */
    double part =
        1 / (scale_part(scale, scale->below) + scale_part(scale, scale->above));
    size_t fitting = (size_t)ceil((double)most * part);
    size_t count = scale_ticks(scale, fitting > 2 ? fitting : 2, whole);
    for (size_t i = count; i-- > 0;) {
        if (whole[i].value == 0 || whole[i].value > scale->below)
            continue;
        tick[places].value = -whole[i].value;
        tick[places].text[0] = '-';
        snprintf(tick[places].text + 1, sizeof tick->text - 1, "%s",
                 whole[i].text);
        places++;
    }
    for (size_t i = 0; i < count; i++) {
        if (whole[i].value <= scale->above)
            tick[places++] = whole[i];
    }
    return places;
}

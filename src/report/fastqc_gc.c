/* SPDX-License-Identifier: MIT */
/* fastqc_gc.c -- the percentages of G and C of reads, smoothed as in FastQC */

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "report/fastqc_gc.h"

/* Reads that differ from the normal distribution, in percent. */
#define WARN 15
#define FAIL 30

#define PI 3.141592653589793

/* Returns the percentage nearest to HALVES / 2 of LENGTH bases; HALVES is at
   most 2 * LENGTH. */
static uint64_t
percentage_of(uint64_t halves, uint64_t length)
{
    return (100 * halves + length) / (2 * length);
}

/* The percentages of BASES G and C: from half a base less to half a base
   more. */
struct span {
    uint64_t first;
    uint64_t last; /* included */
};

static struct span
span_of(uint64_t bases, uint64_t length)
{
    uint64_t less = bases > 0 ? 2 * bases - 1 : 0;
    uint64_t more = bases < length ? 2 * bases + 1 : 2 * length;

    return (struct span){percentage_of(less, length),
                         percentage_of(more, length)};
}

static void
set_length(struct fastqc_gc *gc, uint64_t length)
{
    memset(gc->claims, 0, sizeof gc->claims);
    for (uint64_t bases = 0; bases <= length; bases++) {
        struct span span = span_of(bases, length);
        for (uint64_t p = span.first; p <= span.last; p++)
            gc->claims[p]++;
    }
    gc->length = length;
}

void
fastqc_gc_add(struct fastqc_gc *gc, uint64_t length, uint64_t bases,
              uint64_t count)
{
    /* A state that was not counted may have more G and C than bases. */
    if (length == 0 || bases > length)
        return;
    if (length != gc->length)
        set_length(gc, length);
    struct span span = span_of(bases, length);
    for (uint64_t p = span.first; p <= span.last; p++)
        gc->count[p] += (double)count / (double)gc->claims[p];
}

/* The most frequent percentage, the first of several. */
static int
mode_of(const struct fastqc_gc *gc)
{
    int mode = 0;

    for (int p = 1; p < FASTQC_PERCENTAGES; p++) {
        if (gc->count[p] > gc->count[mode])
            mode = p;
    }
    return mode;
}

/* The middle of the percentages around the mode that are nearly as frequent; or
   the mode, if there are such percentages up to 0 or 100. */
static double
center_of(const struct fastqc_gc *gc)
{
    int mode = mode_of(gc);
    double most = gc->count[mode];
    double least = most - most / 10;
    int last = mode;
    int first = mode;

    while (last < FASTQC_PERCENTAGES && gc->count[last] > least)
        last++;
    while (first >= 0 && gc->count[first] > least)
        first--;
    if (first < 0 || last == FASTQC_PERCENTAGES)
        return mode;
    /* The mean of the whole numbers between both. */
    return (double)(first + last) / 2;
}

enum fastqc_verdict
fastqc_gc_verdict(const struct fastqc_gc *gc)
{
    double center = center_of(gc);
    double deviation = 0;
    double squares = 0;
    double all = 0;

    for (int p = 0; p < FASTQC_PERCENTAGES; p++) {
        all += gc->count[p];
        squares += (p - center) * (p - center) * gc->count[p];
    }
    /* Infinite for a single read, which FastQC has fail. */
    double variance = squares / (all - 1);
    if (!(variance > 0))
        return FASTQC_PASS;
    double height = 1 / sqrt(2 * PI * variance);
    for (int p = 0; p < FASTQC_PERCENTAGES; p++) {
        double power = -(p - center) * (p - center) / (2 * variance);
        double wanted = power > -700 ? height * exponential_e(power) * all : 0;
        deviation += fabs(wanted - gc->count[p]);
    }
    return fastqc_verdict_above(deviation / all * 100, WARN, FAIL);
}

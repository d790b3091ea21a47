/* histogram.c -- counts, and sums of weights, of all cells */

#include <stddef.h>
#include <stdlib.h>

#include "hist/histogram.h"

int
histogram_open(struct histogram *histogram, uint64_t cells, unsigned int planes)
{
    *histogram = (struct histogram){.cells = cells, .planes = planes};
    /* Fresh memory from the system: a page costs nothing until it is used. */
    if (cells <= SIZE_MAX / sizeof *histogram->value / planes)
        histogram->value =
            calloc((size_t)cells * planes, sizeof *histogram->value);
    return histogram->value == NULL ? -1 : 0;
}

void
histogram_add(struct histogram *to, const struct histogram *from)
{
    size_t count = (size_t)to->cells * to->planes;

    for (size_t i = 0; i < count; i++)
        to->value[i] += from->value[i];
}

void
histogram_subtract(struct histogram *before, const struct histogram *now)
{
    size_t count = (size_t)now->cells * now->planes;

    for (size_t i = 0; i < count; i++)
        before->value[i] = now->value[i] - before->value[i];
}

uint64_t
histogram_total(const struct histogram *histogram, uint64_t first,
                uint64_t count)
{
    uint64_t total = 0;

    for (uint64_t c = first; c < first + count; c++)
        total += histogram->value[c];
    return total;
}

void
histogram_close(struct histogram *histogram)
{
    free(histogram->value);
    histogram->value = NULL;
}

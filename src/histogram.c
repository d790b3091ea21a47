/* histogram.c -- how often each byte value occurred */

#include "histogram.h"

void
histogram_add(struct histogram *to, const struct histogram *from)
{
    for (int v = 0; v < HISTOGRAM_BINS; v++)
        to->bin[v] += from->bin[v];
}

uint64_t
histogram_total(const struct histogram *histogram)
{
    uint64_t total = 0;

    for (int v = 0; v < HISTOGRAM_BINS; v++)
        total += histogram->bin[v];
    return total;
}

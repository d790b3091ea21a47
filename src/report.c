/* report.c -- print a histogram */

#include <inttypes.h>

#include "report.h"

void
report_tsv(FILE *out, const struct histogram *histogram, bool header,
           bool nonzero)
{
    if (header)
        fputs("value\tcount\n", out);
    for (int v = 0; v < HISTOGRAM_BINS; v++) {
        if (histogram->bin[v] != 0 || !nonzero)
            fprintf(out, "%d\t%" PRIu64 "\n", v, histogram->bin[v]);
    }
}

/* snapshot.c -- the histogram of the bytes counted so far */

#include "hist/snapshot.h"
#include "hist/rebin.h"

int
snapshot_subtract(struct snapshot *before, const struct snapshot *now)
{
    /* The ranges of the axes may have grown since. */
    if (rebin_histogram(before->spec, now->spec, &before->histogram) < 0)
        return -1;
    before->spec = now->spec;
    before->bytes = now->bytes - before->bytes;
    before->records = now->records - before->records;
    histogram_subtract(&before->histogram, &now->histogram);
    return 0;
}

void
snapshot_close(struct snapshot *counts)
{
    histogram_close(&counts->histogram);
}

/* snapshot.c -- what has been counted up to some moment */

#include "hist/snapshot.h"
#include "hist/rebin.h"

int
snapshot_subtract(struct snapshot *before, const struct snapshot *now)
{
    /* Meanwhile the axes may have grown. */
    if (rebin_histogram(before->spec, now->spec, &before->histogram) < 0)
        return -1;
    before->spec = now->spec;
    before->bytes = now->bytes - before->bytes;
    histogram_subtract(&before->histogram, &now->histogram);
    return 0;
}

void
snapshot_close(struct snapshot *counts)
{
    histogram_close(&counts->histogram);
}

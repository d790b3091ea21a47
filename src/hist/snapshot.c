/* snapshot.c -- the histogram of the bytes counted so far */

#include "hist/snapshot.h"
#include "hist/rebin.h"

int
snapshot_subtract(struct snapshot *before, const struct snapshot *now)
{
    /* The ranges of the axes may have grown since, and there are more keys. */
    int result =
        before->names == NULL
            ? rebin_histogram(before->spec, now->spec, &before->histogram)
            : key_names_move(before->names, now->names, &before->histogram);
    if (result < 0)
        return -1;
    key_names_close(before->names);
    before->names = NULL;
    before->spec = now->spec;
    before->bytes = now->bytes - before->bytes;
    before->records = now->records - before->records;
    before->unweighted = now->unweighted - before->unweighted;
    histogram_subtract(&before->histogram, &now->histogram);
    return 0;
}

void
snapshot_close(struct snapshot *counts)
{
    histogram_close(&counts->histogram);
    key_names_close(counts->names);
    counts->names = NULL;
}

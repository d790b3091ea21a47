/* counts.c -- what has been counted up to some moment */

#include "counts.h"
#include "ranging.h"

int
counts_subtract(struct counts *before, const struct counts *now)
{
    /* Meanwhile the axes may have grown. */
    if (ranging_move(before->spec, now->spec, &before->histogram) < 0)
        return -1;
    before->spec = now->spec;
    before->bytes = now->bytes - before->bytes;
    histogram_subtract(&before->histogram, &now->histogram);
    return 0;
}

void
counts_close(struct counts *counts)
{
    histogram_close(&counts->histogram);
}

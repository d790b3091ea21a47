/* SPDX-License-Identifier: MIT */
/*
 * fastqc_tiles.h -- the mean qualities of tiles, by position
 *
 * FastQC takes the first 10,000 reads and each tenth read after them; here all
 * reads count.  A tile is in the name of a read: the module is left out if a
 * name has none, or if there are too many tiles for a flow cell.
 */

#ifndef GPUHIST_FASTQC_TILES_H
#define GPUHIST_FASTQC_TILES_H

#include <stddef.h>

#include "report/fastqc_bases.h"
#include "report/request.h"

/* Put the module for histogram I of REPORT, of qualities, or nothing.  If out
   of memory, OUT fails. */
void fastqc_tiles_put(const struct fastqc_bases *bases,
                      const struct report *report, size_t i,
                      struct writer *out);

#endif

/* SPDX-License-Identifier: MIT */
/* heap.c -- how malloc() takes memory from the system */

#include <stdlib.h>

#include "base/heap.h"

#ifdef __GLIBC__
#    include <malloc.h>
#endif

/* Less than a huge page: with transparent ones, the first use of a larger start
   would clear one for each thread. */
#define START_BYTES (1 << 20)

/* Blocks with fewer bytes are no mappings of their own.  Larger ones are, and
   are given back at once. */
#define MAPPED_MIN (4 << 20)

void
heap_take_more(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_TOP_PAD, START_BYTES);
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
    /* As much as the C library keeps if it chooses by itself. */
    (void)mallopt(M_TRIM_THRESHOLD, 2 * MAPPED_MIN);
#endif
}

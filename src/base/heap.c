/* SPDX-License-Identifier: MIT */
/* heap.c -- how malloc() takes memory from the system */

#include <stdlib.h>

#include "base/heap.h"

#ifdef __GLIBC__
#    include <malloc.h>
#endif

#define HEAP_STEP (4 << 20)

void
heap_take_more(void)
{
#ifdef __GLIBC__
    /* By a step of a heap, instead of a mapping of its own, up to this size. */
    (void)mallopt(M_MMAP_THRESHOLD, HEAP_STEP);
    (void)mallopt(M_TOP_PAD, HEAP_STEP);
#endif
}

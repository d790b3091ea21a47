/* SPDX-License-Identifier: MIT */
/* heap.h -- how malloc() takes memory from the system */

#ifndef GPUHIST_HEAP_H
#define GPUHIST_HEAP_H

/*
 * Let malloc() start with more memory for each thread, and take less of it as
 * mappings of their own; to be called before there are other threads.  A call
 * that maps or protects memory waits for the page faults of all threads: where
 * all touch new memory, at the start of a run, that takes a millisecond.
 */
void heap_take_more(void);

#endif

/* SPDX-License-Identifier: MIT */
/* heap.h -- how malloc() takes memory from the system */

#ifndef GPUHIST_HEAP_H
#define GPUHIST_HEAP_H

/*
 * Let malloc() take memory in fewer and larger steps, to be called before there
 * are other threads.  Each step waits until no thread is in a page fault; at
 * the start of a run, when all threads touch new memory, that takes a
 * millisecond.  Memory that is not touched costs nothing.
 */
void heap_take_more(void);

#endif

/* SPDX-License-Identifier: MIT */
/* pages.c -- memory for large tables, from the system */

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/pages.h"
#include "base/thread.h"

#define TOUCH_THREADS 4

/* BYTES rounded up to whole pages. */
static size_t
whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (bytes + page - 1) / page * page;
}

void
pages_advise(void *memory, size_t bytes)
{
    size_t before = -(uintptr_t)memory % PAGES_HUGE_BYTES;

    if (bytes < before + PAGES_HUGE_BYTES)
        return;
    size_t huge = (bytes - before) / PAGES_HUGE_BYTES * PAGES_HUGE_BYTES;
    /* Without huge pages the run is slower, not wrong. */
    (void)madvise((unsigned char *)memory + before, huge, MADV_HUGEPAGE);
}

void *
pages_take(size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    size_t wanted = whole_pages(bytes);
    size_t mapped = wanted + PAGES_HUGE_BYTES;
    unsigned char *first = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)first % PAGES_HUGE_BYTES;
    size_t after = mapped - before - wanted;
    if (before > 0)
        (void)munmap(first, before);
    if (after > 0)
        (void)munmap(first + before + wanted, after);
    pages_advise(first + before, bytes);
    return first + before;
}

struct touched {
    volatile unsigned char *start;
    volatile unsigned char *end;
};

static void *
touch_main(void *argument)
{
    const struct touched *touched = argument;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    for (volatile unsigned char *at = touched->start; at < touched->end;
         at += page)
        *at = 0;
    return NULL;
}

void
pages_touch(void *pages, size_t bytes)
{
    unsigned char *start = pages;
    size_t each = bytes / TOUCH_THREADS / PAGES_HUGE_BYTES * PAGES_HUGE_BYTES;
    struct touched part[TOUCH_THREADS];
    pthread_t thread[TOUCH_THREADS];
    unsigned int started = 0;

    for (unsigned int i = 0; i < TOUCH_THREADS; i++) {
        bool is_last = i + 1 == TOUCH_THREADS;
        part[i] = (struct touched){start + i * each,
                                   start + (is_last ? bytes : (i + 1) * each)};
    }
    while (started + 1 < TOUCH_THREADS &&
           thread_start(&thread[started], touch_main, &part[started]) == 0)
        started++;
    for (unsigned int i = started; i < TOUCH_THREADS; i++)
        (void)touch_main(&part[i]);
    for (unsigned int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

void
pages_give(void *pages, size_t bytes)
{
    (void)munmap(pages, whole_pages(bytes));
}

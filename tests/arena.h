/* SPDX-License-Identifier: MIT */
/* arena.h -- memory between two unreadable pages */

#ifndef GPUHIST_ARENA_H
#define GPUHIST_ARENA_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* SIZE bytes, whole pages, between two guard pages; never released. */
static unsigned char *
arena_open(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *all = mmap(NULL, size + 2 * page, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (all == MAP_FAILED ||
        mprotect(all + page, size, PROT_READ | PROT_WRITE) < 0)
        abort();
    return all + page;
}

#endif

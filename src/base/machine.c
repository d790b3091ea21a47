/* SPDX-License-Identifier: MIT */
/* machine.c -- the processors, the memory and the randomness of this machine */

#include <sched.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/machine.h"

unsigned int
machine_cpus(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned int)CPU_COUNT(&set);
    /* The machine may have more processors than a cpu_set_t can hold. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned int)online : 1;
}

uint64_t
machine_memory(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void
machine_random(uint64_t *word, size_t count)
{
    size_t bytes = count * sizeof *word;
    struct timespec now;

    if (getrandom(word, bytes, GRND_NONBLOCK) == (ssize_t)bytes)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    for (size_t i = 0; i < count; i++)
        word[i] = i == 0 ? (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec
                         : (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)word;
}

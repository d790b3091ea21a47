/* machine.c -- what this machine has */

#include <sched.h>
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

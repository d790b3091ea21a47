/* machine.h -- what this machine has */

#ifndef GPUHIST_MACHINE_H
#define GPUHIST_MACHINE_H

#include <stdint.h>

/* Returns the number of processors that this process may use, at least 1. */
unsigned int machine_cpus(void);

/* Returns the size of the memory, in bytes. */
uint64_t machine_memory(void);

#endif

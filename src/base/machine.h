/* SPDX-License-Identifier: MIT */
/* machine.h -- the processors, the memory and the randomness of this machine */

#ifndef GPUHIST_MACHINE_H
#define GPUHIST_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the number of processors that this process may use, at least 1. */
unsigned int machine_cpus(void);

/* Returns the size of the memory, in bytes. */
uint64_t machine_memory(void);

/* Set the COUNT words at WORD, at most 2, to random words.  If the system has
   none yet, the words still differ between processes. */
void machine_random(uint64_t *word, size_t count);

#endif

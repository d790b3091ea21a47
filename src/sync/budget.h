/* budget.h -- a number of bytes that several threads share out */

#ifndef GPUHIST_BUDGET_H
#define GPUHIST_BUDGET_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Decoders reserve the memory of their window before they allocate it, so
 * that all of them together stay within --memory-limit.  A thread holds at
 * most one reservation and does not wait for another one meanwhile.
 */
struct budget {
    uint64_t total; /* set by budget_open() for good */
    pthread_mutex_t lock;
    pthread_cond_t returned;
    uint64_t left; /* under the lock */
};

void budget_open(struct budget *budget, uint64_t total);
/* Before other threads know it: share out TOTAL bytes instead. */
void budget_resize(struct budget *budget, uint64_t total);

void budget_close(struct budget *budget);

/* Wait until BYTES are free and take them.  False: more than there will be. */
bool budget_take(struct budget *budget, uint64_t bytes);

void budget_return(struct budget *budget, uint64_t bytes);

#endif

/* budget.h -- limits on memory and threads that several threads share */

#ifndef GPUHIST_BUDGET_H
#define GPUHIST_BUDGET_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A decoder reserves the memory of its window before it allocates it, so all
 * decoders together stay within --memory-limit.  A thread holds at most one
 * reservation and requests no second one while it holds it: otherwise two
 * threads could wait for each other for ever.
 */
struct budget {
    uint64_t total; /* bytes; constant once other threads use the budget */
    pthread_mutex_t lock;
    pthread_cond_t returned;
    uint64_t left;        /* bytes not reserved; under the lock */
    unsigned int helpers; /* threads that decoders may start; under the lock */
};

/* Make a budget of TOTAL bytes, all of them free. */
void budget_open(struct budget *budget, uint64_t total);

/*
 * Change the total to TOTAL bytes, or to what is reserved already if that is
 * more.  Only before other threads use the budget.
 */
void budget_resize(struct budget *budget, uint64_t total);

void budget_close(struct budget *budget);

/*
 * Wait until BYTES are free and reserve them.  Returns true, or false at once
 * if BYTES exceeds the total.
 */
bool budget_take(struct budget *budget, uint64_t bytes);

/* End a reservation of BYTES. */
void budget_return(struct budget *budget, uint64_t bytes);

/* Let decoders start COUNT more threads, or COUNT that they have ended. */
void budget_return_helpers(struct budget *budget, unsigned int count);

/*
 * Returns how many threads, up to MOST, a decoder may start now.  It ends them
 * before budget_return_helpers().
 */
unsigned int budget_take_helpers(struct budget *budget, unsigned int most);

#endif

/* SPDX-License-Identifier: MIT */
/* budget.c -- limits on memory and threads that several threads share */

#include "sync/budget.h"

void
budget_open(struct budget *budget, uint64_t total)
{
    *budget = (struct budget){.total = total, .left = total};
    pthread_mutex_init(&budget->lock, NULL);
    pthread_cond_init(&budget->returned, NULL);
}

void
budget_resize(struct budget *budget, uint64_t total)
{
    uint64_t taken = budget->total - budget->left;

    budget->total = total > taken ? total : taken;
    budget->left = budget->total - taken;
}

void
budget_close(struct budget *budget)
{
    pthread_mutex_destroy(&budget->lock);
    pthread_cond_destroy(&budget->returned);
}

void
budget_open_share(struct budget *share, struct budget *whole)
{
    *share = (struct budget){.whole = whole};
}

/* Returns the budget of which BUDGET is a share, or BUDGET. */
static struct budget *
whole_of(struct budget *budget)
{
    return budget->whole != NULL ? budget->whole : budget;
}

uint64_t
budget_total(const struct budget *budget)
{
    return budget->whole != NULL ? budget->whole->total : budget->total;
}

/*
 * Wait until BYTES are free for a thread that holds HELD.  Under the lock.
 * After a return each waiting thread looks again; the last thread that finds
 * too little goes on without memory.
 */
static bool
await(struct budget *whole, uint64_t bytes, uint64_t held)
{
    while (whole->left < bytes) {
        uint64_t returns = whole->returns;
        whole->stuck += held;
        bool may_wait = held == 0 || whole->stuck < whole->total - whole->left;
        if (may_wait)
            pthread_cond_wait(&whole->returned, &whole->lock);
        if (whole->returns == returns)
            whole->stuck -= held;
        if (!may_wait)
            return false;
    }
    return true;
}

bool
budget_take(struct budget *budget, uint64_t bytes)
{
    struct budget *whole = whole_of(budget);
    uint64_t held = budget->held;

    pthread_mutex_lock(&whole->lock);
    bool is_taken = bytes <= whole->total - held && await(whole, bytes, held);
    if (is_taken)
        whole->left -= bytes;
    pthread_mutex_unlock(&whole->lock);
    if (is_taken && whole != budget)
        budget->held += bytes;
    if (!is_taken)
        atomic_store(&whole->refuses, true);
    return is_taken;
}

bool
budget_try(struct budget *budget, uint64_t bytes)
{
    struct budget *whole = whole_of(budget);

    pthread_mutex_lock(&whole->lock);
    bool is_taken = whole->left >= bytes;
    if (is_taken)
        whole->left -= bytes;
    pthread_mutex_unlock(&whole->lock);
    if (is_taken && whole != budget)
        budget->held += bytes;
    return is_taken;
}

bool
budget_refuses(const struct budget *budget)
{
    return atomic_load(&budget->refuses);
}

void
budget_return(struct budget *budget, uint64_t bytes)
{
    struct budget *whole = whole_of(budget);

    if (whole != budget)
        budget->held -= bytes;
    pthread_mutex_lock(&whole->lock);
    whole->left += bytes;
    whole->returns++;
    whole->stuck = 0;
    pthread_cond_broadcast(&whole->returned);
    pthread_mutex_unlock(&whole->lock);
}

void
budget_return_helpers(struct budget *budget, unsigned int count)
{
    struct budget *whole = whole_of(budget);

    pthread_mutex_lock(&whole->lock);
    whole->helpers += count;
    pthread_mutex_unlock(&whole->lock);
}

unsigned int
budget_take_helpers(struct budget *budget, unsigned int most)
{
    struct budget *whole = whole_of(budget);

    pthread_mutex_lock(&whole->lock);
    unsigned int count = whole->helpers < most ? whole->helpers : most;
    whole->helpers -= count;
    pthread_mutex_unlock(&whole->lock);
    return count;
}

void
budget_loan_return(struct budget_loan *loan)
{
    if (loan->helpers > 0)
        budget_return_helpers(loan->budget, loan->helpers);
    if (loan->bytes > 0)
        budget_return(loan->budget, loan->bytes);
    *loan = (struct budget_loan){0};
}

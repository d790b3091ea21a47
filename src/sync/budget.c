/* budget.c -- limits on memory and threads that several threads share */

#include "sync/budget.h"

void
budget_open(struct budget *budget, uint64_t total)
{
    budget->total = total;
    budget->left = total;
    budget->helpers = 0;
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

bool
budget_take(struct budget *budget, uint64_t bytes)
{
    if (bytes > budget->total)
        return false;

    pthread_mutex_lock(&budget->lock);
    while (budget->left < bytes)
        pthread_cond_wait(&budget->returned, &budget->lock);
    budget->left -= bytes;
    pthread_mutex_unlock(&budget->lock);
    return true;
}

void
budget_return(struct budget *budget, uint64_t bytes)
{
    pthread_mutex_lock(&budget->lock);
    budget->left += bytes;
    pthread_cond_broadcast(&budget->returned);
    pthread_mutex_unlock(&budget->lock);
}

void
budget_return_helpers(struct budget *budget, unsigned int count)
{
    pthread_mutex_lock(&budget->lock);
    budget->helpers += count;
    pthread_mutex_unlock(&budget->lock);
}

unsigned int
budget_take_helpers(struct budget *budget, unsigned int most)
{
    pthread_mutex_lock(&budget->lock);
    unsigned int count = budget->helpers < most ? budget->helpers : most;
    budget->helpers -= count;
    pthread_mutex_unlock(&budget->lock);
    return count;
}

/* budget.c -- a limit on memory that several threads share */

#include "sync/budget.h"

void
budget_open(struct budget *budget, uint64_t total)
{
    budget->total = total;
    budget->left = total;
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

/* SPDX-License-Identifier: MIT */
/*
 * thread_list.h -- a list of structs, each of one thread of a run
 *
 * Threads that count in common tables also have a struct each for separate
 * counts.  The owner of the tables has the list of these structs, to add up the
 * counts.  Each struct starts with a link, so a pointer to the link is a
 * pointer to the struct.
 */

#ifndef GPUHIST_THREAD_LIST_H
#define GPUHIST_THREAD_LIST_H

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct thread_link {
    struct thread_link *next; /* NULL: the last one; under the list's lock */
};

struct thread_list {
    pthread_mutex_t lock;
    struct thread_link *first; /* NULL: the list is empty; under LOCK */
};

static inline void
thread_list_open(struct thread_list *list)
{
    list->first = NULL;
    pthread_mutex_init(&list->lock, NULL);
}

/* All links are removed. */
static inline void
thread_list_close(struct thread_list *list)
{
    assert(list->first == NULL);
    pthread_mutex_destroy(&list->lock);
}

/* Add LINK, before all others.  Takes the lock. */
static inline void
thread_list_add(struct thread_list *list, struct thread_link *link)
{
    pthread_mutex_lock(&list->lock);
    link->next = list->first;
    list->first = link;
    pthread_mutex_unlock(&list->lock);
}

/* Remove LINK, which is in LIST.  Takes the lock. */
static inline void
thread_list_remove(struct thread_list *list, struct thread_link *link)
{
    struct thread_link **at = &list->first;

    pthread_mutex_lock(&list->lock);
    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    pthread_mutex_unlock(&list->lock);
}

#endif

/* SPDX-License-Identifier: MIT */
/* wrong_record.c -- the first wrong record of each input */

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sync/wrong_record.h"

void
wrong_records_open(struct wrong_records *all)
{
    *all = (struct wrong_records){0};
    pthread_mutex_init(&all->lock, NULL);
}

void
wrong_records_close(struct wrong_records *all)
{
    pthread_mutex_destroy(&all->lock);
}

struct wrong_record *
wrong_record_new(struct wrong_records *all, size_t input,
                 struct wrong_record **home)
{
    struct wrong_record *wrong = calloc(1, sizeof *wrong);

    if (wrong == NULL)
        return NULL;
    wrong->all = all;
    wrong->input = input;
    wrong->home = home;
    wrong->wake = -1;
    atomic_init(&wrong->holders, 1);
    return wrong;
}

void
wrong_record_hold(struct wrong_record *wrong)
{
    atomic_fetch_add(&wrong->holders, 1);
}

void
wrong_record_release(struct wrong_record *wrong)
{
    if (wrong == NULL || atomic_fetch_sub(&wrong->holders, 1) > 1)
        return;
    wrong_record_unwatch(wrong);
    error_clear(&wrong->error);
    free(wrong);
}

/* Whether byte AT of content number CONTENT is before the known wrong
   record. */
static bool
is_first(const struct wrong_record *wrong, uint64_t content, uint64_t at)
{
    if (wrong->error.status == EXIT_DONE || content != wrong->content)
        return wrong->error.status == EXIT_DONE || content < wrong->content;
    return at < wrong->at;
}

/* Wake the readers that wait for bytes that need not be read.  Under the
   lock. */
static void
wake_readers(const struct wrong_records *all)
{
    const uint64_t one = 1;

    for (const struct wrong_record *wrong = all->watched; wrong != NULL;
         wrong = wrong->next) {
        if (wrong_record_ends(wrong))
            (void)!write(wrong->wake, &one, sizeof one);
    }
}

void
wrong_record_note(struct wrong_record *wrong, uint64_t content, uint64_t at,
                  struct error *error)
{
    struct wrong_records *all = wrong->all;

    pthread_mutex_lock(&all->lock);
    if (is_first(wrong, content, at)) {
        error_clear(&wrong->error);
        error_move(&wrong->error, error);
        wrong->content = content;
        wrong->at = at;
    }
    if (*wrong->home == NULL) {
        *wrong->home = wrong;
        wrong_record_hold(wrong);
    }
    if (all->first == NULL || wrong->input < all->first->input)
        all->first = wrong;
    atomic_store(&wrong->is_found, true);
    atomic_store(&all->has_any, true);
    wake_readers(all);
    pthread_mutex_unlock(&all->lock);
    error_clear(error);
}

bool
wrong_record_ends_content(struct wrong_record *wrong, uint64_t content)
{
    struct wrong_records *all = wrong->all;

    if (!wrong_record_ends(wrong))
        return false;
    pthread_mutex_lock(&all->lock);
    bool is_after =
        wrong->error.status == EXIT_DONE || wrong->content <= content;
    pthread_mutex_unlock(&all->lock);
    return is_after;
}

void
wrong_record_watch(struct wrong_record *wrong)
{
    struct wrong_records *all = wrong->all;

    if (wrong->wake >= 0)
        return;
    pthread_mutex_lock(&all->lock);
    wrong->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wrong->wake >= 0) {
        wrong->next = all->watched;
        all->watched = wrong;
    }
    pthread_mutex_unlock(&all->lock);
}

void
wrong_record_unwatch(struct wrong_record *wrong)
{
    struct wrong_records *all = wrong->all;
    struct wrong_record **link = &all->watched;

    if (wrong->wake < 0)
        return;
    pthread_mutex_lock(&all->lock);
    while (*link != wrong)
        link = &(*link)->next;
    *link = wrong->next;
    close(wrong->wake);
    wrong->wake = -1;
    pthread_mutex_unlock(&all->lock);
}

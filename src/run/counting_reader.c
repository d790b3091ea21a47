/* counting_reader.c -- a reader that counts what it has read */

#include "run/counting_reader.h"

struct consumer *
counting_reader_add(struct consumers *all)
{
    struct error ignored = ERROR_NONE;

    if (all->host_count == all->plan->host_threads)
        return NULL;
    struct consumer *self =
        consumers_next(all, consumers_new_host(all), &ignored);
    error_clear(&ignored);
    if (self == NULL)
        return NULL;
    self->is_reader = true;
    self->state = CONSUMER_COUNTING;
    all->count++;
    all->host_count++;
    all->host_readers++;
    atomic_fetch_add(&all->progress->host_threads, 1);
    return self;
}

int
counting_reader_count(struct consumer *self, struct chunk *chunk,
                      struct error *error)
{
    if (self->engine->type->submit(self->engine, chunk, error) < 0)
        return -1;
    consumer_keep_counts(self);
    /* Those of a rest are added already. */
    if (chunk->rest_count == 0)
        self->bytes += chunk->used - chunk->made.bytes;
    return 0;
}

int
counting_reader_take(struct consumer *self, enum pool_wait wait,
                     struct error *error)
{
    struct pool *pool = self->all->pool;
    struct chunk *chunk = pool_take(pool, CONSUMER_HOST, wait);

    if (chunk == NULL)
        return 0;
    if (counting_reader_count(self, chunk, error) < 0)
        return -1;
    pool_release(pool, chunk);
    return 1;
}

int
counting_reader_help(struct consumer *self, struct error *error)
{
    int counted;

    while ((counted = counting_reader_take(self, POOL_WAIT, error)) > 0)
        ;
    return counted;
}

void
counting_reader_leave(struct consumer *self)
{
    consumer_finish(self);
}

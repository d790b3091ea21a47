/*
 * counting_reader.h -- a reader that counts what it has read
 *
 * It is a consumer without a thread of its own: its chunks need not leave the
 * cache.
 */

#ifndef GPUHIST_COUNTING_READER_H
#define GPUHIST_COUNTING_READER_H

#include "run/consumers.h"

/*
 * Add a consumer for the calling reader.  Under the lock.  Returns it, or NULL:
 * the plan allows no more CPU threads, or out of memory.
 */
struct consumer *counting_reader_add(struct consumers *all);

/*
 * Count CHUNK in the calling thread, the reader of SELF.  Returns 0, or -1 with
 * *ERROR set: out of memory.
 */
int counting_reader_count(struct consumer *self, struct chunk *chunk,
                          struct error *error);

/*
 * Count a chunk that another thread has read, if there is one; WAIT says how
 * long to wait for one.  Returns 1; 0: there is none; or -1 with *ERROR set:
 * out of memory.
 */
int counting_reader_take(struct consumer *self, enum pool_wait wait,
                         struct error *error);

/*
 * The reader of SELF has nothing more to read.  Count chunks of others until
 * none is left.  Returns 0, or -1 with *ERROR set: out of memory.
 */
int counting_reader_help(struct consumer *self, struct error *error);

/* The reader of SELF has counted its last chunk. */
void counting_reader_leave(struct consumer *self);

#endif

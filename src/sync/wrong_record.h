/* SPDX-License-Identifier: MIT */
/*
 * wrong_record.h -- the first wrong record of each input
 *
 * Readers cut the content of an input into chunks, and engines count the chunks
 * in any order.  An engine notes a wrong record here, and goes on: earlier
 * records may be wrong, too.  The readers of the input read no more, so the run
 * ends soon after all chunks are counted.
 */

#ifndef GPUHIST_WRONG_RECORD_H
#define GPUHIST_WRONG_RECORD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Shared by all inputs of a run. */
struct wrong_records {
    /* a wrong record ends all inputs; constant while inputs are read */
    bool end_all;
    atomic_bool has_any; /* some input has a wrong record */

    pthread_mutex_t lock;
    /* Under the lock. */
    /* of the first input with a wrong record */
    const struct wrong_record *first;
    struct wrong_record *watched; /* a list of those with WAKE */
};

/* The first wrong record of an input.  The input may be gone before its records
   are counted, so its readers and chunks hold this.  If a wrong record is
   found, *HOME holds this, too, until the end. */
struct wrong_record {
    struct wrong_records *all;
    size_t input; /* the number of the input: they are in this order */
    /* NULL until a wrong record is found, then this */
    struct wrong_record **home;
    atomic_uint holders;
    atomic_bool is_found;

    /* All below: under the lock, but the input's reader may read WAKE. */
    uint64_t content; /* the number in the input, as a member or a part ... */
    uint64_t at;      /* ... and the place in this content */
    struct error error;
    int wake; /* an eventfd, readable if the input need not be read; or -1 */
    struct wrong_record *next; /* of the watched ones */
};

void wrong_records_open(struct wrong_records *all);

void wrong_records_close(struct wrong_records *all);

/*
 * Make the wrong record of input number INPUT; none is found yet. *HOME is NULL
 * until then.  Returns a struct with one holder, or NULL: out of memory.
 */
struct wrong_record *wrong_record_new(struct wrong_records *all, size_t input,
                                      struct wrong_record **home);

/* WRONG has one more holder. */
void wrong_record_hold(struct wrong_record *wrong);

/* A holder of WRONG, which may be NULL, ends.  The last holder frees WRONG. */
void wrong_record_release(struct wrong_record *wrong);

/*
 * A record is wrong, at byte AT of content number CONTENT: moves ERROR if no
 * earlier one is known.
 */
void wrong_record_note(struct wrong_record *wrong, uint64_t content,
                       uint64_t at, struct error *error);

/* Whether the input of WRONG need not be read any more.  WRONG may be NULL:
   nobody looks for wrong records. */
static inline bool
wrong_record_ends(const struct wrong_record *wrong)
{
    return wrong != NULL &&
           (atomic_load(&wrong->is_found) ||
            (wrong->all->end_all && atomic_load(&wrong->all->has_any)));
}

/* Whether the following bytes of content number CONTENT need not be read,
   because a wrong record comes before them. */
bool wrong_record_ends_content(struct wrong_record *wrong, uint64_t content);

/*
 * For the only reader of an input that may have to wait, such as a pipe: WAKE
 * becomes readable when the input need not be read any more.  Without a
 * descriptor, the run ends only when the wait ends.
 */
void wrong_record_watch(struct wrong_record *wrong);

/* Close WAKE, if it is open. */
void wrong_record_unwatch(struct wrong_record *wrong);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * array_choice.h -- which arrays of files with several arrays are counted
 *
 * The names are those of --array.  All readers share a choice: it notes which
 * names were found, and, until all are found, the names of the other arrays,
 * for a message.
 */

#ifndef GPUHIST_ARRAY_CHOICE_H
#define GPUHIST_ARRAY_CHOICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct array_choice {
    const char *const *name; /* COUNT of them; constant */
    size_t count;

    pthread_mutex_t lock;
    /* All below: under the lock. */
    bool *is_found; /* of each name; owned */
    size_t lost;    /* names that are not found yet */
    char **other;   /* OTHERS names of other arrays, each once; owned */
    size_t others;
    size_t other_room;
    void *tree; /* of tsearch(): these names */
};

/* Choose the COUNT arrays NAME, 1 or more, which must stay in place.  Returns
   0, or -1 with *ERROR set; the caller calls array_choice_close() in both
   cases. */
int array_choice_open(struct array_choice *choice, const char *const *name,
                      size_t count, struct error *error);

/*
 * Whether the array NAME is counted.  With HAS_SUFFIX, the name of a file in an
 * archive: ".npy" at its end may be left out in the choice.
 */
bool array_choice_takes(struct array_choice *choice, const char *name,
                        bool has_suffix);

/*
 * No reader uses CHOICE any more.  Returns 0 if each name was found; otherwise
 * -1 with *ERROR set to a message that starts with WHERE, the inputs, and lists
 * the names of some arrays that exist.
 */
int array_choice_check(const struct array_choice *choice, const char *where,
                       struct error *error);

/* Release everything.  CHOICE may be all 0. */
void array_choice_close(struct array_choice *choice);

#endif

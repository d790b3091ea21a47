/* SPDX-License-Identifier: MIT */
/*
 * portions_check.h -- added states contain every portion once
 *
 * Two states must not share a portion or bytes of a file, nor have a file
 * before and after the file grew.  A file that was counted by shards must not
 * have grown meanwhile, and all shards of a run must be present.  Portions
 * without content never count as equal.  Within a state, and between shards of
 * a run, all is allowed: a user may name a file twice in a run.
 */

#ifndef GPUHIST_PORTIONS_CHECK_H
#define GPUHIST_PORTIONS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/portion.h"
#include "state/state_lines.h"

/* The fate of a state whose portions are in another state already. */
enum portion_duplicates {
    PORTIONS_REFUSE,
    PORTIONS_SKIP, /* if all of its portions are */
    PORTIONS_ALLOW
};

/* A portion, and the index of the state. */
struct counted_portion {
    struct portion portion;
    size_t state;
};

/* A slot of the table of portions. */
struct portion_slot {
    size_t portion;      /* index + 1; 0: the slot is free */
    unsigned int lookup; /* that finds the portion: enum lookup */
};

/* All 0: nothing yet.  The caller sets the first two. */
struct portions_check {
    enum portion_duplicates duplicates;
    bool is_incomplete; /* shards may be missing */

    struct counted_portion *counted; /* COUNT portions; owned */
    size_t count;
    size_t room;
    char **state; /* names of STATES; owned */
    size_t states;
    size_t state_room;
    struct portion_slot *slot; /* a hash table of SLOTS; owned */
    size_t slots;
    size_t used_slots;
    uint64_t seed; /* of the table's hash */
};

/*
 * Check the state of the file NAME with PORTIONS before the state is added.
 * Returns 1: add the state; 0: skip the state; or -1 with *ERROR set.
 */
int portions_check_add(struct portions_check *check, const char *name,
                       const struct state_lines *portions, struct error *error);

/* All states are known.  Returns 0, or -1 with *ERROR set. */
int portions_check_end(const struct portions_check *check, struct error *error);

void portions_check_close(struct portions_check *check);

#endif

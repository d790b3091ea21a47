/*
 * portions_check.h -- states that are added contain every portion once
 *
 * Two states must not have the same portion, bytes of one file, or a file and
 * what it was before it grew.  A file that was counted by shards must not have
 * grown meanwhile, and no shard of a run may be missing.  Portions without
 * content are never the same, and within one state, or other shards of a run,
 * anything goes: a file may be named twice in one run.
 */

#ifndef GPUHIST_PORTIONS_CHECK_H
#define GPUHIST_PORTIONS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/portion.h"
#include "state/state_lines.h"

/* What becomes of a state with portions that another one has. */
enum portion_duplicates {
    PORTIONS_REFUSE,
    PORTIONS_SKIP, /* if all its portions are */
    PORTIONS_ALLOW
};

/* A portion, and the index of its state. */
struct counted_portion {
    struct portion portion;
    size_t state;
};

/* A slot of the table of portions. */
struct portion_slot {
    size_t portion;      /* its index + 1; 0: the slot is free */
    unsigned int lookup; /* in which it is found */
};

/* All 0: nothing yet.  The caller sets the first two. */
struct portions_check {
    enum portion_duplicates duplicates;
    bool is_incomplete; /* shards may be missing */

    struct counted_portion *counted; /* COUNT of them; owned */
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
 * The state of the file NAME, with these portions, is to be added.  Returns 1;
 * 0: skip it; or -1 with *ERROR set.
 */
int portions_check_add(struct portions_check *check, const char *name,
                       const struct state_lines *portions, struct error *error);

/* All states are known.  Returns 0, or -1 with *ERROR set. */
int portions_check_end(const struct portions_check *check, struct error *error);

void portions_check_close(struct portions_check *check);

#endif

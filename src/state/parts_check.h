/*
 * parts_check.h -- states that are added contain every part once
 *
 * Two states must not have the same part, bytes of one file, or a file and
 * what it was before it grew.  A file that was counted by shards must not have
 * grown meanwhile, and no shard of a run may be missing.  Parts without content
 * are never the same, and within one state, or other shards of a run, anything
 * goes: a file may be named twice in one run.
 */

#ifndef GPUHIST_PARTS_CHECK_H
#define GPUHIST_PARTS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/part.h"
#include "state/state_lines.h"

/* What becomes of a state with parts that another one has. */
enum parts_duplicates {
    PARTS_REFUSE,
    PARTS_SKIP, /* if all its parts are */
    PARTS_ALLOW
};

/* A part, and the index of its state. */
struct counted_part {
    struct part part;
    size_t state;
};

/* A slot of the table of parts. */
struct parts_slot {
    size_t part;      /* its index + 1; 0: the slot is free */
    unsigned int way; /* in which it is found */
};

/* All 0: nothing yet.  The caller sets the first two. */
struct parts_check {
    enum parts_duplicates duplicates;
    bool is_incomplete; /* shards may be missing */

    struct counted_part *counted; /* COUNT of them; owned */
    size_t count;
    size_t room;
    char **state; /* names of STATES; owned */
    size_t states;
    size_t state_room;
    struct parts_slot *slot; /* a hash table of SLOTS; owned */
    size_t slots;
    size_t used_slots;
    uint64_t seed; /* of the table's hash */
};

/*
 * The state of the file NAME, with these parts, is to be added.  Returns 1; 0:
 * skip it; or -1 with *ERROR set.
 */
int parts_check_add(struct parts_check *check, const char *name,
                    const struct state_lines *parts, struct error *error);

/* All states are known.  Returns 0, or -1 with *ERROR set. */
int parts_check_end(const struct parts_check *check, struct error *error);

void parts_check_close(struct parts_check *check);

#endif

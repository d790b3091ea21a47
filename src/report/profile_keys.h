/* SPDX-License-Identifier: MIT */
/* profile_keys.h -- the values of a field that is counted as keys */

#ifndef GPUHIST_PROFILE_KEYS_H
#define GPUHIST_PROFILE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/axis.h"
#include "hist/key_list.h"
#include "kernels/text/text_number.h"
#include "report/request.h"

/* A value: a key, which stays in its list, and its count. */
struct profile_value {
    const unsigned char *byte;
    uint32_t size;
    uint64_t count;
    struct text_number number; /* which number the bytes are */
};

/* A walk over the values of a field in the order of their bytes.  A copy walks
   by itself. */
struct profile_keys {
    const struct report *report;
    const struct key_list *list; /* NULL: no keys */
    uint64_t cell;               /* of the first key of LIST */
    uint64_t next;               /* key */
    uint64_t end;

    /* If the field is a group of tuples: the bytes of a tuple before the
       value.  0: keys are values. */
    size_t skip;

    /* The records without a value, so far. */
    uint64_t valueless[AXIS_SPECIALS];
};

/* Start with the first value of histogram I of REPORT, which has keys. */
void profile_keys_open(struct profile_keys *keys, const struct report *report,
                       size_t i);

/* A group of tuples with one name. */
struct profile_group {
    uint64_t first; /* tuple */
    uint64_t end;
    size_t size; /* of the code of the name, at the start of each tuple */
};

/*
 * Set *GROUP to the groups of histogram I of REPORT that have a name, COUNT of
 * them, which the caller frees, and *NAMELESS to the count of all other tuples.
 * Returns 0, or -1 with *ERROR set: there are more than MOST, for which
 * --memory-limit has room.
 */
int profile_keys_groups(const struct report *report, size_t i,
                        struct profile_group **group, size_t *count,
                        size_t most, uint64_t *nameless, struct error *error);

/* Start with the first value of GROUP, of histogram I. */
void profile_keys_open_group(struct profile_keys *keys,
                             const struct report *report, size_t i,
                             const struct profile_group *group);

/* Go to the next value that occurs and is not empty.  Returns false at the
   end. */
bool profile_keys_next(struct profile_keys *keys, struct profile_value *value);

#endif

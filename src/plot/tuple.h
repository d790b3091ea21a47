/* SPDX-License-Identifier: MIT */
/* tuple.h -- a tuple of a sparse histogram, as a scene needs it */

#ifndef GPUHIST_TUPLE_H
#define GPUHIST_TUPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/spec.h"

struct drawn_tuple {
    /* The components of the group: equal bytes, equal group. */
    const unsigned char *group;
    size_t group_size;
    bool lacks_group; /* the tuple has a group, all without values */
    bool lacks_all;   /* no component has a value */
    bool is_outside;  /* a component has no value, or is outside of all bins */

    struct key_component last; /* the last component, and the kind of it */
    enum key_kind kind;
};

/* Set TUPLE to tuple KEY of the sparse histogram I of SPEC. */
void tuple_read(struct drawn_tuple *tuple, const struct spec *spec, size_t i,
                uint64_t key);

#endif

/* tuple.h -- what a scene needs of a tuple of a sparse histogram */

#ifndef GPUHIST_TUPLE_H
#define GPUHIST_TUPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/spec.h"

struct drawn_tuple {
    /* The components of the groups: the same bytes are the same group. */
    const unsigned char *group;
    size_t group_size;
    bool lacks_group; /* there are groups, and none has a value */
    bool lacks_all;   /* no component has a value */
    bool is_outside;  /* one has none, or a number outside all bins */

    struct key_part last; /* component, and its kind */
    enum key_kind kind;
};

/* Set TUPLE to tuple KEY of histogram I of SPEC, which is sparse. */
void tuple_read(struct drawn_tuple *tuple, const struct spec *spec, size_t i,
                uint64_t key);

#endif

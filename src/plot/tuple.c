/* SPDX-License-Identifier: MIT */
/* tuple.c -- a tuple of a sparse histogram, as a scene needs it */

#include <assert.h>

#include "plot/tuple.h"

void
tuple_read(struct drawn_tuple *tuple, const struct spec *spec, size_t i,
           uint64_t key)
{
    const struct key_entry entry = key_list_key(&spec->keys[i], key);
    const unsigned char *at = entry.key;
    const unsigned char *end = at + entry.size;
    size_t count = spec_dimensions(spec, i);
    size_t lacking = 0; /* components at the start */

    *tuple = (struct drawn_tuple){.group = at};
    for (size_t d = 0; d < count; d++) {
        size_t a = spec_axis_of(spec, i, d);
        const struct binning_axis *axis = &spec->shown[a];
        tuple->kind = spec_key_kind(spec, a);
        at = key_code_read(at, end, tuple->kind, d + 1 == count, &tuple->last);
        assert(at != NULL);
        bool has_value = tuple->last.tag == KEY_TAG_VALUE;
        lacking += lacking == d && !has_value;
        tuple->is_outside |=
            !has_value || (tuple->kind == KEY_CELL &&
                           axis_cell_of(axis, tuple->last.row) >= axis->bins);
        if (d + 1 == spec->group_count)
            tuple->group_size = (size_t)(at - entry.key);
    }
    tuple->lacks_group = spec->group_count > 0 && lacking >= spec->group_count;
    tuple->lacks_all = lacking == count;
}

/* SPDX-License-Identifier: MIT */
/* profile_keys.c -- the values of a field that is counted as keys */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hist/key_code.h"
#include "report/profile_keys.h"
#include "report/row_step.h"
#include "text/field_value.h"

void
profile_keys_open(struct profile_keys *keys, const struct report *report,
                  size_t i)
{
    const struct spec *spec = report->spec;
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    const struct key_list *list = spec_keys(spec, i);

    *keys = (struct profile_keys){
        .report = report,
        .list = list,
        .cell = axis->base,
        .end = list != NULL ? list->count : 0,
    };
    for (unsigned int s = 0; s < axis_flows(axis) - axis_number_flows(axis);
         s++)
        keys->valueless[s] = histogram_count(
            report->histogram,
            axis->base + axis_special_cell(axis, (enum axis_special)s));
}

void
profile_keys_open_group(struct profile_keys *keys, const struct report *report,
                        size_t i, const struct profile_group *group)
{
    *keys = (struct profile_keys){
        .report = report,
        .list = spec_keys(report->spec, i),
        .cell = spec_first_cell(report->spec, i),
        .next = group->first,
        .end = group->end,
        .skip = group->size,
    };
}

/* Keep the keys before the next one in their files only, if a list in files
   has read many. */
static void
forget(const struct profile_keys *keys)
{
    if (keys->next < ROWS_AT_A_TIME || keys->next % ROWS_AT_A_TIME != 0)
        return;
    uint64_t first = keys->next - ROWS_AT_A_TIME;
    key_list_forget(keys->list, first, ROWS_AT_A_TIME);
    histogram_forget(keys->report->histogram, keys->cell + first,
                     ROWS_AT_A_TIME);
}

/* Set *VALUE to the value of the next key.  Returns false if the key has no
   value: it is added to the records without one. */
static bool
read_value(struct profile_keys *keys, struct profile_value *value)
{
    const struct text_format *format = &keys->report->spec->text;
    struct key_entry entry = key_list_key(keys->list, keys->next);
    uint64_t count =
        histogram_count(keys->report->histogram, keys->cell + keys->next);

    if (keys->skip > 0) {
        enum key_tag tag = (enum key_tag)entry.key[keys->skip];
        if (tag != KEY_TAG_VALUE) {
            keys->valueless[axis_special_of(tag)] += count;
            return false;
        }
        entry.key += keys->skip + 1;
        entry.size -= (uint32_t)keys->skip + 1;
    }
    *value = (struct profile_value){
        .byte = entry.key, .size = entry.size, .count = count};
    if (count == 0)
        return false;
    text_number_scan(entry.key, entry.size, &value->number);
    if (!field_value_is_empty(format, &value->number, entry.key, entry.size))
        return true;
    keys->valueless[AXIS_EMPTY] += count;
    return false;
}

bool
profile_keys_next(struct profile_keys *keys, struct profile_value *value)
{
    bool has_value = false;

    while (!has_value && keys->next < keys->end) {
        forget(keys);
        has_value = read_value(keys, value);
        keys->next++;
    }
    return has_value;
}

/* ---- groups ---- */

/* The groups that are found so far. */
struct group_search {
    struct profile_group *group;
    size_t count;
    size_t room;
    size_t most;
};

/* Append GROUP.  Returns 0, or -1 with *ERROR set. */
static int
add_group(struct group_search *search, struct profile_group group,
          struct error *error)
{
    if (search->count == search->most) {
        error_set(error, EXIT_DATA,
                  "--profile: records have more than %zu different members, "
                  "for which --memory-limit has no room: choose by --fields",
                  search->most);
        return -1;
    }
    if (search->count == search->room) {
        size_t room = 2 * search->room + 64;
        void *grown = realloc(search->group, room * sizeof *search->group);
        if (grown == NULL)
            return error_fail_memory(error);
        search->group = grown;
        search->room = room;
    }
    search->group[search->count++] = group;
    return 0;
}

/* Returns the size of the name at the start of TUPLE; 0: it has no name. */
static size_t
name_size(const struct key_entry *tuple)
{
    struct key_component name;
    const unsigned char *end = key_code_read(
        tuple->key, tuple->key + tuple->size, KEY_TEXT, false, &name);

    return end != NULL && name.tag == KEY_TAG_VALUE ? (size_t)(end - tuple->key)
                                                    : 0;
}

int
profile_keys_groups(const struct report *report, size_t i,
                    struct profile_group **group, size_t *count, size_t most,
                    uint64_t *nameless, struct error *error)
{
    const struct key_list *list = spec_keys(report->spec, i);
    struct group_search search = {.most = most};
    struct key_entry before = {0};
    size_t size = 0;
    int result = 0;

    *nameless = 0;
    for (uint64_t k = 0; list != NULL && k < list->count && result == 0; k++) {
        struct key_entry tuple = key_list_key(list, k);
        bool is_new = size == 0 || tuple.size < size ||
                      memcmp(tuple.key, before.key, size) != 0;
        before = tuple;
        if (is_new)
            size = name_size(&tuple);
        if (size == 0)
            *nameless += histogram_count(report->histogram,
                                         spec_first_cell(report->spec, i) + k);
        else if (is_new)
            result = add_group(&search,
                               (struct profile_group){.first = k, .size = size},
                               error);
        if (size > 0 && result == 0)
            search.group[search.count - 1].end = k + 1;
    }
    *group = search.group;
    *count = search.count;
    return result;
}

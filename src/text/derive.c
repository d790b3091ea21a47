/* SPDX-License-Identifier: MIT */
/* derive.c -- the values of a batch of records, if fields have modifiers */

#include <stdlib.h>
#include <string.h>

#include "text/derive.h"

/* So many bytes of values fit into a second-level cache, beside the tables.
   The values of a record are not divided. */
#define VALUES_BYTES ((size_t)256 << 10)

/* The faster readers of keys and numbers load so many bytes before the end of a
   text, at most; these bytes are before the first value. */
#define VALUES_START ((size_t)64)

/* Offsets of slices have 32 bits. */
#define VALUES_MAX ((size_t)TEXT_SLICE_MISSING)

/* A weight that no modifier reads. */
static const char wrong_weight[] = "\\invalid";

/* ---- plans ---- */

/* Set PLAN, but not where its sources are.  Returns 0, or -1: out of memory. */
static int
start_plan(struct derive_plan *plan, const struct text_format *format,
           const struct field_list *list)
{
    *plan = (struct derive_plan){.format = *format, .list = list};
    plan->format.is_derived = 0;
    plan->plain = *format;
    plan->plain.is_derived = 1;
    plan->column = calloc(list->count + 1, sizeof *plan->column);
    return plan->column != NULL ? 0 : -1;
}

int
derive_plan_open(struct derive_plan *plan, const struct text_format *format,
                 const struct field_list *list)
{
    return start_plan(plan, format, list) == 0 &&
                   field_list_sources(&plan->source, list, plan->column) == 0
               ? 0
               : -1;
}

int
derive_plan_open_in_place(struct derive_plan *plan,
                          const struct text_format *format,
                          const struct field_list *list)
{
    if (start_plan(plan, format, list) < 0)
        return -1;
    for (size_t i = 0; i < list->count; i++)
        plan->column[i] = (uint32_t)i;
    plan->source.count = list->count;
    return 0;
}

void
derive_plan_close(struct derive_plan *plan)
{
    field_list_close(&plan->source);
    free(plan->column);
    *plan = (struct derive_plan){0};
}

/* ---- one thread ---- */

/* Returns the field of PLAN at PLACE. */
static struct derive_field
make_field(const struct derive_plan *plan, size_t place, size_t weight)
{
    const struct field_list *list = plan->list;
    const struct modifiers *chain = &list->chain[place];
    size_t parts = modifiers_parts(chain);

    return (struct derive_field){
        .chain = chain,
        .text = {.format = &plan->format, .part = list->field[place].part},
        .place = place,
        .column = plan->column[place],
        .first = parts < chain->count ? parts + 1 : 0,
        .within = DERIVE_ELEMENT,
        .is_of_list = field_list_has_parts(list, place),
        .gives_decimal =
            chain->count > 0 && modifiers_give(chain) == MODIFIER_GIVES_DECIMAL,
        .is_weight = place == weight &&
                     (chain->count > 0 || field_list_has_parts(list, place)),
    };
}

/* Returns the first field of DERIVE with parts of the innermost list, or
   NULL. */
static const struct derive_field *
find_innermost(const struct derive *derive)
{
    const struct field_list *list = derive->plan->list;
    const struct derive_field *found = NULL;

    for (size_t i = 0; i < derive->count; i++) {
        const struct derive_field *field = &derive->field[i];
        if (field->is_of_list &&
            (found == NULL ||
             !field_list_is_around(list, field->place, found->place)))
            found = field;
    }
    return found;
}

/* The paths in WITHIN, of a field, one for each list inside of the list before,
   and then the path of the field. */
struct inner_paths {
    char *path[JSON_LISTS_MAX + 1]; /* COUNT of them, owned */
    size_t count;
};

/* Returns 0, or -1: out of memory. */
static int
divide_paths(struct inner_paths *paths, const char *within)
{
    size_t length = strlen(within);

    for (bool is_last = false; !is_last; paths->count++) {
        size_t list = json_path_list(within, length);
        is_last = list == length;
        paths->path[paths->count] = strndup(within, list);
        if (paths->path[paths->count] == NULL)
            return -1;
        within += list + (is_last ? 0 : 2);
        length -= list + (is_last ? 0 : 2);
    }
    return 0;
}

static void
close_paths(struct inner_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->path[i]);
}

/* Prepare the list of LEVEL, an array of JSON: of its elements the fields of
   this level are wanted, and INNER, the path of the next list, unless it is
   NULL.  Returns 0, or -1: out of memory. */
static int
open_level(struct derive *derive, size_t level, char *inner)
{
    const struct field_list *list = derive->plan->list;
    struct derive_list *own = &derive->lists.level[level];
    char **path = calloc(derive->count + 1, sizeof *path);
    size_t paths = 0;

    if (path == NULL)
        return -1;
    own->inner = DERIVE_ELEMENT;
    if (inner != NULL && *inner != '\0') {
        own->inner = paths;
        path[paths++] = inner;
    }
    for (size_t i = 0; i < derive->count; i++) {
        struct derive_field *field = &derive->field[i];
        char *within = list->within[field->place];
        if (within == NULL || field->level != level)
            continue;
        within += field_list_lists(within);
        if (*within == '\0')
            continue;
        field->within = paths;
        path[paths++] = within;
    }
    int result = derive_list_open(own, path, paths);
    free(path);
    return result;
}

/* Prepare arrays of JSON, the innermost of which has WITHIN.  Returns 0, or -1:
   out of memory. */
static int
open_arrays(struct derive *derive, const char *within)
{
    struct derive_lists *lists = &derive->lists;
    struct inner_paths paths = {0};
    int result = divide_paths(&paths, within);

    lists->levels = paths.count;
    for (size_t i = 0; i < derive->count; i++) {
        struct derive_field *field = &derive->field[i];
        const char *own = derive->plan->list->within[field->place];
        for (size_t at = 0; own != NULL && at < field_list_lists(own);
             field->level++)
            at += json_path_list(own + at, strlen(own + at)) + 2;
    }
    for (size_t k = 0; k < lists->levels && result == 0; k++)
        result =
            open_level(derive, k, k + 1 < lists->levels ? paths.path[k] : NULL);
    close_paths(&paths);
    return result;
}

/* Prepare all members of a record.  Returns 0, or -1: out of memory. */
static int
open_members(struct derive *derive)
{
    for (size_t i = 0; i < derive->count; i++) {
        struct derive_field *field = &derive->field[i];
        const char *within = derive->plan->list->within[field->place];
        if (field_list_is_of_members(within))
            field->within = strcmp(within, FIELD_LIST_MEMBER_NAME) == 0
                                ? DERIVE_PAIR_NAME
                                : DERIVE_PAIR_VALUE;
    }
    return derive_list_open_members(&derive->lists.level[0]);
}

/* Prepare the lists of the fields of DERIVE.  Returns 0, or -1: out of
   memory. */
static int
open_lists(struct derive *derive)
{
    const struct derive_field *innermost = find_innermost(derive);
    struct derive_list *first = &derive->lists.level[0];

    if (innermost == NULL)
        return 0;
    derive->has_list = true;
    derive->lists.levels = 1;
    first->text = innermost->text;
    first->column = innermost->column;
    const char *within = derive->plan->list->within[innermost->place];
    if (field_list_is_of_members(within))
        return open_members(derive);
    if (within != NULL)
        return open_arrays(derive, within);
    first->chain = innermost->chain;
    first->parts = innermost->first - 1;
    /* Parts are values, which are written. */
    for (size_t i = 0; i < derive->count; i++) {
        if (derive->field[i].is_of_list)
            derive->field[i].text.format = &derive->plan->plain;
    }
    return derive_list_open(first, NULL, 0);
}

int
derive_open(struct derive *derive, const struct derive_plan *plan,
            const size_t *place, size_t count, size_t weight)
{
    *derive = (struct derive){.plan = plan};
    derive->field = calloc(count + 1, sizeof *derive->field);
    derive->data = calloc(1, VALUES_BYTES);
    derive->room = VALUES_BYTES;
    if (derive->field == NULL || derive->data == NULL)
        return -1;
    for (size_t i = 0; i < count; i++)
        derive->field[derive->count++] = make_field(plan, place[i], weight);
    return open_lists(derive);
}

uint64_t
derive_bytes(size_t count)
{
    return count * sizeof(struct derive_field) + 2 * VALUES_BYTES;
}

void
derive_close(struct derive *derive)
{
    for (size_t i = 0; i < derive->count; i++)
        field_text_close(&derive->field[i].text);
    derive_lists_close(&derive->lists);
    free(derive->field);
    free(derive->data);
    *derive = (struct derive){0};
}

/* ---- values ---- */

/* Make room for SIZE more bytes.  Returns 0, or -1: out of memory. */
static int
make_room(struct derive *derive, size_t size)
{
    size_t needed = derive->used + size;
    size_t room = derive->room;

    if (needed <= derive->room)
        return 0;
    while (room < needed)
        room *= 2;
    unsigned char *grown = realloc(derive->data, room);
    if (grown == NULL)
        return -1;
    derive->data = grown;
    derive->room = room;
    return 0;
}

/* Returns the slice of the SIZE bytes at TEXT, which become the next value:
   they may be at the end of the values already, or after it. */
static struct text_slice
put(struct derive *derive, const void *text, size_t size)
{
    const struct text_slice slice = {(binning_u32)derive->used,
                                     (binning_u32)size};

    if (text != derive->data + derive->used)
        memmove(derive->data + derive->used, text, size);
    derive->used += size;
    return slice;
}

/* Whether the SIZE bytes at TEXT, which no modifier reads, are an empty
   field. */
static bool
is_empty(const struct derive_field *field, const unsigned char *text,
         size_t size)
{
    struct text_number number;

    text_number_scan(text, (binning_u32)size, &number);
    return field_value_is_empty(field->text.format, &number, text, size);
}

/* Set *TO to the value of SLICE, which is not missing, of the chunk at DATA.
   Returns 0, or -1: out of memory. */
static int
derive_value(struct derive *derive, struct derive_field *field,
             const unsigned char *data, struct text_slice slice,
             struct text_slice *to)
{
    const struct modifiers *chain = field->chain;
    binning_u32 size;
    const unsigned char *text =
        field_text_find(&field->text, data, slice, &size);

    if (text == NULL || make_room(derive, size + modifiers_room(chain, size) +
                                              sizeof wrong_weight) < 0)
        return -1;
    const unsigned char *made = text;
    size_t made_size = size;
    if (modifiers_apply(chain, field->first, chain->count, &made, &made_size,
                        derive->data + derive->used))
        *to = put(derive, made, made_size);
    else if (field->gives_decimal && is_empty(field, text, size))
        *to = put(derive, text, size);
    else if (field->is_weight)
        *to = put(derive, wrong_weight, sizeof wrong_weight - 1);
    else
        *to = TEXT_SLICE_INVALID;
    return derive->used < VALUES_MAX ? 0 : -1;
}

/* As derive_value(), for any SLICE.  Neighbours often have the same field. */
static inline int
derive_any(struct derive *derive, struct derive_field *field,
           const unsigned char *data, struct text_slice slice,
           struct text_slice *to)
{
    if (text_slice_is_missing(slice)) {
        *to = slice;
        return 0;
    }
    if (field_value_names_missing(field->text.format, data, slice)) {
        *to = TEXT_SLICE_NONE;
        return 0;
    }
    if (field->has_last && field->last_source.size == slice.size &&
        memcmp(data + field->last_source.at, data + slice.at, slice.size) ==
            0) {
        *to = field->last;
        return 0;
    }
    if (derive_value(derive, field, data, slice, to) < 0)
        return -1;
    field->has_last = true;
    field->last_source = slice;
    field->last = *to;
    return 0;
}

/* Forget the last values. */
static void
start_values(struct derive *derive)
{
    derive->used = VALUES_START;
    for (size_t i = 0; i < derive->count; i++)
        derive->field[i].has_last = false;
}

/* Derive the fields of a record without parts.  Returns 0, or -1: out of
   memory. */
static int
derive_record(struct derive *derive, const unsigned char *data,
              const struct text_slice *source, struct text_slice *slice)
{
    for (size_t i = 0; i < derive->count; i++) {
        struct derive_field *field = &derive->field[i];
        if (!field->is_of_list &&
            derive_any(derive, field, data, source[field->column],
                       &slice[field->place]) < 0)
            return -1;
    }
    return 0;
}

size_t
derive_run(struct derive *derive, const unsigned char *data,
           const struct text_slice *source, size_t records,
           struct text_slice *slice)
{
    size_t sources = derive->plan->source.count;
    size_t wanted = derive->plan->list->count;
    size_t r = 0;

    start_values(derive);
    for (; r < records && derive->used < VALUES_BYTES; r++) {
        if (derive_record(derive, data, source, slice) < 0)
            return 0;
        source += sources;
        slice += wanted;
    }
    return r;
}

/* ---- elements ---- */

/* Derive the fields of the present elements of the lists.  Returns 0, or -1:
   out of memory. */
static int
derive_element(struct derive *derive, struct text_slice *slice)
{
    for (size_t i = 0; i < derive->count; i++) {
        struct derive_field *field = &derive->field[i];
        const struct derive_list *list = &derive->lists.level[field->level];
        if (!field->is_of_list)
            continue;
        struct text_slice own = derive_list_member(list, field->within);
        /* The text of a list may move, and so may its values. */
        field->has_last = false;
        if (text_slice_is_missing(own))
            slice[field->place] = own;
        else if (derive_value(derive, field, list->data, own,
                              &slice[field->place]) < 0)
            return -1;
    }
    return 0;
}

size_t
derive_elements(struct derive *derive, const unsigned char *data,
                const struct text_slice *source, size_t records,
                struct derive_cursor *cursor, size_t most,
                struct text_slice *slice, uint32_t *owner)
{
    struct derive_lists *lists = &derive->lists;
    size_t sources = derive->plan->source.count;
    size_t wanted = derive->plan->list->count;
    size_t rows = 0;

    start_values(derive);
    for (; cursor->record < records;
         *cursor = (struct derive_cursor){.record = cursor->record + 1}) {
        const struct text_slice *own = source + cursor->record * sources;
        const struct text_slice *first = slice;
        int next;
        if (derive_lists_start(lists, data, own[lists->level[0].column],
                               &cursor->place) < 0)
            return SIZE_MAX;
        for (;; rows++, slice += wanted) {
            if (rows == most || derive->used >= VALUES_BYTES) {
                derive_lists_tell(lists, &cursor->place);
                return rows;
            }
            next = derive_lists_next(lists);
            if (next <= 0)
                break;
            if (slice == first && derive_record(derive, data, own, slice) < 0)
                return SIZE_MAX;
            if (slice != first)
                memcpy(slice, first, wanted * sizeof *slice);
            if (derive_element(derive, slice) < 0)
                return SIZE_MAX;
            owner[rows] = (uint32_t)cursor->record;
        }
        if (next < 0)
            return SIZE_MAX;
    }
    return rows;
}

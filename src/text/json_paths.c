/* SPDX-License-Identifier: MIT */
/* json_paths.c -- the members of an object of JSON that are wanted, by path */

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/visible.h"
#include "text/json_paths.h"
#include "text/json_text.h"

/* More is probably a mistake. */
#define INDEX_MAX 99999999u

/* ---- paths ---- */

struct step {
    bool is_index;
    uint32_t index;
    unsigned char *name; /* room for the text of the path */
    size_t size;
};

size_t
json_path_length(const char *text)
{
    bool is_quoted = false;
    size_t i = 0;

    for (; text[i] != '\0' && (is_quoted || text[i] != ','); i++) {
        if (text[i] == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && text[i] == '\\' && text[i + 1] != '\0')
            i++;
    }
    return i;
}

/* Read the text between brackets, from *AT on.  Returns whether the text is
   right. */
static bool
read_bracket(const char *text, size_t length, size_t *at, struct step *step)
{
    size_t i = *at;

    if (i < length && text[i] == '"') {
        const unsigned char *data = (const unsigned char *)text;
        const char *wrong;
        uint32_t end =
            json_string_end(data, (uint32_t)i, (uint32_t)length, &wrong);
        if (wrong != NULL)
            return false;
        const struct text_slice slice = {(uint32_t)i, end - (uint32_t)i};
        step->size = json_text_write(data, slice, step->name);
        step->is_index = false;
        i = end;
    } else {
        size_t first = i;
        step->is_index = true;
        step->index = 0;
        for (; i < length && ascii_is_digit(text[i]); i++) {
            step->index = 10 * step->index + (uint32_t)(text[i] - '0');
            if (step->index > INDEX_MAX)
                return false;
        }
        if (i == first)
            return false;
    }
    *at = i + 1;
    return i < length && text[i] == ']';
}

/*
 * Read the step at *AT of a path, and move *AT after the step.  Returns 1; 0 at
 * the end of the path; -1: the step is wrong.
 */
static int
read_step(const char *text, size_t length, size_t *at, struct step *step)
{
    size_t i = *at;

    if (i == length)
        return i > 0 ? 0 : -1;
    if (text[i] == '[') {
        *at = i + 1;
        return read_bracket(text, length, at, step) ? 1 : -1;
    }
    if (text[i] == '.')
        i++;
    else if (i > 0)
        return -1;
    if (i == 1 && i < length && text[i] == '[') { /* .["x"], as for jq */
        *at = i + 1;
        return read_bracket(text, length, at, step) ? 1 : -1;
    }
    size_t size = 0;
    while (i + size < length && strchr(".[],\"", text[i + size]) == NULL)
        size++;
    memcpy(step->name, text + i, size);
    step->size = size;
    step->is_index = false;
    *at = i + size;
    return size > 0 ? 1 : -1;
}

bool
json_path_is_valid(const char *text, size_t length)
{
    unsigned char *name = malloc(length + 1);
    struct step step = {.name = name};
    size_t steps = 0;
    size_t at = 0;
    int found = -1;

    while (name != NULL && steps <= JSON_STEPS_MAX &&
           (found = read_step(text, length, &at, &step)) > 0)
        steps++;
    free(name);
    return found == 0 && steps <= JSON_STEPS_MAX;
}

size_t
json_path_list(const char *text, size_t length)
{
    bool is_quoted = false;

    for (size_t i = 0; i + 1 < length; i++) {
        if (text[i] == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && text[i] == '\\')
            i++;
        else if (!is_quoted && text[i] == '[' && text[i + 1] == ']')
            return i;
    }
    return length;
}

/* Whether the LENGTH bytes at TEXT are the path of a member, or, if IS_WITHIN,
   what follows [] in a path: the path of a member of the elements, or
   nothing. */
static bool
is_step_of_lists(const char *text, size_t length, bool is_within)
{
    if (!is_within)
        return length > 0 && json_path_is_valid(text, length);
    return length == 0 ||
           ((*text == '.' || (length > 1 && *text == '[' && text[1] == '"')) &&
            json_path_is_valid(text, length));
}

/* Whether the LENGTH bytes at TEXT, a path with [], name the elements of a
   list, or a member of each. */
static bool
is_list(const char *text, size_t length)
{
    size_t lists = 0;
    size_t at = 0;

    for (;; lists++) {
        size_t list = json_path_list(text + at, length - at);
        if (lists > JSON_LISTS_MAX ||
            !is_step_of_lists(text + at, list, lists > 0))
            return false;
        at += list;
        if (at == length)
            return true;
        at += 2;
    }
}

int
json_paths_find(const char *option, const char *text, size_t length,
                struct text_field *field, struct error *error)
{
    char shown[VISIBLE_BYTES];

    *field = (struct text_field){.part = TEXT_PART_MEMBER};
    size_t list = json_path_list(text, length);
    if (list < length ? is_list(text, length)
                      : json_path_is_valid(text, length))
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s: '%s' is no path of a member of JSON (%s)", option,
              visible_name(shown, text, length),
              list < length ? "of the elements of lists: a[], a[].b, a[].b[].c"
                            : "a, a.b, a[0], a[\"x.y\"]");
    return -1;
}

/* ---- nodes ---- */

/* Whether a string of JSON may have the bytes at NAME as they stand. */
static bool
is_plain(const unsigned char *name, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (name[i] < ' ' || name[i] == '"' || name[i] == '\\')
            return false;
    }
    return true;
}

static bool
is_step(const struct json_node *node, const struct step *step)
{
    if (step->is_index || node->name == NULL)
        return step->is_index && node->name == NULL &&
               node->index == step->index;
    return node->size == step->size &&
           memcmp(node->name, step->name, step->size) == 0;
}

/* Set the first bytes of NODE, whose name needs no escapes. */
static void
set_head(struct json_node *node)
{
    unsigned char bytes[sizeof node->head + 1] = {0};
    unsigned char mask[sizeof bytes] = {0};
    size_t size =
        node->size < sizeof node->head ? node->size : sizeof node->head;

    memcpy(bytes, node->name, size);
    bytes[size] = '"';
    memset(mask, 0xff, size + 1);
    memcpy(&node->head, bytes, sizeof node->head);
    memcpy(&node->mask, mask, sizeof node->mask);
}

/* Add the mark of STEP, a name, if the marks have room and lack it. */
static void
add_mark(struct json_paths *paths, const struct step *step)
{
    size_t size =
        step->size < JSON_MARK_REACH ? step->size : JSON_MARK_REACH - 1;
    struct json_mark mark = {
        .place = (uint32_t)size,
        .byte = {size > 0 ? step->name[size - 1] : '"',
                 size < step->size ? step->name[size] : '"'},
    };

    for (uint32_t i = 0; i < paths->marks; i++) {
        const struct json_mark *other = &paths->mark[i];
        if (other->place == mark.place && other->byte[0] == mark.byte[0] &&
            other->byte[1] == mark.byte[1])
            return;
    }
    if (paths->marks <= JSON_MARKS_MAX)
        paths->mark[paths->marks++] = mark;
}

/* Returns the child of PARENT for STEP, whose name stays; appends the child if
   PARENT lacks it. */
static uint32_t
take_child(struct json_paths *paths, uint32_t parent, const struct step *step)
{
    uint32_t *link = &paths->node[parent].child;

    while (*link != JSON_NONE && !is_step(&paths->node[*link], step))
        link = &paths->node[*link].next;
    if (*link != JSON_NONE)
        return *link;
    paths->node[paths->nodes] = (struct json_node){
        .name = step->is_index ? NULL : step->name,
        .size = (uint32_t)step->size,
        .index = step->index,
        .mask = UINT64_MAX,
        .child = JSON_NONE,
        .next = JSON_NONE,
        .column = JSON_NONE,
    };
    paths->has_elements |= step->is_index;
    if (!step->is_index)
        add_mark(paths, step);
    if (!step->is_index && is_plain(step->name, step->size))
        set_head(&paths->node[paths->nodes]);
    *link = (uint32_t)paths->nodes;
    return (uint32_t)paths->nodes++;
}

/* Add the path TEXT as COLUMN.  NAMES has room for its names; returns the
   unused part of NAMES. */
static unsigned char *
add_path(struct json_paths *paths, const char *text, uint32_t column,
         unsigned char *names)
{
    struct step step = {.name = names};
    size_t length = strlen(text);
    uint32_t node = 0;
    size_t at = 0;

    while (read_step(text, length, &at, &step) > 0) {
        node = take_child(paths, node, &step);
        if (!step.is_index)
            step.name += step.size;
    }
    paths->next_column[column] = paths->node[node].column;
    paths->node[node].column = column;
    return step.name;
}

/*
 * Let each node know its columns: in the order of BELOW, a node's columns are
 * followed by the columns of its children.  A tree has at most JSON_STEPS_MAX
 * levels; from a node, the walk goes on with its child, else with the next
 * sibling of the node or of its parents.
 */
static void
list_below(struct json_paths *paths)
{
    uint32_t around[JSON_STEPS_MAX + 1];
    size_t depth = 0;
    uint32_t used = 0;
    uint32_t at = 0;

    for (;;) {
        struct json_node *node = &paths->node[at];
        node->below = used;
        for (uint32_t c = node->column; c != JSON_NONE;
             c = paths->next_column[c])
            paths->below[used++] = c;
        if (node->child != JSON_NONE) {
            around[depth++] = at;
            at = node->child;
            continue;
        }
        node->below_end = used;
        while (paths->node[at].next == JSON_NONE) {
            if (depth == 0)
                return;
            at = around[--depth];
            paths->node[at].below_end = used;
        }
        at = paths->node[at].next;
    }
}

int
json_paths_open(struct json_paths *paths, char *const *text, size_t count,
                struct error *error)
{
    size_t nodes = 1;
    size_t bytes = 1;

    *paths = (struct json_paths){.columns = (uint32_t)count};
    for (size_t i = 0; i < count; i++) {
        /* A step has at least one byte of its path, and a point or bracket. */
        size_t length = strlen(text[i]);
        nodes += length < JSON_STEPS_MAX ? length : JSON_STEPS_MAX;
        bytes += length;
    }
    paths->node = calloc(nodes, sizeof *paths->node);
    paths->next_column = calloc(count + 1, sizeof *paths->next_column);
    paths->below = calloc(count + 1, sizeof *paths->below);
    paths->names = malloc(bytes);
    if (paths->node == NULL || paths->next_column == NULL ||
        paths->below == NULL || paths->names == NULL)
        return error_fail_memory(error);
    paths->node[paths->nodes++] = (struct json_node){
        .child = JSON_NONE, .next = JSON_NONE, .column = JSON_NONE};
    unsigned char *names = paths->names;
    for (size_t i = 0; i < count; i++)
        names = add_path(paths, text[i], (uint32_t)i, names);
    list_below(paths);
    return 0;
}

void
json_paths_close(struct json_paths *paths)
{
    free(paths->node);
    free(paths->next_column);
    free(paths->below);
    free(paths->names);
    *paths = (struct json_paths){0};
}

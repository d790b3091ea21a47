/* group_rest.c -- the percentiles and the different values of several groups */

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "report/group_rest.h"
#include "report/value_union.h"

/* ---- the values ---- */

/* Add the value of the row that ROWS is on, if it is one.  Returns 0, or -1
   with *ERROR set. */
static int
add_row(const struct rows *rows, struct value_union *values,
        struct error *error)
{
    const struct key_entry tuple = key_list_key(rows->tuples, rows->next - 1);

    if (!group_figures_have(group_walk_values(rows)))
        return 0;
    return value_union_add(values, tuple.key + rows->group_size,
                           tuple.size - (uint32_t)rows->group_size,
                           rows->amount.count, error);
}

/* The groups that start in some rows, which a thread looks at. */
struct part {
    struct group_walk walk; /* its own */
    const struct group_entries *chosen;
    uint64_t first;
    uint64_t end;
    struct value_union values;
    struct error error;
};

/* Returns the first of ENTRIES, in the order of their rows, that starts at ROW
   or later. */
static size_t
find_entry(const struct group_entries *entries, uint64_t row)
{
    size_t low = 0;
    size_t high = entries->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries->entry[middle].first < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Add the values of all groups of a part but the chosen ones and those without
   a key. */
static void
add_groups(void *task, unsigned int member)
{
    struct part *part = (struct part *)task + member;
    const struct group_entries *chosen = part->chosen;
    struct group_walk *walk = &part->walk;
    struct rows *rows = &walk->rows;
    size_t next = find_entry(chosen, part->first);
    int result = 0;

    group_walk_start(walk, part->first);
    while (group_walk_starts_before(walk, part->end) && result == 0) {
        bool is_chosen =
            next < chosen->count && chosen->entry[next].first == rows->next - 1;
        bool is_left = !is_chosen && rows->special < walk->groups;
        next += is_chosen;
        do {
            if (is_left && result == 0)
                result = add_row(rows, &part->values, &part->error);
        } while (group_walk_next_row(walk, rows));
        walk->has_row = rows_next(rows);
    }
}

/* ---- their figures ---- */

/* The context of visit(). */
struct visitor {
    struct group_rest *rest;
    struct figure_search search;
    struct column *column; /* to look at a value in */
};

static int
visit(void *context, const struct key_entry *value, struct error *error)
{
    struct visitor *visitor = context;
    struct group_rest *rest = visitor->rest;

    size_t c;

    rest->distinct++;
    if (visitor->search.above != 0)
        (void)column_read(visitor->column, value->key, value->key + value->size,
                          true);
    figure_search_add(&visitor->search, visitor->column, value->count);
    while (figure_search_next(&visitor->search, &c)) {
        rest->size[c] = value->size;
        rest->code[c] = malloc((size_t)value->size + 1);
        if (rest->code[c] == NULL)
            return error_fail_memory(error);
        memcpy(rest->code[c], value->key, value->size);
    }
    return 0;
}

/* Adds a value of another part to those of the first one, CONTEXT. */
static int
visit_part(void *context, const struct key_entry *value, struct error *error)
{
    return value_union_add(context, value->key, value->size, value->count,
                           error);
}

/*
 * Look at the COUNT parts, add their values to those of the first one, and
 * visit these.  Returns 0, or -1 with *ERROR set.
 */
static int
visit_parts(struct part *part, unsigned int count, struct visitor *visitor,
            struct error *error)
{
    crew_run(count, add_groups, part);
    for (unsigned int p = 0; p < count; p++) {
        error_move(error, &part[p].error);
        /* From here on one part at a time sorts. */
        part[p].values.threads *= count;
    }
    int result = error->status == EXIT_DONE ? 0 : -1;
    for (unsigned int p = 1; p < count && result == 0; p++)
        result =
            value_union_read(&part[p].values, visit_part, &part->values, error);
    if (result == 0)
        result = value_union_read(&part->values, visit, visitor, error);
    return result;
}

int
group_rest_make(struct group_rest *rest, struct group_walk *walk,
                const struct group_entries *chosen,
                const struct figures *figures, const struct group_figures *all,
                size_t limit, unsigned int threads, struct error *error)
{
    struct visitor visitor = {
        .rest = rest,
        .column = &walk->keys.column[walk->keys.columns - 1],
    };
    unsigned int parts = group_walk_parts(walk, threads);
    size_t room = limit / VALUE_UNION_MIN; /* for as many parts */

    *rest = (struct group_rest){0};
    figure_search_open(&visitor.search, figures->figure, figures->count, all);
    if (parts > room)
        parts = room < 1 ? 1 : (unsigned int)room;
    struct part *part = malloc(parts * sizeof *part);
    if (part == NULL)
        return error_fail_memory(error);
    for (unsigned int p = 0; p < parts; p++) {
        part[p] = (struct part){
            .walk = *walk,
            .chosen = chosen,
            .first = group_walk_part(walk, parts, p),
            .end = group_walk_part(walk, parts, p + 1),
        };
        value_union_open(&part[p].values, limit / parts, threads / parts);
    }
    int result = visit_parts(part, parts, &visitor, error);
    for (unsigned int p = 0; p < parts; p++)
        value_union_close(&part[p].values);
    free(part);
    return result;
}

void
group_rest_close(struct group_rest *rest)
{
    for (size_t c = 0; c < FIGURES_MAX; c++)
        free(rest->code[c]);
}

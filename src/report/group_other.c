/* SPDX-License-Identifier: MIT */
/* group_other.c -- the figures of several groups that need all values */

#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/thread.h"
#include "hist/key_decimal.h"
#include "hist/key_merge.h"
#include "hist/key_run.h"
#include "hist/key_table.h"
#include "kernels/text/hash.h"
#include "report/figure_search.h"
#include "report/group_other.h"

/* ---- the values of several groups, each once, with its count ---- */

/* The least memory, in bytes; less would make runs too short. */
#define VALUES_MIN ((size_t)4 << 20)

/*
 * Values are the codes (key_code.h) at the end of the rows of groups.  A table
 * in memory holds the values; beyond a limit, sorted runs in a temporary file
 * hold the others, as for keys during counting.
 */
struct value_union {
    struct key_memory memory;
    struct key_table table;
    struct key_runs runs;
    struct hash_key hash_key;
    unsigned int threads; /* for sorting; may be changed */
    size_t limit;         /* of the memory, in bytes */
};

/* Takes the code and the count of a value.  Returns 0, or -1 with *ERROR
   set. */
typedef int values_visit(void *context, const struct key_entry *value,
                         struct error *error);

/* Open an empty table, with memory to sort it. */
static void
start_table(struct value_union *values)
{
    key_table_open(&values->table, &values->memory, false);
    (void)key_memory_reserve(&values->memory, key_order_bytes());
}

/* Start without values.  The table takes about LIMIT bytes, and VALUES_MIN at
   least; at most THREADS threads sort. */
static void
values_open(struct value_union *values, size_t limit, unsigned int threads)
{
    *values = (struct value_union){
        .threads = threads, .limit = limit < VALUES_MIN ? VALUES_MIN : limit};
    key_memory_open(&values->memory, values->limit);
    key_runs_open(&values->runs, KEY_RUN_BY_KEY, false);
    machine_random(values->hash_key.word, 2);
    start_table(values);
}

static void
values_close(struct value_union *values)
{
    key_table_close(&values->table);
    key_runs_close(&values->runs);
    key_memory_close(&values->memory);
}

/* Sort the values of the table.  The caller closes ORDER.  Returns 0, or -1:
   out of memory. */
static int
sort(struct value_union *values, struct key_order *order)
{
    struct key_table *table = &values->table;

    key_table_release_slots(table);
    key_memory_unreserve(&values->memory, key_order_bytes());
    return key_order_open(order, &table, 1, values->threads, &values->memory) ==
                   KEY_OK
               ? 0
               : -1;
}

/* Write the values of the table as a run, and empty the table.  Returns 0, or
   -1 with *ERROR set. */
static int
write_run(struct value_union *values, struct error *error)
{
    struct key_order order;
    int result = sort(values, &order);

    if (result < 0)
        (void)error_fail_memory(error);
    else if (order.keys > 0)
        result =
            key_runs_put_order(&values->runs, &order, values->threads, error);
    key_order_close(&order);
    key_table_close(&values->table);
    start_table(values);
    return result;
}

/* Add COUNT to the count of the SIZE bytes at CODE.  Returns 0, or -1 with
   *ERROR set. */
static int
values_add(struct value_union *values, const unsigned char *code, uint32_t size,
           uint64_t count, struct error *error)
{
    uint64_t hash = hash_bytes(&values->hash_key, code, size);

    if (key_table_add(&values->table, hash, code, size, count) == KEY_OK)
        return 0;
    if (write_run(values, error) < 0)
        return -1;
    return key_table_add(&values->table, hash, code, size, count) == KEY_OK
               ? 0
               : error_fail_memory(error);
}

/* Read the values from memory. */
static int
read_table(struct value_union *values, values_visit *visit, void *context,
           struct error *error)
{
    struct key_order order;
    int result = sort(values, &order);

    if (result < 0)
        (void)error_fail_memory(error);
    for (size_t k = 0; k < order.keys && result == 0; k++) {
        const struct key_entry value = key_order_entry(&order, k);
        result = visit(context, &value, error);
    }
    key_order_close(&order);
    return result;
}

/* Read the values from runs. */
static int
read_runs(struct value_union *values, values_visit *visit, void *context,
          struct error *error)
{
    struct key_runs *runs = &values->runs;
    struct key_merge merge;

    if (key_merge_reduce(runs, values->limit, error) < 0)
        return -1;
    int result = key_merge_open(&merge, runs, runs->run, runs->count,
                                values->limit, true, error);
    while (result == 0 && key_merge_next(&merge)) {
        struct key_entry value = key_entry_key(merge.entry);
        value.count = merge.amount.count;
        result = visit(context, &value, error);
    }
    key_merge_close(&merge);
    return result;
}

/* Call VISIT for each value, in the order of the codes, until VISIT fails.  No
   value can be added afterwards.  Returns 0, or -1 with *ERROR set. */
static int
values_read(struct value_union *values, values_visit *visit, void *context,
            struct error *error)
{
    if (values->runs.count == 0)
        return read_table(values, visit, context, error);
    return write_run(values, error) < 0
               ? -1
               : read_runs(values, visit, context, error);
}

/* ---- the values of the other groups ---- */

/* Add the value of the current row, if the row has a value.  Returns 0, or -1
   with *ERROR set. */
static int
add_row(const struct rows *rows, struct value_union *values,
        struct error *error)
{
    const struct key_entry tuple = key_list_key(rows->tuples, rows->next - 1);

    if (!group_figures_have(group_walk_values(rows)))
        return 0;
    return values_add(values, tuple.key + rows->group_size,
                      tuple.size - (uint32_t)rows->group_size,
                      rows->amount.count, error);
}

/* The work of a thread: the groups that start in one part of the rows. */
struct walked_part {
    struct group_walk walk; /* a copy */
    const struct group_entries *chosen;
    uint64_t first;
    uint64_t end;
    struct value_union values;
    struct error error;
};

/* Returns the first of ENTRIES, sorted by rows, that starts at ROW or later. */
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

/* Add the values of all groups of a part, except chosen groups and groups
   without a key. */
static void
add_groups(void *task, unsigned int member)
{
    struct walked_part *part = (struct walked_part *)task + member;
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

/* ---- the figures of the other groups ---- */

/* The context of visit(). */
struct visitor {
    struct group_other *other;
    struct figure_search search;
    struct column *column; /* to look at a value in */
};

static int
visit(void *context, const struct key_entry *value, struct error *error)
{
    struct visitor *visitor = context;
    struct group_other *other = visitor->other;

    size_t c;

    other->distinct++;
    if (visitor->search.reads_values)
        (void)column_read(visitor->column, value->key, value->key + value->size,
                          true);
    figure_search_add(&visitor->search, visitor->column, value->count);
    while (figure_search_next(&visitor->search, &c)) {
        other->size[c] = value->size;
        free(other->code[c]);
        other->code[c] = malloc((size_t)value->size + 1);
        if (other->code[c] == NULL)
            return error_fail_memory(error);
        memcpy(other->code[c], value->key, value->size);
    }
    return 0;
}

/* Adds a value of another part to CONTEXT, the values of the first part. */
static int
visit_part(void *context, const struct key_entry *value, struct error *error)
{
    return values_add(context, value->key, value->size, value->count, error);
}

/* Collect the values of all COUNT parts in the first part, and visit the
   values.  Returns 0, or -1 with *ERROR set. */
static int
visit_parts(struct walked_part *part, unsigned int count,
            struct visitor *visitor, struct error *error)
{
    crew_run(count, add_groups, part);
    for (unsigned int p = 0; p < count; p++) {
        error_move(error, &part[p].error);
        /* From here on, one part sorts at a time, with all threads. */
        part[p].values.threads *= count;
    }
    int result = error->status == EXIT_DONE ? 0 : -1;
    for (unsigned int p = 1; p < count && result == 0; p++)
        result = values_read(&part[p].values, visit_part, &part->values, error);
    if (result == 0)
        result = values_read(&part->values, visit, visitor, error);
    return result;
}

int
group_other_make(struct group_other *other, struct group_walk *walk,
                 const struct group_entries *chosen,
                 const struct figures *figures, const struct group_figures *all,
                 size_t limit, unsigned int threads, struct error *error)
{
    struct visitor visitor = {
        .other = other,
        .column = &walk->keys.column[walk->keys.columns - 1],
    };
    unsigned int parts = group_walk_parts(walk, threads);
    size_t room = limit / VALUES_MIN; /* for as many parts */

    *other = (struct group_other){0};
    figure_search_open(&visitor.search, figures->figure, figures->count, all);
    if (parts > room)
        parts = room < 1 ? 1 : (unsigned int)room;
    struct walked_part *part = malloc(parts * sizeof *part);
    if (part == NULL)
        return error_fail_memory(error);
    for (unsigned int p = 0; p < parts; p++) {
        part[p] = (struct walked_part){
            .walk = *walk,
            .chosen = chosen,
            .first = group_walk_part(walk, parts, p),
            .end = group_walk_part(walk, parts, p + 1),
        };
        values_open(&part[p].values, limit / parts, threads / parts);
    }
    int result = visit_parts(part, parts, &visitor, error);
    for (size_t c = 0; c < figures->count; c++)
        figure_search_value(&visitor.search, c, &other->value[c]);
    for (unsigned int p = 0; p < parts; p++)
        values_close(&part[p].values);
    free(part);
    return result;
}

/* Visit the COUNT numbers at NUMBER, with RANKs, as often as their next ranks
   tell.  Returns 0, or -1 with *ERROR set. */
static int
visit_numbers(struct visitor *visitor, const uint64_t *rank,
              const struct ordered_decimal *number, size_t count,
              struct error *error)
{
    int result = 0;

    for (size_t r = 0; r < count && result == 0; r++) {
        unsigned char code[KEY_CODE_DECIMAL_ROOM];
        const struct key_entry value = {
            .count = r + 1 < count ? rank[r + 1] - rank[r] : 1,
            .key = code,
            .size =
                (uint32_t)(key_decimal_put_ordered(code, &number[r]) - code),
        };
        result = visit(visitor, &value, error);
    }
    return result;
}

int
group_other_find(struct group_other *other, struct group_walk *walk,
                 const struct group_entries *chosen,
                 const struct figures *figures, const struct group_figures *all,
                 const struct spec *spec, struct error *error)
{
    struct visitor visitor = {
        .other = other,
        .column = &walk->keys.column[walk->keys.columns - 1],
    };
    struct key_entry *except = malloc((chosen->count + 1) * sizeof *except);
    uint64_t rank[SPEC_RANKS_MAX];
    struct ordered_decimal number[SPEC_RANKS_MAX];

    *other = (struct group_other){0};
    figure_search_open(&visitor.search, figures->figure, figures->count, all);
    if (except == NULL)
        return error_fail_memory(error);
    for (size_t g = 0; g < chosen->count; g++)
        except[g] = key_list_key(walk->rows.tuples, chosen->entry[g].first);
    size_t count = spec_ranks_find(&spec->ranks, all->count, rank);
    const struct group_numbers *numbers = &spec->numbers[walk->keys.histogram];
    bool is_found = numbers->find(numbers->context, except, chosen->count, rank,
                                  count, number);
    free(except);
    if (!is_found)
        return error_fail_memory(error);
    int result = visit_numbers(&visitor, rank, number, count, error);
    for (size_t c = 0; c < figures->count; c++)
        figure_search_value(&visitor.search, c, &other->value[c]);
    return result;
}

void
group_other_close(struct group_other *other)
{
    for (size_t c = 0; c < FIGURES_MAX; c++)
        free(other->code[c]);
}

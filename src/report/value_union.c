/* value_union.c -- the values of several groups, each once, with its count */

#include "report/value_union.h"
#include "base/machine.h"
#include "hist/key_merge.h"

/* Open an empty table, with memory to sort it. */
static void
begin_table(struct value_union *values)
{
    key_table_open(&values->table, &values->memory, false);
    (void)key_memory_reserve(&values->memory, key_order_bytes());
}

void
value_union_open(struct value_union *values, size_t limit, unsigned int threads)
{
    *values = (struct value_union){
        .threads = threads,
        .limit = limit < VALUE_UNION_MIN ? VALUE_UNION_MIN : limit};
    key_memory_open(&values->memory, values->limit);
    key_runs_open(&values->runs, KEY_RUN_BY_KEY, false);
    machine_random(values->hash_key.word, 2);
    begin_table(values);
}

void
value_union_close(struct value_union *values)
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

/* Write the values of the table as a run, and empty it.  Returns 0, or -1 with
   *ERROR set. */
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
    begin_table(values);
    return result;
}

int
value_union_add(struct value_union *values, const unsigned char *code,
                uint32_t size, uint64_t count, struct error *error)
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

/* Read what is in memory alone. */
static int
read_table(struct value_union *values, value_union_visit *visit, void *context,
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

/* Read what is in runs alone. */
static int
read_runs(struct value_union *values, value_union_visit *visit, void *context,
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

int
value_union_read(struct value_union *values, value_union_visit *visit,
                 void *context, struct error *error)
{
    if (values->runs.count == 0)
        return read_table(values, visit, context, error);
    return write_run(values, error) < 0
               ? -1
               : read_runs(values, visit, context, error);
}

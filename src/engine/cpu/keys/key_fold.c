/* key_fold.c -- tuples with bins, from those that stand for a growing range */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/key_fold.h"
#include "hist/key_code.h"
#include "hist/key_merge.h"

struct code_folding {
    const struct spec *spec;
    size_t histogram;
    struct key_counts *to;
    unsigned char *code; /* ROOM bytes */
    size_t room;
};

/* Write the row of the bin, or flow cell, of NUMBER at AT.  Returns its end. */
static unsigned char *
put_row(const struct binning_axis *axis, double number, unsigned char *at)
{
    const struct binning_tables none = {NULL, NULL};
    uint64_t cell = binning_number_cell(axis, &none, number);

    return key_code_put_cell(at, (uint32_t)axis_row_of(axis, cell));
}

/* Write the code for that of ENTRY, which is not shorter.  Returns its size. */
static uint32_t
fold_code(const struct code_folding *folding, const struct key_entry *entry)
{
    const struct spec *spec = folding->spec;
    const unsigned char *from = entry->key;
    const unsigned char *end = entry->key + entry->size;
    size_t dimensions = spec_dimensions(spec, folding->histogram);
    unsigned char *to = folding->code;

    for (size_t d = 0; d < dimensions; d++) {
        size_t axis = spec_axis_of(spec, folding->histogram, d);
        bool grows = spec_codes_grow(spec, axis);
        struct key_part part;
        const unsigned char *next = key_code_read(
            from, end, grows ? KEY_REAL : spec_key_kind(spec, axis),
            d + 1 == dimensions, &part);
        assert(next != NULL);
        if (grows && part.tag == KEY_TAG_VALUE) {
            to = put_row(&spec->shown[axis], part.real, to);
        } else {
            memcpy(to, from, (size_t)(next - from));
            to += next - from;
        }
        from = next;
    }
    return (uint32_t)(to - folding->code);
}

/* Add AMOUNT to the key that ENTRY's becomes. */
static enum key_result
fold_entry(struct code_folding *folding, const unsigned char *entry,
           const struct key_amount *amount)
{
    const struct key_entry key = key_entry_key(entry);

    if (key.size > folding->room) {
        free(folding->code);
        folding->room = 0;
        folding->code = malloc((size_t)key.size * 2);
        if (folding->code == NULL)
            return KEY_NO_MEMORY;
        folding->room = (size_t)key.size * 2;
    }
    return key_counter_add_amount(folding->to, folding->code,
                                  fold_code(folding, &key), amount);
}

/* Fold the keys of FROM, whose tables have all of them. */
static enum key_result
fold_tables(struct code_folding *folding, const struct key_counts *from)
{
    enum key_result result = KEY_OK;

    for (size_t p = 0; p < key_counts_partitions(from); p++) {
        const struct key_table *table = &from->partition[p].table;
        struct key_cursor cursor = {0, 0};
        const unsigned char *entry;

        while (result == KEY_OK &&
               (entry = key_table_next(table, &cursor)) != NULL) {
            const struct key_amount amount =
                key_entry_amount(entry, table->sum_bytes);
            result = fold_entry(folding, entry, &amount);
        }
    }
    return result;
}

/* Fold the keys of FROM, which are in runs, too. */
static enum key_result
fold_runs(struct code_folding *folding, struct key_counts *from)
{
    struct error *failure = &folding->to->failure;
    struct key_runs *runs = &from->runs;
    size_t memory = from->memory.limit;
    struct key_merge merge = {0};
    enum key_result result = key_counter_spill(from);

    if (result == KEY_FAILED)
        error_move(failure, &from->failure);
    if (result != KEY_OK)
        return result;
    if (key_merge_reduce(runs, memory, failure) < 0 ||
        key_merge_open(&merge, runs, runs->run, runs->count, memory, true,
                       failure) < 0)
        result = KEY_FAILED;
    while (result == KEY_OK && key_merge_next(&merge))
        result = fold_entry(folding, merge.entry, &merge.amount);
    key_merge_close(&merge);
    return result;
}

enum key_result
key_fold(const struct spec *spec, size_t i, struct key_counts *from,
         struct key_counts *to)
{
    struct code_folding folding = {.spec = spec, .histogram = i, .to = to};

    key_counter_settle_all(from);
    enum key_result result = from->runs.count == 0 ? fold_tables(&folding, from)
                                                   : fold_runs(&folding, from);
    free(folding.code);
    return result;
}

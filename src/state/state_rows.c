/* SPDX-License-Identifier: MIT */
/* state_rows.c -- add the rows of a block of a state */

#include <stdlib.h>
#include <string.h>

#include "hist/key_table.h"
#include "hist/sum.h"
#include "state/state_code.h"
#include "state/state_field.h"
#include "state/state_rows.h"
#include "state/state_weight.h"

/* Bytes of entries from one mark to the next. */
#define MARK_BYTES ((size_t)1 << 12)

struct state_rows *
state_rows_new(const char *name, const struct spec *spec,
               const struct state_head *head)
{
    struct state_rows *rows = calloc(1, sizeof *rows);

    if (rows == NULL)
        return NULL;
    rows->spec = spec;
    atomic_init(&rows->users, 1);
    rows->name = strdup(name);
    rows->lattice = calloc(spec->axis_count, sizeof *rows->lattice);
    memcpy(rows->elements, head->elements, sizeof rows->elements);
    if (rows->name != NULL && rows->lattice != NULL)
        return rows;
    state_rows_release(rows);
    return NULL;
}

void
state_rows_release(struct state_rows *rows)
{
    if (atomic_fetch_sub(&rows->users, 1) > 1)
        return;
    free(rows->name);
    free(rows->lattice);
    free(rows);
}

/* The current span, and the current row. */
struct adding {
    struct state_block *block;
    struct state_span *span;
    const struct state_rows *rows;
    const struct spec *spec;
    size_t dimensions;
    bool is_sparse;
    bool has_list;
    uint64_t line; /* the number of the row */
    struct state_row row;
    uint64_t count;                      /* of the row ... */
    uint64_t plane[WEIGHING_PLANES_MAX]; /* ... and its sum */
    uint64_t next;                       /* the least cell of the next row */
    bool has_key;                        /* a row had a key, LAST */
    struct state_code code;              /* of the row */
    struct state_code last;              /* of the row before */
};

static int
fail_row(const struct adding *adding, const char *what)
{
    error_set(&adding->block->error, EXIT_DATA, "%s: line %llu: %s",
              adding->rows->name, (unsigned long long)adding->line, what);
    return -1;
}

static int
fail_memory(const struct adding *adding)
{
    error_set(&adding->block->error, EXIT_DATA, "out of memory");
    return -1;
}

/* ---- a row ---- */

/* Read the count and the sum of the row. */
static int
read_amount(struct adding *adding)
{
    const struct spec *spec = adding->spec;
    const struct state_row *row = &adding->row;
    size_t d = adding->dimensions;

    if (row->fields != d + 1 + spec->has_weights ||
        state_row_number(row->field[d], row->size[d], &adding->count) < 0 ||
        adding->count == 0 ||
        (spec->has_weights &&
         state_weight_read(spec->weight.type, row->field[d + 1],
                           row->size[d + 1], adding->count, adding->plane) < 0))
        return fail_row(adding, "the row is damaged");
    return 0;
}

/* Add with an atomic instruction: other threads may add rows of other states to
   the same cell. */
static void
add_to_value(uint64_t *value, uint64_t more)
{
    __atomic_fetch_add(value, more, __ATOMIC_RELAXED);
}

/* Add the row to CELL of the sum. */
static void
add_to_cell(const struct adding *adding, uint64_t cell)
{
    const struct histogram *cells = adding->rows->cells;
    uint64_t *value = cells->value + cell;

    add_to_value(value, adding->count);
    for (unsigned int p = 1; p < cells->planes; p++) {
        value += cells->cells;
        if (adding->plane[p - 1] != 0)
            add_to_value(value, adding->plane[p - 1]);
    }
}

/* Set *CELL to the cell of the sum for the fields of the row.  Rows must
   ascend. */
static int
read_cell(struct adding *adding, uint64_t *cell)
{
    const struct state_rows *rows = adding->rows;
    uint64_t own = 0;

    *cell = 0;
    for (size_t d = 0; d < adding->dimensions; d++) {
        size_t a = spec_axis_of(adding->spec, adding->span->histogram, d);
        const struct binning_axis *axis = &adding->spec->shown[a];
        uint64_t at;
        if (state_cell_read(axis, adding->row.field[d], adding->row.size[d],
                            &at) < 0)
            return fail_row(adding, "the row has no such cell");
        own += axis->stride * at;
        if (axis->is_auto && at < axis->bins) {
            if (at >= rows->lattice[a].used)
                return fail_row(adding, "the row has no such cell");
            at = state_lattice_bin(&rows->lattice[a], at, &rows->sum[a]);
        }
        *cell += axis->base + axis->stride * at;
    }
    if (own < adding->next)
        return fail_row(adding, "the row is not behind the one before");
    adding->next = own + 1;
    return 0;
}

/* Set LAST to the code of the row.  Rows must ascend. */
static int
read_key(struct adding *adding)
{
    int result =
        state_code_read(&adding->code, adding->spec, adding->span->histogram,
                        &adding->row, adding->rows->lattice);

    if (result < 0)
        return fail_memory(adding);
    if (result == 0)
        return fail_row(adding, "the row is damaged");
    if (adding->next > 0 ||
        (adding->has_key &&
         state_code_compare(&adding->last, &adding->code) >= 0))
        return fail_row(adding, "the row is not behind the one before");
    struct state_code last = adding->last;
    adding->last = adding->code;
    adding->code = last;
    adding->has_key = true;
    return 0;
}

/* ---- entries ---- */

/* Note that an entry starts AT bytes after the first entry of the span. */
static int
put_mark(struct state_block *block, size_t at)
{
    if (block->marks == block->mark_room) {
        size_t room = 2 * block->mark_room + 64;
        size_t *mark = realloc(block->mark, room * sizeof *mark);
        if (mark == NULL)
            return -1;
        block->mark = mark;
        block->mark_room = room;
    }
    block->mark[block->marks++] = at;
    return 0;
}

/* Append the row with the code LAST to the entries of the block. */
static int
put_entry(struct adding *adding)
{
    struct state_block *block = adding->block;
    const struct state_code *code = &adding->last;
    size_t sum_bytes = key_sum_bytes(adding->spec->has_weights);
    size_t need = sum_bytes + KEY_ENTRY_HEAD_MAX + code->size;

    if (need > block->entry_room - block->entry_bytes) {
        size_t room = 2 * block->entry_room + need + block->room;
        unsigned char *entry = realloc(block->entry, room);
        if (entry == NULL)
            return fail_memory(adding);
        block->entry = entry;
        block->entry_room = room;
    }
    size_t from = block->entry_bytes - adding->span->entry;
    if ((block->marks == adding->span->mark ||
         from - block->mark[block->marks - 1] >= MARK_BYTES) &&
        put_mark(block, from) < 0)
        return fail_memory(adding);
    unsigned char *at = block->entry + block->entry_bytes;
    if (sum_bytes > 0) {
        struct decimal_sum sum = sum_decimal(adding->plane, 1);
        memcpy(at, &sum, sum_bytes);
    }
    at = key_entry_write(at + sum_bytes, code->byte, (uint32_t)code->size,
                         adding->count);
    block->entry_bytes = (size_t)(at - block->entry);
    return 0;
}

/* ---- spans ---- */

/* Read the row at *AT, and add it to the cells or entries if IS_NEW.  Sets *AT
   to the end of the row. */
static int
read_row(struct adding *adding, const char **at, const char *end, bool is_new)
{
    enum axis_special special;
    uint64_t cell;

    *at = state_row_read(&adding->row, *at, end);
    if (*at == NULL)
        return fail_row(adding, "the row is damaged");
    if (read_amount(adding) < 0)
        return -1;
    if (adding->is_sparse ||
        (adding->has_list &&
         !state_cell_is_special(adding->row.field[0], adding->row.size[0],
                                &special))) {
        if (read_key(adding) < 0)
            return -1;
        return is_new ? put_entry(adding) : 0;
    }
    if (read_cell(adding, &cell) < 0)
        return -1;
    if (is_new)
        add_to_cell(adding, cell);
    return 0;
}

/* Add all rows of the span. */
static int
add_span(struct adding *adding)
{
    struct state_span *span = adding->span;
    const char *at = adding->block->byte + span->before;
    const char *end = adding->block->byte + span->end;

    adding->line = span->line - 1;
    if (span->before < span->at && read_row(adding, &at, end, false) < 0)
        return -1;
    while (at < end) {
        adding->line++;
        if (read_row(adding, &at, end, true) < 0)
            return -1;
        span->is_over |=
            __builtin_add_overflow(span->total, adding->count, &span->total);
    }
    return 0;
}

void
state_rows_add(struct state_block *block)
{
    struct adding adding = {.block = block};
    int result = 0;

    while (block->done < block->spans && result == 0) {
        struct state_span *span = &block->span[block->done];
        adding.span = span;
        adding.rows = span->rows;
        adding.spec = span->rows->spec;
        adding.dimensions = spec_dimensions(adding.spec, span->histogram);
        adding.is_sparse =
            adding.spec->histogram[span->histogram].rows == ROWS_TUPLES;
        adding.has_list = adding.spec->histogram[span->histogram].is_listed;
        adding.next = 0;
        adding.has_key = false;
        span->entry = block->entry_bytes;
        span->mark = block->marks;
        result = add_span(&adding);
        span->entry_end = block->entry_bytes;
        span->mark_end = block->marks;
        block->done += result == 0;
    }
    state_code_close(&adding.code);
    state_code_close(&adding.last);
}

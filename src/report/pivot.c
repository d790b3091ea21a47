/* SPDX-License-Identifier: MIT */
/* pivot.c -- the lines of --pivot: a column for each value of the last key */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xxh.h"
#include "report/pivot.h"

#define SLOTS_MIN 64

/* ---- the values that occur ---- */

/* Returns the last component of row ROW, whose group is current in ROWS. */
static struct pivot_value
value_of(const struct rows *rows, uint64_t row)
{
    const struct key_entry entry = key_list_key(rows->tuples, row);

    return (struct pivot_value){
        .code = entry.key + rows->group_size,
        .size = entry.size - rows->group_size,
        .row = row,
        .column = PIVOT_NONE,
    };
}

/* Returns the slot of VALUE, or the free slot where VALUE belongs. */
static uint64_t *
find_slot(const struct pivot *pivot, const struct pivot_value *value)
{
    struct xxh64 hash;

    xxh64_start(&hash);
    xxh64_add(&hash, value->code, value->size);
    uint64_t at = xxh64_end(&hash) & (pivot->slots - 1);
    for (;; at = (at + 1) & (pivot->slots - 1)) {
        uint64_t *slot = &pivot->slot[at];
        if (*slot == 0)
            return slot;
        const struct pivot_value *other = &pivot->value[*slot - 1];
        if (other->size == value->size &&
            memcmp(other->code, value->code, value->size) == 0)
            return slot;
    }
}

/* Fill the slots again, for the values where they are now. */
static void
fill_slots(struct pivot *pivot)
{
    memset(pivot->slot, 0, (size_t)pivot->slots * sizeof *pivot->slot);
    for (uint64_t v = 0; v < pivot->values; v++)
        *find_slot(pivot, &pivot->value[v]) = v + 1;
}

/* The bytes of memory that each slot of the table needs: at most half of the
   slots have a value, with a total, a column, cells and, for --format=table, a
   width. */
static uint64_t
slot_bytes(const struct pivot *pivot)
{
    return sizeof *pivot->slot + sizeof *pivot->value / 2 +
           sizeof *pivot->column / 2 + sizeof(size_t) +
           3 * sizeof(uint64_t) * pivot->report->spec->planes / 2;
}

/* Make room for more values.  Returns 0, or -1 with *ERROR set. */
static int
grow(struct pivot *pivot, struct error *error)
{
    uint64_t slots = pivot->slots == 0 ? SLOTS_MIN : 2 * pivot->slots;

    if (slots > SLOTS_MIN &&
        slots * slot_bytes(pivot) > pivot->report->memory) {
        error_set(error, EXIT_DATA,
                  "--pivot: the last key has more than %" PRIu64 " values, for "
                  "which --memory-limit has no room; the key with fewer values "
                  "comes last",
                  pivot->values);
        return -1;
    }
    struct pivot_value *value =
        realloc(pivot->value, (size_t)(slots / 2) * sizeof *pivot->value);
    if (value != NULL)
        pivot->value = value;
    uint64_t *slot = realloc(pivot->slot, (size_t)slots * sizeof *pivot->slot);
    if (slot != NULL)
        pivot->slot = slot;
    if (value == NULL || slot == NULL)
        return error_fail_memory(error);
    pivot->slots = slots;
    fill_slots(pivot);
    return 0;
}

static int
compare_values(const void *a, const void *b)
{
    const struct pivot_value *left = a;
    const struct pivot_value *right = b;
    size_t size = left->size < right->size ? left->size : right->size;
    int order = memcmp(left->code, right->code, size);

    return order != 0 ? order
                      : (left->size > right->size) - (left->size < right->size);
}

/* Find the values of all shown rows and, in NEXT, the first row without any
   key.  Returns 0, or -1 with *ERROR set. */
static int
find_values(struct pivot *pivot, struct error *error)
{
    struct rows *rows = &pivot->rows;

    pivot->next = rows->most;
    while (row_step(rows)) {
        if (!row_step_is_shown(rows))
            continue;
        if (row_step_is_keyless(rows) && pivot->next == rows->most)
            pivot->next = rows->next - 1;
        if (2 * pivot->values >= pivot->slots && grow(pivot, error) < 0)
            return -1;
        struct pivot_value value = value_of(rows, rows->next - 1);
        uint64_t *slot = find_slot(pivot, &value);
        if (*slot != 0)
            continue;
        pivot->value[pivot->values] = value;
        *slot = ++pivot->values;
    }
    if (pivot->slots == 0 && grow(pivot, error) < 0)
        return -1;
    qsort(pivot->value, (size_t)pivot->values, sizeof *pivot->value,
          compare_values);
    fill_slots(pivot);
    return 0;
}

/* Find the total of each value.  Returns 0, or -1: out of memory. */
static int
find_totals(struct pivot *pivot)
{
    struct rows *rows = &pivot->rows;
    const struct report *report = pivot->report;

    /* One more, so that the size is never 0. */
    if (histogram_open(&pivot->total, pivot->values + 1, report->spec->planes) <
        0)
        return -1;
    row_step_set(rows, 0, rows->most);
    while (row_step(rows)) {
        if (!row_step_is_shown(rows))
            continue;
        struct pivot_value value = value_of(rows, rows->next - 1);
        struct amount amount = amount_of_cell(report->histogram, rows->cell);
        amount_add_to_cell(&pivot->total, *find_slot(pivot, &value) - 1,
                           report->spec, &amount);
    }
    return 0;
}

/* ---- the columns ---- */

/* Whether item A, of TOTAL, has a greater total than B, or an equal total and
   lower labels. */
static bool
has_more(const struct spec *spec, const struct histogram *total, uint64_t a,
         uint64_t b)
{
    struct amount amount_a = amount_of_cell(total, a);
    struct amount amount_b = amount_of_cell(total, b);
    int order = amount_compare(spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

static bool
is_value_before(const void *context, uint64_t a, uint64_t b)
{
    const struct pivot *pivot = context;

    return has_more(pivot->report->spec, &pivot->total, a, b);
}

static bool
is_group_before(const void *context, uint64_t a, uint64_t b)
{
    const struct pivot *pivot = context;

    return has_more(pivot->report->spec, &pivot->rows.groups->total, a, b);
}

/* Returns how many of COUNT rows or columns --top keeps at most, 1 or more. */
static uint64_t
most_of(const struct pivot *pivot, uint64_t count)
{
    uint64_t top = pivot->report->options->top;

    return top != 0 && top < count ? top : count > 0 ? count : 1;
}

static ranking_order *
order_of(const struct pivot *pivot, ranking_order *is_before)
{
    return pivot->report->options->sort == SORT_COUNT ? is_before
                                                      : ranking_is_lower;
}

static bool
is_special_value(const struct pivot_value *value)
{
    return value->code[0] != KEY_TAG_VALUE;
}

/* Whether value V, which no option leaves out otherwise, may be a column. */
static bool
is_within(const struct pivot *pivot, uint64_t v)
{
    return pivot->report->keeps_columns ||
           count_limits_include(&pivot->report->options->limits,
                                histogram_count(&pivot->total, v));
}

/* Choose the columns and their order.  Returns 0, or -1: out of memory. */
static int
choose_columns(struct pivot *pivot)
{
    bool keeps_all = pivot->report->keeps_columns;
    struct ranking ranking;

    pivot->column = calloc((size_t)pivot->values + 1, sizeof *pivot->column);
    if (pivot->column == NULL)
        return -1;
    ranking_open(&ranking, pivot->column,
                 keeps_all && pivot->values > 0 ? pivot->values
                                                : most_of(pivot, pivot->values),
                 is_value_before, pivot);
    for (uint64_t v = 0; v < pivot->values; v++) {
        if (!is_special_value(&pivot->value[v]) && is_within(pivot, v))
            (void)ranking_add(&ranking, v);
    }
    ranking_sort(&ranking, keeps_all ? ranking_is_lower
                                     : order_of(pivot, is_value_before));
    pivot->columns = ranking.count;
    for (uint64_t v = 0; v < pivot->values; v++) {
        if (is_special_value(&pivot->value[v]))
            pivot->column[pivot->columns++] = v;
    }
    for (uint64_t c = 0; c < pivot->columns; c++)
        pivot->value[pivot->column[c]].column = c;
    pivot->has_other =
        pivot->columns < pivot->values && !pivot->report->options->no_other;
    return 0;
}

/* ---- the groups ---- */

/* Add the rows of the group of row FIRST to CELLS.  Returns the number of their
   values. */
static uint64_t
add_group(struct pivot *pivot, uint64_t first, struct histogram *cells)
{
    struct rows *rows = &pivot->rows;
    const struct report *report = pivot->report;
    uint64_t count = 0;

    row_step_set(rows, first, rows->most - first);
    (void)row_step(rows);
    const unsigned char *group = rows->group;
    const size_t size = rows->group_size;
    do {
        if (rows->group_size != size || memcmp(rows->group, group, size) != 0) {
            row_step_set(rows, rows->next - 1, rows->left + 1);
            break;
        }
        if (!row_step_is_shown(rows))
            continue;
        struct pivot_value value = value_of(rows, rows->next - 1);
        uint64_t column = pivot->value[*find_slot(pivot, &value) - 1].column;
        struct amount amount = amount_of_cell(report->histogram, rows->cell);
        amount_add_to_cell(cells,
                           column == PIVOT_NONE ? pivot->columns : column,
                           report->spec, &amount);
        count += amount.count;
    } while (row_step(rows));
    return count;
}

/* Add the rows of the current group, which are in CELLS, to the groups left
   out. */
static void
leave_out(struct pivot *pivot)
{
    for (uint64_t c = 0; c <= pivot->columns; c++) {
        struct amount amount = amount_of_cell(&pivot->cells, c);
        amount_add_to_cell(&pivot->left_out, c, pivot->report->spec, &amount);
    }
}

/* Choose groups by their totals, and add up all others. */
static void
rank_groups(struct pivot *pivot)
{
    const struct group_list *groups = pivot->rows.groups;
    const struct count_limits *limits = &pivot->report->options->limits;

    ranking_open(&pivot->ranking, pivot->report->order,
                 most_of(pivot, groups->count), is_group_before, pivot);
    for (uint64_t g = 0; g < groups->count; g++) {
        uint64_t left_out = g;
        if (count_limits_include(limits, histogram_count(&groups->total, g)))
            left_out = ranking_add(&pivot->ranking, g);
        if (left_out != RANKING_NONE)
            (void)add_group(pivot, groups->first[left_out], &pivot->left_out);
    }
    ranking_sort(&pivot->ranking, order_of(pivot, is_group_before));
}

/* Go to the next group in the order of rows, of which only groups without any
   key are left if groups are ranked.  Returns false at the end. */
static bool
next_group(struct pivot *pivot)
{
    struct rows *rows = &pivot->rows;

    while (pivot->next < rows->most) {
        uint64_t first = pivot->next;
        histogram_clear(&pivot->cells);
        uint64_t count = add_group(pivot, first, &pivot->cells);
        pivot->next = rows->next;
        row_step_to(rows, first);
        bool is_keyless = row_step_is_keyless(rows);
        if (count == 0 || (rows->groups != NULL && !is_keyless))
            continue;
        if (is_keyless ||
            count_limits_include(&pivot->report->options->limits, count))
            return true;
        leave_out(pivot);
    }
    return false;
}

/* Returns the number of values of all cells of HISTOGRAM. */
static uint64_t
all_of(const struct histogram *histogram)
{
    return histogram_total(histogram, 0, histogram->cells);
}

bool
pivot_next(struct pivot *pivot)
{
    struct rows *rows = &pivot->rows;

    if (pivot->is_other)
        return false;
    if (rows->groups != NULL && pivot->rank < pivot->ranking.count) {
        uint64_t group = pivot->ranking.item[pivot->rank++];
        uint64_t first = rows->groups->first[group];
        histogram_clear(&pivot->cells);
        (void)add_group(pivot, first, &pivot->cells);
        row_step_to(rows, first);
        return true;
    }
    if (next_group(pivot))
        return true;
    pivot->is_other =
        !pivot->report->options->no_other && all_of(&pivot->left_out) > 0;
    return pivot->is_other;
}

/* ---- for formats ---- */

struct amount
pivot_amount(const struct pivot *pivot, uint64_t c)
{
    return amount_of_cell(pivot->is_other ? &pivot->left_out : &pivot->cells,
                          c);
}

const struct column *
pivot_name(struct pivot *pivot, uint64_t c)
{
    struct rows *names = &pivot->names;
    struct column *column = &names->column[names->columns - 1];

    if (c == pivot->columns) {
        column_set_other(column);
    } else {
        row_step_to(names, pivot->value[pivot->column[c]].row);
        column_set_labels(column);
    }
    return column;
}

void
pivot_set_labels(struct pivot *pivot)
{
    for (size_t i = 0; i < pivot->rows.group_columns; i++) {
        if (pivot->is_other)
            column_set_other(&pivot->rows.column[i]);
        else
            column_set_labels(&pivot->rows.column[i]);
    }
}

int
pivot_open(struct pivot *pivot, const struct report *report,
           struct error *error)
{
    *pivot = (struct pivot){.report = report};
    rows_open(&pivot->rows, report, 0);
    /* The limits are for totals. */
    pivot->rows.limits = (struct count_limits){0};
    pivot->names = pivot->rows;
    if (find_values(pivot, error) < 0)
        return -1;
    if (find_totals(pivot) < 0 || choose_columns(pivot) < 0 ||
        histogram_open(&pivot->cells, pivot->columns + 1,
                       report->spec->planes) < 0 ||
        histogram_open(&pivot->left_out, pivot->columns + 1,
                       report->spec->planes) < 0)
        return error_fail_memory(error);
    if (pivot->rows.groups != NULL)
        rank_groups(pivot);
    else
        pivot->next = 0;
    pivot->first = pivot->next;
    return 0;
}

void
pivot_restart(struct pivot *pivot)
{
    pivot->next = pivot->first;
    pivot->rank = 0;
    pivot->is_other = false;
    /* Ranking adds up the groups that it leaves out; else the walk does. */
    if (pivot->rows.groups == NULL)
        histogram_clear(&pivot->left_out);
}

void
pivot_close(struct pivot *pivot)
{
    free(pivot->value);
    free(pivot->slot);
    free(pivot->column);
    histogram_close(&pivot->total);
    histogram_close(&pivot->cells);
    histogram_close(&pivot->left_out);
}

int
pivot_hidden(const struct report *report, uint64_t *hidden, struct error *error)
{
    struct pivot pivot;
    int result = pivot_open(&pivot, report, error);

    if (result == 0) {
        *hidden += all_of(&pivot.total);
        while (pivot_next(&pivot)) {
            for (uint64_t c = 0; c < pivot_columns(&pivot); c++)
                *hidden -= pivot_amount(&pivot, c).count;
        }
    }
    pivot_close(&pivot);
    return result;
}

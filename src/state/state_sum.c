/* state_sum.c -- the sum of states */

#include <stdlib.h>
#include <string.h>

#include "hist/key_amounts.h"
#include "hist/key_file.h"
#include "hist/lattice.h"
#include "hist/rebin.h"
#include "hist/spectrum.h"
#include "hist/sum.h"
#include "state/state_cell.h"
#include "state/state_code.h"
#include "state/state_fold.h"
#include "state/state_lattice.h"
#include "state/state_sum.h"
#include "state/state_weight.h"

/* Keys that are in memory at a time, of a list in files. */
#define KEYS_AT_A_TIME 65536

/* Adding a state adds one value to a cell: digits are carried long before
   WEIGHING_ADDS_MAX of them. */
#define STATES_TO_CARRY 4096

/* A histogram that has a list. */
struct occurring {
    struct key_runs runs;
    struct state_lattice *lattice; /* of each run, all axes; NULL: none has */
    size_t room;                   /* runs that LATTICE has room for */
};

struct state_sum {
    struct key_names *names; /* their spec has the lattices, and lists without
                                keys until the end */
    struct histogram cells;  /* of this spec */
    struct occurring *list;  /* of each of HISTOGRAMS */
    size_t histograms;
    struct state_lattice *lattice; /* of each axis */
    struct state_lattice *other;   /* of each axis, in the state at hand */
    struct state_code code;        /* of the row at hand */
    struct state_code last;        /* of the row before */
    unsigned char *entry;          /* of the row at hand */
    size_t entry_room;
    size_t memory_limit;
    unsigned int threads;
    unsigned int states; /* since the last carry */
    uint64_t rows;
    uint64_t bytes;
    uint64_t elements[SEQUENCE_UNITS];
    uint64_t unweighted;
    struct key_memory memory; /* of spectra */
};

/* Open a histogram of SPEC. */
static int
open_cells(const struct state_sum *sum, const struct spec *spec,
           struct histogram *cells, struct error *error)
{
    uint64_t bytes = spec->shown_cells * spec->planes * sizeof(uint64_t);

    if (bytes > sum->memory_limit)
        return histogram_open_mapped(cells, spec->shown_cells, spec->planes,
                                     error);
    return histogram_open(cells, spec->shown_cells, spec->planes) == 0
               ? 0
               : error_fail_memory(error);
}

/* Whether an axis of histogram I has a lattice. */
static bool
has_lattices(const struct spec *spec, size_t i)
{
    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        if (axis_has_lattice(&spec->shown[spec_axis_of(spec, i, d)]))
            return true;
    }
    return false;
}

/* Set up SUM for SPEC. */
static int
open_sum(struct state_sum *sum, const struct spec *spec, struct error *error)
{
    size_t axes = spec->axis_count;
    size_t histograms = spec_histograms(spec);

    key_memory_open(&sum->memory, SIZE_MAX);
    sum->histograms = histograms;
    sum->names = key_names_new(spec);
    sum->list = calloc(histograms, sizeof *sum->list);
    sum->lattice = calloc(axes, sizeof *sum->lattice);
    sum->other = calloc(axes, sizeof *sum->other);
    if (sum->names == NULL || sum->list == NULL || sum->lattice == NULL ||
        sum->other == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < axes; i++) {
        if (axis_has_lattice(&spec->shown[i]))
            state_lattice_set(&sum->names->spec.shown[i], &sum->lattice[i]);
    }
    for (size_t i = 0; i < histograms; i++)
        key_runs_open(&sum->list[i].runs, KEY_RUN_BY_KEY, spec->has_weights);
    key_names_complete(sum->names);
    return open_cells(sum, &sum->names->spec, &sum->cells, error);
}

struct state_sum *
state_sum_open(const struct spec *spec, size_t memory_limit,
               unsigned int threads, struct error *error)
{
    struct state_sum *sum = calloc(1, sizeof *sum);

    if (sum == NULL) {
        (void)error_fail_memory(error);
        return NULL;
    }
    sum->memory_limit = memory_limit;
    sum->threads = threads;
    if (open_sum(sum, spec, error) == 0)
        return sum;
    state_sum_close(sum);
    return NULL;
}

/* ---- lattices ---- */

/* Move the cells to the lattices NEW, of all axes. */
static int
move_cells(struct state_sum *sum, const struct state_lattice *new,
           struct error *error)
{
    struct spec *spec = &sum->names->spec;
    size_t axes = spec->axis_count;
    struct binning_axis *axis = calloc(2 * axes, sizeof *axis);
    struct spec from = *spec;
    struct spec to = *spec;

    if (axis == NULL)
        return error_fail_memory(error);
    from.counted = axis;
    to.counted = axis + axes;
    from.uses_tables = to.uses_tables = false;
    for (size_t i = 0; i < axes; i++) {
        bool is_of = axis_has_lattice(&spec->shown[i]);
        bool has_cells = !spec_is_sparse(spec, spec_histogram_of(spec, i));
        if (is_of)
            state_lattice_set(&spec->shown[i], &new[i]);
        from.counted[i] = to.counted[i] = spec->shown[i];
        /* Without values, no bin has a count. */
        if (is_of && sum->lattice[i].used > 0)
            state_lattice_set(&from.counted[i], &sum->lattice[i]);
        from.counted[i].is_auto = to.counted[i].is_auto = is_of && has_cells;
    }
    if (spec->has_weights)
        histogram_carry(&sum->cells, spec->weight.type);
    int result = rebin_histogram(&from, &to, &sum->cells);
    free(axis);
    return result == 0 ? 0 : error_fail_memory(error);
}

/* Join the lattices of SUM and those of the state at hand. */
static int
join_lattices(struct state_sum *sum, struct error *error)
{
    const struct spec *spec = &sum->names->spec;
    size_t bytes = spec->axis_count * sizeof *sum->lattice;
    struct state_lattice *joined = malloc(bytes);
    bool has_moved = false;
    int result = 0;

    if (joined == NULL)
        return error_fail_memory(error);
    memcpy(joined, sum->lattice, bytes);
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (!axis_has_lattice(&spec->shown[i]))
            continue;
        state_lattice_join(&joined[i], &sum->other[i], spec->shown[i].bins);
        has_moved |= joined[i].used > 0 &&
                     (sum->lattice[i].used == 0 ||
                      !state_lattice_is_same(&sum->lattice[i], &joined[i]));
    }
    if (has_moved)
        result = move_cells(sum, joined, error);
    memcpy(sum->lattice, joined, bytes);
    free(joined);
    return result;
}

/* ---- rows ---- */

/* What is read of the state at hand. */
struct adding {
    struct state_sum *sum;
    struct state_reader *reader;
    size_t histogram;
    size_t dimensions;
    struct state_row row;
    uint64_t count;                      /* of the row ... */
    uint64_t plane[WEIGHING_PLANES_MAX]; /* ... and its sum */
    uint64_t total;                      /* of the histogram */
    uint64_t next; /* the least cell that the next row may have */
    bool has_key;  /* a row of this state had one, and SUM->last is it */
};

static int
fail_row(const struct adding *adding, const char *what, struct error *error)
{
    return state_reader_fail(adding->reader, what, error);
}

/* Read a row, its count and its sum. */
static int
read_row(struct adding *adding, struct error *error)
{
    const struct spec *spec = &adding->sum->names->spec;
    struct state_row *row = &adding->row;
    size_t d = adding->dimensions;

    if (state_reader_row(adding->reader, row, error) < 0)
        return -1;
    if (row->fields != d + 1 + spec->has_weights ||
        state_cell_number(row->field[d], row->size[d], &adding->count) < 0 ||
        adding->count == 0 ||
        __builtin_add_overflow(adding->total, adding->count, &adding->total) ||
        (spec->has_weights &&
         state_weight_read(spec->weight.type, row->field[d + 1],
                           row->size[d + 1], adding->count, adding->plane) < 0))
        return fail_row(adding, "the row is damaged", error);
    return 0;
}

/* Add the row to CELL of SUM. */
static void
add_to_cell(struct adding *adding, uint64_t cell)
{
    struct histogram *cells = &adding->sum->cells;
    uint64_t *value = cells->value + cell;

    *value += adding->count;
    for (unsigned int p = 1; p < cells->planes; p++) {
        value += cells->cells;
        if (adding->plane[p - 1] != 0)
            *value += adding->plane[p - 1];
    }
}

/* Add the row to the cell that its fields are. */
static int
add_cell(struct adding *adding, struct error *error)
{
    struct state_sum *sum = adding->sum;
    const struct spec *spec = &sum->names->spec;
    uint64_t own = 0;
    uint64_t cell = 0;

    for (size_t d = 0; d < adding->dimensions; d++) {
        size_t a = spec_axis_of(spec, adding->histogram, d);
        const struct binning_axis *axis = &spec->shown[a];
        uint64_t at;
        if (state_cell_read(axis, adding->row.field[d], adding->row.size[d],
                            &at) < 0)
            return fail_row(adding, "the row has no such cell", error);
        own += axis->stride * at;
        if (axis_has_lattice(axis) && at < axis->bins) {
            if (at >= sum->other[a].used)
                return fail_row(adding, "the row has no such cell", error);
            at = state_lattice_bin(&sum->other[a], at, &sum->lattice[a]);
        }
        cell += axis->base + axis->stride * at;
    }
    if (own < adding->next)
        return fail_row(adding, "the row is not behind the one before", error);
    adding->next = own + 1;
    add_to_cell(adding, cell);
    return 0;
}

/* Remember the lattices of the run that begins, of histogram I. */
static int
keep_lattices(struct state_sum *sum, size_t i, struct error *error)
{
    struct occurring *list = &sum->list[i];
    size_t axes = sum->names->spec.axis_count;
    size_t run = list->runs.count - 1;

    if (!has_lattices(&sum->names->spec, i))
        return 0;
    if (run == list->room) {
        size_t room = 2 * list->room + 16;
        struct state_lattice *lattice =
            realloc(list->lattice, room * axes * sizeof *lattice);
        if (lattice == NULL)
            return error_fail_memory(error);
        list->lattice = lattice;
        list->room = room;
    }
    memcpy(list->lattice + run * axes, sum->other, axes * sizeof *sum->other);
    return 0;
}

/* Put the row, whose code is at hand, into the run of this state. */
static int
put_entry(struct adding *adding, struct error *error)
{
    struct state_sum *sum = adding->sum;
    struct occurring *list = &sum->list[adding->histogram];
    struct key_amount amount = {.count = adding->count};
    size_t need = KEY_ENTRY_HEAD_MAX + sum->code.size;

    if (!adding->has_key && (key_runs_begin(&list->runs, error) < 0 ||
                             keep_lattices(sum, adding->histogram, error) < 0))
        return -1;
    if (need > sum->entry_room) {
        free(sum->entry);
        sum->entry = malloc(2 * need);
        sum->entry_room = sum->entry != NULL ? 2 * need : 0;
        if (sum->entry == NULL)
            return error_fail_memory(error);
    }
    if (list->runs.sum_bytes > 0)
        amount.sum = sum_decimal(adding->plane, 1);
    key_entry_write(sum->entry, sum->code.byte, (uint32_t)sum->code.size, 0);
    return key_runs_put(&list->runs, &amount, sum->entry, error);
}

/* Add the row to what occurs. */
static int
add_key(struct adding *adding, struct error *error)
{
    struct state_sum *sum = adding->sum;
    int result = state_code_read(&sum->code, &sum->names->spec,
                                 adding->histogram, &adding->row, sum->other);

    if (result < 0)
        return error_fail_memory(error);
    if (result == 0)
        return fail_row(adding, "the row is damaged", error);
    if (adding->next > 0 ||
        (adding->has_key && state_code_compare(&sum->last, &sum->code) >= 0))
        return fail_row(adding, "the row is not behind the one before", error);
    if (put_entry(adding, error) < 0)
        return -1;
    struct state_code last = sum->last;
    sum->last = sum->code;
    sum->code = last;
    adding->has_key = true;
    return 0;
}

/* Add ROWS rows of histogram I. */
static int
add_rows(struct adding *adding, size_t i, uint64_t rows, struct error *error)
{
    struct state_sum *sum = adding->sum;
    const struct spec *spec = &sum->names->spec;
    bool has_list = spec_has_list(spec, i);
    bool is_sparse = spec_is_sparse(spec, i);
    enum axis_special special;

    adding->histogram = i;
    adding->dimensions = spec_dimensions(spec, i);
    adding->total = 0;
    adding->next = 0;
    adding->has_key = false;
    for (uint64_t r = 0; r < rows; r++) {
        if (read_row(adding, error) < 0)
            return -1;
        bool is_key =
            is_sparse ||
            (has_list && !state_cell_is_special(adding->row.field[0],
                                                adding->row.size[0], &special));
        if ((is_key ? add_key(adding, error) : add_cell(adding, error)) < 0)
            return -1;
    }
    sum->rows += rows;
    return adding->has_key ? key_runs_end(&sum->list[i].runs, error) : 0;
}

/* Add the totals of HEAD. */
static int
add_totals(struct state_sum *sum, const struct state_reader *reader,
           const struct state_head *head, struct error *error)
{
    bool is_over = __builtin_add_overflow(sum->bytes, head->bytes, &sum->bytes);
    bool has_weights = sum->names->spec.has_weights;

    for (int u = 0; u < SEQUENCE_UNITS; u++)
        is_over |= __builtin_add_overflow(sum->elements[u], head->elements[u],
                                          &sum->elements[u]) ||
                   (has_weights && sum->elements[u] > INT64_MAX);
    is_over |= __builtin_add_overflow(sum->unweighted, head->unweighted,
                                      &sum->unweighted);
    if (!is_over)
        return 0;
    return state_reader_fail(reader, "the totals are too large", error);
}

int
state_sum_add(struct state_sum *sum, struct state_reader *reader,
              const struct state_head *head, struct error *error)
{
    const struct spec *spec = &sum->names->spec;
    struct adding adding = {.sum = sum, .reader = reader};
    size_t done = 0;
    size_t i;
    uint64_t rows;
    int result;

    if (state_lattice_read(spec, &head->list[STATE_LATTICES], sum->other) < 0)
        return state_reader_fail(reader, "the lattices are damaged", error);
    if (join_lattices(sum, error) < 0 ||
        add_totals(sum, reader, head, error) < 0)
        return -1;
    while ((result = state_reader_rows(reader, &i, &rows, error)) > 0) {
        if (i != done++ || i >= spec_histograms(spec))
            return state_reader_fail(reader, "there is no such histogram",
                                     error);
        if (add_rows(&adding, i, rows, error) < 0)
            return -1;
        if (adding.total != head->elements[spec_unit(spec, i)])
            return state_reader_fail(
                reader, "the counts do not add up to the totals", error);
    }
    if (result == 0 && done != spec_histograms(spec))
        return state_reader_fail(reader, "a histogram is missing", error);
    if (++sum->states >= STATES_TO_CARRY && spec->has_weights) {
        histogram_carry(&sum->cells, spec->weight.type);
        sum->states = 0;
    }
    return result;
}

/* ---- the end ---- */

/* Merge what occurs in histogram I to its list. */
static int
list_keys(struct state_sum *sum, size_t i, struct error *error)
{
    const struct spec *spec = &sum->names->spec;
    struct occurring *list = &sum->list[i];
    bool is_by_count =
        spec->ranks_keys && !spec->is_spectrum && !spec_is_sparse(spec, i);
    struct error failure = ERROR_NONE;

    if (list->runs.count == 0)
        return 0;
    if ((list->lattice == NULL ||
         state_fold(&list->runs, spec, i, list->lattice, sum->lattice,
                    sum->memory_limit, &failure) == 0) &&
        key_file_open(&sum->names->file[i], &list->runs,
                      is_by_count ? KEY_RUN_BY_COUNT : KEY_RUN_BY_KEY,
                      sum->threads, sum->memory_limit, true,
                      &sum->names->list[i], &failure) == 0)
        return 0;
    error_move(error, &failure);
    return -1;
}

/* Replace histogram I, of keys, by its multiplicities. */
static int
make_spectrum(struct state_sum *sum, size_t i, struct error *error)
{
    struct key_names *names = sum->names;
    const struct key_list *list = &names->list[i];
    const struct binning_axis *axis =
        &names->spec.shown[spec_own_axis(&names->spec, i)];
    struct spectrum *spectrum = malloc(sizeof *spectrum);
    uint64_t total;

    if (spectrum == NULL)
        return error_fail_memory(error);
    spectrum_open(spectrum, &sum->memory);
    for (uint64_t k = 0; k < list->count; k++) {
        spectrum_add(spectrum, key_entry_count_of(key_list_entry(list, k)));
        if ((k + 1) % KEYS_AT_A_TIME == 0)
            key_list_forget(list, k + 1 - KEYS_AT_A_TIME, KEYS_AT_A_TIME);
    }
    for (uint64_t c = 0; !spec_has_list(&names->spec, i) && c < axis->bins; c++)
        spectrum_add(spectrum, sum->cells.value[axis->base + c]);
    enum key_result result =
        spectrum_list(spectrum, &names->array[i], &sum->memory, &total);
    spectrum_close(spectrum);
    free(spectrum);
    key_file_close(&names->file[i]);
    if (result != KEY_OK)
        return error_fail_memory(error);
    names->list[i] = key_array_list(&names->array[i]);
    return 0;
}

/* Copy COUNT cells, those from FROM on, to COUNTS, from TO on. */
static void
copy_cells(const struct histogram *cells, uint64_t from,
           struct histogram *counts, uint64_t to, uint64_t count)
{
    for (unsigned int p = 0; p < counts->planes; p++)
        memcpy(counts->value + p * counts->cells + to,
               cells->value + p * cells->cells + from,
               (size_t)count * sizeof *counts->value);
}

/* Set COUNTS, of a spec whose lists are set, to the cells of SUM, which have
   those of BEFORE, and to the lists. */
static void
put_counts(const struct state_sum *sum, const struct binning_axis *before,
           struct histogram *counts)
{
    const struct spec *spec = &sum->names->spec;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t own = spec_own_axis(spec, i);
        const struct binning_axis *axis = &spec->shown[own];
        bool has_list = spec_has_list(spec, i);
        uint64_t bins = has_list ? axis->bins : 0;
        if (has_list)
            key_amounts_put(&sum->names->list[i], counts, axis->base,
                            sum->threads);
        if (spec_is_sparse(spec, i) || spec->is_spectrum)
            continue;
        copy_cells(&sum->cells, before[own].base, counts, axis->base + bins,
                   axis->bins + axis_flows(axis) - bins);
    }
}

/* Whether the cells of SUM are all that is printed. */
static bool
has_cells_only(const struct spec *spec)
{
    bool has_list = spec->is_spectrum;

    for (size_t i = 0; i < spec_histograms(spec); i++)
        has_list |= spec_has_list(spec, i);
    return !has_list;
}

/* Make the lists, and from them and the cells COUNTS. */
static int
make_counts(struct state_sum *sum, struct histogram *counts,
            struct error *error)
{
    struct spec *spec = &sum->names->spec;
    size_t bytes = spec->axis_count * sizeof *spec->shown;

    if (has_cells_only(spec)) {
        histogram_take(counts, &sum->cells);
        return 0;
    }
    struct binning_axis *before = malloc(bytes);
    if (before == NULL)
        return error_fail_memory(error);
    memcpy(before, spec->shown, bytes);
    int result = 0;
    for (size_t i = 0; i < spec_histograms(spec) && result == 0; i++) {
        result = spec_has_list(spec, i) ? list_keys(sum, i, error) : 0;
        if (result == 0 && spec->is_spectrum)
            result = make_spectrum(sum, i, error);
    }
    for (size_t i = 0; i < spec_histograms(spec) && spec->is_spectrum; i++)
        spec_show_spectrum(spec, i);
    key_names_complete(sum->names);
    if (result == 0)
        result = open_cells(sum, spec, counts, error);
    if (result == 0)
        put_counts(sum, before, counts);
    free(before);
    return result;
}

int
state_sum_finish(struct state_sum *sum, struct snapshot *counts,
                 struct error *error)
{
    *counts = (struct snapshot){0};
    int result = make_counts(sum, &counts->histogram, error);

    counts->names = sum->names;
    counts->spec = &sum->names->spec;
    sum->names = NULL;
    counts->bytes = sum->bytes;
    memcpy(counts->elements, sum->elements, sizeof counts->elements);
    counts->unweighted = sum->unweighted;
    return result;
}

uint64_t
state_sum_rows(const struct state_sum *sum)
{
    return sum->rows;
}

void
state_sum_close(struct state_sum *sum)
{
    if (sum == NULL)
        return;
    for (size_t i = 0; sum->list != NULL && i < sum->histograms; i++) {
        key_runs_close(&sum->list[i].runs);
        free(sum->list[i].lattice);
    }
    free(sum->list);
    free(sum->lattice);
    free(sum->other);
    free(sum->entry);
    state_code_close(&sum->code);
    state_code_close(&sum->last);
    histogram_close(&sum->cells);
    key_names_close(sum->names);
    key_memory_close(&sum->memory);
    free(sum);
}

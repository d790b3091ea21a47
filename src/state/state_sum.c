/* SPDX-License-Identifier: MIT */
/* state_sum.c -- the sum of states */

#include <stdlib.h>
#include <string.h>

#include "hist/key_file.h"
#include "hist/key_list.h"
#include "hist/key_merge.h"
#include "hist/lattice.h"
#include "hist/rebin.h"
#include "hist/spectrum.h"
#include "hist/sum_rows.h"
#include "state/state_code.h"
#include "state/state_lattice.h"
#include "state/state_rows.h"
#include "state/state_sum.h"
#include "state/state_sums.h"

/* Keys of a list in files that are in memory at a time. */
#define KEYS_AT_A_TIME 65536

/* A state adds a value to a cell, so digits are carried long before
   WEIGHING_ADDS_MAX additions. */
#define STATES_TO_CARRY 4096

/* The least bytes that are sorted at a time. */
#define BATCH_MIN ((size_t)1 << 16)

/* A histogram with a list. */
struct occurring {
    struct key_runs runs;
    struct state_lattice *lattice; /* of each run, all axes; NULL: none has */
    size_t room;                   /* room of LATTICE, in runs */
};

struct state_sum {
    struct key_names *names; /* with a spec with the lattices; lists have no
                                keys until the end */
    struct histogram cells;  /* of the spec of NAMES */
    struct occurring *list;  /* of each of HISTOGRAMS */
    size_t histograms;
    struct state_lattice *lattice; /* of each axis */
    struct state_crew *crew;
    size_t memory_limit;
    unsigned int states; /* since the last carry */
    uint64_t rows;
    uint64_t bytes;
    uint64_t elements[COUNTED_UNITS];
    uint64_t unweighted;
    uint64_t left_out;
    uint64_t checksum[ALIGNMENT_CHECKSUMS];
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
        if (spec->shown[spec_axis_of(spec, i, d)].is_auto)
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
    if (sum->names == NULL || sum->list == NULL || sum->lattice == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < axes; i++) {
        if (spec->shown[i].is_auto)
            state_lattice_set(&sum->names->spec.shown[i], &sum->lattice[i]);
    }
    for (size_t i = 0; i < histograms; i++)
        key_runs_open(&sum->list[i].runs, KEY_RUN_BY_KEY, spec->has_weights);
    key_names_complete(sum->names);
    return open_cells(sum, &sum->names->spec, &sum->cells, error);
}

static void
add_block(void *context, struct state_block *block)
{
    (void)context;
    state_rows_add(block);
}

/* Settles block by block, in order, across states. */
static int settle_block(void *context, struct state_block *block,
                        bool has_failed, struct error *error);

/* Write the entries of BLOCK to the run of the state. */
static int
write_entries(void *context, struct state_block *block, struct error *error)
{
    (void)context;
    for (size_t p = 0; p < block->spans; p++) {
        struct state_span *span = &block->span[p];
        size_t bytes = span->entry_end - span->entry;
        if (bytes > 0 &&
            scratch_file_append(&span->file, block->entry + span->entry, bytes,
                                error) < 0)
            return -1;
    }
    return 0;
}

static const struct state_work adding_work = {
    add_block,
    settle_block,
    write_entries,
};

struct state_sum *
state_sum_open(const struct spec *spec, struct state_crew *crew,
               size_t memory_limit, struct error *error)
{
    struct state_sum *sum = calloc(1, sizeof *sum);

    if (sum == NULL) {
        (void)error_fail_memory(error);
        return NULL;
    }
    sum->memory_limit = memory_limit;
    sum->crew = crew;
    state_crew_start(crew, &adding_work, sum);
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
        bool is_of = spec->shown[i].is_auto;
        bool has_cells =
            spec->histogram[spec_histogram_of(spec, i)].rows != ROWS_TUPLES;
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

/* Join the lattices of SUM and the lattices OTHER of a state. */
static int
join_lattices(struct state_sum *sum, const struct state_lattice *other,
              struct error *error)
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
        if (!spec->shown[i].is_auto)
            continue;
        state_lattice_join(&joined[i], &other[i], spec->shown[i].bins);
        has_moved |= joined[i].used > 0 &&
                     (sum->lattice[i].used == 0 ||
                      !state_lattice_is_same(&sum->lattice[i], &joined[i]));
    }
    /* No thread uses the bins and the cells meanwhile. */
    if (has_moved) {
        result = state_crew_settle(sum->crew, error);
        if (result == 0)
            result = move_cells(sum, joined, error);
        memcpy(sum->lattice, joined, bytes);
    }
    for (size_t i = 0; i < spec->axis_count; i++)
        sum->lattice[i].used = joined[i].used;
    free(joined);
    return result;
}

/* ---- blocks ---- */

/* Keep the lattices of run RUN of histogram I. */
static int
keep_lattices(struct state_sum *sum, size_t i, size_t run,
              const struct state_lattice *lattices, struct error *error)
{
    struct occurring *list = &sum->list[i];
    size_t axes = sum->names->spec.axis_count;

    if (!has_lattices(&sum->names->spec, i))
        return 0;
    if (run >= list->room) {
        size_t room = 2 * run + 16;
        struct state_lattice *lattice =
            realloc(list->lattice, room * axes * sizeof *lattice);
        if (lattice == NULL)
            return error_fail_memory(error);
        list->lattice = lattice;
        list->room = room;
    }
    memcpy(list->lattice + run * axes, lattices, axes * sizeof *lattices);
    return 0;
}

/* Find the place of the entries of SPAN in the run of the state. */
static int
place_entries(struct state_sum *sum, const struct state_block *block,
              struct state_span *span, struct error *error)
{
    struct state_rows *rows = span->rows;
    struct key_runs *runs = &sum->list[span->histogram].runs;

    if (span->entry == span->entry_end)
        return 0;
    if (!rows->has_run && (key_runs_start(runs, error) < 0 ||
                           keep_lattices(sum, span->histogram, runs->count - 1,
                                         rows->lattice, error) < 0))
        return -1;
    rows->has_run = true;
    span->file =
        key_runs_reserve(runs, span->entry_end - span->entry,
                         block->mark + span->mark, span->mark_end - span->mark);
    return 0;
}

/* Settle SPAN.  All spans before are settled. */
static int
settle_span(struct state_sum *sum, const struct state_block *block,
            struct state_span *span, struct error *error)
{
    struct state_rows *rows = span->rows;
    uint32_t unit = rows->spec->histogram[span->histogram].unit;

    if (place_entries(sum, block, span, error) < 0)
        return -1;
    sum->rows += span->count;
    rows->is_over |=
        span->is_over |
        __builtin_add_overflow(rows->total, span->total, &rows->total);
    if (!span->is_last)
        return 0;
    if (rows->is_over || rows->total != rows->elements[unit]) {
        error_set(error, EXIT_DATA,
                  "%s: line %llu: the counts do not add up to the totals",
                  rows->name,
                  (unsigned long long)(span->line + span->count - 1));
        return -1;
    }
    rows->total = 0;
    rows->has_run = false;
    return 0;
}

static int
settle_block(void *context, struct state_block *block, bool has_failed,
             struct error *error)
{
    struct state_sum *sum = context;
    int result = has_failed ? -1 : 0;

    for (size_t p = 0; p < block->spans; p++) {
        struct state_span *span = &block->span[p];
        if (result == 0 && p < block->done)
            result = settle_span(sum, block, span, error);
        else if (result == 0) {
            error_move(error, &block->error);
            result = -1;
        }
        state_rows_release(span->rows);
    }
    return has_failed ? 0 : result;
}

/* ---- states ---- */

/* Read N rows of histogram I.  Returns 0, or -1 with *ERROR set. */
static int
read_rows(struct state_reader *reader, struct state_rows *rows, size_t i,
          uint64_t n, struct error *error)
{
    struct state_span span;

    do {
        if (state_reader_some(reader, n, &span, error) < 0)
            return -1;
        n -= span.count;
        span.rows = rows;
        span.histogram = i;
        span.is_last = n == 0;
        if (state_block_add(reader->block, &span) < 0)
            return error_fail_memory(error);
        atomic_fetch_add(&rows->users, 1);
    } while (n > 0);
    return 0;
}

/* Read the rows of all histograms.  Returns 0, or -1 with *ERROR set. */
static int
read_histograms(struct state_reader *reader, struct state_rows *rows,
                struct error *error)
{
    size_t histograms = spec_histograms(rows->spec);
    size_t done = 0;
    size_t i;
    uint64_t count;
    int result;

    while ((result = state_reader_rows(reader, &i, &count, error)) > 0) {
        if (i != done++ || i >= histograms)
            return state_reader_fail(reader, "there is no such histogram",
                                     error);
        if (read_rows(reader, rows, i, count, error) < 0)
            return -1;
    }
    if (result == 0 && done != histograms)
        return state_reader_fail(reader, "a histogram is missing", error);
    return result;
}

/* Add the totals of HEAD.  Returns 0, or -1 with *ERROR set. */
static int
add_totals(struct state_sum *sum, const struct state_reader *reader,
           const struct state_head *head, struct error *error)
{
    bool is_over = __builtin_add_overflow(sum->bytes, head->bytes, &sum->bytes);
    const bool has_weights = sum->names->spec.has_weights;
    const uint64_t most = has_weights ? INT64_MAX : UINT64_MAX;

    for (int u = 0; u < COUNTED_UNITS; u++)
        is_over |= __builtin_add_overflow(sum->elements[u], head->elements[u],
                                          &sum->elements[u]) ||
                   sum->elements[u] > most;
    is_over |= __builtin_add_overflow(sum->unweighted, head->unweighted,
                                      &sum->unweighted);
    is_over |=
        __builtin_add_overflow(sum->left_out, head->left_out, &sum->left_out);
    for (int c = 0; c < ALIGNMENT_CHECKSUMS; c++)
        sum->checksum[c] += head->checksum[c];
    if (!is_over)
        return 0;
    error_set(error, EXIT_DATA, "%s: the counts add up to more than %llu",
              reader->name, (unsigned long long)most);
    return -1;
}

/* Carry in the sums of all cells, if a carry is due. */
static int
carry(struct state_sum *sum, struct error *error)
{
    const struct spec *spec = &sum->names->spec;

    if (++sum->states < STATES_TO_CARRY || !spec->has_weights)
        return 0;
    sum->states = 0;
    if (state_crew_settle(sum->crew, error) < 0)
        return -1;
    histogram_carry(&sum->cells, spec->weight.type);
    return 0;
}

int
state_sum_add(struct state_sum *sum, struct state_reader *reader,
              const struct state_head *head, struct error *error)
{
    const struct spec *spec = &sum->names->spec;
    struct state_rows *rows = state_rows_new(reader->name, spec, head);
    int result = -1;

    if (rows == NULL)
        return error_fail_memory(error);
    rows->sum = sum->lattice;
    rows->cells = &sum->cells;
    if (state_lattice_read(spec, &head->list[STATE_LATTICES], rows->lattice) <
        0)
        (void)state_reader_fail(reader, "the lattices are damaged", error);
    else if (state_sums_add(spec, &head->list[STATE_SUMS], sum->names->sums) <
             0)
        (void)state_reader_fail(reader, "the sums are damaged", error);
    else if (join_lattices(sum, rows->lattice, error) == 0 &&
             add_totals(sum, reader, head, error) == 0 &&
             carry(sum, error) == 0)
        result = read_histograms(reader, rows, error);
    state_rows_release(rows);
    return result;
}

/*
 * ---- the tuples of several lattices in one ----
 *
 * In a wider lattice, different tuples become equal, and tuples that agree in a
 * bin then lose their order.  So runs in another lattice are sorted again, as
 * much at a time as the memory holds.
 */

struct run_folding {
    struct key_runs *to;
    unsigned char *byte; /* entries of a batch, in ROOM bytes */
    size_t room;
    size_t used;
    const unsigned char **entry; /* COUNT pointers to entries, at most MOST */
    size_t count;
    size_t most;
    struct state_code code;
};

static int
compare_entries(const void *a, const void *b)
{
    struct key_entry left = key_entry_key(*(const unsigned char *const *)a);
    struct key_entry right = key_entry_key(*(const unsigned char *const *)b);

    return key_entry_compare(&left, &right);
}

/* Make the batch a run, and empty the batch. */
static int
put_batch(struct run_folding *folding, struct error *error)
{
    struct key_runs *to = folding->to;

    if (folding->count == 0)
        return 0;
    qsort(folding->entry, folding->count, sizeof *folding->entry,
          compare_entries);
    if (key_runs_start(to, error) < 0)
        return -1;
    for (size_t k = 0; k < folding->count; k++) {
        const unsigned char *entry = folding->entry[k];
        struct key_amount amount = key_entry_amount(entry, to->sum_bytes);
        if (key_runs_put(to, &amount, entry, error) < 0)
            return -1;
    }
    folding->count = 0;
    folding->used = 0;
    return key_runs_end(to, error);
}

/* Put the code, with AMOUNT, into the batch. */
static int
put_code(struct run_folding *folding, const struct key_amount *amount,
         struct error *error)
{
    size_t sum_bytes = folding->to->sum_bytes;
    size_t need = sum_bytes + KEY_ENTRY_HEAD_MAX + folding->code.size;

    if ((folding->count == folding->most ||
         need > folding->room - folding->used) &&
        put_batch(folding, error) < 0)
        return -1;
    if (need > folding->room) {
        free(folding->byte);
        folding->byte = malloc(need);
        folding->room = folding->byte != NULL ? need : 0;
        if (folding->byte == NULL)
            return error_fail_memory(error);
    }
    unsigned char *at = folding->byte + folding->used;
    memcpy(at, &amount->sum, sum_bytes);
    folding->entry[folding->count++] = at + sum_bytes;
    folding->used =
        (size_t)(key_entry_write(at + sum_bytes, folding->code.byte,
                                 (uint32_t)folding->code.size, amount->count) -
                 folding->byte);
    return 0;
}

/* Fold run R of RUNS from the lattices OLD to NEW. */
static int
fold_run(struct run_folding *folding, const struct key_runs *runs, size_t r,
         const struct spec *spec, size_t i, const struct state_lattice *old,
         const struct state_lattice *new, size_t memory, struct error *error)
{
    struct key_merge merge;
    int result =
        key_merge_open(&merge, runs, &runs->run[r], 1, memory, true, error);

    while (result == 0 && key_merge_next(&merge)) {
        struct key_entry key = key_entry_key(merge.entry);
        result = state_code_move(&folding->code, spec, i, &key, old, new) > 0
                     ? put_code(folding, &merge.amount, error)
                     : error_fail_memory(error);
    }
    key_merge_close(&merge);
    return result;
}

/* Whether all of COUNT runs have the lattices NEW. */
static bool
are_in_lattices(size_t count, size_t axes, const struct state_lattice *old,
                const struct state_lattice *new)
{
    bool is_same = true;

    for (size_t l = 0; l < count * axes && is_same; l++)
        is_same =
            old[l].used == 0 || state_lattice_is_same(&old[l], &new[l % axes]);
    return is_same;
}

/*
 * Replace RUNS, of tuples of histogram I of SPEC, by runs in the lattices NEW.
 * Run R has the lattices from OLD[R * axes] on.  About MEMORY bytes are in
 * memory.  Returns 0, or -1 with *ERROR set.
 */
static int
fold(struct key_runs *runs, const struct spec *spec, size_t i,
     const struct state_lattice *old, const struct state_lattice *new,
     size_t memory, struct error *error)
{
    struct key_runs to;
    struct run_folding folding = {.to = &to, .room = memory / 2};
    int result = 0;

    if (are_in_lattices(runs->count, spec->axis_count, old, new))
        return 0;
    folding.room = folding.room > BATCH_MIN ? folding.room : BATCH_MIN;
    folding.most = folding.room / (2 * sizeof *folding.entry);
    key_runs_open(&to, KEY_RUN_BY_KEY, runs->sum_bytes > 0);
    folding.byte = malloc(folding.room);
    folding.entry = malloc(folding.most * sizeof *folding.entry);
    if (folding.byte == NULL || folding.entry == NULL)
        result = error_fail_memory(error);
    for (size_t r = 0; r < runs->count && result == 0; r++)
        result = fold_run(&folding, runs, r, spec, i,
                          old + r * spec->axis_count, new, memory / 4, error);
    if (result == 0)
        result = put_batch(&folding, error);
    key_runs_close(runs);
    *runs = to;
    free(folding.byte);
    free(folding.entry);
    state_code_close(&folding.code);
    return result;
}

/* ---- the end of some states ---- */

/* Merge the runs of histogram I, in the lattices of SUM, until they can be read
   at a time.  Does nothing while there are few, so that each merge is of
   many. */
static int
reduce_list(struct state_sum *sum, size_t i, struct error *error)
{
    struct occurring *list = &sum->list[i];
    int result = 0;

    if (list->runs.count < 2 * key_merge_fan_in(sum->memory_limit))
        return 0;
    if (list->lattice != NULL)
        result = fold(&list->runs, &sum->names->spec, i, list->lattice,
                      sum->lattice, sum->memory_limit, error);
    if (result == 0)
        result = key_merge_reduce(&list->runs, sum->memory_limit, error);
    for (size_t r = 0; r < list->runs.count && result == 0; r++)
        result = keep_lattices(sum, i, r, sum->lattice, error);
    return result;
}

int
state_sum_settle(struct state_sum *sum, struct error *error)
{
    int result = state_crew_settle(sum->crew, error);

    for (size_t i = 0; i < sum->histograms && result == 0; i++)
        result = reduce_list(sum, i, error);
    return result;
}

/* ---- the end ---- */

/* Merge the runs of histogram I to a list. */
static int
list_keys(struct state_sum *sum, size_t i, struct error *error)
{
    const struct spec *spec = &sum->names->spec;
    struct occurring *list = &sum->list[i];
    bool is_by_count = spec->ranks_keys && !spec->is_spectrum &&
                       spec->histogram[i].rows != ROWS_TUPLES;
    struct error failure = ERROR_NONE;

    if (list->runs.count == 0)
        return 0;
    if ((list->lattice == NULL ||
         fold(&list->runs, spec, i, list->lattice, sum->lattice,
              sum->memory_limit, &failure) == 0) &&
        key_file_open(&sum->names->file[i], &list->runs,
                      is_by_count ? KEY_RUN_BY_COUNT : KEY_RUN_BY_KEY,
                      state_crew_threads(sum->crew), sum->memory_limit, true,
                      &sum->names->list[i], &failure) == 0)
        return 0;
    error_move(error, &failure);
    return -1;
}

/* Replace histogram I, of keys, by the multiplicities of the keys. */
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
    spectrum->components = spec_dimensions(&names->spec, i);
    for (uint64_t k = 0; k < list->count; k++) {
        const unsigned char *entry = key_list_entry(list, k);
        spectrum_add_entry(spectrum, entry, key_entry_count_of(entry));
        if ((k + 1) % KEYS_AT_A_TIME == 0)
            key_list_forget(list, k + 1 - KEYS_AT_A_TIME, KEYS_AT_A_TIME);
    }
    for (uint64_t c = 0; !names->spec.histogram[i].is_listed && c < axis->bins;
         c++)
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

/* Make the list of histogram I.  Returns 0, or -1 with *ERROR set. */
static int
make_list(struct state_sum *sum, size_t i, struct error *error)
{
    const struct counted_histogram *counted = &sum->names->spec.histogram[i];

    if (!counted->is_listed)
        return 0;
    if (counted->kind != COUNTED_SUMS)
        return list_keys(sum, i, error);
    return sum_rows_make(sum->names, i, &sum->memory) == KEY_OK
               ? 0
               : error_fail_memory(error);
}

/* Copy COUNT cells from FROM on to COUNTS from TO on. */
static void
copy_cells(const struct histogram *cells, uint64_t from,
           struct histogram *counts, uint64_t to, uint64_t count)
{
    for (unsigned int p = 0; p < counts->planes; p++)
        memcpy(counts->value + p * counts->cells + to,
               cells->value + p * cells->cells + from,
               (size_t)count * sizeof *counts->value);
}

/* Set COUNTS to the lists and to the cells of SUM.  The spec has the lists
   already; the cells of SUM have the axes BEFORE. */
static void
put_counts(const struct state_sum *sum, const struct binning_axis *before,
           struct histogram *counts)
{
    const struct spec *spec = &sum->names->spec;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t own = spec_own_axis(spec, i);
        const struct binning_axis *axis = &spec->shown[own];
        bool has_list = spec->histogram[i].is_listed;
        uint64_t bins = has_list ? axis->bins : 0;
        if (has_list)
            key_list_put_counts(&sum->names->list[i], counts, axis->base,
                                state_crew_threads(sum->crew));
        if (spec->histogram[i].rows == ROWS_TUPLES || spec->is_spectrum)
            continue;
        copy_cells(&sum->cells, before[own].base, counts, axis->base + bins,
                   axis->bins + axis_flows(axis) - bins);
    }
}

/* Whether all counts are in the cells of SUM. */
static bool
has_cells_only(const struct spec *spec)
{
    bool has_list = spec->is_spectrum;

    for (size_t i = 0; i < spec_histograms(spec); i++)
        has_list |= spec->histogram[i].is_listed;
    return !has_list;
}

/* Make the lists, then COUNTS of the lists and the cells. */
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
        result = make_list(sum, i, error);
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
    counts->left_out = sum->left_out;
    memcpy(counts->checksum, sum->checksum, sizeof counts->checksum);
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
    struct error ignored = ERROR_NONE;

    if (sum == NULL)
        return;
    (void)state_crew_settle(sum->crew, &ignored);
    error_clear(&ignored);
    for (size_t i = 0; sum->list != NULL && i < sum->histograms; i++) {
        key_runs_close(&sum->list[i].runs);
        free(sum->list[i].lattice);
    }
    free(sum->list);
    free(sum->lattice);
    histogram_close(&sum->cells);
    key_names_close(sum->names);
    key_memory_close(&sum->memory);
    free(sum);
}

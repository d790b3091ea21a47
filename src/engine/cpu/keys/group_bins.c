/* SPDX-License-Identifier: MIT */
/* group_bins.c -- groups whose numbers are counted in bins */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/cells/bin_row.h"
#include "engine/cpu/keys/cached_groups.h"
#include "engine/cpu/keys/group_bins.h"
#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/keys/number_field.h"

/* The most cells of a row. */
#define CELLS_MAX 4096

/* The most bytes of the rows of one thread, and the rows there are first. */
#define ROWS_BYTES_MAX ((size_t)4 << 20)
#define ROWS_MIN 256
#define ROWS_GROW 4

/* A row starts with a cache line. */
#define LINE 64

/* How many records before it is needed a counter is fetched. */
#define AHEAD 12

/* With a row for less than one of so many records, and room for no others, the
   rows pause for some calls. */
#define USELESS 4
#define PAUSE_CALLS 64

/* Tuples that are written before they are added to the tables. */
#define TUPLES 1024
#define TUPLE_ROOM (GROUP_CODE_ROOM + KEY_CODE_ROOM)
#define TUPLES_ROOM ((size_t)32 << 10)

_Static_assert(GROUP_BATCH <= BIN_ROW_ELEMENTS, "a batch is one row of cells");

/* What a counter that overflows has counted. */
#define COUNTER_END ((uint32_t)UINT16_MAX + 1)

struct group_bins {
    struct binning_axis axis; /* with the lattice of the rows */
    bool grows;
    struct binning_tables tables;
    struct bin_row_rule rule; /* of AXIS */
    const struct bin_row_form *form;
    size_t cells;
    size_t stride;     /* counters from a row to the next one */
    uint16_t *counter; /* of the first ROWS groups of the cache */
    size_t rows;
    size_t rows_max;
    bool is_used;            /* a counter may be above 0 */
    enum key_result failure; /* the last one of group_bins_settle() */

    /* A batch. */
    uint32_t cell[BIN_ROW_ELEMENTS];   /* of each record */
    uint64_t number[BIN_ROW_ELEMENTS]; /* bits of the numbers, ... */
    uint16_t record[BIN_ROW_ELEMENTS]; /* ... the records that have them ... */
    uint32_t found[BIN_ROW_ELEMENTS];  /* ... and their cells */

    /* Tuples, of group GROUP now; SIZE_MAX: of none. */
    size_t group;
    size_t group_size;
    unsigned char group_code[GROUP_CODE_ROOM];
    size_t count;
    size_t used; /* of BYTE */
    unsigned char byte[TUPLES_ROOM];
    struct text_slice slice[TUPLES];
    uint32_t times[TUPLES];
};

/* ---- opening and closing ---- */

static size_t
cells_of(const struct binning_axis *axis)
{
    return (size_t)axis->bins + axis_flows(axis);
}

bool
group_bins_is_for(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[i];

    return axis->is_text && axis->kind != BINNING_NUMBER &&
           axis->kind != BINNING_KEY && axis->bins < CELLS_MAX &&
           cells_of(axis) <= CELLS_MAX;
}

size_t
group_bins_bytes(void)
{
    return sizeof(struct group_bins);
}

struct group_bins *
group_bins_new(const struct group_cache *cache)
{
    struct group_bins *bins = calloc(1, sizeof *bins);
    const size_t per_line = LINE / sizeof *bins->counter;

    if (bins == NULL)
        return NULL;
    bins->group = SIZE_MAX;
    bins->grows = spec_codes_grow(cache->spec, cache->value);
    bins->tables = spec_tables(cache->spec);
    bins->form = bin_row_form_choose();
    bins->cells = cells_of(&cache->spec->shown[cache->value]);
    bins->stride = (bins->cells + per_line - 1) / per_line * per_line;
    bins->rows_max = ROWS_BYTES_MAX / (bins->stride * sizeof *bins->counter);
    return bins;
}

static size_t
rows_bytes(const struct group_bins *bins, size_t rows)
{
    return rows * bins->stride * sizeof *bins->counter;
}

/* Give back the rows of CACHE. */
static void
give_rows(struct group_cache *cache, uint16_t *counter, size_t rows)
{
    struct values_memory *all = cache->pool.all;
    size_t bytes = rows_bytes(cache->bins, rows);

    if (counter == NULL)
        return;
    key_memory_give(all->memory, counter, bytes);
    atomic_fetch_sub(&all->taken, bytes);
}

void
group_bins_close(struct group_cache *cache)
{
    if (cache->bins != NULL)
        give_rows(cache, cache->bins->counter, cache->bins->rows);
    free(cache->bins);
    cache->bins = NULL;
}

/* Take memory for more rows.  Returns false if there is no room. */
static bool
grow(struct group_cache *cache)
{
    struct group_bins *bins = cache->bins;
    struct values_memory *all = cache->pool.all;
    size_t rows = bins->rows == 0 ? ROWS_MIN : bins->rows * ROWS_GROW;
    enum key_result result;

    rows = rows < bins->rows_max ? rows : bins->rows_max;
    if (rows == bins->rows || cache->is_full)
        return false;
    size_t bytes = rows_bytes(bins, rows);
    if (atomic_fetch_add(&all->taken, bytes) + bytes > all->most) {
        atomic_fetch_sub(&all->taken, bytes);
        return false;
    }
    uint16_t *counter = key_memory_take_zeros(all->memory, bytes, &result);
    if (counter == NULL) {
        atomic_fetch_sub(&all->taken, bytes);
        return false;
    }
    if (bins->rows > 0)
        memcpy(counter, bins->counter, rows_bytes(bins, bins->rows));
    give_rows(cache, bins->counter, bins->rows);
    bins->counter = counter;
    bins->rows = rows;
    return true;
}

/* ---- tuples ---- */

/* Add the tuples of CACHE to COUNTS, or if that is NULL, as a thread. */
static enum key_result
flush(struct group_cache *cache, struct key_counts *counts)
{
    struct group_bins *bins = cache->bins;
    enum key_result result = KEY_OK;

    if (counts == NULL)
        result = key_counter_add_times(cache->keys, bins->byte, bins->slice,
                                       bins->times, bins->count);
    for (size_t i = 0; counts != NULL && i < bins->count && result == KEY_OK;
         i++) {
        const struct key_amount amount = {.count = bins->times[i]};
        result = key_counter_add_amount(counts, bins->byte + bins->slice[i].at,
                                        bins->slice[i].size, &amount);
    }
    bins->count = 0;
    bins->used = 0;
    return result;
}

/* Write the tuple of group E and CELL, which counts TIMES; COUNTS as for
   flush(). */
static enum key_result
write_tuple(struct group_cache *cache, struct key_counts *counts, size_t e,
            uint64_t cell, uint32_t times)
{
    struct group_bins *bins = cache->bins;
    enum key_result result = KEY_OK;

    if (bins->count == TUPLES || bins->used + TUPLE_ROOM > TUPLES_ROOM)
        result = flush(cache, counts);
    if (bins->group != e) {
        bins->group = e;
        bins->group_size = (size_t)(cached_group_put(cache, &cache->entry[e],
                                                     bins->group_code) -
                                    bins->group_code);
    }
    unsigned char *at = bins->byte + bins->used;
    memcpy(at, bins->group_code, bins->group_size);
    unsigned char *end = key_codes_put_cell(&bins->axis, bins->grows, cell,
                                            at + bins->group_size);
    bins->slice[bins->count] = (struct text_slice){
        .at = (binning_u32)bins->used, .size = (binning_u32)(end - at)};
    bins->times[bins->count++] = times;
    bins->used += (size_t)(end - at);
    return result;
}

/* Returns how many groups of CACHE have rows. */
static size_t
groups_with_rows(const struct group_cache *cache)
{
    return cache->count < cache->bins->rows ? cache->count : cache->bins->rows;
}

enum key_result
group_bins_settle(struct group_cache *cache, struct key_counts *counts)
{
    struct group_bins *bins = cache->bins;
    size_t groups = bins->is_used ? groups_with_rows(cache) : 0;

    for (size_t e = 0; e < groups && bins->failure == KEY_OK; e++) {
        uint16_t *row = bins->counter + e * bins->stride;
        for (size_t c = 0; c < bins->cells && bins->failure == KEY_OK; c++) {
            if (row[c] > 0)
                bins->failure = write_tuple(cache, counts, e, c, row[c]);
        }
        memset(row, 0, bins->cells * sizeof *row);
    }
    if (bins->failure == KEY_OK)
        bins->failure = flush(cache, counts);
    bins->is_used = false;
    bins->group = SIZE_MAX;
    return bins->failure;
}

/* ---- the lattice ---- */

/* Move the counts of group E to the cells of the new axis of its CACHE: bin C
   becomes bin NEW[C]. */
static enum key_result
move_row(struct group_cache *cache, size_t e, const uint64_t *new)
{
    struct group_bins *bins = cache->bins;
    uint16_t *row = bins->counter + e * bins->stride;
    enum key_result result = KEY_OK;
    uint32_t sum[CELLS_MAX];

    memset(sum, 0, (size_t)bins->axis.bins * sizeof *sum);
    for (size_t c = 0; c < bins->axis.bins; c++) {
        if (row[c] > 0)
            sum[new[c]] += row[c];
    }
    for (size_t c = 0; c < bins->axis.bins && result == KEY_OK; c++) {
        row[c] = (uint16_t)sum[c];
        if (sum[c] >= COUNTER_END)
            result = write_tuple(cache, NULL, e, c, sum[c] - row[c]);
    }
    return result;
}

/* Take over AXIS, whose lattice holds that of the rows of CACHE. */
static enum key_result
follow(struct group_cache *cache, const struct binning_axis *axis)
{
    struct group_bins *bins = cache->bins;
    size_t groups = bins->is_used ? groups_with_rows(cache) : 0;
    enum key_result result = KEY_OK;
    uint64_t new[CELLS_MAX];

    if (lattice_is_same(&bins->axis, axis) && bins->rule.axis != NULL)
        return KEY_OK;
    for (size_t c = 0; groups > 0 && c < axis->bins; c++)
        new[c] = lattice_bin(&bins->axis, c, axis);
    bins->axis = *axis;
    bins->axis.offset = 0;
    bin_row_rule_make(&bins->rule, &bins->axis, &bins->tables,
                      sizeof *bins->number);
    for (size_t e = 0; e < groups && result == KEY_OK; e++)
        result = move_row(cache, e, new);
    return result;
}

/* ---- counting ---- */

/* Read the numbers of RECORDS at SLICE to NUMBER and RECORD, and set CELL of
   the others.  Returns how many numbers these are; SIZE_MAX: out of memory. */
static size_t
read_numbers(struct group_cache *cache, const struct binning_axis *axis,
             const unsigned char *data, const struct text_slice *slice,
             size_t records)
{
    struct group_bins *bins = cache->bins;
    size_t count = 0;

    short_decimals_read(data, slice + cache->value, records, cache->fields,
                        cache->nano);
    for (size_t r = 0; r < records; r++) {
        enum key_tag tag;
        uint64_t *bits = &bins->number[count];
        if (!number_field_take(axis, cache->nano[r], &tag, bits) &&
            number_field_read(&cache->field, axis, data,
                              slice[r * cache->fields + cache->value], &tag,
                              bits) != KEY_OK)
            return SIZE_MAX;
        bins->record[count] = (uint16_t)r;
        count += tag == KEY_TAG_VALUE;
        if (tag != KEY_TAG_VALUE)
            bins->cell[r] =
                (uint32_t)axis_special_cell(axis, axis_special_of(tag));
    }
    return count;
}

/* Set the cells of RECORDS at SLICE, whose lattice is that of CODES. */
static enum key_result
find_cells(struct group_cache *cache, struct key_codes *codes,
           const unsigned char *data, const struct text_slice *slice,
           size_t records)
{
    struct group_bins *bins = cache->bins;
    const struct binning_axis *axis = key_codes_axis(codes, cache->value);
    enum key_result result = follow(cache, axis);
    size_t count = read_numbers(cache, axis, data, slice, records);

    if (count == SIZE_MAX)
        result = KEY_NO_MEMORY;
    if (result != KEY_OK)
        return result;
    if (bins->grows && count > 0) {
        struct extent extent = extent_none;
        bin_row_widen(&extent, &bins->axis, (const unsigned char *)bins->number,
                      count * sizeof *bins->number, sizeof *bins->number);
        key_codes_widen(codes, cache->value, &extent);
    }
    result = follow(cache, axis);
    if (result != KEY_OK || count == 0)
        return result;
    uint32_t *found = count == records ? bins->cell : bins->found;
    bins->form->find(&bins->rule, (const unsigned char *)bins->number, count,
                     found);
    for (size_t i = 0; found != bins->cell && i < count; i++)
        bins->cell[bins->record[i]] = found[i];
    return KEY_OK;
}

/* Fetch the counter of record R for the most likely group of its key. */
static inline void
fetch_counter(const struct group_cache *cache, size_t r)
{
    const struct group_bins *bins = cache->bins;
    size_t number = cache->guess[r];

    if (number < bins->rows)
        __builtin_prefetch(
            &bins->counter[number * bins->stride + bins->cell[r]], 1);
}

/* Count record R, whose key is loaded.  Returns false, with nothing done, if
   its group has no row. */
static inline bool
count_record(struct group_cache *cache, size_t r, enum key_result *result)
{
    struct group_bins *bins = cache->bins;
    const struct cached_group *group = cached_groups_take(cache, r);
    size_t e = group != NULL ? (size_t)(group - cache->entry) : SIZE_MAX;

    if (e >= bins->rows && (group == NULL || !grow(cache))) {
        cache->is_full = true;
        return false;
    }
    uint16_t *counter = &bins->counter[e * bins->stride + bins->cell[r]];
    if (++*counter == 0 && *result == KEY_OK)
        *result = write_tuple(cache, NULL, e, bins->cell[r], COUNTER_END);
    return true;
}

/*
 * Count RECORDS, GROUP_BATCH at most, at SLICE; the records without a row move
 * to KEPT, and are *COUNT.  MORE are behind them.
 */
static enum key_result
add_batch(struct group_cache *cache, struct key_codes *codes,
          const unsigned char *data, const struct text_slice *slice,
          size_t records, size_t more, struct text_slice *kept, size_t *count)
{
    struct group_bins *bins = cache->bins;
    const size_t fields = cache->fields;
    enum key_result result = find_cells(cache, codes, data, slice, records);
    uint64_t cells = bins->axis.bins + axis_number_flows(&bins->axis);
    uint64_t numbers = 0;

    *count = 0;
    if (result != KEY_OK)
        return result;
    group_keys_load(cache, data, slice, records, more);
    bins->is_used = true;
    for (size_t r = 0; r < records; r++) {
        if (r + AHEAD < records)
            fetch_counter(cache, r + AHEAD);
        if (cache->has_key[r] && count_record(cache, r, &result)) {
            numbers += bins->cell[r] < cells;
            continue;
        }
        memmove(kept + *count * fields, slice + r * fields,
                fields * sizeof *slice);
        (*count)++;
    }
    key_codes_add_numbers(codes, cache->value, numbers);
    return result;
}

enum key_result
group_bins_add(struct group_cache *cache, struct key_codes *codes,
               const unsigned char *data, const struct text_slice *slice,
               size_t *records, bool are_plain, struct text_slice *kept)
{
    struct group_bins *bins = cache->bins;
    enum key_result result = KEY_OK;
    size_t left = 0;

    cache->are_plain = are_plain;
    if (cache->pause > 0) {
        cache->pause--;
        return KEY_OK;
    }
    if (bins->rows == 0 && !grow(cache)) {
        cache->is_full = true;
        return KEY_OK;
    }
    for (size_t done = 0; done < *records && result == KEY_OK;
         done += GROUP_BATCH) {
        size_t batch =
            *records - done < GROUP_BATCH ? *records - done : GROUP_BATCH;
        size_t count;
        result = add_batch(cache, codes, data, slice + done * cache->fields,
                           batch, *records - done - batch,
                           kept + left * cache->fields, &count);
        left += count;
    }
    if (cache->is_full && *records - left < *records / USELESS)
        cache->pause = PAUSE_CALLS;
    *records = left;
    return result;
}

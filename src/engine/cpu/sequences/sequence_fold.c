/* SPDX-License-Identifier: MIT */
/* sequence_fold.c -- the histograms of sequences, from dense tables */

#include <stdlib.h>

#include "engine/cpu/sequences/position_planes.h"
#include "engine/cpu/sequences/position_tuples.h"
#include "engine/cpu/sequences/sequence_fold.h"
#include "seq/sequence_names.h"

/* Elements that are added at a time. */
#define ELEMENTS 4096

/* One histogram, and its pending elements. */
struct sequence_folding {
    struct sequence_counts *counts;
    const struct spec *spec;
    struct code_ranges *ranges;
    struct counter *const *counter; /* of each histogram */
    enum sequence_order order;
    size_t histogram;
    size_t fields;            /* slices of an element */
    struct text_slice *slice; /* of ELEMENTS */
    struct text_slice *code;  /* of tuples */
    int64_t *count;           /* how often each element occurs */
    size_t used;
    uint64_t *block;        /* POSITION_BLOCK rows of a table of positions */
    struct key_codes codes; /* if sparse */
    enum key_result result;
    unsigned char letter[256]; /* each byte, as a key */
};

/* The fields of an element. */
struct element_values {
    uint64_t length;
    uint64_t gc;
    uint64_t position;
    unsigned char base;
    unsigned char quality; /* the byte */
};

/* ---- adding ---- */

/* Count all elements, and forget them. */
static void
add_elements(struct sequence_folding *folding)
{
    struct counter *counter = folding->counter[folding->histogram];
    const struct counter_buffers buffers = {.key = folding->code,
                                            .codes = &folding->codes};
    const struct key_weights counts = {.weight = folding->count,
                                       .are_counts = true};
    const struct counter_batch batch = {.data = folding->letter,
                                        .slice = folding->slice,
                                        .count = folding->used,
                                        .weights = &counts};

    if (folding->result == KEY_OK)
        folding->result = counter->type->add_counted(counter, &buffers, &batch);
    folding->used = 0;
}

/* ---- elements ---- */

static struct text_slice
slice_of(const struct spec *spec, enum text_part part,
         const struct element_values *values)
{
    switch (part) {
    case TEXT_PART_LENGTH:
        return text_slice_of_bits(values->length);
    case TEXT_PART_GC:
        return values->length == 0
                   ? TEXT_SLICE_EMPTY
                   : text_slice_of_bits(binning_double_bits(
                         (double)values->gc / (double)values->length));
    case TEXT_PART_POSITION:
        return text_slice_of_bits(values->position);
    case TEXT_PART_QUALITY:
        return values->quality == SEQUENCE_QUALITY_NONE
                   ? TEXT_SLICE_NONE
                   : text_slice_of_bits((uint64_t)values->quality -
                                        spec->text.phred);
    default:
        return (struct text_slice){values->base, 1};
    }
}

/* Set the fields of an element. */
static void
put_slices(const struct sequence_folding *folding,
           const struct element_values *values, struct text_slice *slice)
{
    const struct spec *spec = folding->spec;

    for (size_t d = 0; d < spec_dimensions(spec, folding->histogram); d++) {
        size_t axis = spec_axis_of(spec, folding->histogram, d);
        enum text_part part =
            (enum text_part)spec->text_fields.field[axis].part;
        slice[axis] = slice_of(spec, part, values);
    }
}

/* Add an element that occurs COUNT times. */
static void
put(struct sequence_folding *folding, const struct element_values *values,
    uint64_t count)
{
    if (count == 0)
        return;
    put_slices(folding, values,
               folding->slice + folding->used * folding->fields);
    folding->count[folding->used++] = (int64_t)count;
    if (folding->used == ELEMENTS)
        add_elements(folding);
}

/* The reads of each length; or their bases of each position. */
static void
put_lengths(struct sequence_folding *folding,
            const struct sequence_table *table, bool are_positions)
{
    struct element_values values = {0};
    uint64_t longer = 0; /* reads that have the position */

    for (size_t n = table->rows; n-- > 0;) {
        longer += table->count[n];
        values.length = values.position = n;
        if (!are_positions)
            put(folding, &values, table->count[n]);
        else if (n > 0)
            put(folding, &values, longer);
    }
}

static void
put_gc(struct sequence_folding *folding, const struct sequence_table *table)
{
    struct element_values values = {0};

    /* Longer reads than these have no row. */
    for (binning_u32 n = 0; sequence_gc_cell(n + 1, 0) <= table->rows; n++) {
        for (binning_u32 gc = 0; gc <= n; gc++) {
            values.length = n;
            values.gc = gc;
            put(folding, &values, table->count[sequence_gc_cell(n, gc)]);
        }
    }
}

static void
put_bases(struct sequence_folding *folding, const struct sequence_table *table)
{
    bool keeps_case = folding->spec->text.keeps_case;
    struct element_values values = {0};

    /* The bytes between the lines are counted, too. */
    for (size_t byte = 0; byte < table->width && table->rows > 0; byte++) {
        values.base = keeps_case
                          ? (unsigned char)byte
                          : (unsigned char)sequence_upper((binning_u32)byte);
        if (sequence_is_base((binning_u32)byte))
            put(folding, &values, table->count[byte]);
    }
}

/* Set what CELL of a row of SOURCE says. */
static void
set_values(enum sequence_source source, size_t cell,
           struct element_values *values)
{
    switch (source) {
    case SEQUENCE_OF_QUALITY:
        values->quality = (unsigned char)cell;
        break;
    case SEQUENCE_OF_POSITION_QUALITY:
        values->quality = (unsigned char)(cell + SEQUENCE_QUALITY_FIRST);
        break;
    case SEQUENCE_OF_POSITION_BASE:
        values->base = (unsigned char)SEQUENCE_LETTERS[cell];
        break;
    default:
        values->base = (unsigned char)SEQUENCE_LETTERS[cell % SEQUENCE_CODES];
        values->quality =
            (unsigned char)(cell / SEQUENCE_CODES + SEQUENCE_QUALITY_FIRST);
    }
}

/* Returns row R of SOURCE.  The rows are read in their order, from the first
   one on. */
static const uint64_t *
row_of(const struct sequence_folding *folding, enum sequence_source source,
       size_t r)
{
    const struct sequence_table *sum = &folding->counts->sum[source];

    if (source < SEQUENCE_OF_POSITION_BASE)
        return sum->count + r * sum->width;
    if (r % POSITION_BLOCK == 0)
        sequence_counts_read(folding->counts, source, r, folding->block);
    return folding->block + r % POSITION_BLOCK * sum->width;
}

/* The cells of ROW, at the position of VALUES. */
static void
put_row(struct sequence_folding *folding, enum sequence_source source,
        const uint64_t *row, size_t width, struct element_values values)
{
    for (size_t cell = 0; cell < width; cell++) {
        if (row[cell] == 0)
            continue;
        set_values(source, cell, &values);
        put(folding, &values, row[cell]);
    }
}

/* The elements of SOURCE beyond the rows; or only add them to SUM, if positions
   are not wanted. */
static void
put_tail(struct sequence_folding *folding, enum sequence_source source,
         bool has_positions, uint64_t *sum)
{
    const struct position_tail *tail = &folding->counts->tail[source];
    const uint64_t first = folding->counts->rows_max[source] + 1;
    struct element_values values = {0};
    size_t end;

    for (size_t i = 0; i < tail->used; i = end) {
        const uint32_t element = tail->element[i];
        const uint32_t cell = position_tail_cell(element);
        for (end = i + 1; end < tail->used && tail->element[end] == element;)
            end++;
        values.position = first + position_tail_row(element);
        set_values(source, cell, &values);
        if (has_positions)
            put(folding, &values, end - i);
        else
            sum[cell] += end - i;
    }
}

/* The rows of SOURCE; or their sum, if rows are not positions or positions are
   not wanted. */
static void
put_rows(struct sequence_folding *folding, enum sequence_source source,
         bool has_positions)
{
    const size_t rows = sequence_counts_rows(folding->counts, source);
    const size_t width = folding->counts->sum[source].width;
    struct element_values values = {0};
    uint64_t sum[SEQUENCE_BOTH] = {0};

    for (size_t r = 0; r < rows; r++) {
        const uint64_t *row = row_of(folding, source, r);
        values.position = r + 1;
        if (has_positions)
            put_row(folding, source, row, width, values);
        for (size_t cell = 0; !has_positions && cell < width; cell++)
            sum[cell] += row[cell];
    }
    put_tail(folding, source, has_positions, sum);
    if (!has_positions)
        put_row(folding, source, sum, width, values);
}

/* Add the elements that occur in the ROWS of SOURCE, and beyond, to TUPLES. */
static enum key_result
add_occurring(const struct sequence_folding *folding,
              enum sequence_source source, size_t rows,
              struct position_tuples *tuples)
{
    const size_t width = folding->counts->sum[source].width;
    const struct position_tail *tail = &folding->counts->tail[source];
    struct element_values values = {.position = 1};
    enum key_result result = KEY_OK;
    uint64_t any[SEQUENCE_BOTH] = {0};

    for (size_t r = 0; r < rows; r++) {
        const uint64_t *row = row_of(folding, source, r);
        for (size_t cell = 0; cell < width; cell++)
            any[cell] |= row[cell];
    }
    for (size_t i = 0; i < tail->used; i++)
        any[position_tail_cell(tail->element[i])] = 1;
    for (size_t cell = 0; cell < width && result == KEY_OK; cell++) {
        if (any[cell] == 0)
            continue;
        set_values(source, cell, &values);
        put_slices(folding, &values, folding->slice);
        result =
            position_tuples_add(tuples, folding->letter, folding->slice, cell);
    }
    return result;
}

/* Add the tuples of the elements of SOURCE beyond the rows. */
static enum key_result
put_tail_tuples(const struct sequence_folding *folding,
                enum sequence_source source, struct position_tuples *tuples)
{
    const struct position_tail *tail = &folding->counts->tail[source];
    const uint64_t first = folding->counts->rows_max[source] + 1;
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < tail->used && result == KEY_OK; i++) {
        const uint32_t row = position_tail_row(tail->element[i]);
        if (i == 0 || row != position_tail_row(tail->element[i - 1]))
            result = position_tuples_go(tuples, first + row);
        position_tuples_count(tuples, position_tail_cell(tail->element[i]), 1);
    }
    return result;
}

/* Add the tuples of the ROWS of SOURCE, whose elements are added to TUPLES, in
   order. */
static enum key_result
put_tuples(const struct sequence_folding *folding, enum sequence_source source,
           size_t rows, struct position_tuples *tuples)
{
    const size_t width = folding->counts->sum[source].width;
    enum key_result result = KEY_OK;

    for (size_t r = 0; r < rows && result == KEY_OK; r++) {
        const uint64_t *row = row_of(folding, source, r);
        result = position_tuples_go(tuples, r + 1);
        for (size_t cell = 0; cell < width && result == KEY_OK; cell++) {
            if (row[cell] != 0)
                position_tuples_count(tuples, cell, row[cell]);
        }
    }
    if (result == KEY_OK)
        result = put_tail_tuples(folding, source, tuples);
    return result == KEY_OK ? position_tuples_end(tuples) : result;
}

/* The rows of SOURCE, in order.  Returns false, if this is not possible: then
   nothing is added. */
static bool
put_in_order(struct sequence_folding *folding, enum sequence_source source)
{
    const size_t rows = sequence_counts_rows(folding->counts, source);
    struct position_tuples tuples;

    /* A device has counted positions that are in the tail, too. */
    if (rows > folding->counts->rows_max[source] &&
        folding->counts->tail[source].used > 0)
        return false;
    enum key_result result = position_tuples_open(
        &tuples, folding->spec, folding->histogram, folding->ranges,
        folding->counter[folding->histogram]->keys,
        folding->counts->sum[source].width);

    if (result == KEY_OK)
        result = add_occurring(folding, source, rows, &tuples);
    if (result == KEY_OK)
        result = position_tuples_start(&tuples);
    if (result == KEY_OK)
        result = put_tuples(folding, source, rows, &tuples);
    position_tuples_close(&tuples);
    if (result != KEY_LIMIT)
        folding->result = result;
    return result != KEY_LIMIT;
}

/* Add all cells of the histogram's source. */
static void
put_all(struct sequence_folding *folding)
{
    const struct sequence_counts *counts = folding->counts;
    const struct spec *spec = folding->spec;
    enum sequence_source source = counts->source[folding->histogram];
    const struct sequence_table *table = &counts->sum[source];
    bool has_positions =
        spec_has_part(spec, folding->histogram, TEXT_PART_POSITION);
    bool is_ordered = folding->order == SEQUENCE_ORDERED;

    if (source == SEQUENCE_OF_LENGTH)
        put_lengths(folding, table, has_positions);
    else if (source == SEQUENCE_OF_GC)
        put_gc(folding, table);
    else if (source == SEQUENCE_OF_BASE)
        put_bases(folding, table);
    else if (!is_ordered || !put_in_order(folding, source))
        put_rows(folding, source, has_positions);
    add_elements(folding);
}

static enum key_result
open(struct sequence_folding *folding)
{
    folding->fields = folding->spec->text_fields.count;
    for (size_t byte = 0; byte < sizeof folding->letter; byte++)
        folding->letter[byte] = (unsigned char)byte;
    folding->slice = calloc(ELEMENTS * folding->fields, sizeof *folding->slice);
    folding->code = calloc(ELEMENTS, sizeof *folding->code);
    folding->count = calloc(ELEMENTS, sizeof *folding->count);
    folding->block =
        malloc(POSITION_BLOCK * SEQUENCE_BOTH * sizeof *folding->block);
    if (folding->slice == NULL || folding->code == NULL ||
        folding->count == NULL || folding->block == NULL)
        return KEY_NO_MEMORY;
    return folding->spec->is_sparse
               ? key_codes_open(&folding->codes, folding->spec, folding->ranges)
               : KEY_OK;
}

static void
close(struct sequence_folding *folding)
{
    if (folding->codes.axis != NULL)
        key_codes_settle(&folding->codes);
    key_codes_close(&folding->codes);
    free(folding->slice);
    free(folding->code);
    free(folding->count);
    free(folding->block);
}

/* Whether the histogram is one of those to add. */
static bool
is_wanted(const struct sequence_folding *folding)
{
    const size_t i = folding->histogram;
    const enum sequence_source source = folding->counts->source[i];

    if (source == SEQUENCE_NO_TABLE || folding->order == SEQUENCE_ALL)
        return source != SEQUENCE_NO_TABLE;
    return (source >= SEQUENCE_OF_POSITION_BASE &&
            position_tuples_are_for(folding->spec, i)) ==
           (folding->order == SEQUENCE_ORDERED);
}

enum key_result
sequence_fold(struct sequence_counts *counts, const struct spec *spec,
              struct code_ranges *ranges, struct counter *const *counter,
              enum sequence_order order, size_t *failed)
{
    struct sequence_folding folding = {.counts = counts,
                                       .spec = spec,
                                       .ranges = ranges,
                                       .counter = counter,
                                       .order = order};

    folding.result = open(&folding);
    *failed = 0;
    while (folding.result == KEY_OK && *failed < spec_histograms(spec)) {
        folding.histogram = *failed;
        if (is_wanted(&folding))
            put_all(&folding);
        *failed += folding.result == KEY_OK;
    }
    close(&folding);
    return folding.result;
}

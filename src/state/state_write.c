/* SPDX-License-Identifier: MIT */
/* state_write.c -- write a state */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/escape.h"
#include "hist/amount.h"
#include "state/state_code.h"
#include "state/state_field.h"
#include "state/state_lattice.h"
#include "state/state_spec.h"
#include "state/state_sums.h"
#include "state/state_weight.h"
#include "state/state_write.h"

#define ROOM_BYTES ((size_t)1 << 15)

/* Keys of a list in files that are in memory at a time. */
#define KEYS_AT_A_TIME 65536

struct writing {
    const struct snapshot *counts;
    const char *last; /* a key behind those of each row; NULL: none */
    struct writer *out;
    struct writer text; /* all goes through here, and is hashed */
    struct digest_stream *hash;
    uint64_t *used; /* bins of each axis with a lattice */
    uint64_t *rows; /* of each histogram */
};

static void
drain(struct writer *text)
{
    struct writing *writing = text->context;
    size_t size = (size_t)(text->at - text->room);

    digest_stream_add(writing->hash, text->room, size);
    writer_put_bytes(writing->out, text->room, size);
    text->at = text->room;
    text->reason = writing->out->reason;
}

/* ---- cells other than 0, of histograms of bins ---- */

/* Whether only k-mers, and not windows without one, are written: a text has no
   cell for these. */
static bool
has_kmers_only(const struct writing *writing, size_t i)
{
    const struct spec *spec = writing->counts->spec;

    return writing->last != NULL &&
           axis_is_kmers(&spec->shown[spec_own_axis(spec, i)]);
}

/* Find the cells of histogram I, from FIRST on, before END.  Keys come before
   FIRST. */
static void
find_cells(const struct writing *writing, size_t i, uint64_t *first,
           uint64_t *end)
{
    const struct spec *spec = writing->counts->spec;
    size_t own = spec_own_axis(spec, i);
    const struct binning_axis *axis = &spec->shown[own];

    *first = spec_first_cell(spec, i);
    if (spec->is_joint && !spec->is_sparse)
        *end = spec->shown_cells;
    else
        *end = *first + axis->bins + axis_flows(axis);
    if (has_kmers_only(writing, i))
        *end -= axis_flows(axis);
    if (spec->histogram[i].rows == ROWS_TUPLES)
        *end = *first;
    else if (spec->histogram[i].is_listed)
        *first += axis->bins;
}

/* Returns the next cell from CELL on with a value, or END. */
static uint64_t
next_cell(const struct histogram *histogram, uint64_t cell, uint64_t end)
{
    return cell + histogram_zeros(histogram, cell, end - cell);
}

/* Returns the cell of axis D, of DIMENSIONS, of CELL of histogram I. */
static uint64_t
cell_of_axis(const struct spec *spec, size_t i, size_t d, uint64_t cell)
{
    const struct binning_axis *axis = &spec->shown[spec_axis_of(spec, i, d)];

    if (spec_dimensions(spec, i) == 1)
        return cell - axis->base;
    return cell / axis->stride % (axis->bins + axis_flows(axis));
}

/* ---- a pass over all counts ---- */

/* Find the rows and the used bins of histogram I. */
static void
survey(struct writing *writing, size_t i)
{
    const struct snapshot *counts = writing->counts;
    const struct spec *spec = counts->spec;
    const struct key_list *list = spec_keys(spec, i);
    size_t dimensions = spec_dimensions(spec, i);
    bool grows = false;
    uint64_t cell;
    uint64_t end;

    for (size_t d = 0; d < dimensions; d++)
        grows |= spec->shown[spec_axis_of(spec, i, d)].is_auto;
    if (list != NULL) {
        assert(!list->is_by_count && list->top == 0);
        writing->rows[i] = list->count;
    }
    for (uint64_t k = 0; grows && list != NULL && k < list->count; k++) {
        struct key_entry key = key_list_key(list, k);
        state_code_use(spec, i, &key, writing->used);
    }
    find_cells(writing, i, &cell, &end);
    while ((cell = next_cell(&counts->histogram, cell, end)) < end) {
        writing->rows[i]++;
        for (size_t d = 0; grows && d < dimensions; d++) {
            size_t a = spec_axis_of(spec, i, d);
            uint64_t bin = cell_of_axis(spec, i, d, cell);
            if (bin < spec->shown[a].bins && bin >= writing->used[a])
                writing->used[a] = bin + 1;
        }
        cell++;
    }
}

/* ---- the head ---- */

static void
put_lines(struct writer *out, enum state_list list,
          const struct state_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        size_t size;
        const char *line = state_lines_at(lines, i, &size);
        writer_put_text(out, state_head_word(list));
        writer_put_char(out, '\t');
        writer_put_bytes(out, line, size);
        writer_put_char(out, '\n');
    }
}

/* Put a TAB, NAME and VALUE. */
static void
put_total(struct writer *out, const char *name, uint64_t value)
{
    writer_put_char(out, '\t');
    writer_put_text(out, name);
    writer_put_char(out, '=');
    writer_put_number(out, value);
}

/* Put the hash of all bytes so far, and end the line. */
static void
put_hash(struct writing *writing)
{
    struct writer *out = &writing->text;

    drain(out);
    uint64_t hash = digest_stream_value(writing->hash);
    writer_put_text(out, "\thash=");
    for (int shift = 60; shift >= 0; shift -= 4)
        writer_put_char(out, escape_digit((unsigned int)(hash >> shift) & 15));
    writer_put_char(out, '\n');
}

static void
put_totals(struct writing *writing)
{
    const struct snapshot *counts = writing->counts;
    const uint64_t *elements = counts->elements;
    const bool has_bases = counts->spec->kind == SPEC_SEQUENCES;
    struct writer *out = &writing->text;

    writer_put_text(out, "total");
    put_total(out, "bytes", counts->bytes);
    put_total(out, "records", elements[SEQUENCE_READS]);
    put_total(out, "bases", has_bases ? elements[SEQUENCE_BASES] : 0);
    put_total(out, "windows", has_bases ? elements[SEQUENCE_WINDOWS] : 0);
    put_total(out, "unweighted", counts->unweighted);
    if (has_bases && elements[SEQUENCE_OPERATIONS] > 0)
        put_total(out, "operations", elements[SEQUENCE_OPERATIONS]);
    if (counts->spec->conditions.count > 0)
        put_total(out, "left-out", counts->left_out);
    for (int c = 0;
         counts->spec->text.sums_checksums != 0 && c < ALIGNMENT_CHECKSUMS; c++)
        put_total(out, "checksums", (uint32_t)counts->checksum[c]);
    for (size_t u = 1; !has_bases && u < spec_units(counts->spec); u++)
        put_total(out, "elements", elements[u]);
    put_hash(writing);
}

static int
put_head(struct writing *writing, const struct state_head *head)
{
    const struct spec *spec = writing->counts->spec;
    struct writer *out = &writing->text;
    struct state_lines lattices = {0};
    struct state_lines sums = {0};
    struct state_lines lines = {0};
    int result =
        state_spec_describe(spec, &lines) | state_sums_describe(spec, &sums);

    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (!axis->is_auto)
            continue;
        struct state_lattice lattice = state_lattice_of(axis, writing->used[i]);
        result |= state_lattice_describe(i, &lattice, &lattices);
    }
    writer_put_text(out, "#gpuhist-state ");
    writer_put_number(out, STATE_VERSION);
    writer_put_text(out, "\nby\t");
    state_field_put(out, head->by, strlen(head->by));
    writer_put_char(out, '\n');
    for (int l = 0; l < STATE_LISTS; l++)
        put_lines(out, (enum state_list)l,
                  l == STATE_SPEC       ? &lines
                  : l == STATE_LATTICES ? &lattices
                  : l == STATE_SUMS     ? &sums
                                        : &head->list[l]);
    put_totals(writing);
    state_lines_close(&lines);
    state_lines_close(&lattices);
    state_lines_close(&sums);
    return result;
}

/* ---- rows ---- */

/* Put the count, and the sum, of CELL, and end the row. */
static void
put_amount(struct writing *writing, uint64_t cell)
{
    const struct snapshot *counts = writing->counts;
    struct amount amount = amount_of_cell(&counts->histogram, cell);
    struct writer *out = &writing->text;

    writer_put_char(out, '\t');
    writer_put_number(out, amount.count);
    if (amount.plane != NULL) {
        writer_put_char(out, '\t');
        state_weight_put(out, counts->spec->weight.type, amount.plane,
                         amount.stride);
    }
    writer_put_char(out, '\n');
}

/* Put the key behind those of a row, if there is one. */
static void
put_last(struct writing *writing)
{
    if (writing->last == NULL)
        return;
    writer_put_char(&writing->text, '\t');
    state_field_put(&writing->text, writing->last, strlen(writing->last));
}

static int
put_keys(struct writing *writing, size_t i)
{
    const struct snapshot *counts = writing->counts;
    const struct key_list *list = spec_keys(counts->spec, i);
    uint64_t first = spec_first_cell(counts->spec, i);
    uint64_t kept = 0;

    for (uint64_t k = 0; k < list->count; k++) {
        struct key_entry key = key_entry_key(key_list_entry(list, k));
        if (state_code_put(&writing->text, counts->spec, i, &key) < 0)
            return -1;
        put_last(writing);
        put_amount(writing, first + k);
        if (k + 1 - kept == KEYS_AT_A_TIME) {
            key_list_forget(list, kept, KEYS_AT_A_TIME);
            histogram_forget(&counts->histogram, first + kept, KEYS_AT_A_TIME);
            kept = k + 1;
        }
    }
    return 0;
}

static void
put_cells(struct writing *writing, size_t i)
{
    const struct snapshot *counts = writing->counts;
    const struct spec *spec = counts->spec;
    size_t dimensions = spec_dimensions(spec, i);
    uint64_t cell;
    uint64_t end;

    find_cells(writing, i, &cell, &end);
    while ((cell = next_cell(&counts->histogram, cell, end)) < end) {
        for (size_t d = 0; d < dimensions; d++) {
            if (d > 0)
                writer_put_char(&writing->text, '\t');
            state_cell_put(&writing->text,
                           &spec->shown[spec_axis_of(spec, i, d)],
                           cell_of_axis(spec, i, d, cell));
        }
        put_last(writing);
        put_amount(writing, cell++);
    }
}

static int
put_rows(struct writing *writing)
{
    const struct spec *spec = writing->counts->spec;
    struct writer *out = &writing->text;
    uint64_t rows = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        writer_put_text(out, "rows\t");
        writer_put_number(out, i + 1);
        writer_put_char(out, '\t');
        writer_put_number(out, writing->rows[i]);
        writer_put_char(out, '\n');
        if (spec->histogram[i].is_listed && put_keys(writing, i) < 0)
            return -1;
        put_cells(writing, i);
        rows += writing->rows[i];
    }
    writer_put_text(out, "end");
    put_total(out, "rows", rows);
    put_hash(writing);
    drain(out);
    return 0;
}

/* As state_write_with_key(); LAST may be NULL. */
static int
write_state(struct writer *out, const struct state_head *head, const char *last,
            const struct snapshot *counts, struct error *error)
{
    const struct spec *spec = counts->spec;
    char *room = malloc(ROOM_BYTES);
    struct writing writing = {
        .counts = counts,
        .last = last,
        .out = out,
        .hash = digest_stream_new(),
        .used = calloc(spec->axis_count, sizeof *writing.used),
        .rows = calloc(spec_histograms(spec), sizeof *writing.rows),
    };
    int result = -1;

    if (room != NULL && writing.hash != NULL && writing.used != NULL &&
        writing.rows != NULL) {
        writer_open_room(&writing.text, room, ROOM_BYTES, drain, &writing);
        for (size_t i = 0; i < spec_histograms(spec); i++)
            survey(&writing, i);
        result = put_head(&writing, head);
        if (result == 0)
            result = put_rows(&writing);
    }
    free(writing.used);
    free(writing.rows);
    digest_stream_free(writing.hash);
    free(room);
    return result == 0 ? 0 : error_fail_memory(error);
}

int
state_write(struct writer *out, const struct state_head *head,
            const struct snapshot *counts, struct error *error)
{
    return write_state(out, head, NULL, counts, error);
}

int
state_write_with_key(struct writer *out, const struct state_head *head,
                     const char *last, const struct snapshot *counts,
                     struct error *error)
{
    struct snapshot records = *counts;

    assert(spec_histograms(counts->spec) == 1);
    memset(records.elements, 0, sizeof records.elements);
    records.elements[SEQUENCE_READS] =
        counts->elements[counts->spec->histogram[0].unit];
    if (axis_is_kmers(&counts->spec->shown[0]))
        records.elements[SEQUENCE_READS] -= snapshot_flows(counts, 0);
    return write_state(out, head, last, &records, error);
}

/* SPDX-License-Identifier: MIT */
/* key_codes.c -- the tuples of a batch of records, as keys */

#include <math.h>
#include <stdlib.h>

#include "base/eight_bytes.h"
#include "base/little_endian.h"
#include "engine/cpu/keys/key_codes.h"
#include "hist/key_code.h"
#include "hist/key_table.h"
#include "seq/sequence_values.h"
#include "text/field_value.h"

/* An axis, as one thread sees it. */
struct code_axis {
    bool is_number;
    struct field_text field;
    bool grows;               /* spec_codes_grow() ... */
    struct binning_axis axis; /* ... then its lattice so far ... */
    struct extent extent;     /* ... for these numbers */
    uint64_t numbers;         /* that are not in the ranges yet */
    int64_t *nano; /* of a batch of numbers that are not computed, or NULL */
};

/* ---- ranges ---- */

int
code_ranges_open(struct code_ranges *ranges, const struct spec *spec)
{
    pthread_mutex_init(&ranges->lock, NULL);
    ranges->range = calloc(spec->axis_count, sizeof *ranges->range);
    if (ranges->range == NULL)
        return -1;
    code_ranges_restart(ranges, spec);
    return 0;
}

void
code_ranges_restart(struct code_ranges *ranges, const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++)
        ranges->range[i] = (struct code_range){.extent = extent_none};
}

void
code_ranges_close(struct code_ranges *ranges)
{
    free(ranges->range);
    pthread_mutex_destroy(&ranges->lock);
}

/* Whether MORE has values outside of EXTENT. */
static bool
is_wider(const struct extent *more, const struct extent *extent)
{
    return more->min < extent->min || more->max > extent->max;
}

/* Widen the lattice of AXIS to hold EXTENT. */
static void
widen(struct code_axis *axis, const struct extent *extent)
{
    extent_join(&axis->extent, extent);
    lattice_set(&axis->axis, &axis->extent);
}

void
key_codes_settle(struct key_codes *codes)
{
    struct code_ranges *ranges = codes->ranges;

    pthread_mutex_lock(&ranges->lock);
    for (size_t i = 0; i < codes->spec->axis_count; i++) {
        struct code_axis *axis = &codes->axis[i];
        struct code_range *range = &ranges->range[i];
        range->numbers += axis->numbers;
        axis->numbers = 0;
        if (!axis->grows)
            continue;
        widen(axis, &range->extent);
        range->extent = axis->extent;
    }
    pthread_mutex_unlock(&ranges->lock);
}

void
key_codes_add_numbers(struct key_codes *codes, size_t axis, uint64_t count)
{
    codes->axis[axis].numbers += count;
}

const struct binning_axis *
key_codes_axis(const struct key_codes *codes, size_t axis)
{
    return &codes->axis[axis].axis;
}

void
key_codes_widen(struct key_codes *codes, size_t axis,
                const struct extent *extent)
{
    if (is_wider(extent, &codes->axis[axis].extent))
        widen(&codes->axis[axis], extent);
}

/* ---- the buffer ---- */

/* Replace the buffer by ROOM bytes of undefined content. */
static enum key_result
allocate(struct key_codes *codes, size_t room)
{
    free(codes->byte);
    codes->byte = malloc(room);
    codes->room = codes->byte != NULL ? room : 0;
    return codes->byte != NULL ? KEY_OK : KEY_NO_MEMORY;
}

enum key_result
key_codes_open(struct key_codes *codes, const struct spec *spec,
               struct code_ranges *ranges)
{
    *codes = (struct key_codes){.spec = spec, .ranges = ranges};
    codes->axis = calloc(spec->axis_count, sizeof *codes->axis);
    if (codes->axis == NULL)
        return KEY_NO_MEMORY;
    for (size_t i = 0; i < spec->axis_count; i++) {
        struct code_axis *axis = &codes->axis[i];
        axis->grows = spec_codes_grow(spec, i);
        axis->axis = spec->shown[i];
        if (spec->kind == SPEC_SAMPLES)
            continue;
        axis->is_number = spec->shown[i].is_text;
        axis->field = number_field_open(spec, i);
        if (!axis->is_number || axis->field.is_computed)
            continue;
        axis->nano = malloc(KEY_CODES_BATCH * sizeof *axis->nano);
        if (axis->nano == NULL)
            return KEY_NO_MEMORY;
    }
    key_codes_restart(codes);
    return allocate(codes, KEY_CODES_ROOM);
}

void
key_codes_restart(struct key_codes *codes)
{
    for (size_t i = 0; i < codes->spec->axis_count; i++) {
        struct code_axis *axis = &codes->axis[i];
        axis->extent = extent_none;
        if (axis->grows)
            lattice_set(&axis->axis, &axis->extent);
    }
}

void
key_codes_close(struct key_codes *codes)
{
    for (size_t i = 0; codes->axis != NULL && i < codes->spec->axis_count;
         i++) {
        field_text_close(&codes->axis[i].field);
        free(codes->axis[i].nano);
    }
    free(codes->axis);
    free(codes->byte);
}

/* Make room for BYTES. */
static enum key_result
grow(struct key_codes *codes, size_t bytes)
{
    return bytes > KEY_BYTES_MAX ? KEY_LIMIT : allocate(codes, bytes);
}

/* ---- tuples ---- */

/* The fields of a record that make a tuple. */
struct tuple_axes {
    const struct spec *spec;
    struct code_axis *axes; /* of SPEC */
    size_t dimensions;
    size_t axis[SPEC_AXES_MAX];
    bool is_copied;  /* all are keys, and most have the bytes of their slices:
                        all ... */
    bool has_quotes; /* ... but those that start with a quote */
};

/* Whether most values of AXIS of SPEC are keys with the bytes of their
   slices. */
static bool
is_copied(const struct spec *spec, const struct code_axis *axis, size_t i)
{
    binning_u32 part = spec->text_fields.field[i].part;

    return !axis->is_number && !clf_is_of_time(part) &&
           !sequence_value_is_written(&spec->text, part) &&
           (spec->text.is_derived || !spec->text.is_escaped);
}

static void
tuple_open(struct tuple_axes *tuple, const struct key_codes *codes, size_t i)
{
    tuple->spec = codes->spec;
    tuple->axes = codes->axis;
    tuple->dimensions = spec_dimensions(tuple->spec, i);
    tuple->is_copied = tuple->spec->kind != SPEC_SAMPLES;
    tuple->has_quotes = false;
    for (size_t d = 0; d < tuple->dimensions; d++) {
        size_t axis = spec_axis_of(tuple->spec, i, d);
        tuple->axis[d] = axis;
        if (tuple->is_copied)
            tuple->is_copied = is_copied(tuple->spec, &tuple->axes[axis], axis);
        if (tuple->is_copied)
            tuple->has_quotes |= field_value_may_be_written(
                &tuple->spec->text, tuple->spec->text_fields.field[axis].part);
    }
}

/*
 * Returns the most bytes that the code of FIELD may have, and sets *VALUE to
 * the most bytes of one of its keys.
 */
static size_t
tuple_room(const struct tuple_axes *tuple, const struct text_slice *field,
           size_t *value)
{
    size_t room = 0;

    *value = 0;
    for (size_t d = 0; d < tuple->dimensions; d++) {
        size_t bytes = field_value_room(field[tuple->axis[d]]);
        bool is_last = d + 1 == tuple->dimensions;
        if (tuple->axes[tuple->axis[d]].is_number) {
            room += KEY_CODE_DECIMAL_ROOM;
            continue;
        }
        room += is_last ? 1 + bytes : KEY_CODE_TEXT_ROOM(bytes);
        *value = *value < bytes ? bytes : *value;
    }
    return room;
}

/* Returns the edge that stands for the bin, or the infinity for the flow cell,
   CELL of AXIS. */
static double
edge_of(const struct binning_axis *axis, uint64_t cell)
{
    if (cell < axis->bins)
        return binning_even_edge(axis, cell + (axis->closed == BINNING_RIGHT));
    switch ((enum binning_flow)(cell - axis->bins)) {
    case BINNING_UNDERFLOW:
        return -(double)INFINITY;
    case BINNING_OVERFLOW:
        return (double)INFINITY;
    default:
        return (double)NAN;
    }
}

/* Returns the cell of the number with BITS, in a lattice that holds it. */
static uint64_t
find_lattice_cell(struct code_axis *axis, uint64_t bits)
{
    const struct binning_tables none = {NULL, NULL};
    struct extent extent = axis->extent;

    extent_widen_bits(&extent, &axis->axis, bits);
    if (is_wider(&extent, &axis->extent))
        widen(axis, &extent);
    return binning_cell(&axis->axis, &none, bits);
}

/*
 * Read SLICE, number R of the batch, and set *TAG and *BITS as
 * number_field_read() does; a value of decimals gets its component at *AT,
 * which moves to its end.
 */
static enum key_result
read_number(struct code_axis *axis, const unsigned char *data,
            struct text_slice slice, size_t r, enum key_tag *tag,
            uint64_t *bits, unsigned char **at)
{
    bool is_taken = axis->nano != NULL &&
                    number_field_take(&axis->axis, axis->nano[r], tag, bits);

    if (!is_taken && axis->axis.is_decimal)
        return number_field_read_decimal(&axis->field, &axis->axis, data, slice,
                                         tag, at);
    if (!is_taken)
        return number_field_read(&axis->field, &axis->axis, data, slice, tag,
                                 bits);
    if (*tag == KEY_TAG_VALUE && axis->axis.is_decimal)
        *at = number_field_put_code(&axis->axis, *bits, *at);
    return KEY_OK;
}

/* Write the component of CELL, which has numbers, as key_codes_put_cell(). */
static inline unsigned char *
put_cell(const struct binning_axis *axis, bool grows, uint64_t cell,
         unsigned char *at)
{
    return grows ? key_code_put_real(at, edge_of(axis, cell))
                 : key_code_put_cell(at, (uint32_t)axis_row_of(axis, cell));
}

unsigned char *
key_codes_put_cell(const struct binning_axis *axis, bool grows, uint64_t cell,
                   unsigned char *at)
{
    uint64_t numbers = axis->bins + axis_number_flows(axis);

    if (cell >= numbers)
        return key_code_put_tag(
            at, (enum key_tag)(KEY_TAG_MISSING + (cell - numbers)));
    return put_cell(axis, grows, cell, at);
}

/* Write the row of the bin of the number with BITS, or the edge that stands for
   it, at AT.  Returns its end. */
static unsigned char *
put_bin(struct code_axis *axis, const struct spec *spec, uint64_t bits,
        unsigned char *at)
{
    const struct binning_tables tables = spec_tables(spec);

    if (axis->grows)
        return put_cell(&axis->axis, true, find_lattice_cell(axis, bits), at);
    return put_cell(&axis->axis, false,
                    binning_cell(&axis->axis, &tables, bits), at);
}

/* Write the component of a number at AT, which is number R of the batch.
   Returns its end, or NULL: out of memory. */
static unsigned char *
put_number(struct code_axis *axis, const struct spec *spec,
           const unsigned char *data, struct text_slice slice, size_t r,
           unsigned char *at)
{
    enum key_tag tag;
    uint64_t bits;

    if (read_number(axis, data, slice, r, &tag, &bits, &at) != KEY_OK)
        return NULL;
    if (tag != KEY_TAG_VALUE)
        return key_code_put_tag(at, tag);
    axis->numbers++;
    if (axis->axis.is_decimal)
        return at;
    return axis->axis.kind == BINNING_NUMBER
               ? number_field_put_code(&axis->axis, bits, at)
               : put_bin(axis, spec, bits, at);
}

/* Write the component of a key at AT; VALUE has room for it.  IS_LAST: it is
   the last one.  Returns its end. */
static unsigned char *
put_key(const struct spec *spec, binning_u32 part, const unsigned char *data,
        struct text_slice slice, unsigned char *value, unsigned char *at,
        bool is_last)
{
    const unsigned char *text = data + slice.at;
    size_t size = slice.size;

    if (text_slice_is_missing(slice))
        return key_code_put_tag(at, part == TEXT_PART_KMER ||
                                            text_slice_is_invalid(slice)
                                        ? KEY_TAG_INVALID
                                        : KEY_TAG_MISSING);
    if (sequence_value_is_written(&spec->text, part)) {
        size = sequence_value_write(&spec->text, data, slice, value);
        text = value;
    } else if (field_value_is_written(&spec->text, part, data, slice)) {
        size = field_value_write(&spec->text, part, data, slice, value);
        text = value;
    }
    if (size > spec->prefix && part != TEXT_PART_KMER)
        size = spec->prefix;
    return key_code_put_text(at, text, size, is_last);
}

/*
 * Write the code of FIELD, of record R of the batch, at AT; VALUE has room for
 * a key.  Returns its end, or NULL: out of memory.
 */
static unsigned char *
tuple_put(const struct tuple_axes *tuple, const unsigned char *data,
          const struct text_slice *field, size_t r, unsigned char *value,
          unsigned char *at)
{
    const struct spec *spec = tuple->spec;

    for (size_t d = 0; d < tuple->dimensions && at != NULL; d++) {
        size_t axis = tuple->axis[d];
        if (tuple->axes[axis].is_number)
            at = put_number(&tuple->axes[axis], spec, data, field[axis], r, at);
        else
            at = put_key(spec, spec->text_fields.field[axis].part, data,
                         field[axis], value, at, d + 1 == tuple->dimensions);
    }
    return at;
}

/* ---- short texts ---- */

/* A text of so many bytes is copied as words, within so many bytes. */
#define COPY_MAX 32
#define COPY_ROOM (COPY_MAX + 8)

/* Copy the SIZE bytes at FROM, from 8 to 16, to AT.  Returns whether one of
   them is 0. */
static inline bool
copy_words(unsigned char *at, const unsigned char *from, size_t size)
{
    uint64_t first = little_endian_64(from);
    uint64_t last = little_endian_64(from + size - 8);

    little_endian_put_64(at, first);
    little_endian_put_64(at + size - 8, last);
    return (eight_bytes_first(first, 0) | eight_bytes_first(last, 0)) != 0;
}

/*
 * Write the component of SLICE at AT, which has COPY_ROOM.  Returns its end, or
 * NULL if that must be done byte by byte.
 */
static inline unsigned char *
copy_key(const unsigned char *data, struct text_slice slice, unsigned char *at,
         bool is_last)
{
    size_t size = slice.size;
    size_t end = slice.at + size;
    bool zero;

    if (text_slice_is_missing(slice) || size == 0 || size > COPY_MAX || end < 8)
        return NULL;
    *at++ = KEY_TAG_VALUE;
    if (size <= 8) {
        /* The bytes before the text are in the chunk. */
        uint64_t word = little_endian_64(data + end - 8);
        zero = eight_bytes_first(word, 0) != 0;
        little_endian_put_64(at, word >> 8 * (8 - size));
    } else if (size <= 16) {
        zero = copy_words(at, data + slice.at, size);
    } else {
        zero = copy_words(at, data + slice.at, 16);
        zero |= copy_words(at + size - 16, data + end - 16, 16);
    }
    at += size;
    if (is_last)
        return at;
    at[0] = at[1] = 0;
    return zero ? NULL : at + 2;
}

/* As tuple_put(), with COPY_ROOM for each key, but NULL if copy_key() returns
   NULL for a key, or if a key is too long or starts with a quote. */
static inline unsigned char *
tuple_copy(const struct tuple_axes *tuple, const unsigned char *data,
           const struct text_slice *field, unsigned char *at)
{
    for (size_t d = 0; d < tuple->dimensions && at != NULL; d++) {
        struct text_slice slice = field[tuple->axis[d]];
        bool is_last = d + 1 == tuple->dimensions;
        at = copy_key(data, slice, at, is_last);
        if (slice.size > tuple->spec->prefix ||
            (tuple->has_quotes && at != NULL && data[slice.at] == '"'))
            return NULL;
    }
    return at;
}

/* Fetch the texts of FIELD, the fields of a record. */
static inline void
tuple_fetch(const struct tuple_axes *tuple, const unsigned char *data,
            const struct text_slice *field)
{
    for (size_t d = 0; d < tuple->dimensions; d++)
        text_slice_fetch(data, field[tuple->axis[d]]);
}

/* ---- tuples of a batch ---- */

/* Read the short decimals of RECORDS records, the fields of whose first one are
   at FIELD. */
static void
tuple_read(const struct tuple_axes *tuple, const unsigned char *data,
           const struct text_slice *field, size_t records)
{
    for (size_t d = 0; d < tuple->dimensions; d++) {
        size_t axis = tuple->axis[d];
        if (tuple->axes[axis].nano != NULL)
            short_decimals_read(data, field + axis, records,
                                tuple->spec->text_fields.count,
                                tuple->axes[axis].nano);
    }
}

/*
 * Write the code of FIELD, of record R of the batch, behind USED bytes of the
 * buffer, and set *END to its end, or to NULL: there is no room behind other
 * codes.
 */
static enum key_result
tuple_write(struct key_codes *codes, const struct tuple_axes *tuple,
            const unsigned char *data, const struct text_slice *field, size_t r,
            size_t used, const unsigned char **end)
{
    size_t value;
    size_t bytes = tuple_room(tuple, field, &value);

    *end = NULL;
    if (bytes + value > codes->room - used) {
        if (r > 0)
            return KEY_OK;
        enum key_result result = grow(codes, bytes + value);
        if (result != KEY_OK)
            return result;
    }
    *end = tuple_put(tuple, data, field, r, codes->byte + used + bytes,
                     codes->byte + used);
    return *end != NULL ? KEY_OK : KEY_NO_MEMORY;
}

enum key_result
key_codes_make(struct key_codes *codes, size_t i, const unsigned char *data,
               const struct text_slice *field, size_t records,
               struct text_slice *code, size_t *count)
{
    const size_t fields = codes->spec->text_fields.count;
    struct tuple_axes tuple;
    size_t used = 0;

    *count = 0;
    /* The memory of a long tuple is not within the limit: give it back. */
    if (codes->room > KEY_CODES_ROOM &&
        allocate(codes, KEY_CODES_ROOM) != KEY_OK)
        return KEY_NO_MEMORY;
    tuple_open(&tuple, codes, i);
    if (records > KEY_CODES_BATCH)
        records = KEY_CODES_BATCH;
    tuple_read(&tuple, data, field, records);
    for (; *count < records; field += fields) {
        const unsigned char *end = NULL;
        if (tuple.is_copied && *count + TEXT_SLICE_AHEAD < records)
            tuple_fetch(&tuple, data, field + TEXT_SLICE_AHEAD * fields);
        if (tuple.is_copied &&
            tuple.dimensions * COPY_ROOM <= codes->room - used)
            end = tuple_copy(&tuple, data, field, codes->byte + used);
        if (end == NULL) {
            enum key_result result =
                tuple_write(codes, &tuple, data, field, *count, used, &end);
            if (result != KEY_OK)
                return result;
        }
        if (end == NULL)
            return KEY_OK;
        size_t at = used;
        used = (size_t)(end - codes->byte);
        code[(*count)++] = (struct text_slice){
            .at = (binning_u32)at, .size = (binning_u32)(used - at)};
    }
    return KEY_OK;
}

/* ---- tuples of binary records ---- */

/* Write the code of RECORD at AT, with room for all components.  Returns its
   end. */
static unsigned char *
tuple_put_sample(const struct tuple_axes *tuple, const unsigned char *record,
                 unsigned char *at)
{
    for (size_t d = 0; d < tuple->dimensions; d++) {
        struct code_axis *axis = &tuple->axes[tuple->axis[d]];
        uint64_t bits = number_field_load(&axis->axis, record);

        axis->numbers++;
        at = axis->axis.kind == BINNING_NUMBER
                 ? number_field_put_bits(&axis->axis, bits, at)
                 : put_bin(axis, tuple->spec, bits, at);
    }
    return at;
}

size_t
key_codes_make_samples(struct key_codes *codes, size_t i,
                       const unsigned char *data, size_t records,
                       struct text_slice *code)
{
    size_t bytes = codes->spec->record.bytes;
    unsigned char *at = codes->byte;
    struct tuple_axes tuple;

    tuple_open(&tuple, codes, i);
    size_t most = codes->room / (tuple.dimensions * KEY_CODE_ROOM);
    if (records > most)
        records = most;
    for (size_t r = 0; r < records; r++) {
        unsigned char *end = tuple_put_sample(&tuple, data + r * bytes, at);
        code[r] = (struct text_slice){.at = (binning_u32)(at - codes->byte),
                                      .size = (binning_u32)(end - at)};
        at = end;
    }
    return records;
}

/* SPDX-License-Identifier: MIT */
/* state_code.c -- keys, numbers and tuples as fields of a state */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "hist/key_code.h"
#include "hist/key_decimal.h"
#include "hist/key_table.h"
#include "kernels/text/text_number.h"
#include "state/state_code.h"
#include "state/state_field.h"

/* Whether the entries of histogram I are keys, not codes. */
static bool
has_plain_keys(const struct spec *spec, size_t i)
{
    return spec->histogram[i].rows != ROWS_TUPLES &&
           spec->histogram[i].rows != ROWS_NUMBERS;
}

/* ---- writing ---- */

/* Put the text of COMPONENT. */
static int
put_text(struct writer *out, const struct key_component *component)
{
    if (!component->is_escaped) {
        state_field_put(out, component->text, component->text_size);
        return 0;
    }
    unsigned char *copy = malloc(component->text_size);
    if (copy == NULL)
        return -1;
    state_field_put(out, copy, key_component_copy(component, copy));
    free(copy);
    return 0;
}

static int
put_component(struct writer *out, const struct binning_axis *axis,
              enum key_kind kind, const struct key_component *component)
{
    if (component->tag != KEY_TAG_VALUE) {
        writer_put_text(out,
                        axis_special_words[axis_special_of(component->tag)]);
        return 0;
    }
    switch (kind) {
    case KEY_TEXT:
        return put_text(out, component);
    case KEY_INTEGER:
        out->at = number_put_integer(component->integer, writer_piece(out));
        return 0;
    case KEY_REAL:
    case KEY_DECIMAL:
        out->at = key_decimal_put_text(component, writer_piece(out));
        return 0;
    default:
        state_cell_put(out, axis, axis_cell_of(axis, component->row));
        return 0;
    }
}

int
state_code_put(struct writer *out, const struct spec *spec, size_t i,
               const struct key_entry *key)
{
    const unsigned char *at = key->key;
    const unsigned char *end = at + key->size;
    size_t dimensions = spec_dimensions(spec, i);

    if (has_plain_keys(spec, i)) {
        state_field_put(out, key->key, key->size);
        return 0;
    }
    for (size_t d = 0; d < dimensions; d++) {
        size_t axis = spec_axis_of(spec, i, d);
        enum key_kind kind = spec_key_kind(spec, axis);
        struct key_component component;
        at = key_code_read(at, end, kind, d + 1 == dimensions, &component);
        if (d > 0)
            writer_put_char(out, '\t');
        if (at == NULL ||
            put_component(out, &spec->shown[axis], kind, &component) < 0)
            return -1;
    }
    return 0;
}

void
state_code_use(const struct spec *spec, size_t i, const struct key_entry *key,
               uint64_t *used)
{
    const unsigned char *at = key->key;
    const unsigned char *end = at + key->size;
    size_t dimensions = spec_dimensions(spec, i);

    for (size_t d = 0; d < dimensions && at != NULL; d++) {
        size_t a = spec_axis_of(spec, i, d);
        const struct binning_axis *axis = &spec->shown[a];
        struct key_component component;
        at = key_code_read(at, end, spec_key_kind(spec, a), d + 1 == dimensions,
                           &component);
        if (at == NULL || component.tag != KEY_TAG_VALUE || !axis->is_auto)
            continue;
        uint64_t cell = axis_cell_of(axis, component.row);
        if (cell < axis->bins && cell >= used[a])
            used[a] = cell + 1;
    }
}

/* ---- reading ---- */

/* Make room for SIZE bytes more in CODE. */
static int
reserve(struct state_code *code, size_t size)
{
    if (size <= code->room - code->size)
        return 0;
    size_t room = 2 * code->room + size + 64;
    unsigned char *byte = realloc(code->byte, room);
    if (byte == NULL)
        return -1;
    code->byte = byte;
    code->room = room;
    return 0;
}

/* The bytes of CODE now end at END.  Returns 1. */
static int
advance(struct state_code *code, const unsigned char *end)
{
    code->size = (size_t)(end - code->byte);
    return 1;
}

/* Append the text of FIELD.  If IS_PLAIN, the text is the whole code. */
static int
read_text(struct state_code *code, const char *field, size_t size,
          bool is_plain, bool is_last)
{
    const char *text = field;
    char *copy = NULL;

    if (reserve(code, KEY_CODE_TEXT_ROOM(size)) < 0)
        return -1;
    if (memchr(field, '\\', size) != NULL) {
        copy = malloc(size);
        if (copy == NULL)
            return -1;
        ptrdiff_t bytes = state_field_read(field, size, copy);
        if (bytes < 0) {
            free(copy);
            return 0;
        }
        text = copy;
        size = (size_t)bytes;
    }
    unsigned char *at = code->byte + code->size;
    if (is_plain) {
        memcpy(at, text, size);
        at += size;
    } else {
        at = key_code_put_text(at, (const unsigned char *)text, size, is_last);
    }
    free(copy);
    return advance(code, at);
}

/* Append the integer of FIELD, in [-2^63, 2^64). */
static int
read_integer(struct state_code *code, const char *field, size_t size)
{
    bool is_negative = size > 0 && *field == '-';
    uint64_t magnitude;

    if (state_row_number(field + is_negative, size - is_negative, &magnitude) <
            0 ||
        (is_negative && (magnitude == 0 || magnitude > (uint64_t)1 << 63)))
        return 0;
    struct wide value = wide_of(magnitude);
    return advance(
        code, key_code_put_integer(code->byte + code->size,
                                   is_negative ? wide_negate(value) : value));
}

/* Append the double of FIELD. */
static int
read_real(struct state_code *code, const char *field, size_t size,
          enum key_kind kind)
{
    const unsigned char *text = (const unsigned char *)field;
    struct text_number number;
    double value;

    if (size >= DECIMAL_SUM_TEXT_BYTES)
        return 0;
    text_number_scan(text, (binning_u32)size, &number);
    if (number.kind == TEXT_NUMBER_FINITE)
        value = decimal_round(&number, text);
    else if (number.kind == TEXT_NUMBER_INFINITE)
        value = number.is_negative ? -(double)INFINITY : (double)INFINITY;
    else if (number.kind == TEXT_NUMBER_NAN)
        value = (double)NAN;
    else
        return 0;
    unsigned char *at = code->byte + code->size;
    return advance(code, kind == KEY_REAL
                             ? key_code_put_real(at, value)
                             : key_decimal_put(at, &number, text, value));
}

/* Append the cell of AXIS that FIELD names. */
static int
read_cell(struct state_code *code, const struct binning_axis *axis,
          const char *field, size_t size, const struct state_lattice *lattice)
{
    uint64_t cell;

    if (state_cell_read(axis, field, size, &cell) < 0 ||
        (axis->is_auto && cell < axis->bins && cell >= lattice->used))
        return 0;
    return advance(code, key_code_put_cell(code->byte + code->size,
                                           (uint32_t)axis_row_of(axis, cell)));
}

/* Append component D, of axis A, from field D of ROW. */
static int
read_component(struct state_code *code, const struct spec *spec, size_t a,
               const struct state_row *row, size_t d, bool is_last,
               const struct state_lattice *lattice)
{
    const struct binning_axis *axis = &spec->shown[a];
    const char *field = row->field[d];
    size_t size = row->size[d];
    enum key_kind kind = spec_key_kind(spec, a);
    enum axis_special special;

    if (reserve(code, KEY_CODE_DECIMAL_ROOM) < 0)
        return -1;
    if (state_cell_is_special(field, size, &special)) {
        /* A text is either missing or a key. */
        if (special != AXIS_KEY_MISSING && special >= axis_flows(axis))
            return 0;
        return advance(
            code, key_code_put_tag(code->byte + code->size,
                                   (enum key_tag)(KEY_TAG_MISSING + special)));
    }
    switch (kind) {
    case KEY_TEXT:
        return read_text(code, field, size, false, is_last);
    case KEY_INTEGER:
        return read_integer(code, field, size);
    case KEY_REAL:
    case KEY_DECIMAL:
        return read_real(code, field, size, kind);
    default:
        return read_cell(code, axis, field, size, &lattice[a]);
    }
}

/* Whether CODE may be a plain key of histogram I. */
static bool
is_key(const struct spec *spec, size_t i, const struct state_code *code)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];

    return !axis_is_kmers(axis) ||
           (code->size == spec->text.kmer &&
            strspn((const char *)code->byte, "ACGT") >= code->size);
}

int
state_code_read(struct state_code *code, const struct spec *spec, size_t i,
                const struct state_row *row,
                const struct state_lattice *lattice)
{
    size_t dimensions = spec_dimensions(spec, i);
    int result = 1;

    code->size = 0;
    if (has_plain_keys(spec, i)) {
        result = read_text(code, row->field[0], row->size[0], true, true);
        /* The room is greater than the size. */
        if (result > 0)
            code->byte[code->size] = '\0';
        return result > 0 && !is_key(spec, i, code) ? 0 : result;
    }
    for (size_t d = 0; d < dimensions && result > 0; d++)
        result = read_component(code, spec, spec_axis_of(spec, i, d), row, d,
                                d + 1 == dimensions, lattice);
    return result > 0 && code->size > KEY_BYTES_MAX ? 0 : result;
}

int
state_code_move(struct state_code *code, const struct spec *spec, size_t i,
                const struct key_entry *key, const struct state_lattice *old,
                const struct state_lattice *new)
{
    const unsigned char *at = key->key;
    const unsigned char *end = at + key->size;
    size_t dimensions = spec_dimensions(spec, i);

    code->size = 0;
    if (reserve(code, key->size) < 0)
        return -1;
    for (size_t d = 0; d < dimensions; d++) {
        size_t a = spec_axis_of(spec, i, d);
        const struct binning_axis *axis = &spec->shown[a];
        const unsigned char *from = at;
        struct key_component component;
        at = key_code_read(at, end, spec_key_kind(spec, a), d + 1 == dimensions,
                           &component);
        if (at == NULL)
            return 0;
        unsigned char *to = code->byte + code->size;
        if (component.tag == KEY_TAG_VALUE && axis->is_auto) {
            uint64_t cell = axis_cell_of(axis, component.row);
            if (cell < axis->bins)
                cell = state_lattice_bin(&old[a], cell, &new[a]);
            advance(code,
                    key_code_put_cell(to, (uint32_t)axis_row_of(axis, cell)));
        } else {
            memcpy(to, from, (size_t)(at - from));
            advance(code, to + (at - from));
        }
    }
    return 1;
}

int
state_code_compare(const struct state_code *a, const struct state_code *b)
{
    size_t size = a->size < b->size ? a->size : b->size;
    int sign = size > 0 ? memcmp(a->byte, b->byte, size) : 0;

    return sign != 0 ? sign : (a->size > b->size) - (a->size < b->size);
}

void
state_code_close(struct state_code *code)
{
    free(code->byte);
    *code = (struct state_code){0};
}

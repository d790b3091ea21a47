/* SPDX-License-Identifier: MIT */
/* bar_name.c -- the name of a bar: of a key, a number, or a tuple of these */

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "hist/key_decimal.h"
#include "plot/bar_name.h"

/* Marks that a character carries.  Further marks are escaped, so that a name
   has a bounded number of bytes. */
#define MARKS_MAX 2

/* The bytes of a key with escapes that a name shows, at most. */
#define KEY_BYTES_SHOWN 8192

#define SEPARATOR_COLUMNS 2

/* The text of a character or a byte in a name. */
struct glyph {
    char text[8];
    size_t bytes;   /* of the key */
    size_t length;  /* of TEXT */
    size_t columns; /* of TEXT */
};

/* ---- keys ---- */

/* Whether CODE is a control character, invisible, or not a character. */
static bool
is_unsafe(uint32_t code)
{
    /* Besides steering characters. */
    static const struct utf8_span spans[] = {
        {0x34f, 0x34f},   {0x115f, 0x1160},   {0x17b4, 0x17b5},
        {0x180b, 0x180f}, {0x200c, 0x200d},   {0x3164, 0x3164},
        {0xe000, 0xf8ff}, {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},
        {0xfff0, 0xfff8}, {0xe0080, 0xe0fff}, {0xf0000, 0x10ffff},
    };

    return utf8_is_steering(code) ||
           utf8_is_in(code, spans, sizeof spans / sizeof *spans) ||
           (code & 0xfffe) == 0xfffe;
}

/* Returns the columns of a safe character; less than 0: not shown. */
static int
columns_of(uint32_t code, enum bar_name_kind kind)
{
    if (code < 0x7f)
        return 1;
    if (kind == BAR_NAME_ASCII)
        return -1;
    /* Without a locale: East Asian scripts and symbols may be wide. */
    return kind == BAR_NAME_TERMINAL ? wcwidth((wchar_t)code)
           : code < 0x1100           ? 1
                                     : 2;
}

static struct glyph
escape_byte(unsigned char byte)
{
    char letter = escape_letter(byte);
    struct glyph glyph = {.bytes = 1, .length = 2, .text = {'\\', letter}};

    if (letter == '\0') {
        glyph.text[1] = 'x';
        glyph.text[2] = escape_digit(byte >> 4);
        glyph.text[3] = escape_digit(byte & 15);
        glyph.length = 4;
    }
    glyph.columns = glyph.length;
    return glyph;
}

/*
 * Returns the glyph for the character or byte at AT of KEY, without doubling a
 * backslash; *MARKS is the number of marks just before.
 */
static struct glyph
plain_glyph(const unsigned char *key, size_t size, size_t at,
            enum bar_name_kind kind, unsigned int *marks)
{
    struct glyph glyph = {.bytes = utf8_character(key + at, size - at)};

    if (glyph.bytes > 0) {
        uint32_t code = utf8_code(key + at, glyph.bytes);
        int columns = is_unsafe(code) ? -1 : columns_of(code, kind);
        *marks = columns == 0 ? *marks + 1 : 0;
        /* A mark at the start would join the text before the name. */
        if (columns > 0 || (columns == 0 && at > 0 && *marks <= MARKS_MAX)) {
            memcpy(glyph.text, key + at, glyph.bytes);
            glyph.length = glyph.bytes;
            glyph.columns = (size_t)columns;
            return glyph;
        }
    }
    return escape_byte(key[at]);
}

/* Returns the same, with a backslash doubled where the name would be
   ambiguous. */
static struct glyph
next_glyph(const unsigned char *key, size_t size, size_t at,
           enum bar_name_kind kind, unsigned int *marks)
{
    struct glyph glyph = plain_glyph(key, size, at, kind, marks);
    unsigned int ignored = 0;

    if (key[at] != '\\')
        return glyph;
    if (escape_is_doubled(key, size, at) || key[at + 1] == 'x' ||
        plain_glyph(key, size, at + 1, kind, &ignored).text[0] == '\\') {
        glyph.text[1] = '\\';
        glyph.length = glyph.columns = 2;
    }
    return glyph;
}

/*
 * Write the name of the key with the SIZE bytes KEY to TEXT, with room for MOST
 * columns.  A longer name ends with an ellipsis.  Returns the number of
 * columns.
 */
static size_t
put_key(const unsigned char *key, size_t size, enum bar_name_kind kind,
        size_t most, char *text)
{
    const char *ellipsis = kind == BAR_NAME_ASCII ? "..." : "\xe2\x80\xa6";
    size_t short_of = kind == BAR_NAME_ASCII ? 3 : 1;
    size_t columns = 0;
    size_t used = 0;
    size_t cut = 0; /* where the ellipsis may start ... */
    size_t cut_columns = 0;
    unsigned int marks = 0;

    for (size_t at = 0; at < size;) {
        struct glyph glyph = next_glyph(key, size, at, kind, &marks);
        if (columns + glyph.columns > most) {
            strcpy(text + cut, ellipsis);
            return cut_columns + short_of;
        }
        memcpy(text + used, glyph.text, glyph.length);
        at += glyph.bytes;
        used += glyph.length;
        columns += glyph.columns;
        if (columns + short_of <= most) {
            cut = used;
            cut_columns = columns;
        }
    }
    text[used] = '\0';
    return columns;
}

/* ---- components ---- */

/* A component of a tuple, and the name of a component without a key. */
struct component {
    struct key_component key;
    bool is_key;
    char text[NUMBER_TEXT_BYTES * 3];
};

/* Set the name of the bin, as in pictures of one axis. */
static void
set_bin(struct component *component, const struct spec *spec, size_t axis)
{
    const struct binning_axis *shown = &spec->shown[axis];
    uint64_t cell = axis_cell_of(shown, component->key.row);
    struct band band = {
        .first = cell, .cells = 1, .is_flow = cell >= shown->bins};
    struct band_axis bands = {
        .axis = shown,
        .edges = &spec->edges,
        .last = !band.is_flow,
        .band = &band,
        .bands = 1,
    };

    band_set_texts(&bands, false);
    strcpy(component->text, band.text);
}

/* Read the component at AT of axis AXIS.  Returns the end of the component. */
static const unsigned char *
read_component(struct component *component, const struct spec *spec,
               size_t axis, const unsigned char *at, const unsigned char *end,
               bool is_last)
{
    enum key_kind kind = spec_key_kind(spec, axis);

    component->is_key = false;
    at = key_code_read(at, end, kind, is_last, &component->key);
    assert(at != NULL);
    if (component->key.tag != KEY_TAG_VALUE)
        strcpy(component->text,
               axis_special_words[axis_special_of(component->key.tag)]);
    else if (kind == KEY_CELL)
        set_bin(component, spec, axis);
    else if (kind == KEY_REAL || kind == KEY_DECIMAL)
        *key_decimal_put_text(&component->key, component->text) = '\0';
    else if (kind == KEY_INTEGER)
        *number_put_integer(component->key.integer, component->text) = '\0';
    else
        component->is_key = true;
    return at;
}

/* Write the name of the key of COMPONENT.  Returns the columns written. */
static size_t
put_key_of(const struct component *component, enum bar_name_kind kind,
           size_t most, char *text)
{
    struct key_component key = component->key;
    unsigned char copy[KEY_BYTES_SHOWN];

    if (!key.is_escaped)
        return put_key(key.text, key.text_size, kind, most, text);
    if (key.text_size > sizeof copy)
        key.text_size = sizeof copy;
    return put_key(copy, key_component_copy(&key, copy), kind, most, text);
}

/* Write an ellipsis, if LEFT columns are enough.  Returns the columns
   written. */
static size_t
put_ellipsis(enum bar_name_kind kind, size_t left, char *text)
{
    size_t columns = kind == BAR_NAME_ASCII ? 3 : 1;

    if (columns > left)
        return 0;
    strcpy(text, kind == BAR_NAME_ASCII ? "..." : "\xe2\x80\xa6");
    return columns;
}

/*
 * Write the names of COUNT components.  Numbers have all of their columns, and
 * the keys share the columns left.
 */
static size_t
put_components(const struct component *component, size_t count,
               enum bar_name_kind kind, size_t most, char *text)
{
    size_t fixed = SEPARATOR_COLUMNS * (count - 1);
    size_t keys = 0;
    size_t columns = 0;

    for (size_t d = 0; d < count; d++) {
        keys += component[d].is_key;
        fixed += component[d].is_key ? 0 : strlen(component[d].text);
    }
    for (size_t d = 0; d < count; d++) {
        size_t left = most - columns;
        size_t share = fixed < left && keys > 0 ? (left - fixed) / keys : 0;
        if (share < BAR_NAME_COLUMNS_MIN)
            share = BAR_NAME_COLUMNS_MIN;
        size_t wanted = component[d].is_key ? share : strlen(component[d].text);
        if (wanted > left) {
            columns += put_ellipsis(kind, left, text);
            break;
        }
        if (component[d].is_key) {
            wanted = put_key_of(&component[d], kind, share, text);
            keys--;
        } else {
            strcpy(text, component[d].text);
            fixed -= wanted;
        }
        columns += wanted;
        text += strlen(text);
        if (d + 1 == count || most - columns < SEPARATOR_COLUMNS)
            break;
        strcpy(text, ", ");
        text += SEPARATOR_COLUMNS;
        columns += SEPARATOR_COLUMNS;
        fixed -= SEPARATOR_COLUMNS;
    }
    return columns;
}

/* Write the names of the components of KEY from FIRST on, COUNT of them. */
static size_t
put_tuple(const struct scene *scene, const struct key_entry *key, size_t first,
          size_t count, enum bar_name_kind kind, size_t most, char *text)
{
    const struct spec *spec = scene->spec;
    struct component component[SPEC_AXES_MAX];
    size_t dimensions = spec_dimensions(spec, scene->histogram);
    const unsigned char *at = key->key;

    for (size_t d = 0; d < first + count; d++)
        at = read_component(&component[d], spec,
                            spec_axis_of(spec, scene->histogram, d), at,
                            key->key + key->size, d + 1 == dimensions);
    return put_components(component + first, count, kind, most, text);
}

size_t
bar_name_write_column(const struct scene *scene, size_t i,
                      enum bar_name_kind kind, size_t most, char *text)
{
    const struct key_entry key =
        key_list_key(scene->keys, scene->axis[0].band[i].first);

    return put_tuple(scene, &key, scene->spec->group_count, 1, kind, most,
                     text);
}

size_t
bar_name_write(const struct scene *scene, size_t i, enum bar_name_kind kind,
               size_t most, char *text)
{
    bool has_groups = scene_has_groups(scene);
    const struct band *band = &scene->axis[has_groups].band[i];
    const struct spec *spec = scene->spec;
    size_t count = has_groups ? spec->group_count
                              : spec_dimensions(spec, scene->histogram);

    if (band->word != NULL && !band->is_flow)
        return put_key((const unsigned char *)band->word, strlen(band->word),
                       kind, most, text);
    if (band->word != NULL) {
        size_t length = strlen(band->word);
        length = length < most ? length : most;
        memcpy(text, band->word, length);
        text[length] = '\0';
        return length;
    }
    if (scene->keys == NULL) {
        char kmer[NUMBER_TEXT_BYTES];
        char *end = axis_put_value(scene->axis[0].axis, band->first, kmer);
        return put_key((const unsigned char *)kmer, (size_t)(end - kmer), kind,
                       most, text);
    }
    const struct key_entry key = key_list_key(scene->keys, band->first);
    if (scene->rows != ROWS_TUPLES && scene->rows != ROWS_NUMBERS)
        return put_key(key.key, key.size, kind, most, text);
    return put_tuple(scene, &key, 0, count, kind, most, text);
}

/* bar_name.c -- the name of a bar: of a key, a number, or a tuple of these */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "hist/key_decimal.h"
#include "plot/band_text.h"
#include "plot/bar_name.h"

/* The least columns of a key. */
#define KEY_COLUMNS_MIN 4

/* The bytes of a key with escapes that a name shows, at most. */
#define KEY_BYTES_SHOWN 8192

#define SEPARATOR_COLUMNS 2

/* A component, and its name if it is no key. */
struct part {
    struct key_part part;
    bool is_key;
    char text[NUMBER_TEXT_BYTES * 3];
};

static void
set_special(struct part *part)
{
    static const char *const names[AXIS_SPECIALS] = {
        [AXIS_KEY_MISSING] = "\\N",
        [AXIS_EMPTY] = "\\empty",
        [AXIS_INVALID] = "\\invalid",
    };

    strcpy(part->text, names[axis_special_of(part->part.tag)]);
}

/* Set the name of the bin, as pictures of one axis have it. */
static void
set_bin(struct part *part, const struct spec *spec, size_t axis)
{
    const struct binning_axis *shown = &spec->shown[axis];
    uint64_t cell = axis_cell_of(shown, part->part.row);
    struct band band = {
        .first = cell, .cells = 1, .is_flow = cell >= shown->bins};
    struct band_axis bands = {
        .axis = shown,
        .edges = &spec->edges,
        .last = !band.is_flow,
        .band = &band,
        .bands = 1,
    };

    band_text_set(&bands, false);
    strcpy(part->text, band.text);
}

/* Read the component at AT of axis AXIS.  Returns its end. */
static const unsigned char *
part_read(struct part *part, const struct spec *spec, size_t axis,
          const unsigned char *at, const unsigned char *end, bool is_last)
{
    enum key_kind kind = spec_key_kind(spec, axis);

    part->is_key = false;
    at = key_code_read(at, end, kind, is_last, &part->part);
    assert(at != NULL);
    if (part->part.tag != KEY_TAG_VALUE)
        set_special(part);
    else if (kind == KEY_CELL)
        set_bin(part, spec, axis);
    else if (kind == KEY_REAL || kind == KEY_DECIMAL)
        *key_decimal_put_text(&part->part, part->text) = '\0';
    else if (kind == KEY_INTEGER)
        *number_put_integer(part->part.integer, part->text) = '\0';
    else
        part->is_key = true;
    return at;
}

/* Write the name of the key of PART.  Returns its columns. */
static size_t
put_key(const struct part *part, enum key_name_kind kind, size_t most,
        char *text)
{
    struct key_part key = part->part;
    unsigned char copy[KEY_BYTES_SHOWN];

    if (!key.is_escaped)
        return key_name_write(key.text, key.text_size, kind, most, text);
    if (key.text_size > sizeof copy)
        key.text_size = sizeof copy;
    return key_name_write(copy, key_part_copy(&key, copy), kind, most, text);
}

/* Write that something is left out, if LEFT columns can show that.  Returns the
   columns of it. */
static size_t
put_ellipsis(enum key_name_kind kind, size_t left, char *text)
{
    size_t columns = kind == KEY_NAME_ASCII ? 3 : 1;

    if (columns > left)
        return 0;
    strcpy(text, kind == KEY_NAME_ASCII ? "..." : "\xe2\x80\xa6");
    return columns;
}

/*
 * Write the names of COUNT parts.  Numbers have all of their columns, and the
 * keys share what is left.
 */
static size_t
put_parts(const struct part *part, size_t count, enum key_name_kind kind,
          size_t most, char *text)
{
    size_t fixed = SEPARATOR_COLUMNS * (count - 1);
    size_t keys = 0;
    size_t columns = 0;

    for (size_t d = 0; d < count; d++) {
        keys += part[d].is_key;
        fixed += part[d].is_key ? 0 : strlen(part[d].text);
    }
    for (size_t d = 0; d < count; d++) {
        size_t left = most - columns;
        size_t share = fixed < left && keys > 0 ? (left - fixed) / keys : 0;
        if (share < KEY_COLUMNS_MIN)
            share = KEY_COLUMNS_MIN;
        size_t wanted = part[d].is_key ? share : strlen(part[d].text);
        if (wanted > left) {
            columns += put_ellipsis(kind, left, text);
            break;
        }
        if (part[d].is_key) {
            wanted = put_key(&part[d], kind, share, text);
            keys--;
        } else {
            strcpy(text, part[d].text);
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

size_t
bar_name_write(const struct scene *scene, size_t i, enum key_name_kind kind,
               size_t most, char *text)
{
    const struct band *band = &scene->axis[scene->has_groups].band[i];
    const struct spec *spec = scene->spec;
    struct part part[SPEC_AXES_MAX];
    size_t dimensions = spec_dimensions(spec, scene->histogram);
    size_t count = scene->has_groups ? spec->group_count : dimensions;

    if (band->word != NULL && !band->is_flow)
        return key_name_write((const unsigned char *)band->word,
                              strlen(band->word), kind, most, text);
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
        return key_name_write((const unsigned char *)kmer, (size_t)(end - kmer),
                              kind, most, text);
    }
    const struct key_entry key = key_list_key(scene->keys, band->first);
    if (spec->histogram[scene->histogram].rows != ROWS_TUPLES &&
        spec->histogram[scene->histogram].rows != ROWS_NUMBERS)
        return key_name_write(key.key, key.size, kind, most, text);
    const unsigned char *at = key.key;
    for (size_t d = 0; d < count; d++)
        at = part_read(&part[d], spec, spec_axis_of(spec, scene->histogram, d),
                       at, key.key + key.size, d + 1 == dimensions);
    return put_parts(part, count, kind, most, text);
}

size_t
bar_name_most(size_t columns)
{
    if (columns < KEY_COLUMNS_MIN)
        return KEY_COLUMNS_MIN;
    return columns < KEY_NAME_COLUMNS_MAX ? columns : KEY_NAME_COLUMNS_MAX;
}

size_t
bar_name_draw(const struct canvas *canvas, const struct scene *scene, size_t i,
              size_t most, char text[KEY_NAME_BYTES(KEY_NAME_COLUMNS_MAX)])
{
    return bar_name_write(scene, i,
                          canvas->terminal->is_utf8 ? KEY_NAME_TERMINAL
                                                    : KEY_NAME_ASCII,
                          most, text);
}

/* number_field.c -- read a field of text as a number */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "engine/cpu/number_field.h"
#include "text/field_value.h"
#include "util/decimal.h"

struct number_field
number_field_open(const struct spec *spec, size_t i)
{
    return (struct number_field){.format = &spec->text,
                                 .part = spec->text_fields.field[i].part};
}

void
number_field_close(struct number_field *field)
{
    free(field->written);
}

/*
 * Set *BITS to the number of AXIS's type that TEXT is.  Returns whether it is
 * one that the type can hold.
 */
static bool
find_bits(const struct binning_axis *axis, const struct text_number *number,
          const unsigned char *text, uint64_t *bits)
{
    double value;

    if (!binning_is_float(axis->type))
        return text_number_integer(number, bits);
    if (number->kind == TEXT_NUMBER_FINITE)
        value = decimal_round(number, text);
    else if (number->kind == TEXT_NUMBER_NAN)
        value = (double)NAN;
    else
        value = number->is_negative ? -(double)INFINITY : (double)INFINITY;
    *bits = binning_double_bits(value);
    return number->kind != TEXT_NUMBER_FINITE || isfinite(value);
}

/* Whether the field has no value: in a log, "-" stands for none. */
static bool
is_empty(const struct text_format *format, const struct text_number *number,
         const unsigned char *text, uint32_t size)
{
    return number->kind == TEXT_NUMBER_EMPTY ||
           (format->kind == TEXT_CLF && size == 1 && *text == '-');
}

/* Write the value of SLICE.  Returns it, or NULL: out of memory. */
static const unsigned char *
write_value(struct number_field *field, const unsigned char *data,
            struct text_slice slice, uint32_t *size)
{
    size_t room = field_value_room(slice);

    if (room > field->written_room) {
        unsigned char *grown = realloc(field->written, room);
        if (grown == NULL)
            return NULL;
        field->written = grown;
        field->written_room = room;
    }
    *size =
        (uint32_t)field_value_write(field->part, data, slice, field->written);
    return field->written;
}

enum key_result
number_field_read(struct number_field *field, const struct binning_axis *axis,
                  const unsigned char *data, struct text_slice slice,
                  enum key_tag *tag, uint64_t *bits)
{
    const unsigned char *text = data + slice.at;
    uint32_t size = slice.size;
    struct text_number number;

    if (text_slice_is_missing(slice)) {
        *tag = KEY_TAG_MISSING;
        return KEY_OK;
    }
    if (field_value_is_written(field->format, field->part, data, slice)) {
        text = write_value(field, data, slice, &size);
        if (text == NULL)
            return KEY_NO_MEMORY;
    }
    text_number_scan(text, size, &number);
    if (number.kind > TEXT_NUMBER_INVALID &&
        find_bits(axis, &number, text, bits))
        *tag = KEY_TAG_VALUE;
    else if (is_empty(field->format, &number, text, size))
        *tag = KEY_TAG_EMPTY;
    else
        *tag = KEY_TAG_INVALID;
    return KEY_OK;
}

unsigned char *
number_field_put_code(const struct binning_axis *axis, uint64_t bits,
                      unsigned char *at)
{
    if (axis_key_kind(axis) == KEY_REAL)
        return key_code_put_real(at, binning_bits_double(bits));
    return key_code_put_integer(
        at, wide_of_signed((int64_t)binning_integer(axis, bits)));
}

/* SPDX-License-Identifier: MIT */
/* number_field.c -- read a field of text as a number */

#include <math.h>
#include <stdbool.h>

#include "base/decimal.h"
#include "base/decimal_sum.h"
#include "engine/cpu/keys/number_field.h"
#include "hist/key_decimal.h"
#include "seq/sequence_names.h"

struct field_text
number_field_open(const struct spec *spec, size_t i)
{
    return (struct field_text){
        .format = &spec->text,
        .part = spec->text_fields.field[i].part,
        .is_computed = text_type_of(spec->text.kind)->has_numbers &&
                       sequence_part_is_computed(
                           (enum text_part)spec->text_fields.field[i].part),
    };
}

/*
 * Set *BITS to the number of AXIS's type that TEXT is.  Returns whether the
 * type can hold the number.
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

/* A field, as a number. */
struct number_reading {
    const unsigned char *text;
    struct text_number number;
    uint64_t bits;
};

/* As number_field_read(), of a field that is not computed. */
static enum key_result
read_text(struct field_text *field, const struct binning_axis *axis,
          const unsigned char *data, struct text_slice slice, enum key_tag *tag,
          struct number_reading *reading)
{
    struct text_number *number = &reading->number;
    binning_u32 size;

    if (text_slice_is_missing(slice)) {
        *tag = text_slice_is_invalid(slice) ? KEY_TAG_INVALID : KEY_TAG_MISSING;
        return KEY_OK;
    }
    const unsigned char *text = field_text_find(field, data, slice, &size);
    if (text == NULL)
        return KEY_NO_MEMORY;
    text_number_scan(text, size, number);
    if (number->kind > TEXT_NUMBER_INVALID &&
        find_bits(axis, number, text, &reading->bits))
        *tag = KEY_TAG_VALUE;
    else if (field_value_is_empty(field->format, number, text, size))
        *tag = KEY_TAG_EMPTY;
    else
        *tag = KEY_TAG_INVALID;
    reading->text = text;
    return KEY_OK;
}

enum key_result
number_field_read(struct field_text *field, const struct binning_axis *axis,
                  const unsigned char *data, struct text_slice slice,
                  enum key_tag *tag, uint64_t *bits)
{
    struct number_reading reading;

    if (field->is_computed) {
        *tag = number_field_tag(slice);
        *bits = text_slice_bits(slice);
        return KEY_OK;
    }
    enum key_result result = read_text(field, axis, data, slice, tag, &reading);
    if (result == KEY_OK && *tag == KEY_TAG_VALUE)
        *bits = reading.bits;
    return result;
}

enum key_result
number_field_read_decimal(struct field_text *field,
                          const struct binning_axis *axis,
                          const unsigned char *data, struct text_slice slice,
                          enum key_tag *tag, unsigned char **at)
{
    struct number_reading reading;
    enum key_result result = read_text(field, axis, data, slice, tag, &reading);

    if (result == KEY_OK && *tag == KEY_TAG_VALUE)
        *at = key_decimal_put(*at, &reading.number, reading.text,
                              binning_bits_double(reading.bits));
    return result;
}

const unsigned char *
number_field_scan(struct field_text *field, const unsigned char *data,
                  struct text_slice slice, struct text_number *number)
{
    binning_u32 size;

    if (text_slice_is_missing(slice))
        return NULL;
    const unsigned char *text = field_text_find(field, data, slice, &size);
    if (text != NULL)
        text_number_scan(text, size, number);
    return text;
}

unsigned char *
number_field_put_code(const struct binning_axis *axis, uint64_t bits,
                      unsigned char *at)
{
    if (axis_key_kind(axis) == KEY_REAL)
        return key_code_put_real(at, binning_bits_double(bits));
    if (axis_key_kind(axis) == KEY_DECIMAL)
        return key_code_put_decimal(at, binning_bits_double(bits), NULL);
    return key_code_put_integer(
        at, wide_of_signed((int64_t)binning_integer(axis, bits)));
}

unsigned char *
number_field_put_bits(const struct binning_axis *axis, uint64_t bits,
                      unsigned char *at)
{
    if (binning_is_float(axis->type))
        return key_code_put_real(at, binning_float(axis->type, bits));
    bits = binning_integer(axis, bits);
    return key_code_put_integer(at, binning_is_signed(axis->type)
                                        ? wide_of_signed((int64_t)bits)
                                        : wide_of(bits));
}

/* SPDX-License-Identifier: MIT */
/* number_field.h -- read a field, of text or of a binary record, as a number */

#ifndef GPUHIST_NUMBER_FIELD_H
#define GPUHIST_NUMBER_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/key_code.h"
#include "hist/key_memory.h"
#include "hist/spec.h"
#include "text/field_value.h"
#include "text/short_decimals.h"

/* Returns the field of axis I of SPEC, which outlives it. */
struct field_text number_field_open(const struct spec *spec, size_t i);

/*
 * Read SLICE of the chunk at DATA: set *TAG to the kind of its content, and of
 * a value *BITS to the bits of a number of AXIS's type.  Returns KEY_OK, or
 * KEY_NO_MEMORY.
 */
enum key_result number_field_read(struct field_text *field,
                                  const struct binning_axis *axis,
                                  const unsigned char *data,
                                  struct text_slice slice, enum key_tag *tag,
                                  uint64_t *bits);

/*
 * The same of a decimal: a value gets its component at *AT, which has
 * KEY_CODE_DECIMAL_ROOM and moves to its end.
 */
enum key_result number_field_read_decimal(struct field_text *field,
                                          const struct binning_axis *axis,
                                          const unsigned char *data,
                                          struct text_slice slice,
                                          enum key_tag *tag,
                                          unsigned char **at);

/*
 * Set *NUMBER to the content of SLICE, of a field that is not computed.
 * Returns its text, or NULL: the field is missing, or memory is short.
 */
const unsigned char *number_field_scan(struct field_text *field,
                                       const unsigned char *data,
                                       struct text_slice slice,
                                       struct text_number *number);

/* What SLICE of a field that is computed has; its bits are a number of the
   axis's type. */
static inline enum key_tag
number_field_tag(struct text_slice slice)
{
    uint64_t bits = text_slice_bits(slice);

    if (bits == text_slice_bits(TEXT_SLICE_NONE))
        return KEY_TAG_MISSING;
    return bits == text_slice_bits(TEXT_SLICE_EMPTY) ? KEY_TAG_EMPTY
                                                     : KEY_TAG_VALUE;
}

/*
 * As number_field_read(), from NANO, which short_decimals_read() has made of
 * the slice.  Returns whether it does.
 */
static inline bool
number_field_take(const struct binning_axis *axis, int64_t nano,
                  enum key_tag *tag, uint64_t *bits)
{
    const int64_t unit = 1000000000;
    const int64_t most = 999999999999999;
    const int64_t most_whole = 99999999 * unit;

    *tag = KEY_TAG_VALUE;
    /* A double holds 15 digits, and whole numbers of 8 digits in nanos. */
    if ((nano < -most || nano > most) &&
        (nano % unit != 0 || nano < -most_whole || nano > most_whole))
        return false;
    if (!binning_is_float(axis->type)) {
        if (nano % unit != 0)
            *tag = KEY_TAG_INVALID;
        *bits = (uint64_t)(nano / unit);
        return true;
    }
    /* A double holds the nano, and the unit: the quotient is the nearest
       double, which stands for these digits. */
    *bits = binning_double_bits((double)nano / (double)unit);
    return true;
}

/*
 * Write the component of a code for the number with BITS at AT, which has
 * KEY_CODE_ROOM + 1. AXIS is sparse; if it has decimals, the number is one that
 * number_field_take() has read.  Returns its end.
 */
unsigned char *number_field_put_code(const struct binning_axis *axis,
                                     uint64_t bits, unsigned char *at);

/*
 * The same for a number of a binary record: BITS are those of AXIS's type.
 */
unsigned char *number_field_put_bits(const struct binning_axis *axis,
                                     uint64_t bits, unsigned char *at);

/* Returns the bits of the number of AXIS in the binary record at RECORD. */
static inline uint64_t
number_field_load(const struct binning_axis *axis, const unsigned char *record)
{
    return binning_load(record + axis->offset, axis->type, axis->is_swapped);
}

#endif

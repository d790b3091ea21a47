/* SPDX-License-Identifier: MIT */
/* plain_check.h -- whether a scan knows which values are plain */

#ifndef GPUHIST_TESTS_PLAIN_CHECK_H
#define GPUHIST_TESTS_PLAIN_CHECK_H

#include "text/field_value.h"

/*
 * Whether field_values_are_plain() agrees with field_value_is_written() for
 * COUNT slices of a scan of records of FORMAT, and with the scan if ARE_PLAIN.
 */
static inline bool
plain_check(const struct text_format *format, const unsigned char *data,
            const struct text_slice *slice, size_t count, bool are_plain)
{
    enum text_values values = text_type_of(format->kind)->values;
    bool are_known = values == TEXT_VALUES_CSV || values == TEXT_VALUES_JSON;
    bool wanted = are_known;

    for (size_t i = 0; are_known && i < count; i++)
        wanted &=
            text_slice_is_missing(slice[i]) ||
            !field_value_is_written(format, TEXT_PART_ALL, data, slice[i]);
    return field_values_are_plain(format, data, slice, count) == wanted &&
           (!are_plain || wanted);
}

#endif

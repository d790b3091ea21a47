/* SPDX-License-Identifier: MIT */
/* number_check.c -- whether a field of numbers has one */

#include <stdio.h>
#include <string.h>

#include "hist/axis.h"
#include "hist/key_list.h"
#include "hist/key_table.h"
#include "hist/number_check.h"

/* Room for put_first(). */
#define FIRST_BYTES (2 * VISIBLE_BYTES + 64)

/* Write to TEXT, in parentheses, FIRST, the first value of FIELD, and what
   reads it; nothing if it is not known. */
static void
put_first(const struct number_first *first, const char *field,
          char text[FIRST_BYTES])
{
    text[0] = '\0';
    if (first != NULL && first->modifier != NULL)
        snprintf(text, FIRST_BYTES, " (the first is '%s', which %s:%s reads)",
                 first->text, field, first->modifier);
    else if (first != NULL)
        snprintf(text, FIRST_BYTES, " (the first is '%s')", first->text);
}

/* Set *ERROR: FIELD, of axis I, has RECORDS values, and none is a number. */
static void
fail(const struct spec *spec, size_t i, const char *field, uint64_t records,
     const struct number_first *first, struct error *error)
{
    char shown[VISIBLE_BYTES];
    char text[FIRST_BYTES];
    /* Other values of a double are infinite at worst. */
    bool is_beyond = first != NULL && first->is_whole &&
                     !binning_is_float(spec->shown[i].type);

    visible_name(shown, field, strlen(field));
    put_first(first, shown, text);
    if (is_beyond)
        error_set(error, EXIT_DATA,
                  "field %s: none of %llu values is in the range of int, -2^63 "
                  "to 2^63 - 1 (the first is '%s'); --dtype=decimal has 38 "
                  "digits",
                  shown, (unsigned long long)records, first->text);
    else
        error_set(error, EXIT_DATA,
                  "field %s: none of %llu values is a number%s; to count them "
                  "as keys, use -g %s",
                  shown, (unsigned long long)records, text, shown);
}

int
number_check(const struct spec *spec, size_t i, uint64_t numbers,
             uint64_t records, const struct number_first *first,
             struct error *error)
{
    char text[SPEC_FIELD_BYTES];

    /* Computed fields have numbers; FASTA has no quality. */
    if (spec->kind != SPEC_FIELDS || !spec->shown[i].is_text || numbers > 0 ||
        records == 0)
        return 0;
    fail(spec, i, spec_field_text(spec, i, text), records, first, error);
    return -1;
}

static bool
is_number(const struct binning_axis *axis, uint64_t cell)
{
    return cell < axis->bins + axis_number_flows(axis);
}

/* Whether component D of KEY, a tuple of histogram I, is a number. */
static bool
has_number(const struct spec *spec, size_t i, size_t d,
           const struct key_entry *key)
{
    const unsigned char *at = key->key;
    const unsigned char *end = at + key->size;
    size_t dimensions = spec_dimensions(spec, i);
    struct key_component component = {.tag = KEY_TAG_INVALID};
    enum key_kind kind = KEY_TEXT;

    for (size_t k = 0; k <= d && at != NULL; k++) {
        kind = spec_key_kind(spec, spec_axis_of(spec, i, k));
        at = key_code_read(at, end, kind, k + 1 == dimensions, &component);
    }
    const struct binning_axis *axis = &spec->shown[spec_axis_of(spec, i, d)];
    return at != NULL && component.tag == KEY_TAG_VALUE &&
           (kind != KEY_CELL ||
            is_number(axis, axis_cell_of(axis, component.row)));
}

/* Returns how many numbers the axis of dimension D of histogram I has: 0, or
   more. */
static uint64_t
count_numbers(const struct snapshot *counts, size_t i, size_t d)
{
    const struct spec *spec = counts->spec;
    const struct binning_axis *axis = &spec->shown[spec_axis_of(spec, i, d)];
    uint64_t first = spec_first_cell(spec, i);
    uint64_t cells = 1;

    if (spec->histogram[i].rows == ROWS_TUPLES) {
        const struct key_list *list = &counts->names->list[i];
        for (uint64_t k = 0; k < list->count; k++) {
            struct key_entry key = key_entry_key(key_list_entry(list, k));
            if (has_number(spec, i, d, &key))
                return 1;
        }
        return 0;
    }
    for (size_t k = 0; k < spec_dimensions(spec, i); k++) {
        const struct binning_axis *other =
            &spec->shown[spec_axis_of(spec, i, k)];
        cells *= other->bins + axis_flows(other);
    }
    for (uint64_t c = 0; c < cells; c++) {
        uint64_t at = c / axis->stride % (axis->bins + axis_flows(axis));
        if (is_number(axis, at) && counts->histogram.value[first + c] > 0)
            return counts->histogram.value[first + c];
    }
    return 0;
}

int
number_check_all(const struct snapshot *counts, struct error *error)
{
    const struct spec *spec = counts->spec;

    /* The numbers of a spectrum are not fields. */
    if (spec->is_spectrum)
        return 0;
    for (size_t i = 0; i < spec_histograms(spec) && spec->kind != SPEC_SAMPLES;
         i++) {
        for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
            size_t a = spec_axis_of(spec, i, d);
            if (spec->shown[a].is_text &&
                number_check(spec, a, count_numbers(counts, i, d),
                             counts->elements[SEQUENCE_READS], NULL, error) < 0)
                return -1;
        }
    }
    return 0;
}

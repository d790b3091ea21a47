/* SPDX-License-Identifier: MIT */
/* spec_check.c -- what cannot be counted together */

#include "hist/spec_check.h"
#include "seq/sequence_options.h"
#include "seq/sequence_values.h"

/* Check that the lists of histogram I, whose innermost list is that of axis
   INNER, are around each other.  Returns 0, or -1 with *ERROR set. */
static int
check_lists(const struct spec *spec, size_t i, size_t inner,
            struct error *error)
{
    const struct field_list *list = &spec->text_fields;

    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        size_t axis = spec_axis_of(spec, i, d);
        if (list->parts[axis] == 0 || field_list_is_around(list, axis, inner))
            continue;
        error_set(error, EXIT_USAGE,
                  "%s and %s are two lists: a histogram has the elements of "
                  "one list",
                  list->name[axis < inner ? axis : inner],
                  list->name[axis < inner ? inner : axis]);
        return -1;
    }
    return 0;
}

/* Check that each histogram has the parts of one list at most, and of the lists
   around it, and that there are not too many lists.  Returns 0, or -1 with
   *ERROR set. */
static int
check_parts(const struct spec *spec, struct error *error)
{
    for (size_t i = 0; spec->kind == SPEC_FIELDS && i < spec_histograms(spec);
         i++) {
        size_t inner = spec_list_axis(spec, i);
        if (inner == SIZE_MAX)
            continue;
        if (check_lists(spec, i, inner, error) < 0)
            return -1;
        if (spec_unit(spec, i) < COUNTED_UNITS)
            continue;
        error_set(error, EXIT_USAGE, "more than %d lists of elements",
                  COUNTED_LISTS_MAX);
        return -1;
    }
    return 0;
}

/* Check that each histogram has the elements whose weights are wanted. */
static int
check_weight_parts(const struct spec *spec, struct error *error)
{
    const struct field_list *list = &spec->text_fields;
    char text[SPEC_FIELD_BYTES];

    if (spec->kind != SPEC_FIELDS || spec_weight_list(spec) == 0)
        return 0;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t inner = spec_list_axis(spec, i);
        if (inner != SIZE_MAX &&
            field_list_is_around(list, spec->text_weight, inner))
            continue;
        error_set(error, EXIT_USAGE,
                  "--weights: %s has a weight for each element of its list, "
                  "and field %s %s",
                  list->name[spec->text_weight],
                  spec_field_text(spec, spec_own_axis(spec, i), text),
                  inner == SIZE_MAX ? "has no elements" : "is of another list");
        return -1;
    }
    return 0;
}

/* Check that each element counted of sequences has a weight.  Returns 0, or -1
   with *ERROR set. */
static int
check_weight_unit(const struct spec *spec, struct error *error)
{
    if (spec->kind != SPEC_SEQUENCES || !spec->has_weights)
        return 0;
    const struct field_list *list = &spec->text_fields;
    enum sequence_unit unit =
        sequence_part_unit((enum text_part)list->field[spec->text_weight].part);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (sequence_unit_has((enum sequence_unit)spec_unit(spec, i), unit))
            continue;
        error_set(error, EXIT_USAGE, "--weights: %s is of %s, and %s is of %s",
                  list->name[spec->text_weight], sequence_unit_name(unit),
                  list->name[spec_own_axis(spec, i)],
                  sequence_unit_name((enum sequence_unit)spec_unit(spec, i)));
        return -1;
    }
    return 0;
}

/* Check that all histograms count elements that have the field of CONDITION:
   the position, base or quality, or one of operations. */
static int
check_element(const struct spec *spec, const struct condition *condition,
              struct error *error)
{
    uint32_t unit = spec_unit(spec, 0);
    const char *wrong = NULL;

    const enum sequence_unit of_field = sequence_part_unit(condition->part);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (of_field == SEQUENCE_OPERATIONS || unit == SEQUENCE_OPERATIONS)
            wrong = spec_unit(spec, i) == (uint32_t)of_field ? wrong
                    : of_field == SEQUENCE_OPERATIONS
                        ? "of each operation of a CIGAR string, and fields of "
                          "others are counted: give cigar-ops or cigar-length"
                        : "of each base, and operations of CIGAR strings are "
                          "counted";
        else if (spec_unit(spec, i) == SEQUENCE_READS)
            wrong = "of each base, and this counts whole sequences: base, "
                    "position, quality and kmer are no fields of these";
        else if (spec_unit(spec, i) != unit)
            wrong = "of bases or of k-mers, and both are counted: give fields "
                    "of one of them";
        else if (unit == SEQUENCE_WINDOWS &&
                 condition->part != TEXT_PART_POSITION)
            wrong = "of each base, and a k-mer has several bases";
    }
    if (wrong == NULL)
        return 0;
    error_set(error, EXIT_USAGE, "--where: %s is %s", condition->field, wrong);
    return -1;
}

/* Check that the elements of histogram I have all its fields.  Returns 0, or -1
   with *ERROR set. */
static int
check_unit(const struct spec *spec, size_t i, struct error *error)
{
    const enum sequence_unit unit = (enum sequence_unit)spec_unit(spec, i);
    const struct field_list *list = &spec->text_fields;
    const bool has_base = spec_has_part(spec, i, TEXT_PART_BASE);

    if (spec_has_part(spec, i, TEXT_PART_KMER) &&
        (has_base || spec_has_part(spec, i, TEXT_PART_QUALITY))) {
        error_set(error, EXIT_USAGE,
                  "kmer and %s do not go into one histogram: a k-mer has "
                  "several bases",
                  has_base ? "base" : "quality");
        return -1;
    }
    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        size_t axis = spec_axis_of(spec, i, d);
        if (sequence_unit_has(
                unit,
                sequence_part_unit((enum text_part)list->field[axis].part)))
            continue;
        error_set(error, EXIT_USAGE,
                  "%s does not go into one histogram with fields of CIGAR "
                  "operations, which have none",
                  list->name[axis]);
        return -1;
    }
    return 0;
}

/* Check what sequences cannot be counted by. */
static int
check_sequences(const struct spec *spec, const struct spec_options *options,
                struct error *error)
{
    bool has_texts = false;

    if (spec->kind != SPEC_SEQUENCES)
        return 0;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        has_texts |= spec_has_part(spec, i, TEXT_PART_NAME) ||
                     spec_has_part(spec, i, TEXT_PART_SEQUENCE);
        if (check_unit(spec, i, error) < 0)
            return -1;
    }
    for (size_t c = 0; c < spec->conditions.count; c++) {
        const struct condition *condition = &spec->conditions.condition[c];
        if (sequence_part_unit(condition->part) != SEQUENCE_READS &&
            check_element(spec, condition, error) < 0)
            return -1;
    }
    if (options->prefix == 0 || has_texts)
        return 0;
    error_set(error, EXIT_USAGE,
              "--prefix is for the fields name and sequence");
    return -1;
}

int
spec_check_text(const struct spec *spec, const struct spec_options *options,
                struct error *error)
{
    return check_parts(spec, error) == 0 &&
                   check_weight_parts(spec, error) == 0 &&
                   check_weight_unit(spec, error) == 0 &&
                   check_sequences(spec, options, error) == 0
               ? 0
               : -1;
}

int
spec_check_spectrum(const struct spec *spec, struct error *error)
{
    bool has_keys = true;
    bool has_tuples = false;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        has_tuples |= spec_dimensions(spec, i) > 1;
        for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
            size_t axis = spec_axis_of(spec, i, d);
            has_keys &= !axis_has_bins(&spec->shown[axis]);
        }
    }
    if (!spec->is_spectrum)
        return 0;
    if (!has_keys)
        error_set(error, EXIT_USAGE,
                  "--spectrum counts keys and numbers with the same count; "
                  "bins are none: leave them out");
    else if (has_tuples && spec_histograms(spec) > 1)
        error_set(error, EXIT_USAGE,
                  "--spectrum of combinations has one histogram: give one "
                  "field beside --group-by, or one list with --joint");
    else
        return 0;
    return -1;
}

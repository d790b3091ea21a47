/* SPDX-License-Identifier: MIT */
/* spec_fields.c -- the fields of the axes: names, numbers, units */

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "hist/spec.h"
#include "hist/text_axis.h"
#include "seq/alignment_values.h"
#include "seq/read_filter.h"
#include "text/modify/time_modifiers.h"

bool
spec_field_is_named(const struct spec *spec, size_t i)
{
    return spec->kind == SPEC_SAMPLES ? spec->record.name != NULL
                                      : spec->text_fields.name[i] != NULL;
}

int64_t
spec_time_interval(const struct spec *spec, size_t i)
{
    const struct field_list *fields = &spec->text_fields;

    if (i >= fields->count || fields->chain == NULL)
        return 0;
    const struct modifiers *chain = &fields->chain[i];
    int64_t seconds = 0;
    for (size_t m = 0; m < chain->count && seconds == 0; m++)
        seconds = time_modifier_interval(&chain->modifier[m]);
    return seconds;
}

bool
spec_has_values(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[i];
    int64_t least;
    uint64_t most;

    if (axis_is_key(axis))
        return true;
    if (spec->kind != SPEC_SAMPLES || axis_bins(axis) != AXIS_INTEGERS ||
        binning_is_float(axis->type))
        return false;
    const struct element *element = &spec->record.element[spec->field[i]];
    axis_values(axis, &least, &most);
    if (element->most != 0 && element->most < most)
        most = element->most;
    return wide_compare(axis_value(axis, 0), wide_of_signed(least)) == 0 &&
           wide_compare(axis_value(axis, axis->bins - 1), wide_of(most)) == 0;
}

/* The number of FIELD of text. */
static const char *
text_field_number(const struct text_field *field, char text[SPEC_FIELD_BYTES])
{
    if (!field->is_from_last)
        snprintf(text, SPEC_FIELD_BYTES, "%u", (unsigned int)field->number);
    else if (field->number == 0)
        snprintf(text, SPEC_FIELD_BYTES, "NF");
    else
        snprintf(text, SPEC_FIELD_BYTES, "NF-%u", (unsigned int)field->number);
    return text;
}

/* The number of the field of axis I. */
static const char *
field_number(const struct spec *spec, size_t i, char text[SPEC_FIELD_BYTES])
{
    if (spec->kind != SPEC_SAMPLES)
        return text_field_number(&spec->text_fields.field[i], text);
    snprintf(text, SPEC_FIELD_BYTES, "%zu", spec->field[i] + 1);
    return text;
}

const char *
spec_field_text(const struct spec *spec, size_t i, char text[SPEC_FIELD_BYTES])
{
    if (!spec_field_is_named(spec, i))
        return field_number(spec, i, text);
    return spec->kind == SPEC_SAMPLES ? spec->record.name[spec->field[i]]
                                      : spec->text_fields.name[i];
}

const char *
spec_field_word(const struct spec *spec, size_t i, char text[SPEC_FIELD_BYTES])
{
    /* The name of a header may have any bytes, and any length. */
    bool is_word = text_type_of(spec->text.kind)->names != TEXT_NAMES_COLUMNS;

    return is_word ? spec_field_text(spec, i, text)
                   : field_number(spec, i, text);
}

/* Whether the field of axis I has a number, maybe with modifiers. */
static bool
is_number(const struct spec *spec, size_t i, const char *field)
{
    bool looks_so = ascii_is_digit(*field) || (strncmp(field, "NF", 2) == 0 &&
                                               strchr("-:", field[2]) != NULL);

    return looks_so &&
           (spec->kind == SPEC_SAMPLES ? spec->record.name == NULL
                                       : spec->text_fields.source[i] == NULL);
}

const char *
spec_column_text(const struct spec *spec, size_t i, const char **before,
                 char text[SPEC_FIELD_BYTES])
{
    bool is_only = spec->kind == SPEC_SAMPLES && spec->axis_count == 1;
    const char *name = NULL;

    *before = "";
    if (spec->is_spectrum || (is_only && !spec_field_is_named(spec, i)))
        return "value";
    if (axis_is_kmers(&spec->shown[i]))
        return "kmer";
    if (spec->kind == SPEC_FIELDS && !spec_field_is_named(spec, i))
        name = text_type_of(spec->text.kind)->whole;
    if (name == NULL)
        name = spec_field_text(spec, i, text);
    if (*name == '\0' || is_number(spec, i, name))
        *before = "field";
    return name;
}

/* Whether TEXT is the LENGTH bytes at NAME. */
static bool
is_text(const char *text, const char *name, size_t length)
{
    return strncmp(name, text, length) == 0 && text[length] == '\0';
}

bool
spec_field_is_called(const struct spec *spec, size_t i, const char *name,
                     size_t length)
{
    char text[SPEC_FIELD_BYTES];
    const char *field = spec_field_text(spec, i, text);
    const char *const *words =
        spec->kind == SPEC_SAMPLES ? spec->record.word : NULL;
    const char *before;

    if (words != NULL && is_text(words[spec->field[i]], name, length))
        return true;
    if (is_text(field, name, length) ||
        (length > 2 && name[0] == '"' && name[length - 1] == '"' &&
         is_text(field, name + 1, length - 2)))
        return true;
    const char *column = spec_column_text(spec, i, &before, text);
    return *before == '\0' && is_text(column, name, length);
}

const char *
spec_histogram_text(const struct spec *spec, size_t i,
                    char text[SPEC_HISTOGRAM_BYTES])
{
    size_t own = spec_own_axis(spec, i);
    size_t count = spec_own_axes(spec, i);
    size_t used = 0;

    if (spec->lists == 0 || count == 1)
        return spec_field_text(spec, own + count - 1, text);
    for (size_t a = own; a < own + count && used < SPEC_HISTOGRAM_BYTES; a++)
        used +=
            (size_t)snprintf(text + used, SPEC_HISTOGRAM_BYTES - used, "%s%s",
                             a > own ? "," : "", spec->text_fields.name[a]);
    return text;
}

bool
spec_weight_is_named(const struct spec *spec)
{
    return spec->kind != SPEC_SAMPLES &&
           spec->text_fields.name[spec->text_weight] != NULL;
}

const char *
spec_weight_text(const struct spec *spec, char text[SPEC_FIELD_BYTES])
{
    size_t field = 0;

    if (spec->kind != SPEC_SAMPLES) {
        const char *name = spec->text_fields.name[spec->text_weight];
        return name != NULL
                   ? name
                   : text_field_number(
                         &spec->text_fields.field[spec->text_weight], text);
    }
    while (field + 1 < spec->record.count &&
           spec->record.element[field].offset != spec->weight.offset)
        field++;
    snprintf(text, SPEC_FIELD_BYTES, "%zu", field + 1);
    return text;
}

void
spec_show_spectrum(struct spec *spec, size_t i)
{
    /* The only histogram has one axis from now on. */
    if (spec->histogram[i].rows == ROWS_TUPLES) {
        spec->axis_count = 1;
        spec->group_count = 0;
        spec->lists = 0;
        spec->is_joint = false;
    }
    spec->shown[spec_own_axis(spec, i)] = (struct binning_axis){
        .kind = BINNING_NUMBER,
        .type = SAMPLE_I8,
        .is_text = true,
        .is_swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
        .mask = UINT64_MAX,
    };
    counted_histogram_show(&spec->histogram[i], ROWS_NUMBERS);
}

void
spec_list_kmers(struct spec *spec, size_t i)
{
    text_axis_make_kmer(&spec->shown[spec_own_axis(spec, i)], spec->text.kmer,
                        0);
    counted_histogram_show(&spec->histogram[i], ROWS_KEYS);
}

bool
spec_has_part(const struct spec *spec, size_t i, enum text_part part)
{
    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        size_t axis = spec_axis_of(spec, i, d);
        if (spec->text_fields.field[axis].part == (binning_u32)part)
            return true;
    }
    return false;
}

bool
spec_chooses_elements(const struct spec *spec)
{
    return spec->kind == SPEC_SEQUENCES &&
           (read_filter_has(&spec->conditions, TEXT_PART_BASE,
                            TEXT_PART_QUALITY) ||
            read_filter_has(&spec->conditions, TEXT_PART_CIGAR_OPS,
                            TEXT_PART_CIGAR_CYCLE));
}

size_t
spec_list_axis(const struct spec *spec, size_t i)
{
    const struct field_list *list = &spec->text_fields;
    size_t found = SIZE_MAX;

    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        size_t axis = spec_axis_of(spec, i, d);
        if (list->parts[axis] > 0 &&
            (found == SIZE_MAX || (list->parts[axis] != list->parts[found] &&
                                   field_list_is_around(list, found, axis))))
            found = axis;
    }
    return found;
}

uint32_t
spec_weight_list(const struct spec *spec)
{
    return spec->has_weights && spec->text_fields.parts != NULL
               ? spec->text_fields.parts[spec->text_weight]
               : 0;
}

/* Returns the number of the innermost list of histogram I, of text. */
static uint32_t
find_list(const struct spec *spec, size_t i)
{
    bool is_known[FIELD_LIST_MAX + 1] = {false};
    size_t axis = spec_list_axis(spec, i);
    uint32_t lists = 0;

    if (axis == SIZE_MAX)
        return 0;
    uint32_t parts = spec->text_fields.parts[axis];
    for (size_t h = 0; !is_known[parts]; h++) {
        axis = spec_list_axis(spec, h);
        if (axis == SIZE_MAX || is_known[spec->text_fields.parts[axis]])
            continue;
        is_known[spec->text_fields.parts[axis]] = true;
        lists++;
    }
    return lists;
}

uint32_t
spec_unit(const struct spec *spec, size_t i)
{
    enum sequence_unit unit = SEQUENCE_READS;

    if (spec->kind == SPEC_FIELDS)
        return find_list(spec, i);
    if (spec->kind != SPEC_SEQUENCES)
        return 0;
    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        size_t axis = spec_axis_of(spec, i, d);
        enum sequence_unit of_axis = sequence_part_unit(
            (enum text_part)spec->text_fields.field[axis].part);
        unit = of_axis > unit ? of_axis : unit;
    }
    return unit;
}

size_t
spec_units(const struct spec *spec)
{
    uint32_t last = 0;

    if (spec->kind == SPEC_SEQUENCES)
        return SEQUENCE_UNITS;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        uint32_t unit = spec->histogram[i].unit;
        last = unit > last ? unit : last;
    }
    return (size_t)last + 1;
}

/* Whether PART needs more of a sequence of FASTA, which has no qualities, than
   name, length and GC: bases, or what follows the name. */
static bool
needs_bases(binning_u32 part)
{
    return part == TEXT_PART_SEQUENCE || part == TEXT_PART_GC_BASES ||
           alignment_values_have(part) ||
           sequence_part_unit((enum text_part)part) != SEQUENCE_READS;
}

bool
spec_allows_long(const struct spec *spec)
{
    if (spec->kind != SPEC_SEQUENCES)
        return false;
    for (size_t f = 0; f < spec->text_fields.count; f++) {
        if (needs_bases(spec->text_fields.field[f].part))
            return false;
    }
    for (size_t c = 0; c < spec->conditions.count; c++) {
        if (needs_bases(spec->conditions.condition[c].part))
            return false;
    }
    return true;
}

bool
spec_allows_pieces(const struct spec *spec, unsigned int *overlap)
{
    uint32_t unit = spec->histogram[0].unit;

    if (spec->kind != SPEC_SEQUENCES || spec->conditions.count > 0)
        return false;
    for (size_t a = 0; a < spec->text_fields.count; a++) {
        binning_u32 part = spec->text_fields.field[a].part;
        if (part != TEXT_PART_BASE && part != TEXT_PART_QUALITY &&
            part != TEXT_PART_KMER)
            return false;
    }
    for (size_t i = 1; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].unit != unit)
            return false;
    }
    *overlap = unit == SEQUENCE_WINDOWS ? spec->text.kmer - 1 : 0;
    return true;
}

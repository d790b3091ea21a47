/* SPDX-License-Identifier: MIT */
/*
 * state_spec.c -- a spec as lines: all that decides the cell of a value
 *
 * A number is the shortest decimal that reads back to the same double: the same
 * text on each machine.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/number.h"
#include "hist/axis_rule.h"
#include "state/state_spec.h"

/* Axes with more edges have a hash of the edges instead. */
#define EDGES_MAX 1000

/* Room for a field that is not a name. */
#define FIELD_BYTES 96

/* Put a field of printf() texts. */
static void __attribute__((format(printf, 2, 3)))
put(struct state_lines *lines, const char *format, ...)
{
    char text[FIELD_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    state_lines_put_text(lines, text);
}

/* Put NAME=VALUE. */
static void
put_double(struct state_lines *lines, const char *name, double value)
{
    char text[NUMBER_TEXT_BYTES];

    number_text(value, text);
    put(lines, "%s=%s", name, text);
}

/* ---- records ---- */

static int
describe_text(const struct spec *spec, struct state_lines *lines)
{
    const struct text_format *format = &spec->text;
    const struct text_type *type = text_type_of(format->kind);

    put(lines, "text");
    put(lines, "%s", type->name);
    if (spec->kind == SPEC_SEQUENCES) {
        put(lines, "phred=%u", format->phred);
        put(lines, "keep-case=%u", format->keeps_case);
        put(lines, "kmer=%u", format->kmer);
        put(lines, "canonical=%u", format->is_canonical);
        /* Only if they differ from the default: gpuhist-state(5). */
        if (format->least_quality > 0)
            put(lines, "min-quality=%u", format->least_quality - format->phred);
        if (format->as_aligned)
            put(lines, "as-aligned=1");
        if (format->all_alignments)
            put(lines, "all-alignments=1");
        if (format->counts_references)
            put(lines, "references=1");
        /* The rules of samtools stats: 1 was before 1.22. */
        if (format->sums_checksums)
            put(lines, "checksums=2");
        /* Only if lines are left out: gpuhist-state(5). */
        if (format->comment != TEXT_NO_COMMENT)
            put(lines, "comment=%d", format->comment);
    } else {
        if (type->has_delimiter)
            put(lines, "delimiter=%u", format->delimiter);
        put(lines, "end=%u", format->end);
        put(lines, "comment=%d", format->comment);
        if (format->comment_more > 0)
            put(lines, "comment-rest=%.*s", (int)format->comment_more,
                (const char *)format->comment_rest);
        if (format->counts_invalid)
            put(lines, "invalid=count");
        if (format->counts != TEXT_COUNTS_NONE)
            put(lines, format->counts == TEXT_COUNTS_FIRST ? "counts=first"
                                                           : "counts=last");
    }
    put(lines, "prefix=%u", spec->prefix);
    return state_lines_end(lines);
}

static int
describe_records(const struct spec *spec, struct state_lines *lines)
{
    if (spec->kind != SPEC_SAMPLES)
        return describe_text(spec, lines);
    put(lines, "record");
    put(lines, "bytes=%zu", spec->record.bytes);
    return state_lines_end(lines);
}

/* Put the field of text number I of the spec's list. */
static void
put_text_field(const struct spec *spec, size_t i, struct state_lines *lines)
{
    const struct text_field *field = &spec->text_fields.field[i];
    const struct modifiers *chain = &spec->text_fields.chain[i];
    const char *name = spec->text_fields.source[i];

    /* The number of a named field may differ between headers, so the name
       stands alone. */
    if (name != NULL) {
        put(lines, "name");
        state_lines_put_text(lines, name);
    } else {
        put(lines, field->is_from_last ? "field=NF-%u" : "field=%u",
            field->number);
    }
    if (spec->text_fields.within[i] != NULL) {
        put(lines, "elements");
        state_lines_put_text(lines, spec->text_fields.within[i]);
    }
    for (size_t m = 0; m < chain->count; m++) {
        put(lines, "modifier=%s", chain->modifier[m].type->name);
        if (chain->modifier[m].text != NULL)
            state_lines_put_text(lines, chain->modifier[m].text);
    }
}

/* Put an element of a binary record. */
static void
put_element(struct state_lines *lines, size_t offset, enum sample_type type,
            bool is_swapped)
{
    put(lines, "offset=%zu", offset);
    put(lines, "type=%s", record_type_name(type));
    if (binning_size(type) > 1)
        put(lines, "order=%s", is_swapped ? "big" : "little");
}

/* Add the values that CONDITION compares with. */
static void
put_value(const struct condition *condition, struct state_lines *lines)
{
    static const char *const kinds[] = {
        [CONDITION_TEXT] = "text",
        [CONDITION_NUMBER] = "number",
        [CONDITION_MISSING] = "missing",
        [CONDITION_EXPRESSION] = "expression",
    };

    put(lines, "%s", kinds[condition->kind]);
    if (condition->kind != CONDITION_MISSING)
        state_lines_put_text(lines, condition->value);
}

/* Describe each --where in a line. */
static int
describe_conditions(const struct spec *spec, struct state_lines *lines)
{
    const struct condition_list *list = &spec->conditions;
    int result = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct condition *condition = &list->condition[i];
        put(lines, condition->where != NULL ? "where"
                   : condition->is_after_or ? "or"
                                            : "and");
        if (spec->kind == SPEC_SEQUENCES) {
            put(lines, "name");
            state_lines_put_text(lines, condition->field);
        } else {
            put_text_field(spec, condition->column, lines);
        }
        put(lines, "%s", condition->op_text);
        put_value(condition, lines);
        if (i + 1 == list->count || list->condition[i + 1].where != NULL)
            result |= state_lines_end(lines);
    }
    return result;
}

static int
describe_weight(const struct spec *spec, struct state_lines *lines)
{
    if (!spec->has_weights)
        return 0;
    put(lines, "weights");
    if (spec->kind != SPEC_SAMPLES)
        put_text_field(spec, spec->text_weight, lines);
    else
        put_element(lines, spec->weight.offset, spec->weight.type,
                    spec->weight.is_swapped);
    return state_lines_end(lines);
}

/* ---- axes ---- */

/* Add the modifiers of integers: computed before binning. */
static void
put_operations(const struct binning_axis *axis, struct state_lines *lines)
{
    if (!axis_is_integer(axis))
        return;
    put(lines, "shift=%u", axis->shift);
    put(lines, "mask=%llu", (unsigned long long)axis->mask);
    put(lines, "mod=%llu", (unsigned long long)axis->mod);
}

/* Add the COUNT listed edges. */
static void
put_edges(const double *edge, uint64_t count, struct state_lines *lines)
{
    char text[NUMBER_TEXT_BYTES];
    uint64_t hash = 0;

    for (uint64_t i = 0; i < count; i++) {
        number_text(edge[i], text);
        if (count <= EDGES_MAX)
            state_lines_put_text(lines, text);
        hash = digest_of(text, strlen(text), hash).low;
    }
    if (count > EDGES_MAX)
        put(lines, "edges=%016llx", (unsigned long long)hash);
}

/* Add the bins of AXIS with edges, or with a bin for each value. */
static void
put_bins(const struct spec *spec, const struct binning_axis *axis,
         struct state_lines *lines)
{
    static const char *const closed[] = {[BINNING_LEFT] = "left",
                                         [BINNING_RIGHT] = "right",
                                         [BINNING_NUMPY] = "numpy"};

    put(lines, "%s", axis_rule_of(axis)->name);
    put_operations(axis, lines);
    put(lines, "closed=%s", closed[axis->closed]);
    put(lines, "bins=%llu", (unsigned long long)axis->bins);
    if (axis_bins(axis) == AXIS_INTEGERS) {
        put(lines, "first=%llu", (unsigned long long)axis->first);
        return;
    }
    if (axis->is_auto) {
        put(lines, "auto");
        return;
    }
    put_double(lines, "lo", axis->lo);
    put_double(lines, "hi", axis->hi);
    if (axis->rule == AXIS_RULE_SCALE) {
        put(lines, "scale=%d", axis_scale(axis));
        put(lines, "step=%lld", (long long)axis->first_step);
        return;
    }
    const double *edge = axis_listed_edges(axis, &spec->edges);
    if (edge != NULL) {
        put_edges(edge, axis->bins + 1, lines);
        return;
    }
    put_double(lines, "width", axis->width);
    put(lines, "subdivision=%u", axis->subdivision);
    put(lines, "step=%lld", (long long)axis->first_step);
}

static int
describe_axis(const struct spec *spec, size_t i, struct state_lines *lines)
{
    const struct binning_axis *axis = &spec->shown[i];

    put(lines, "axis");
    put(lines, "%zu", i + 1);
    if (spec->kind != SPEC_SAMPLES)
        put_text_field(spec, i, lines);
    else
        put_element(lines, axis->offset, (enum sample_type)axis->type,
                    axis->is_swapped != 0);
    const char *names = axis_is_kmers(axis)            ? "kmer"
                        : axis_bins(axis) == AXIS_KEYS ? "key"
                                                       : NULL;
    if (names != NULL) {
        put(lines, "%s", names);
        return state_lines_end(lines);
    }
    if (spec->kind != SPEC_SAMPLES)
        put(lines, "type=%s", axis_type_name(axis));
    if (axis_bins(axis) == AXIS_NUMBERS) {
        bool has_sums =
            spec->histogram[spec_histogram_of(spec, i)].kind == COUNTED_SUMS;
        put(lines, has_sums ? "sums" : "values");
        put_operations(axis, lines);
    } else {
        put_bins(spec, axis, lines);
    }
    return state_lines_end(lines);
}

/* ---- histograms ---- */

static int
describe_histogram(const struct spec *spec, size_t i, struct state_lines *lines)
{
    put(lines, "histogram");
    put(lines, "%zu", i + 1);
    put(lines, spec->histogram[i].rows == ROWS_TUPLES ? "tuples" : "cells");
    for (size_t d = 0; d < spec_dimensions(spec, i); d++)
        put(lines, "axis=%zu", spec_axis_of(spec, i, d) + 1);
    return state_lines_end(lines);
}

int
state_spec_describe(const struct spec *spec, struct state_lines *lines)
{
    int result = describe_records(spec, lines) |
                 describe_conditions(spec, lines) |
                 describe_weight(spec, lines);

    for (size_t i = 0; i < spec->axis_count; i++)
        result |= describe_axis(spec, i, lines);
    for (size_t i = 0; i < spec_histograms(spec); i++)
        result |= describe_histogram(spec, i, lines);
    return result;
}

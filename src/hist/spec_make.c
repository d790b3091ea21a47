/* SPDX-License-Identifier: MIT */
/* spec_make.c -- make a spec from the options */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hist/axis_rule.h"
#include "hist/spec.h"
#include "hist/spec_check.h"
#include "hist/text_axis.h"
#include "kernels/binning/weighing.h"
#include "seq/sequence_options.h"

/* Cell numbers have 32 bits in tables and on devices. */
#define CELLS_MAX AXIS_BINS_MAX

/*
 * A bin of a k-mer takes a cell in the histogram of a run and one in that of a
 * snapshot, which together may take 1 / 4 of the memory.  For a spectrum, more
 * bins than those of 11 bases take longer to clear and to read than the list of
 * what occurs (bench/NOTES.md).
 */
#define KMER_BIN_BYTES (4 * 2 * sizeof(uint64_t))
#define KMER_BINS_SPECTRUM ((uint64_t)1 << 22)

/* ---- fields ---- */

/* Make the record a pixel: one field for each channel. */
static int
make_pixel(struct spec *spec, const struct image_format *image,
           struct error *error)
{
    static const char *const grey[] = {"grey"};
    static const char *const colours[] = {"red", "green", "blue", "alpha"};
    char text[32];

    snprintf(text, sizeof text, "%s*%u",
             image->sample_bytes == 2 ? ">u2" : "u1", image->channels);
    if (record_parse(&spec->record, text, ORDER_MACHINE, "--image", error) < 0)
        return -1;
    for (size_t i = 0; i < spec->record.count; i++)
        spec->record.element[i].most = image->maxval;
    spec->record.word = image->channels == 1 ? grey : colours;
    return 0;
}

static int
make_record(struct spec *spec, const struct spec_options *options,
            struct error *error)
{
    if (options->npy != NULL) {
        if (record_copy(&spec->record, options->npy) == 0)
            return 0;
        return error_fail_memory(error);
    }
    if (options->record != NULL)
        return record_parse(&spec->record, options->record, options->endian,
                            "--record", error);
    if (options->dtype != NULL && text_axis_is_type(options->dtype)) {
        error_set(error, EXIT_USAGE,
                  "--dtype=%s is for fields of text; binary samples have types "
                  "like u4 and f8",
                  options->dtype);
        return -1;
    }
    if (options->dtype != NULL && strpbrk(options->dtype, ",*x") != NULL) {
        error_set(error, EXIT_USAGE,
                  "--dtype=%s: takes one type; --record takes several",
                  options->dtype);
        return -1;
    }
    int result = record_parse(&spec->record,
                              options->dtype != NULL ? options->dtype : "u1",
                              options->endian, "--dtype", error);
    spec->record.is_assumed = options->dtype == NULL;
    return result;
}

/* Set *FIELD to the field of weights, or to RECORD->count if there is none. */
static int
find_weight(struct spec *spec, const char *text, size_t *field,
            struct error *error)
{
    size_t *list;
    size_t count;

    *field = spec->record.count;
    if (text == NULL)
        return 0;
    if (record_parse_fields(&spec->record, "--weights", text, &list, &count,
                            error) < 0) {
        if (error->status == EXIT_USAGE) {
            error_clear(error);
            error_set(error, EXIT_USAGE,
                      "--weights=%s: not a field from 1 to %zu", text,
                      spec->record.count);
        }
        return -1;
    }
    *field = list[0];
    free(list);
    if (count != 1) {
        error_set(error, EXIT_USAGE, "--weights=%s: more than one field", text);
        return -1;
    }
    spec->has_weights = true;
    spec->weight = spec->record.element[*field];
    return 0;
}

/* Check that no field of the COUNT fields at FIELD, of LIST, is in a group.
   Returns 0, or -1 with *ERROR set. */
static int
check_own(const struct spec *spec, const char *list, const size_t *field,
          size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t g = 0; g < spec->group_count; g++) {
            if (field[i] != spec->field[g])
                continue;
            error_set(error, EXIT_USAGE,
                      "--fields=%s: field %zu is a field of --group-by, too",
                      list, field[i] + 1);
            return -1;
        }
    }
    return 0;
}

/* Append the fields of LIST, the argument of OPTION, to those of the axes.
   Returns 0, or -1 with *ERROR set. */
static int
add_fields(struct spec *spec, const char *option, const char *list,
           struct error *error)
{
    size_t *field;
    size_t count;

    if (record_parse_fields(&spec->record, option, list, &field, &count,
                            error) < 0)
        return -1;
    if (check_own(spec, list, field, count, error) < 0) {
        free(field);
        return -1;
    }
    size_t *all =
        realloc(spec->field, (spec->axis_count + count) * sizeof *all);
    if (all != NULL) {
        memcpy(all + spec->axis_count, field, count * sizeof *field);
        spec->field = all;
        spec->axis_count += count;
    }
    free(field);
    return all != NULL ? 0 : error_fail_memory(error);
}

/*
 * Choose the fields to count: those of --group-by and --fields; without these,
 * all but the weights.
 */
static int
choose_fields(struct spec *spec, const struct spec_options *options,
              struct error *error)
{
    const char *groups = options->text.group_by;
    size_t weight;

    if (find_weight(spec, options->weights, &weight, error) < 0)
        return -1;
    if (options->fields.count > 1) {
        error_set(error, EXIT_USAGE,
                  "--fields is given %zu times; one list has all fields of "
                  "samples, as --fields=1,2",
                  options->fields.count);
        return -1;
    }
    if (groups != NULL && spec->has_weights) {
        error_set(error, EXIT_USAGE,
                  "--weights beside --group-by is for fields of text, not for "
                  "binary records");
        return -1;
    }
    if (groups != NULL && add_fields(spec, "--group-by", groups, error) < 0)
        return -1;
    spec->group_count = spec->axis_count;
    if (options->fields.count == 1)
        return add_fields(spec, "--fields", options->fields.text[0], error);
    if (groups != NULL)
        return 0;
    spec->field = calloc(spec->record.count, sizeof *spec->field);
    if (spec->field == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < spec->record.count; i++) {
        if (i != weight)
            spec->field[spec->axis_count++] = i;
    }
    if (spec->axis_count > 0)
        return 0;
    error_set(error, EXIT_USAGE, "no field to count besides the weights");
    return -1;
}

/* ---- axes ---- */

/* Whether axis I has keys whatever the options are. */
static bool
must_be_key(const struct spec *spec, size_t i)
{
    const struct modifiers *chain;
    enum text_part part;

    if (spec->kind != SPEC_SEQUENCES)
        return false;
    part = (enum text_part)spec->text_fields.field[i].part;
    chain = &spec->text_fields.chain[i];
    return sequence_part_type(part) == SEQUENCE_KEY &&
           (chain->count == 0 ||
            modifiers_give(chain) != MODIFIER_GIVES_DECIMAL);
}

/* Set *TEXT to the argument of OPTION for axis I of COUNT, or to NULL. */
static int
choose_text(const struct axis_option *option, size_t i, size_t count,
            const char **text, struct error *error)
{
    if (option->count > 1 && option->count != count) {
        error_set(error, EXIT_USAGE,
                  "--%s is given %zu times; give it once, or once for each of "
                  "the %zu counted fields",
                  option->name, option->count, count);
        return -1;
    }
    *text = option->count == 0   ? NULL
            : option->count == 1 ? option->text[0]
                                 : option->text[i];
    /* "-" holds the place of an axis without this option. */
    if (*text != NULL && strcmp(*text, "-") == 0)
        *text = NULL;
    return 0;
}

#define PAIR(name) {&given->name, &texts->name},

/* Check that OPTION, with the argument TEXT for the field KEY of keys, is given
   once for all fields: then the argument is for the numbers. */
static int
check_key(const struct axis_option *option, const char **text, const char *key,
          struct error *error)
{
    if (option->count > 1 && *text != NULL) {
        error_set(error, EXIT_USAGE,
                  "--%s=%s: the field %s has keys, not numbers; - holds its "
                  "place",
                  option->name, *text, key);
        return -1;
    }
    *text = NULL;
    return 0;
}

/* Check that axis I has positions, if FastQC's groups of them are wanted. */
static int
check_groups(const struct spec *spec, size_t i, struct error *error)
{
    binning_u32 part = spec->kind == SPEC_SEQUENCES
                           ? spec->text_fields.field[i].part
                           : TEXT_PART_POSITION;

    if (spec->finding[i].kind != AXIS_FINDS_GROUPS ||
        part == TEXT_PART_POSITION || part == TEXT_PART_LENGTH)
        return 0;
    error_set(error, EXIT_USAGE,
              "--edges=fastqc groups positions and lengths, not %s: give one "
              "--edges for each field, as -f position,%s --joint "
              "--edges=fastqc --edges=-",
              spec->text_fields.name[i], spec->text_fields.name[i]);
    return -1;
}

/* Set *TEXTS to the arguments for axis I, which is not a group. */
static int
choose_texts(struct spec *spec, const struct axis_options *given, size_t i,
             struct axis_texts *texts, struct error *error)
{
    size_t groups = spec->group_count;
    const struct {
        const struct axis_option *option;
        const char **text;
    } pairs[] = {AXIS_TEXTS(PAIR)};

    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        if (choose_text(pairs[p].option, i - groups, spec->axis_count - groups,
                        pairs[p].text, error) < 0)
            return -1;
        if (must_be_key(spec, i) &&
            check_key(pairs[p].option, pairs[p].text, spec->text_fields.name[i],
                      error) < 0)
            return -1;
    }
    return axis_finding_parse(&spec->finding[i], texts, error) < 0
               ? -1
               : check_groups(spec, i, error);
}

#define ADD_COUNT(name) +options->axis.name.count

/* Refuse the options for numbers if there are none: all fields are groups or
   keys. */
static int
check_numbers(const struct spec *spec, const struct spec_options *options,
              struct error *error)
{
    bool is_text = spec->kind != SPEC_SAMPLES;
    size_t given = (is_text && options->dtype != NULL) AXIS_TEXTS(ADD_COUNT);
    size_t i = spec->group_count;

    while (i < spec->axis_count && must_be_key(spec, i))
        i++;
    if (given == 0 || i < spec->axis_count)
        return 0;
    error_set(error, EXIT_USAGE,
              !is_text ? "the fields of --group-by have no bins: the options "
                         "for bins are for --fields"
              : spec->group_count == spec->axis_count
                  ? "the fields of --group-by are keys: --dtype and the "
                    "options for bins are for --fields"
                  : "the options for bins are for fields that are numbers: "
                    "position, quality, length, gc and mean qualities");
    return -1;
}

/* Whether axis I is the only one of a histogram. */
static bool
is_alone(const struct spec *spec, size_t i)
{
    for (size_t h = 0; h < spec_histograms(spec); h++) {
        if (spec_own_axis(spec, h) == i)
            return spec_dimensions(spec, h) == 1;
    }
    return false;
}

/*
 * Returns how many bins the k-mers of axis I may have that do not occur: that
 * changes the speed and the memory, and what --full prints.  None beside other
 * axes, and not more than a spectrum gains from.
 */
static uint64_t
kmer_bins(const struct spec *spec, const struct spec_options *options, size_t i,
          uint64_t memory_limit)
{
    uint64_t most = memory_limit / KMER_BIN_BYTES / spec_histograms(spec);

    if (!is_alone(spec, i))
        return 0;
    if (options->all_kmers)
        return UINT64_MAX;
    return spec->is_spectrum && most > KMER_BINS_SPECTRUM ? KMER_BINS_SPECTRUM
                                                          : most;
}

/* Make axis I, that of a field of sequences.  A group has the type of its
   field, but no bins. */
static int
make_sequence_axis(struct spec *spec, const struct spec_options *options,
                   size_t i, uint64_t memory_limit, struct error *error)
{
    struct axis_texts texts = {0};
    const struct field_list *list = &spec->text_fields;
    enum text_part part = (enum text_part)list->field[i].part;
    bool is_group = i < spec->group_count || spec->are_groups;

    if (i >= spec->group_count &&
        choose_texts(spec, &options->axis, i, &texts, error) < 0)
        return -1;
    if (list->chain[i].count > 0 && is_group) {
        text_axis_make_key(&spec->shown[i], &spec->text, true);
        return 0;
    }
    if (list->chain[i].count > 0)
        return text_axis_make(&spec->shown[i], &spec->edges, &spec->text, list,
                              i, &texts, NULL, options->closed, error);
    if (part == TEXT_PART_KMER) {
        text_axis_make_kmer(&spec->shown[i], spec->text.kmer,
                            kmer_bins(spec, options, i, memory_limit));
        return 0;
    }
    return text_axis_make_typed(&spec->shown[i], &spec->edges, &texts,
                                sequence_part_type(part), options->closed,
                                error);
}

/* Make axis I, that of a field of binary records. */
static int
make_sample_axis(struct spec *spec, const struct spec_options *options,
                 size_t i, struct error *error)
{
    struct axis_texts texts = {0};
    struct element element = spec->record.element[spec->field[i]];
    bool is_group = i < spec->group_count || spec->are_groups;
    bool is_short =
        binning_is_float(element.type) && binning_size(element.type) == 1;

    if (!is_group && choose_texts(spec, &options->axis, i, &texts, error) < 0)
        return -1;
    element.is_sparse =
        (options->only_occurring || options->has_figures) && !spec->has_weights;
    element.may_be_sparse = options->may_occur_only;
    element.is_number =
        is_group || spec->group_count > 0 || (options->has_figures && is_short);
    return axis_make(&spec->shown[i], &spec->edges, &texts, &element,
                     is_group ? BINNING_LEFT : options->closed, error);
}

/* Whether OPTIONS say that the field of axis I is a text. */
static bool
stays_text(const struct spec *spec, const struct spec_options *options,
           size_t i)
{
    const struct spec_names *texts = &options->texts;

    for (size_t t = 0; t < texts->count; t++) {
        if (spec_field_is_called(spec, i, texts->name[t],
                                 (size_t)texts->length[t]))
            return true;
    }
    return false;
}

static int
make_axis(struct spec *spec, const struct spec_options *options, size_t i,
          uint64_t memory_limit, struct error *error)
{
    struct axis_texts texts;

    if (spec->kind == SPEC_SAMPLES)
        return make_sample_axis(spec, options, i, error);
    if (spec->kind == SPEC_SEQUENCES)
        return make_sequence_axis(spec, options, i, memory_limit, error);
    if (i < spec->group_count || spec->are_groups) {
        text_axis_make_key(&spec->shown[i], &spec->text,
                           spec->text_fields.chain[i].count > 0 ||
                               field_list_has_parts(&spec->text_fields, i));
        return 0;
    }
    if (choose_texts(spec, &options->axis, i, &texts, error) < 0)
        return -1;
    return text_axis_make(&spec->shown[i], &spec->edges, &spec->text,
                          &spec->text_fields, i, &texts,
                          stays_text(spec, options, i) ? NULL : options->dtype,
                          options->closed, error);
}

static bool
is_narrow(const struct binning_axis *axis)
{
    return binning_size(axis->type) <= 2;
}

static uint64_t
raw_values(const struct binning_axis *axis)
{
    return (uint64_t)1 << 8 * binning_size(axis->type);
}

/* Give a narrow AXIS a lookup table; all tables take at most LIMIT bytes. */
static int
look_up(struct spec *spec, struct binning_axis *axis, uint64_t limit,
        struct error *error)
{
    uint64_t values = raw_values(axis);
    uint64_t bytes = (spec->lookup_count + values) * sizeof *spec->lookup;

    /* A record may have thousands of fields: check before allocating. */
    if (bytes > limit) {
        error_set(error, EXIT_USAGE,
                  "the tables of all fields do not fit into --memory-limit, "
                  "%llu bytes",
                  (unsigned long long)limit);
        return -1;
    }
    uint32_t *grown = realloc(spec->lookup, (size_t)bytes);
    if (grown == NULL)
        return error_fail_memory(error);
    spec->lookup = grown;
    struct binning_tables tables = spec_tables(spec);
    for (uint64_t bits = 0; bits < values; bits++)
        grown[spec->lookup_count + bits] =
            (uint32_t)binning_cell(axis, &tables, bits);
    axis->kind = BINNING_LOOKUP;
    axis->table = spec->lookup_count;
    spec->lookup_count += (size_t)values;
    return 0;
}

/* Make counted axis I from shown axis I; LIMIT is that of look_up(). */
static int
make_counted(struct spec *spec, size_t i, uint64_t limit, struct error *error)
{
    struct binning_axis *counted = &spec->counted[i];

    *counted = spec->shown[i];
    if (spec->uses_tables || !is_narrow(counted))
        return 0;
    /* An axis without a range cannot have a lookup table. */
    if (spec->is_joint || spec->has_weights)
        return counted->is_auto ? 0 : look_up(spec, counted, limit, error);
    counted->kind = BINNING_RAW;
    counted->bins = raw_values(counted);
    counted->is_swapped = 0; /* spec_fold() swaps the bytes */
    return 0;
}

/*
 * Refuse --numpy if all bins are of one value, and --closed=right without bins:
 * the option would have no effect.
 */
static int
check_closed(const struct spec *spec, enum binning_closed closed,
             struct error *error)
{
    char list[AXIS_RULE_LIST_BYTES];

    if (closed == BINNING_LEFT)
        return 0;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (axis_bins(axis) == AXIS_INTERVALS ||
            (closed == BINNING_RIGHT && axis->kind == BINNING_DIRECT))
            return 0;
    }
    axis_rule_list_options(" or ", list);
    error_set(error, EXIT_USAGE, "%s needs %s",
              closed == BINNING_NUMPY ? "--numpy" : "--closed=right", list);
    return -1;
}

/* Whether a cell for each combination of all axes would be too many cells. */
static bool
has_many_cells(const struct spec *spec)
{
    uint64_t cells = 1;

    for (size_t i = 0; i < spec->axis_count && cells <= CELLS_MAX; i++)
        cells *= spec->shown[i].bins + axis_flows(&spec->shown[i]);
    return cells > CELLS_MAX;
}

/*
 * Whether histograms of several axes are sparse.  Fields with bins alone have a
 * cell for each combination, unless there are other histograms; or if
 * ONLY_OCCURRING combinations of binary numbers are shown and all are too many.
 */
static bool
must_be_sparse(const struct spec *spec, bool only_occurring)
{
    return spec->lists > 0 || (spec_dimensions(spec, 0) > 1 &&
                               (spec_key_axes(spec) > 0 ||
                                (spec->kind == SPEC_SAMPLES && only_occurring &&
                                 !spec->has_weights && has_many_cells(spec))));
}

/* Show all bins of the axes of histogram I. */
static void
keep_bins(struct spec *spec, size_t i)
{
    for (size_t d = 0; d < spec_dimensions(spec, i); d++)
        spec->shown[spec_axis_of(spec, i, d)].is_trimmed = false;
}

/* ---- histograms ---- */

/* Whether AXIS has the numbers of the samples themselves, without bins. */
static bool
is_plain_number(const struct binning_axis *axis)
{
    return axis->kind == BINNING_NUMBER && axis->shift == 0 && axis->mod == 0 &&
           axis->mask == UINT64_MAX;
}

/* Which counter counts histogram I. */
static enum counted_kind
kind_of(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    bool is_alone = spec_dimensions(spec, i) == 1;

    if (!spec->uses_tables)
        return COUNTED_CELLS;
    if (!is_alone)
        return spec->is_sparse ? COUNTED_TUPLES : COUNTED_JOINT;
    if (spec->kind == SPEC_SEQUENCES && spec_has_part(spec, i, TEXT_PART_KMER))
        return COUNTED_KMERS;
    if (axis->kind == BINNING_KEY)
        return COUNTED_KEYS;
    return spec->wants_sums != 0 && is_plain_number(axis) ? COUNTED_SUMS
                                                          : COUNTED_NUMBERS;
}

/* The rows of histogram I. */
static enum counted_rows
rows_of(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];

    if (spec->is_sparse && spec_dimensions(spec, i) > 1)
        return ROWS_TUPLES;
    if (axis->kind == BINNING_KEY)
        return ROWS_KEYS;
    if (axis->kind == BINNING_NUMBER)
        return ROWS_NUMBERS;
    return axis_is_kmers(axis) ? ROWS_KMERS : ROWS_BINS;
}

int
spec_compile(struct spec *spec)
{
    size_t histograms = spec_histograms(spec);
    bool has_sums = false;

    spec->histogram = calloc(histograms, sizeof *spec->histogram);
    if (spec->histogram == NULL)
        return -1;
    for (size_t i = 0; i < histograms; i++) {
        spec->histogram[i].kind = kind_of(spec, i);
        has_sums |= spec->histogram[i].kind == COUNTED_SUMS;
        spec->histogram[i].unit = spec_unit(spec, i);
        counted_histogram_show(&spec->histogram[i], rows_of(spec, i));
    }
    if (!has_sums)
        spec->wants_sums = 0;
    return 0;
}

static int
make_axes(struct spec *spec, const struct spec_options *options,
          uint64_t memory_limit, struct error *error)
{
    /* Half of the limit: the memory of the edges grows by doubling. */
    spec->edges.most =
        (size_t)(memory_limit / 2 / sizeof *spec->edges.edge + 1);
    spec->shown = calloc(spec->axis_count, sizeof *spec->shown);
    spec->counted = calloc(spec->axis_count, sizeof *spec->counted);
    spec->finding = calloc(spec->axis_count, sizeof *spec->finding);
    if (spec->shown == NULL || spec->counted == NULL || spec->finding == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (make_axis(spec, options, i, memory_limit, error) < 0)
            return -1;
    }
    spec->is_sparse = must_be_sparse(spec, options->only_occurring);
    spec->uses_tables =
        spec->kind != SPEC_SAMPLES || spec->is_sparse || spec_lacks_bins(spec);
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (make_counted(spec, i, memory_limit, error) < 0)
            return -1;
        spec->grows |= spec_grows(spec, i);
    }
    spec->adds = spec->has_weights                       ? ADDS_WEIGHT
                 : spec->text.counts != TEXT_COUNTS_NONE ? ADDS_COUNT
                                                         : ADDS_ONE;
    spec->planes = 1;
    if (spec->has_weights)
        spec->planes += (unsigned int)weighing_planes(spec->weight.type);
    if (check_closed(spec, options->closed, error) < 0)
        return -1;
    if (spec_compile(spec) < 0)
        return error_fail_memory(error);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].rows == ROWS_TUPLES)
            keep_bins(spec, i);
    }
    if (spec_place(spec, spec->shown, CELLS_MAX, &spec->shown_cells) < 0 ||
        spec_place(spec, spec->counted, CELLS_MAX, &spec->cells) < 0) {
        error_set(error, EXIT_USAGE,
                  "the axes together have more than 2^31 cells; use fewer "
                  "--bins, or --range");
        return -1;
    }
    return 0;
}

/* Groups alone are counted themselves. */
static void
count_groups(struct spec *spec)
{
    if (spec->group_count < spec->axis_count)
        return;
    spec->is_joint |= spec->axis_count > 1;
    spec->group_count = 0;
    spec->are_groups = true;
}

/* Whether each histogram has a right number of axes. */
static int
check_dimensions(const struct spec *spec, struct error *error)
{
    bool is_joint = spec->is_joint || spec->lists > 0;
    size_t most = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t count = spec_dimensions(spec, i);
        most = count > most ? count : most;
    }
    /* Of several lists, each may have one field. */
    if (most <= SPEC_AXES_MAX && (most > 1 || !is_joint || spec->lists > 1))
        return 0;
    error_set(error, EXIT_USAGE, "%s for %d to %d fields, not %zu",
              is_joint ? "--joint is" : "--group-by and --fields are",
              is_joint ? 2 : 1, SPEC_AXES_MAX, most);
    return -1;
}

/* Make each of the COUNT lists of fields that end at END a histogram. */
static int
make_lists(struct spec *spec, const size_t *end, size_t count,
           struct error *error)
{
    if (spec->kind != SPEC_SEQUENCES) {
        error_set(error, EXIT_USAGE,
                  "--joint takes several lists of --fields only with --seq");
        return -1;
    }
    spec->list_end = calloc(count, sizeof *spec->list_end);
    if (spec->list_end == NULL)
        return error_fail_memory(error);
    memcpy(spec->list_end, end, count * sizeof *end);
    spec->lists = count;
    spec->is_joint = false;
    return 0;
}

/* Let the keys of fields of text be counted in lower case.  Returns 0, or -1
   with *ERROR set. */
static int
lower_keys(struct spec *spec, struct error *error)
{
    struct field_list *list = &spec->text_fields;
    size_t keys = 0;

    for (size_t i = 0; i < spec->axis_count; i++) {
        struct modifiers *chain = &list->chain[i];
        if (spec->shown[i].kind != BINNING_KEY)
            continue;
        keys++;
        if (chain->count > 0 && modifiers_give(chain) == MODIFIER_GIVES_DECIMAL)
            continue;
        if (modifiers_add(chain, "lower") < 0)
            return error_fail_memory(error);
    }
    spec->text.is_derived = 1;
    if (keys > 0)
        return 0;
    error_set(error, EXIT_USAGE,
              "--ignore-case is for keys, and all fields are numbers");
    return -1;
}

/* Check that --prefix has keys to cut. */
static int
check_prefix(const struct spec *spec, struct error *error)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (spec->shown[i].kind == BINNING_KEY)
            return 0;
    }
    error_set(error, EXIT_USAGE,
              "--prefix is for keys, and all fields are numbers");
    return -1;
}

/* Set the format of text, and the kind of the records. */
static int
make_format(struct spec *spec, const struct spec_options *options,
            struct error *error)
{
    if (sequence_options_format(&options->text, &spec->text, error) < 0)
        return -1;
    spec->kind =
        spec->text.kind == TEXT_SEQUENCES ? SPEC_SEQUENCES : SPEC_FIELDS;
    spec->may_misfit = text_type_of(spec->text.kind)->has_misfits ||
                       text_type_of(spec->text.kind)->has_limits;
    /* A header with a single column says that a blank line is a value.  No
       other input may decide that. */
    bool is_single = options->header != NULL && options->columns == 1;
    spec->text.skips_blank =
        text_type_of(spec->text.kind)->skips_blank && !is_single;
    return 0;
}

static struct text_wanted
wanted_of(const struct spec_options *options)
{
    return (struct text_wanted){.fields = options->fields.text,
                                .lists = options->fields.count,
                                .weights = options->weights,
                                .is_joint = options->joint,
                                .is_all = options->all_fields,
                                .columns = options->columns};
}

/* Count fields of text: an axis for each. */
static int
make_text(struct spec *spec, const struct spec_options *options,
          uint64_t memory_limit, struct error *error)
{
    spec->prefix = options->prefix == 0 || options->prefix > KEY_BYTES_MAX
                       ? KEY_BYTES_MAX
                       : (uint32_t)options->prefix;
    const struct text_wanted wanted = wanted_of(options);
    struct text_fields fields = {0};
    int result =
        record_parse(&spec->record, "u1", ORDER_MACHINE, "--dtype", error);
    if (result == 0)
        result = make_format(spec, options, error);
    if (result == 0)
        result = condition_list_parse(&spec->conditions, &spec->text,
                                      options->where.text, options->where.count,
                                      error);
    if (result == 0)
        result = sequence_options_fields(&options->text, &spec->text,
                                         options->header, &wanted,
                                         &spec->conditions, &fields, error);
    spec->text_fields = fields.list;
    if (result < 0)
        return -1;
    spec->may_misfit |= condition_list_has_expression(&spec->conditions);
    spec->text.is_derived = field_list_is_derived(&spec->text_fields);
    spec->axis_count = fields.counted;
    spec->group_count = fields.groups;
    spec->all_fields = options->all_fields;
    spec->has_rest = fields.has_rest;
    spec->has_members = fields.has_members;
    spec->has_weights = options->weights != NULL;
    spec->weight.type = SAMPLE_DECIMAL;
    spec->text_weight = fields.weight;
    if (spec->text.counts == TEXT_COUNTS_LAST && wanted.lists == 0 &&
        options->text.group_by == NULL)
        spec->text.counts = TEXT_COUNTS_ONLY;
    if (check_numbers(spec, options, error) < 0)
        return -1;
    if (options->joint && wanted.lists > 1 &&
        make_lists(spec, fields.end, wanted.lists, error) < 0)
        return -1;
    count_groups(spec);
    if (check_dimensions(spec, error) < 0 ||
        spec_check_text(spec, options, error) < 0)
        return -1;
    spec->field = calloc(spec->axis_count, sizeof *spec->field);
    if (spec->field == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < spec->axis_count; i++)
        spec->field[i] = i;
    spec->is_spectrum = options->spectrum;
    if (make_axes(spec, options, memory_limit, error) < 0 ||
        (options->text.ignores_case && lower_keys(spec, error) < 0) ||
        (options->prefix > 0 && check_prefix(spec, error) < 0))
        return -1;
    return spec_check_spectrum(spec, error);
}

int
spec_make(struct spec *spec, const struct spec_options *options,
          const struct image_format *image, uint64_t memory_limit,
          struct error *error)
{
    *spec = (struct spec){.is_joint = options->joint};
    if (text_options_are_given(&options->text))
        return make_text(spec, options, memory_limit, error);
    if ((image != NULL ? make_pixel(spec, image, error)
                       : make_record(spec, options, error)) < 0 ||
        choose_fields(spec, options, error) < 0 ||
        (spec->group_count > 0 && check_numbers(spec, options, error) < 0))
        return -1;
    count_groups(spec);
    if (check_dimensions(spec, error) < 0)
        return -1;
    spec->wants_sums = options->only_sums;
    return make_axes(spec, options, memory_limit, error);
}

/* spec.c -- what to count: records, fields and axes */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hist/axis_make.h"
#include "hist/axis_rule.h"
#include "hist/spec.h"
#include "hist/text_axis.h"
#include "weighing.h"

/* Cell numbers have 32 bits in tables and on devices. */
#define CELLS_MAX AXIS_BINS_MAX

/* ---- fields ---- */

/* Make the record a pixel: one field for each channel. */
static int
make_pixel(struct spec *spec, const struct image_format *image,
           struct error *error)
{
    char text[32];

    snprintf(text, sizeof text, "%s*%u",
             image->sample_bytes == 2 ? ">u2" : "u1", image->channels);
    if (record_parse(&spec->record, text, ORDER_MACHINE, "--image", error) < 0)
        return -1;
    for (size_t i = 0; i < spec->record.count; i++)
        spec->record.element[i].most = image->maxval;
    return 0;
}

static int
make_record(struct spec *spec, const struct spec_options *options,
            struct error *error)
{
    if (options->npy != NULL) {
        if (record_copy(&spec->record, options->npy) == 0)
            return 0;
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
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
    return record_parse(&spec->record,
                        options->dtype != NULL ? options->dtype : "u1",
                        options->endian, "--dtype", error);
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
    if (record_parse_fields(&spec->record, text, &list, &count, error) < 0) {
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

/* Choose the fields to count: those of --fields, or all but the weights. */
static int
choose_fields(struct spec *spec, const struct spec_options *options,
              struct error *error)
{
    size_t weight;

    if (find_weight(spec, options->weights, &weight, error) < 0)
        return -1;
    if (options->fields != NULL)
        return record_parse_fields(&spec->record, options->fields, &spec->field,
                                   &spec->axis_count, error);
    spec->field = calloc(spec->record.count, sizeof *spec->field);
    if (spec->field == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
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

/* Set *TEXTS to the arguments for axis I, which is no group. */
static int
choose_texts(const struct spec *spec, const struct axis_options *given,
             size_t i, struct axis_texts *texts, struct error *error)
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
    }
    return 0;
}

#define ADD_COUNT(name) +options->axis.name.count

/* Refuse the options for numbers if there are none: all fields are groups. */
static int
check_groups(const struct spec_options *options, struct error *error)
{
    size_t given = (options->dtype != NULL) AXIS_TEXTS(ADD_COUNT);

    if (given == 0)
        return 0;
    error_set(error, EXIT_USAGE,
              "the fields of --group-by are keys: --dtype and the options for "
              "bins are for --fields");
    return -1;
}

static int
make_axis(struct spec *spec, const struct spec_options *options, size_t i,
          struct error *error)
{
    struct axis_texts texts;

    if (i < spec->group_count) {
        spec->shown[i] = (struct binning_axis){.kind = BINNING_KEY};
        return 0;
    }
    if (choose_texts(spec, &options->axis, i, &texts, error) < 0)
        return -1;
    if (spec->is_text)
        return text_axis_make(&spec->shown[i], &spec->edges, &texts,
                              options->dtype, options->closed, error);
    struct element element = spec->record.element[spec->field[i]];
    element.is_sparse =
        options->only_occurring && !spec->is_joint && !spec->has_weights;
    return axis_make(&spec->shown[i], &spec->edges, &texts, &element,
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
    if (grown == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
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
 * Refuse --numpy if all bins are of one value, and --closed=right if there are
 * no bins: it would have no effect.
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
        if (axis_has_edges(axis) ||
            (closed == BINNING_RIGHT && axis_is_direct(axis)))
            return 0;
    }
    axis_rule_list_options(" or ", list);
    error_set(error, EXIT_USAGE, "%s needs %s",
              closed == BINNING_NUMPY ? "--numpy" : "--closed=right", list);
    return -1;
}

/* The number of cells of AXIS; a lookup has the flow cells of SHOWN. */
static uint64_t
axis_cells(const struct binning_axis *axis, const struct binning_axis *shown)
{
    return axis->bins + axis_flows(axis->kind == BINNING_LOOKUP ? shown : axis);
}

/*
 * Set base and stride of the axes AXIS of SPEC, and *CELLS to the number of
 * their cells.  Returns 0, or -1: more than MOST cells.
 */
static int
place(const struct spec *spec, struct binning_axis *axis, uint64_t most,
      uint64_t *cells)
{
    *cells = spec->is_joint ? 1 : 0;
    /* In a joint histogram the last axis varies fastest. */
    for (size_t n = 0; n < spec->axis_count; n++) {
        size_t i = spec->is_joint ? spec->axis_count - 1 - n : n;
        uint64_t count = axis_cells(&axis[i], &spec->shown[i]);

        axis[i].stride = spec->is_joint ? *cells : 1;
        axis[i].base = spec->is_joint ? 0 : *cells;
        if (spec->is_joint ? __builtin_mul_overflow(*cells, count, cells)
                           : __builtin_add_overflow(*cells, count, cells))
            return -1;
        if (*cells > most)
            return -1;
    }
    return 0;
}

void
spec_place_shown(struct spec *spec)
{
    /* Only engines have a limit; the shown axes may have a bin for each key. */
    (void)place(spec, spec->shown, UINT64_MAX, &spec->shown_cells);
}

/* The first cell behind those of the first COUNT histograms. */
static uint64_t
tuples_end(const struct spec *spec, size_t count)
{
    uint64_t cells = 0;

    for (size_t i = 0; i < count; i++)
        cells += spec->keys[i].count;
    return cells;
}

void
spec_set_keys(struct spec *spec, const struct key_list *keys)
{
    spec->keys = keys;
    if (spec->is_sparse) {
        spec->shown_cells = tuples_end(spec, spec_histograms(spec));
        return;
    }
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (axis_is_key(&spec->shown[i]))
            spec->shown[i].bins = keys[i].count;
    }
    spec_place_shown(spec);
}

size_t
spec_key_axes(const struct spec *spec)
{
    size_t count = 0;

    for (size_t i = 0; i < spec->axis_count; i++)
        count += axis_is_key(&spec->shown[i]);
    return count;
}

bool
spec_lacks_bins(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (axis_is_sparse(&spec->shown[i]))
            return true;
    }
    return false;
}

void
spec_keep_bins(struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++)
        spec->shown[i].is_trimmed = false;
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
    if (spec->shown == NULL || spec->counted == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (make_axis(spec, options, i, error) < 0)
            return -1;
    }
    spec->uses_tables = spec->is_text || spec_lacks_bins(spec);
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (make_counted(spec, i, memory_limit, error) < 0)
            return -1;
    }
    spec->planes = 1;
    if (spec->has_weights)
        spec->planes += (unsigned int)weighing_planes(spec->weight.type);
    if (check_closed(spec, options->closed, error) < 0)
        return -1;
    /* Fields with bins alone have a cell for each combination. */
    spec->is_sparse =
        spec->is_text && spec_dimensions(spec) > 1 && spec_key_axes(spec) > 0;
    if (spec->is_sparse) {
        spec_keep_bins(spec);
        return 0;
    }
    if (place(spec, spec->shown, CELLS_MAX, &spec->shown_cells) < 0 ||
        place(spec, spec->counted, CELLS_MAX, &spec->cells) < 0) {
        error_set(error, EXIT_USAGE,
                  "the axes together have more than 2^31 cells; use fewer "
                  "--bins, or --range");
        return -1;
    }
    return 0;
}

/* Whether a histogram has a right number of axes. */
static int
check_dimensions(const struct spec *spec, struct error *error)
{
    size_t count = spec_dimensions(spec);

    if (count <= SPEC_AXES_MAX && (count > 1 || !spec->is_joint))
        return 0;
    error_set(error, EXIT_USAGE, "%s for %d to %d fields, not %zu",
              spec->is_joint ? "--joint is" : "--group-by and --fields are",
              spec->is_joint ? 2 : 1, SPEC_AXES_MAX, count);
    return -1;
}

/* Count fields of text: an axis for each. */
static int
make_text(struct spec *spec, const struct spec_options *options,
          uint64_t memory_limit, struct error *error)
{
    spec->is_text = true;
    spec->prefix = options->prefix == 0 || options->prefix > KEY_BYTES_MAX
                       ? KEY_BYTES_MAX
                       : (uint32_t)options->prefix;
    const struct text_wanted wanted = {options->fields, options->weights};
    struct text_fields fields = {0};
    int result =
        record_parse(&spec->record, "u1", ORDER_MACHINE, "--dtype", error);
    if (result == 0)
        result = text_options_format(&options->text, &spec->text, error);
    if (result == 0)
        result = text_options_fields(&options->text, &spec->text,
                                     options->header, &wanted, &fields, error);
    spec->text_fields = fields.list;
    if (result < 0)
        return -1;
    spec->axis_count = fields.counted;
    spec->group_count = fields.groups;
    spec->has_weights = options->weights != NULL;
    spec->weight.type = SAMPLE_DECIMAL;
    spec->text_weight = fields.weight;
    /* Groups alone are counted themselves. */
    if (spec->group_count == spec->axis_count) {
        if (check_groups(options, error) < 0)
            return -1;
        spec->is_joint |= spec->axis_count > 1;
        spec->group_count = 0;
    }
    if (check_dimensions(spec, error) < 0)
        return -1;
    spec->field = calloc(spec->axis_count, sizeof *spec->field);
    if (spec->field == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < spec->axis_count; i++)
        spec->field[i] = i;
    return make_axes(spec, options, memory_limit, error);
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
        choose_fields(spec, options, error) < 0)
        return -1;
    if (check_dimensions(spec, error) < 0)
        return -1;
    return make_axes(spec, options, memory_limit, error);
}

size_t
spec_histograms(const struct spec *spec)
{
    return spec->is_joint ? 1 : spec->axis_count - spec->group_count;
}

size_t
spec_dimensions(const struct spec *spec)
{
    return spec->is_joint ? spec->axis_count : spec->group_count + 1;
}

size_t
spec_axis_of(const struct spec *spec, size_t i, size_t d)
{
    return d < spec->group_count ? d : i + d;
}

uint64_t
spec_first_cell(const struct spec *spec, size_t i)
{
    if (spec->is_sparse)
        return tuples_end(spec, i);
    return spec->is_joint ? 0 : spec->shown[i].base;
}

bool
spec_has_list(const struct spec *spec, size_t i)
{
    return spec->is_sparse || axis_is_key(&spec->shown[i]);
}

enum key_kind
spec_key_kind(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[i];

    if (!axis_is_key(axis))
        return KEY_CELL;
    return axis_is_sparse(axis) ? axis_key_kind(axis) : KEY_TEXT;
}

bool
spec_codes_grow(const struct spec *spec, size_t i)
{
    return spec->is_sparse && spec->shown[i].is_auto;
}

bool
spec_field_is_named(const struct spec *spec, size_t i)
{
    return spec->is_text ? spec->text_fields.name[i] != NULL
                         : spec->record.name != NULL;
}

const char *
spec_field_text(const struct spec *spec, size_t i, char text[SPEC_FIELD_BYTES])
{
    if (!spec_field_is_named(spec, i))
        return spec_field_number(spec, i, text);
    return spec->is_text ? spec->text_fields.name[i]
                         : spec->record.name[spec->field[i]];
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

const char *
spec_field_number(const struct spec *spec, size_t i,
                  char text[SPEC_FIELD_BYTES])
{
    if (spec->is_text)
        return text_field_number(&spec->text_fields.field[i], text);
    snprintf(text, SPEC_FIELD_BYTES, "%zu", spec->field[i] + 1);
    return text;
}

const char *
spec_weight_text(const struct spec *spec, char text[SPEC_FIELD_BYTES])
{
    size_t field = 0;

    if (spec->is_text) {
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

struct binning_tables
spec_tables(const struct spec *spec)
{
    return (struct binning_tables){spec->edges.edge, spec->lookup};
}

bool
spec_grows(const struct spec *spec, size_t i)
{
    return !spec->uses_tables && spec->counted[i].is_auto &&
           spec->counted[i].kind == BINNING_EVEN;
}

bool
spec_is_growing(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (spec_grows(spec, i))
            return true;
    }
    return false;
}

uint64_t
spec_axis_cells(const struct spec *spec, size_t i)
{
    return axis_cells(&spec->counted[i], &spec->shown[i]);
}

bool
spec_has_raw(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        if (spec->counted[i].kind == BINNING_RAW)
            return true;
    }
    return false;
}

uint64_t
spec_table_bytes(const struct spec *spec)
{
    return spec->cells * spec->planes * sizeof(uint64_t);
}

uint64_t
spec_other_bytes(const struct spec *spec)
{
    uint64_t bytes = spec->edges.count * sizeof *spec->edges.edge +
                     spec->lookup_count * sizeof *spec->lookup;
    return spec_has_raw(spec) ? bytes + spec->shown_cells * sizeof(uint64_t)
                              : bytes;
}

bool
spec_adds_up(const struct spec *spec, const struct histogram *histogram,
             uint64_t records)
{
    if (spec->is_joint)
        return histogram_total(histogram, 0, spec->cells) == records;
    for (size_t i = 0; spec->is_sparse && i < spec_histograms(spec); i++) {
        if (histogram_total(histogram, tuples_end(spec, i),
                            spec->keys[i].count) != records)
            return false;
    }
    for (size_t i = 0; !spec->is_sparse && i < spec->axis_count; i++) {
        if (histogram_total(histogram, spec->counted[i].base,
                            spec_axis_cells(spec, i)) != records)
            return false;
    }
    return true;
}

void
spec_close(struct spec *spec)
{
    record_close(&spec->record);
    field_list_close(&spec->text_fields);
    free(spec->field);
    free(spec->shown);
    free(spec->counted);
    free(spec->edges.edge);
    free(spec->lookup);
}

/* SPDX-License-Identifier: MIT */
/* recorded.c -- the record of a run in its state, written and read back */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "cli/option_parse.h"
#include "cli/recorded.h"
#include "hist/axis_edges.h"
#include "input/read/findings.h"
#include "report/report.h"
#include "state/portion_line.h"
#include "state/state_write.h"

/* What a state records for --columns if it has sums of numbers, and not the
   numbers. */
static const char figures_of_sums[] = "count,min,max,sum,sd";

/* ---- options, to a state ---- */

/* What put_options() has done so far. */
struct recording {
    const struct spec *spec;
    size_t edges; /* how often --edges was given */
    size_t all_edges;
    bool has_header; /* --header-in was given */
    bool is_found;   /* the arguments for bins are not as typed */
    struct state_lines *lines;
};

/* Whether ROW has arguments that an earlier pass may find. */
static bool
is_of_bins(const struct option_row *row)
{
    return strcmp(row->name, "range") == 0 || strcmp(row->name, "bins") == 0 ||
           strcmp(row->name, "edges") == 0;
}

/* Returns the axis of the next option --edges.  If the option is for all axes,
   returns the first axis with edges. */
static const struct binning_axis *
axis_of_edges(const struct recording *recording)
{
    const struct spec *spec = recording->spec;
    size_t i = spec->group_count;

    if (recording->all_edges > 1)
        return &spec->shown[i + recording->edges];
    while (!axis_edges_are_of(&spec->shown[i]))
        i++;
    return &spec->shown[i];
}

/* Add "--NAME=VALUE", or "--NAME" if VALUE is NULL.  Returns 0, or -1. */
static int
put_option(struct state_lines *lines, const char *name, const char *value)
{
    char *text;

    if (asprintf(&text, "--%s%s%s", name, value != NULL ? "=" : "",
                 value != NULL ? value : "") < 0)
        return -1;
    int result = state_lines_add_text(lines, text);
    free(text);
    return result;
}

/* Returns 0, or -1: out of memory; *ERROR stays as it is. */
static int
record(void *context, const struct option_row *row, const char *value,
       struct error *error)
{
    struct recording *recording = context;
    bool is_edges = strcmp(row->name, "edges") == 0;
    int result;

    (void)error;
    if (!row->is_counting || (recording->is_found && is_of_bins(row)))
        return 0;
    if (is_edges && value[0] == '@') {
        char *text =
            axis_edges_text(axis_of_edges(recording), &recording->spec->edges);
        result =
            text != NULL ? put_option(recording->lines, row->name, text) : -1;
        free(text);
    } else {
        result = put_option(recording->lines, row->name, value);
    }
    recording->edges += is_edges;
    recording->has_header |= strcmp(row->name, "header-in") == 0;
    return result;
}

/* Whether an earlier pass found an argument of OPTIONS. */
static bool
has_found(const struct axis_options *options)
{
    bool has_any = false;

    for (size_t i = 0; i < options->range.count; i++)
        has_any |= axis_finding_range(options->range.text[i]) != NULL;
    for (size_t i = 0; i < options->edges.count; i++)
        has_any |= axis_finding_edges(options->edges.text[i]) != NULL;
    return has_any;
}

/* Add OPTION, whose arguments may be found; but list the edges of a file.
   Returns 0, or -1: out of memory. */
static int
put_found(const struct recording *recording, const struct axis_option *option)
{
    const struct spec *spec = recording->spec;
    int result = 0;

    for (size_t i = 0; i < option->count && result == 0; i++) {
        const char *text = option->text[i];
        char *edges = *text == '@'
                          ? axis_edges_text(&spec->shown[spec->group_count + i],
                                            &spec->edges)
                          : NULL;
        result = *text == '@' && edges == NULL
                     ? -1
                     : put_option(recording->lines, option->name,
                                  edges != NULL ? edges : text);
        free(edges);
    }
    return result;
}

/*
 * Add what -c implies, lines, and --profile: the place of the header, and all
 * fields, whose number the inputs say.  Returns 0, or -1: out of memory.
 */
static int
put_implied(const struct options *options, const struct spec *spec,
            bool has_header, struct state_lines *lines)
{
    char fields[32];

    if (options->is_uniq && put_option(lines, "lines", NULL) < 0)
        return -1;
    if (!options->report.profile)
        return 0;
    if (options->spec.text.header == HEADER_FIRST && !has_header &&
        put_option(lines, "header-in", "first") < 0)
        return -1;
    if (spec->has_rest) {
        snprintf(fields, sizeof fields, "1-%zu", spec->axis_count);
        if (put_option(lines, "fields", fields) < 0)
            return -1;
    }
    return options->spec.all_fields ? put_option(lines, "profile", NULL) : 0;
}

/* Whether FORMAT counts what no other option asks for. */
static bool
counts_more(const struct report_format *format)
{
    return format->counts_references || format->sums_checksums;
}

/* The format implies its fields.  Returns 0, or -1: out of memory. */
static int
put_fields_of_format(const struct options *options, struct state_lines *lines)
{
    const struct report_format *format =
        &report_formats[options->report.format];
    const char *const *fields = format->fields;

    if (format->counts_all && put_option(lines, "all-alignments", NULL) < 0)
        return -1;
    if (counts_more(format) && put_option(lines, "format", format->name) < 0)
        return -1;
    for (size_t i = 0; fields != NULL && fields[i] != NULL; i++) {
        if (put_option(lines, "fields", fields[i]) < 0)
            return -1;
    }
    return fields != NULL && report_format_is_joint(format)
               ? put_option(lines, "joint", NULL)
               : 0;
}

/*
 * Add the fields that the figures of --columns name: all, unless --fields does,
 * and as figures those that are texts beside numbers.  Returns 0, or -1: out of
 * memory.
 */
static int
put_named_fields(const struct options *options, struct state_lines *lines)
{
    const struct spec_names *texts = &options->spec.texts;

    if (options->named_fields[0] != '\0' &&
        put_option(lines, "fields", options->named_fields) < 0)
        return -1;
    for (size_t t = 0; t < texts->count; t++) {
        char *value;
        if (asprintf(&value, "%.*s:count", texts->length[t], texts->name[t]) <
            0)
            return -1;
        int result = put_option(lines, "columns", value);
        free(value);
        if (result < 0)
            return -1;
    }
    return 0;
}

/*
 * Add the options of which SPEC was made to LINES, as typed; but list the edges
 * of a file, and add what an earlier pass found.  Returns 0, or -1: out of
 * memory.
 */
static int
put_options(const struct options *options, const struct spec *spec,
            struct state_lines *lines)
{
    struct recording recording = {.spec = spec,
                                  .all_edges = options->spec.axis.edges.count,
                                  .is_found = has_found(&options->spec.axis),
                                  .lines = lines};
    const struct option_taker taker = {record, &recording, false};
    char *const *words = options->provenance.arguments;
    char *const *end = words + options->provenance.argument_count;
    struct error error = ERROR_NONE;

    while (words < end && strcmp(*words, "--") != 0) {
        int used = option_parse_word(&taker, words, &error);
        if (used < 0)
            return -1;
        words += used;
    }
    if (recording.is_found &&
        (put_found(&recording, &options->spec.axis.bins) < 0 ||
         put_found(&recording, &options->spec.axis.range) < 0 ||
         put_found(&recording, &options->spec.axis.edges) < 0))
        return -1;
    /* --columns implies this type. */
    if (options->spec.dtype != NULL &&
        strcmp(options->spec.dtype, "decimal") == 0 &&
        put_option(lines, "dtype", options->spec.dtype) < 0)
        return -1;
    if (put_implied(options, spec, recording.has_header, lines) < 0 ||
        put_named_fields(options, lines) < 0)
        return -1;
    if (put_fields_of_format(options, lines) < 0)
        return -1;
    /* Numbers of a sample that have no bins would be refused.  For figures,
       short floats are counted as numbers, too. */
    if (spec->kind != SPEC_SAMPLES || !spec->uses_tables)
        return 0;
    if (!options_have_figures(options))
        return put_option(lines, "nonzero", NULL);
    return put_option(lines, "columns",
                      spec->wants_sums != 0 ? figures_of_sums : "count");
}

/* ---- the head of a state ---- */

/* Add the names of HEADER.  Returns 0, or -1: out of memory. */
static int
put_names(struct state_lines *lines, const struct text_header *header)
{
    /* The fields of a log are the same wherever their names stand. */
    if (header != NULL && header->format != NULL)
        return 0;
    for (size_t i = 0; header != NULL && i < header->count; i++) {
        state_lines_put(lines, header->name[i].bytes, header->name[i].size);
        if (state_lines_end(lines) < 0)
            return -1;
    }
    return 0;
}

/* Add BYTES outside the elements of .npy files.  Returns as put_names(). */
static int
put_gap(struct state_lines *lines, size_t bytes)
{
    char text[32];

    if (bytes == 0)
        return 0;
    snprintf(text, sizeof text, "x*%zu", bytes);
    return state_lines_add_text(lines, text);
}

/* Add the elements of RECORD, of .npy files.  Returns as put_names(). */
static int
put_elements(struct state_lines *lines, const struct record *record)
{
    size_t end = 0;

    for (size_t i = 0; i < record->count; i++) {
        const struct element *element = &record->element[i];
        char text[8];

        if (put_gap(lines, element->offset - end) < 0)
            return -1;
        end = element->offset + binning_size(element->type);
        snprintf(text, sizeof text, "%c%s", element->is_swapped ? '>' : '<',
                 record_type_name(element->type));
        state_lines_put_text(lines, text);
        state_lines_put_text(lines,
                             record->name != NULL ? record->name[i] : "");
        if (state_lines_end(lines) < 0)
            return -1;
    }
    return put_gap(lines, record->bytes - end);
}

/* Add the format of images.  Returns as put_names(). */
static int
put_image(struct state_lines *lines, const struct image_format *image)
{
    const unsigned int number[] = {image->channels, image->sample_bytes,
                                   image->maxval};

    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        char text[16];
        snprintf(text, sizeof text, "%u", number[i]);
        state_lines_put_text(lines, text);
    }
    return state_lines_end(lines);
}

/*
 * Add INPUTS as portions.  If NOTHING_COUNTED, as of comments, the portions are
 * empty: counting an empty portion again makes no difference.  Returns 0, or -1
 * with *ERROR set, unless memory ran out.
 */
static int
put_portions(struct state_lines *lines, const struct inputs *inputs,
             bool nothing_counted, struct error *error)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const struct portion *portion =
            identity_portion(findings_identity(inputs, i), error);
        if (error->status != EXIT_DONE)
            return -1;
        /* Standard input named again has no portion. */
        if (portion == NULL)
            continue;
        struct portion kept = *portion;
        kept.is_empty |= nothing_counted;
        if (portion_line_add(lines, &kept) < 0)
            return -1;
    }
    return 0;
}

/* Make the head of a run.  Returns as put_portions(). */
static int
make_head(struct state_head *head, const struct options *options,
          const struct inputs *inputs, const struct snapshot *counts,
          struct error *error)
{
    const struct reading *reading = &inputs->reading;
    struct state_lines *list = head->list;

    head->by = strdup("gpuhist " VERSION);
    if (head->by == NULL ||
        put_options(options, counts->spec, &list[STATE_OPTIONS]) < 0 ||
        put_names(&list[STATE_NAMES], reading->header) < 0)
        return -1;
    if (reading->npy != NULL &&
        put_elements(&list[STATE_ELEMENTS], &reading->npy->record) < 0)
        return -1;
    if (reading->is_image &&
        put_image(&list[STATE_IMAGE], &reading->format) < 0)
        return -1;
    return put_portions(&list[STATE_PORTIONS], inputs,
                        counts->elements[SEQUENCE_READS] == 0, error);
}

int
recorded_put(struct writer *out, const struct options *options,
             const struct inputs *inputs, const struct snapshot *counts,
             struct error *error)
{
    struct state_head head = {0};
    int result = make_head(&head, options, inputs, counts, error);

    if (result == 0)
        result = state_write(out, &head, counts, error);
    else if (error->status == EXIT_DONE)
        (void)error_fail_memory(error);
    state_head_close(&head);
    return result;
}

/* ---- options, from a state ---- */

/* Apply VALUE of ROW, if it is a format that counts more than its fields.
   Returns whether it is. */
static bool
apply_format(const struct option_row *row, const char *value,
             struct text_options *text)
{
    const int word = strcmp(row->name, "format") == 0
                         ? option_row_find_word(row, value, strlen(value))
                         : -1;

    if (word < 0)
        return false;
    const struct report_format *format =
        &report_formats[row->first + (unsigned int)word];
    text->counts_references |= format->counts_references;
    text->sums_checksums |= format->sums_checksums;
    return counts_more(format);
}

/* Add the field in VALUE before COLON to TEXTS.  Returns 0, or -1 with *ERROR
   set. */
static int
add_text(struct spec_names *texts, const char *value, const char *colon,
         struct error *error)
{
    if (texts->count == SPEC_AXES_MAX) {
        error_set(error, EXIT_DATA, "too many fields");
        return -1;
    }
    texts->name[texts->count] = value;
    texts->length[texts->count++] = (int)(colon - value);
    return 0;
}

/* Apply an option to CONTEXT, struct options. */
static int
apply(void *context, const struct option_row *row, const char *value,
      struct error *error)
{
    struct options *options = context;

    /* A state lists the edges, and no file. */
    if (strcmp(row->name, "edges") == 0 && value[0] == '@') {
        error_set(error, EXIT_DATA, "names a file");
        return -1;
    }
    if (row->is_counting)
        return row->set(row, options, value, error);
    if (strcmp(row->name, "nonzero") == 0) {
        options->spec.only_occurring = true;
        return 0;
    }
    if (strcmp(row->name, "profile") == 0) {
        options->spec.all_fields = true;
        options->report.profile = true;
        return 0;
    }
    if (strcmp(row->name, "columns") == 0) {
        const char *colon = strrchr(value, ':');
        if (colon != NULL)
            return add_text(&options->spec.texts, value, colon, error);
        options->spec.has_figures = true;
        if (strcmp(value, figures_of_sums) == 0)
            options->spec.only_sums = EXACT_ALL;
        return 0;
    }
    if (apply_format(row, value, &options->spec.text))
        return 0;
    error_set(error, EXIT_DATA, "--%s does not decide what is counted",
              row->name);
    return -1;
}

/* Room for all lists of fields of a format. */
#define FIELDS_TEXT_BYTES 256

/* So many lists are written. */
#define FIELDS_LISTED 3

/* Write the first FIELDS, the lists of a format, to TEXT as options.  Returns
   TEXT. */
static const char *
list_fields(const char *const *fields, char text[FIELDS_TEXT_BYTES])
{
    size_t used = 0;

    for (size_t i = 0; i <= FIELDS_LISTED && fields[i] != NULL; i++)
        used += (size_t)snprintf(
            text + used, FIELDS_TEXT_BYTES - used,
            i < FIELDS_LISTED ? " --fields=%s" : " and more", fields[i]);
    return text;
}

/* Whether SPEC counts the fields of FORMAT. */
static bool
counts_fields(const struct spec_options *spec,
              const struct report_format *format)
{
    const char *const *fields = format->fields;
    size_t i = 0;

    while (i < spec->fields.count && fields[i] != NULL &&
           strcmp(spec->fields.text[i], fields[i]) == 0)
        i++;
    return spec->joint == report_format_is_joint(format) &&
           i == spec->fields.count && fields[i] == NULL;
}

/*
 * Some formats imply what is counted; all others need options.  Returns 0, or
 * -1 with *ERROR set.
 */
static int
forget_fields(struct options *options, const char *name, struct error *error)
{
    const struct report_format *format =
        &report_formats[options->report.format];
    struct spec_options *spec = &options->spec;

    if (format->fields == NULL)
        return 0;
    if (!counts_fields(spec, format) ||
        (format->counts_all && !spec->text.all_alignments) ||
        (format->counts_references && !spec->text.counts_references) ||
        (format->sums_checksums && !spec->text.sums_checksums)) {
        char list[FIELDS_TEXT_BYTES];
        error_set(
            error, EXIT_DATA, "%s: --format=%s is for states of %s%s%s", name,
            format->name, report_format_is_joint(format) ? "--joint" : "--seq",
            list_fields(format->fields, list),
            counts_more(format)  ? " --all-alignments, made with this format"
            : format->counts_all ? " --all-alignments"
                                 : "");
        return -1;
    }
    spec->joint = false;
    spec->fields = (struct axis_option){0};
    spec->text.all_alignments &= !format->counts_all;
    return 0;
}

int
recorded_options_apply(struct options *options, char *const *texts,
                       size_t count, const char *name, struct error *error)
{
    const struct option_taker taker = {apply, options, false};
    struct error wrong = ERROR_NONE;

    for (size_t i = 0; i < count; i++) {
        char *const words[] = {texts[i], NULL};
        bool is_option = strncmp(texts[i], "--", 2) == 0 && texts[i][2] != '\0';
        if (is_option && option_parse_word(&taker, words, &wrong) >= 0)
            continue;
        error_set(error, EXIT_DATA, "%s: option '%.80s': %s", name, texts[i],
                  is_option ? wrong.text : "no option");
        error_clear(&wrong);
        return -1;
    }
    if (forget_fields(options, name, error) < 0)
        return -1;
    return option_parse_complete(options, error);
}

/* ---- inputs, from a state ---- */

/* Line I of LIST in the state NAME is wrong.  Returns -1. */
static int
fail(enum state_list list, size_t i, const char *name, struct error *error)
{
    error_set(error, EXIT_DATA, "%s: line %zu of '%s' is wrong", name, i + 1,
              state_head_word(list));
    return -1;
}

/* Returns 0, or -1 with *ERROR set. */
static int
make_names(struct text_header *names, const struct state_lines *lines,
           struct error *error)
{
    names->name = calloc(lines->count, sizeof *names->name);
    if (names->name == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < lines->count; i++) {
        struct text_name *name = &names->name[i];
        name->bytes =
            (unsigned char *)state_lines_field(lines, i, 0, &name->size);
        if (name->bytes == NULL)
            return error_fail_memory(error);
        names->count++;
    }
    return 0;
}

/* Set *REPEAT to N if TYPE is "x*N".  Returns whether it is. */
static bool
is_gap(const char *type, size_t *repeat)
{
    char *end;

    if (strncmp(type, "x*", 2) != 0 || !ascii_is_digit(type[2]))
        return false;
    *repeat = strtoul(type + 2, &end, 10);
    return *end == '\0';
}

/* Append the element of line I, or bytes without one.  Returns 0, or -1 with
   *ERROR set. */
static int
add_element(struct record *record, const struct state_lines *lines, size_t i,
            const char *name, struct error *error)
{
    char *type = state_lines_field(lines, i, 0, NULL);
    char *field = state_lines_field(lines, i, 1, NULL);
    size_t before = record->count;
    size_t repeat = 1;
    int result = -1;

    if (type != NULL && field == NULL && is_gap(type, &repeat))
        result = record_append(record, "x", 1, repeat, ORDER_MACHINE);
    else if (type != NULL && field != NULL)
        result = record_append(record, type, strlen(type), 1, ORDER_MACHINE);
    free(type);
    if (record->count > before)
        record->name[before] = field;
    else
        free(field);
    return result == 0 ? 0 : fail(STATE_ELEMENTS, i, name, error);
}

/* Returns 0, or -1 with *ERROR set. */
static int
make_elements(struct record *record, const struct state_lines *lines,
              const char *name, struct error *error)
{
    if (record_start(record) < 0)
        return error_fail_memory(error);
    record->name = calloc(lines->count, sizeof *record->name);
    if (record->name == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < lines->count; i++) {
        if (add_element(record, lines, i, name, error) < 0)
            return -1;
    }
    /* An array of numbers has a single element, without a name. */
    if (record->count > 0 && *record->name[0] == '\0') {
        for (size_t i = 0; i < record->count; i++)
            free(record->name[i]);
        free(record->name);
        record->name = NULL;
    }
    return record->count > 0 ? 0 : fail(STATE_ELEMENTS, 0, name, error);
}

/* Set *NUMBER to field F, up to MOST.  Returns 0, or -1. */
static int
read_number(const struct state_lines *lines, size_t f, unsigned long most,
            unsigned int *number)
{
    char *text = state_lines_field(lines, 0, f, NULL);
    char *end = text;
    unsigned long value = text != NULL ? strtoul(text, &end, 10) : 0;
    bool is_right = end != text && *end == '\0' && value >= 1 && value <= most;

    *number = (unsigned int)value;
    free(text);
    return is_right ? 0 : -1;
}

/* Returns 0, or -1 with *ERROR set. */
static int
make_image(struct image_format *image, const struct state_lines *lines,
           const char *name, struct error *error)
{
    if (read_number(lines, 0, 4, &image->channels) == 0 &&
        read_number(lines, 1, 2, &image->sample_bytes) == 0 &&
        read_number(lines, 2, image->sample_bytes == 2 ? 65535 : 255,
                    &image->maxval) == 0)
        return 0;
    return fail(STATE_IMAGE, 0, name, error);
}

int
recorded_reading_make(struct recorded_reading *recorded,
                      const struct state_head *head, const char *name,
                      struct error *error)
{
    const struct state_lines *names = &head->list[STATE_NAMES];
    const struct state_lines *elements = &head->list[STATE_ELEMENTS];
    const struct state_lines *image = &head->list[STATE_IMAGE];
    struct reading *reading = &recorded->reading;

    if (names->count > 0) {
        recorded->names.input = name;
        reading->header = &recorded->names;
        if (make_names(&recorded->names, names, error) < 0)
            return -1;
    }
    if (elements->count > 0) {
        recorded->npy.input = name;
        reading->npy = &recorded->npy;
        if (make_elements(&recorded->npy.record, elements, name, error) < 0)
            return -1;
    }
    return image->count > 0 ? make_image(&reading->format, image, name, error)
                            : 0;
}

void
recorded_reading_close(struct recorded_reading *recorded)
{
    text_header_close(&recorded->names);
    npy_header_close(&recorded->npy);
}

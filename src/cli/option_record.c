/* option_record.c -- the options that decide what is counted, in states */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_parse.h"
#include "cli/option_record.h"
#include "hist/axis_edges.h"

/* ---- from the command line to a state ---- */

/* What option_record_put() has done so far. */
struct recording {
    const struct spec *spec;
    size_t edges; /* how often --edges was given */
    size_t all_edges;
    struct state_lines *lines;
};

/* Returns the axis of option EDGES, from 0 on; it is that of the first one that
   has edges, if the option is for all of them. */
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
    if (!row->is_counting)
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
    return result;
}

int
option_record_put(const struct options *options, const struct spec *spec,
                  struct state_lines *lines)
{
    struct recording recording = {.spec = spec,
                                  .all_edges = options->spec.axis.edges.count,
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
    /* --columns stands for it. */
    if (options->spec.dtype != NULL &&
        strcmp(options->spec.dtype, "decimal") == 0 &&
        put_option(lines, "dtype", options->spec.dtype) < 0)
        return -1;
    /* The format stands for them. */
    if (options->report.format == FORMAT_FQCHK &&
        (put_option(lines, "fields", options->spec.fields.text[0]) < 0 ||
         put_option(lines, "joint", NULL) < 0))
        return -1;
    /* Numbers of a sample that have no bins would be refused. */
    return !spec->is_text && spec->uses_tables
               ? put_option(lines, "nonzero", NULL)
               : 0;
}

/* ---- from a state to the options of --merge ---- */

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
    error_set(error, EXIT_DATA, "--%s does not decide what is counted",
              row->name);
    return -1;
}

/*
 * What --format=fqchk counts is an option for all other formats.  Returns 0, or
 * -1 with *ERROR set.
 */
static int
forget_fqchk(struct options *options, const char *name, struct error *error)
{
    static const char fields[] = "position,base,quality";
    struct spec_options *spec = &options->spec;

    if (options->report.format != FORMAT_FQCHK)
        return 0;
    if (!spec->joint || spec->fields.count != 1 ||
        strcmp(spec->fields.text[0], fields) != 0) {
        error_set(error, EXIT_DATA,
                  "%s: --format=fqchk is for states of --joint --fields=%s",
                  name, fields);
        return -1;
    }
    spec->joint = false;
    spec->fields = (struct axis_option){0};
    return 0;
}

int
option_record_apply(struct options *options, char *const *texts, size_t count,
                    const char *name, struct error *error)
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
    if (forget_fqchk(options, name, error) < 0)
        return -1;
    return option_parse_complete(options, error);
}

/* SPDX-License-Identifier: MIT */
/* found_bins.c -- bins that depend on all values, found by a pass before */

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/found_bins.h"
#include "hist/axis_finding.h"
#include "hist/bin_rule.h"
#include "report/base_groups.h"

/* ---- the options ---- */

/* Whether an argument of OPTION is one that ASKS tells. */
static bool
has_question(const struct axis_option *option, bool (*asks)(const char *))
{
    for (size_t i = 0; i < option->count; i++) {
        if (asks(option->text[i]))
            return true;
    }
    return false;
}

bool
found_bins_are_wanted(const struct options *options)
{
    const struct axis_options *axis = &options->spec.axis;

    return has_question(&axis->range, axis_finding_is_range) ||
           has_question(&axis->bins, axis_finding_is_bins) ||
           has_question(&axis->edges, axis_finding_is_edges);
}

int
found_bins_check(const struct options *options, struct error *error)
{
    const struct axis_options *axis = &options->spec.axis;
    const char *const name =
        has_question(&axis->range, axis_finding_is_range) ? "--range=minmax"
        : has_question(&axis->bins, axis_finding_is_bins) ? "a rule for --bins"
        : has_question(&axis->edges, axis_finding_is_quantiles)
            ? "--edges=quantiles"
            : "--edges=" AXIS_FINDING_GROUPS;
    const char *wrong = NULL;

    if (!found_bins_are_wanted(options))
        return 0;
    if (interval_is_set(&options->plan.every))
        wrong = "--every";
    else if (options->plan.per_file)
        wrong = "--per-file";
    else if (options->action == ACTION_LIST_STRATEGIES)
        wrong = "--list-strategies";
    else if (options->spec.closed == BINNING_RIGHT)
        wrong = "--closed=right";
    else if (options->spec.joint && options->spec.fields.count > 1)
        wrong = "several lists of --joint";
    else if (options->spec.weights != NULL &&
             (has_question(&axis->bins, axis_finding_is_bins) ||
              has_question(&axis->edges, axis_finding_is_quantiles)))
        wrong = "--weights";
    if (wrong == NULL)
        return 0;
    error_set(error, EXIT_USAGE,
              "%s reads all inputs before counting: it and %s exclude each "
              "other",
              name, wrong);
    return -1;
}

struct options
found_bins_questions(const struct options *options)
{
    struct options questions = *options;

    questions.spec.joint = false;
    questions.spec.closed = BINNING_LEFT;
    questions.spec.spectrum = false;
    questions.spec.text.group_by = NULL;
    questions.report.figures.count = 0;
    questions.equalize = NULL;
    questions.state = NULL;
    questions.shard = (struct shard){.count = 0};
    options_forgo_devices(&questions);
    return questions;
}

/* ---- the numbers that occur ---- */

/* The finite numbers of an axis, one after the other. */
struct number_walk {
    const struct spec *spec;
    const struct histogram *histogram;
    size_t axis;
    const struct key_list *list; /* NULL: a bin for each integer */
    uint64_t first;              /* cell */
    uint64_t bins;
    uint64_t at;         /* the next bin */
    struct wide integer; /* of the last number, if it is one */
};

static struct number_walk
walk_of(const struct spec *spec, const struct histogram *histogram, size_t axis)
{
    size_t h = spec_histogram_of(spec, axis);
    bool has_list = axis_is_key(&spec->shown[axis]);

    return (struct number_walk){
        .spec = spec,
        .histogram = histogram,
        .axis = axis,
        .list = has_list ? spec_keys(spec, h) : NULL,
        .first = has_list ? spec_first_cell(spec, h) : spec->shown[axis].base,
        .bins = has_list ? spec_keys(spec, h)->count : spec->shown[axis].bins,
    };
}

static void
walk_start(void *context)
{
    struct number_walk *walk = context;

    walk->at = 0;
}

/* Set WALK->integer, if the number of BIN is one.  Returns the number. */
static double
walk_number(struct number_walk *walk, uint64_t bin)
{
    const struct binning_axis *axis = &walk->spec->shown[walk->axis];
    struct key_component component;

    if (walk->list == NULL) {
        walk->integer = axis_value(axis, bin);
        return wide_double(walk->integer);
    }
    const struct key_entry entry = key_list_key(walk->list, bin);
    const unsigned char *end =
        key_code_read(entry.key, entry.key + entry.size, axis_key_kind(axis),
                      true, &component);
    assert(end != NULL);
    if (component.tag != KEY_TAG_VALUE)
        return NAN;
    walk->integer = component.integer;
    return axis_key_kind(axis) == KEY_INTEGER ? wide_double(component.integer)
                                              : component.real;
}

static bool
walk_next(void *context, double *value, uint64_t *count)
{
    struct number_walk *walk = context;

    while (walk->at < walk->bins) {
        uint64_t bin = walk->at++;
        *count = histogram_count(walk->histogram, walk->first + bin);
        *value = *count > 0 ? walk_number(walk, bin) : NAN;
        /* False for NaN. */
        if (fabs(*value) <= DBL_MAX)
            return true;
    }
    return false;
}

/* ---- facts ---- */

/* Facts about the values of an axis. */
struct findings {
    struct number_walk walk; /* if the numbers are needed */
    struct extremes extremes;
    struct number_facts facts;
    bool is_integer;
};

/* Find the extremes of the numbers of FINDINGS, and their count. */
static void
walk_extremes(struct findings *findings)
{
    uint64_t count;
    double value;

    walk_start(&findings->walk);
    while (walk_next(&findings->walk, &value, &count)) {
        const struct extremes one = {true, value, value, findings->walk.integer,
                                     findings->walk.integer};
        extremes_join(&findings->extremes, &one);
        findings->facts.count += count;
    }
}

/* Set FINDINGS to those of AXIS.  If COUNTS is NULL, the axis has none. */
static void
find(struct findings *findings, const struct spec *spec, size_t axis,
     const struct snapshot *counts, const struct extremes *extremes)
{
    const struct binning_axis *shown = &spec->shown[axis];

    *findings = (struct findings){
        .facts.type = (enum sample_type)shown->type,
        .is_integer = !binning_is_float(shown->type),
    };
    if (counts == NULL)
        return;
    if (spec_finds_extremes(spec, axis)) {
        findings->extremes = extremes[axis];
        findings->facts.count =
            histogram_count(&counts->histogram, shown->base);
    } else {
        findings->walk = walk_of(spec, &counts->histogram, axis);
        walk_extremes(findings);
    }
    if (findings->is_integer) {
        findings->extremes.min = wide_double(findings->extremes.least);
        findings->extremes.max = wide_double(findings->extremes.most);
    }
    findings->facts.min = findings->extremes.min;
    findings->facts.max = findings->extremes.max;
}

/* Returns the source of the numbers of FINDINGS. */
static struct number_source
source_of(struct findings *findings)
{
    return (struct number_source){
        .start = walk_start, .next = walk_next, .context = &findings->walk};
}

/* ---- the arguments ---- */

/* Positions have 32 bits; more than this is in no group. */
#define GROUPED_MAX UINT32_MAX

/* Let FOUND own TEXT; NULL: out of memory.  Returns TEXT, or NULL with *ERROR
   set. */
static const char *
keep(struct found_bins *found, char *text, struct error *error)
{
    char **grown =
        text != NULL ? realloc(found->text, (found->count + 1) * sizeof *grown)
                     : NULL;

    if (grown == NULL) {
        free(text);
        (void)error_fail_memory(error);
        return NULL;
    }
    found->text = grown;
    found->text[found->count++] = text;
    return text;
}

/* Returns the argument of --range for FINDINGS. */
static const char *
range_text(struct found_bins *found, const struct findings *findings,
           struct error *error)
{
    const struct extremes *extremes = &findings->extremes;
    char lo[NUMBER_TEXT_BYTES];
    char hi[NUMBER_TEXT_BYTES];
    char *text;

    if (!extremes->has_any)
        return keep(found, strdup(AXIS_FINDING_MINMAX ":" AXIS_FINDING_NONE),
                    error);
    if (findings->is_integer) {
        *number_put_integer(extremes->least, lo) = '\0';
        *number_put_integer(extremes->most, hi) = '\0';
    } else {
        number_text(extremes->min, lo);
        number_text(extremes->max, hi);
    }
    if (asprintf(&text, AXIS_FINDING_MINMAX ":%s,%s", lo, hi) < 0)
        text = NULL;
    return keep(found, text, error);
}

/* Returns the argument of --bins for FINDINGS, by RULE. */
static const char *
bins_text(struct found_bins *found, struct findings *findings,
          enum bin_rule rule, struct error *error)
{
    const struct number_source source = source_of(findings);
    char number[NUMBER_TEXT_BYTES];

    *number_put(bin_rule_bins(rule, &findings->facts, &source, AXIS_BINS_MAX),
                number) = '\0';
    return keep(found, strdup(number), error);
}

/*
 * Remove equal edges from the COUNT edges, and let the first and the last one
 * differ and enclose integers that a double cannot hold.  Returns how many are
 * left.
 */
static size_t
tidy_edges(double *edge, size_t count, const struct findings *findings)
{
    size_t kept = 1;

    for (size_t i = 1; i < count; i++) {
        if (edge[i] > edge[kept - 1])
            edge[kept++] = edge[i];
    }
    const double value = edge[0];
    if (kept == 1)
        edge[kept++] = value;
    for (double half = 0.5; edge[0] == edge[kept - 1]; half *= 2) {
        edge[0] = value - half > -INFINITY ? value - half : value;
        edge[1] = value + half < INFINITY ? value + half : value;
    }
    if (!findings->is_integer)
        return kept;
    if (wide_compare(findings->extremes.least, wide_of_double(edge[0])) < 0 &&
        edge[0] == findings->extremes.min)
        edge[0] = nextafter(edge[0], -INFINITY);
    if (wide_compare(findings->extremes.most, wide_of_double(edge[kept - 1])) >
            0 &&
        edge[kept - 1] == findings->extremes.max)
        edge[kept - 1] = nextafter(edge[kept - 1], INFINITY);
    return kept;
}

/* Returns QUESTION, a colon and the COUNT edges, for free(); NULL: out of
   memory. */
static char *
list_edges(const char *question, const double *edge, size_t count)
{
    char *text = malloc(strlen(question) + 1 + count * (NUMBER_TEXT_BYTES + 1));

    if (text == NULL)
        return NULL;
    char *at = text + sprintf(text, "%s:", question);
    for (size_t i = 0; i < count; i++) {
        at = number_put_double(edge[i], at);
        *at++ = ',';
    }
    at[-1] = '\0';
    return text;
}

/* Returns the argument of --edges for FINDINGS and QUESTION: the quantiles of
   BINS bins. */
static const char *
quantiles_text(struct found_bins *found, struct findings *findings,
               const char *question, uint64_t bins, struct error *error)
{
    const struct number_source source = source_of(findings);
    double *edge = calloc((size_t)bins + 1, sizeof *edge);
    size_t count = 2;

    if (edge == NULL)
        return keep(found, NULL, error);
    edge[1] = 1;
    if (findings->facts.count > 0) {
        bin_rule_quantiles(&source, findings->facts.count, bins, edge);
        count = tidy_edges(edge, (size_t)bins + 1, findings);
    }
    char *text = list_edges(question, edge, count);
    free(edge);
    return keep(found, text, error);
}

/* The same of FastQC's groups of positions up to the greatest number. */
static const char *
groups_text(struct found_bins *found, const struct findings *findings,
            const char *question, struct error *error)
{
    const double most = findings->extremes.has_any ? findings->extremes.max : 0;
    struct base_group groups[BASE_GROUPS_MAX];
    double edge[BASE_GROUPS_MAX + 1] = {1, 2};
    size_t count = base_groups_make(most < 1             ? 1
                                    : most < GROUPED_MAX ? (uint64_t)most
                                                         : GROUPED_MAX,
                                    groups);

    for (size_t i = 0; i < count; i++) {
        edge[i] = (double)groups[i].first;
        edge[i + 1] = (double)groups[i].last + 1;
    }
    return keep(found, list_edges(question, edge, count + 1), error);
}

/* The argument of OPTION for axis I, as typed; "-": none. */
static const char *
typed(const struct axis_option *option, const struct spec *spec, size_t i)
{
    if (option->count == 0 ||
        (option->count == 1 && axis_has_names(&spec->shown[i])))
        return "-";
    return option->text[option->count == 1 ? 0 : i];
}

/* Set the arguments of axis I.  Returns 0, or -1 with *ERROR set. */
static int
set_axis(struct found_bins *found, struct axis_options *to,
         const struct spec *spec, size_t i, struct findings *findings,
         struct error *error)
{
    const struct axis_finding *finding = &spec->finding[i];
    const char **bins = &to->bins.text[i];
    const char **range = &to->range.text[i];
    const char **edges = &to->edges.text[i];

    if (finding->kind == AXIS_FINDS_BINS)
        *bins = bins_text(found, findings, finding->rule, error);
    if (finding->kind == AXIS_FINDS_BINS || finding->kind == AXIS_FINDS_RANGE)
        *range = range_text(found, findings, error);
    if (finding->kind == AXIS_FINDS_QUANTILES)
        *edges =
            quantiles_text(found, findings, *edges, finding->quantiles, error);
    if (finding->kind == AXIS_FINDS_GROUPS)
        *edges = groups_text(found, findings, *edges, error);
    return *bins != NULL && *range != NULL && *edges != NULL ? 0 : -1;
}

/* Make OPTION, NAME, one with COUNT arguments, or none if all are "-". */
static void
close_option(struct axis_option *option, const char *name, size_t count)
{
    option->name = name;
    option->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(option->text[i], "-") != 0)
            option->count = count;
    }
}

int
found_bins_set(struct found_bins *found, struct options *options,
               const struct spec *spec, const struct snapshot *counts,
               const struct extremes *extremes, struct error *error)
{
    const struct axis_options from = options->spec.axis;
    struct axis_options *to = &options->spec.axis;
    struct findings findings;

    if (spec->axis_count > SPEC_AXES_MAX) {
        error_set(
            error, EXIT_USAGE,
            "bins that are found from the values are for up to %d fields, "
            "not for %zu",
            SPEC_AXES_MAX, spec->axis_count);
        return -1;
    }
    for (size_t i = 0; i < spec->axis_count; i++) {
        to->bins.text[i] = typed(&from.bins, spec, i);
        to->range.text[i] = typed(&from.range, spec, i);
        to->edges.text[i] = typed(&from.edges, spec, i);
        if (spec->finding[i].kind == AXIS_FINDS_NOTHING)
            continue;
        find(&findings, spec, i, counts, extremes);
        if (set_axis(found, to, spec, i, &findings, error) < 0)
            return -1;
    }
    close_option(&to->bins, "bins", spec->axis_count);
    close_option(&to->range, "range", spec->axis_count);
    close_option(&to->edges, "edges", spec->axis_count);
    return 0;
}

void
found_bins_close(struct found_bins *found)
{
    for (size_t i = 0; i < found->count; i++)
        free(found->text[i]);
    free(found->text);
    *found = (struct found_bins){0};
}

/* SPDX-License-Identifier: MIT */
/* wanted_spec.c -- the spec that the options and the inputs ask for */

#include "cli/wanted_spec.h"
#include "cli/results.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"
#include "plot/scene_make.h"
#include "report/column_names.h"
#include "report/report.h"

/* ---- checks of the output ---- */

/* Check that --lut and --equalize, if given, can be used with SPEC. */
static int
check_equalize(const struct spec *spec, const struct options *options,
               struct error *error)
{
    if (!options->lut && options->equalize == NULL)
        return 0;
    if (spec->record.count == 1 &&
        axis_bins(&spec->shown[0]) == AXIS_INTEGERS &&
        spec->shown[0].first == 0 &&
        spec->shown[0].bins == spec->record.element[0].most + 1)
        return 0;
    error_set(error, EXIT_USAGE,
              "--lut and --equalize are for grey images, with one bin for "
              "each value");
    return -1;
}

/* Check that no axis of SPEC counts the bits of floats, which have no mean. */
static int
check_bits(const struct spec *spec, struct error *error)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (!binning_is_float(axis->type) || !axis_is_integer(axis))
            continue;
        error_set(error, EXIT_USAGE,
                  "--stats and --percentiles are of numbers; %s without bins "
                  "has a line for each pattern of bits: add --bins, --range, "
                  "--edges, --log or --scale",
                  axis_type_name(axis));
        return -1;
    }
    return 0;
}

/* Check that axis I of SPEC has all FIGURES of --stats. */
static int
check_figures(const struct spec *spec, size_t i, const struct figures *figures,
              struct error *error)
{
    for (size_t f = 0; f < figures->count; f++) {
        const struct figure *figure = &figures->figure[f];
        if (figure_check(figure, "stats", spec, i, error) < 0)
            return -1;
        if (figure->kind != FIGURE_MODE || !axis_has_names(&spec->shown[i]))
            continue;
        error_set(error, EXIT_USAGE,
                  "--stats: mode: --columns=mode prints a key");
        return -1;
    }
    return 0;
}

/* Check that SPEC has statistics, if wanted. */
static int
check_stats(const struct spec *spec, const struct options *options,
            struct error *error)
{
    const struct figures *figures = &options->summary.figures;
    bool has_names = false;
    int result = 0;

    if (options->stats == PLACE_NONE)
        return 0;
    for (size_t i = 0; i < spec->axis_count; i++)
        has_names |= axis_has_names(&spec->shown[i]) && !spec->is_spectrum;
    if (!spec->is_spectrum &&
        (spec->group_count > 0 ||
         (spec->are_groups && (!has_names || spec->axis_count > 1)))) {
        error_set(error, EXIT_USAGE,
                  "--stats and --percentiles are of all records; for each "
                  "group there is --columns, as --columns=count,mean,sd,p50");
        return -1;
    }
    if (has_names && (options->summary.has_stats ||
                      (figures_needs(figures) & FIGURE_NEEDS_NUMBERS) != 0)) {
        error_set(error, EXIT_USAGE,
                  "--stats and --percentiles are of numbers, not of keys; keys "
                  "have --stats=values,distinct,entropy, --top, --sort, "
                  "--percent and --cumulative%s",
                  spec->kind == SPEC_FIELDS
                      ? "; of numbers, --columns=p50,mean,sd instead of them"
                      : "");
        return -1;
    }
    if (check_bits(spec, error) < 0)
        return -1;
    for (size_t i = 0; i < spec->axis_count && result == 0; i++)
        result = check_figures(spec, i, figures, error);
    return result;
}

/* Check that SPEC can be drawn, if a picture is wanted. */
static int
check_pictures(const struct spec *spec, const struct options *options,
               struct error *error)
{
    if (options->plot == PLACE_ONLY && options->report.nonzero &&
        scene_is_map(spec)) {
        error_set(error, EXIT_USAGE,
                  "--plot=only: a heat map has no rows for --nonzero to leave "
                  "out");
        return -1;
    }
    if (options->plot == PLACE_ONLY && spec_key_axes(spec) == 0 &&
        (options->report.top != 0 ||
         count_limits_are_set(&options->report.limits) ||
         options->plot_sort == SORT_COUNT)) {
        error_set(error, EXIT_USAGE,
                  "--top, --min-count, --max-count and --sort=count do not "
                  "apply to --plot=only, except for keys");
        return -1;
    }
    if (options->plot != PLACE_NONE && scene_check(spec, "--plot", error) < 0)
        return -1;
    return options->svg == NULL ? 0 : scene_check(spec, "--svg", error);
}

/* Text: GPUs count some fields, and no snapshots. */
static int
check_text(const struct spec *spec, const struct options *options,
           struct error *error)
{
    const char *device =
        options->plan.device == DEVICE_CUDA ? "cuda" : "opencl";

    if (!(spec->kind == SPEC_SEQUENCES
              ? sequence_layout_check(spec, device, error)
              : text_layout_check(spec, device, error)))
        return -1;
    if (!interval_is_set(&options->plan.every))
        return 0;
    error_set(error, EXIT_NO_DEVICE,
              "%s: with --every, %s counted by the CPU only", device,
              spec->kind == SPEC_SEQUENCES ? "sequences are" : "text is");
    return -1;
}

/* GPUs count in bins. */
static int
check_device(const struct spec *spec, const struct options *options,
             struct error *error)
{
    bool is_list = options->action == ACTION_LIST_STRATEGIES;

    if (!spec->uses_tables || (!is_list && !plan_demands_gpu(&options->plan)))
        return 0;
    if (spec->kind != SPEC_SAMPLES)
        return check_text(spec, options, error);
    error_set(error, EXIT_USAGE,
              "%s is for GPUs, which need bins for each field: --bins, "
              "--range, --edges, --log or --scale",
              is_list ? "--list-strategies" : "--device");
    return -1;
}

/* Combinations have no bins until the ranges are known, at the end. */
static int
check_growing(const struct spec *spec, const struct options *options,
              struct error *error)
{
    for (size_t i = 0;
         interval_is_set(&options->plan.every) && i < spec->axis_count; i++) {
        if (!spec_codes_grow(spec, i))
            continue;
        error_set(error, EXIT_USAGE,
                  "--every with groups or keys beside bins needs --range=LO,HI "
                  "or --edges");
        return -1;
    }
    return 0;
}

/* Check --rename, which depends on all columns that are printed. */
static int
check_names(const struct spec *spec, const struct options *options,
            struct error *error)
{
    static const uint32_t no_lut[1];
    const struct report report = {
        .spec = spec,
        .options = &options->report,
        .file = options->plan.per_file ? "" : NULL,
        .lut = options->lut ? no_lut : NULL,
    };

    return options->report.rename == NULL ? 0
                                          : column_names_check(&report, error);
}

/* Check that SPEC counts keys alone, which --per-file --pivot has lines for. */
static int
check_table(const struct spec *spec, struct error *error)
{
    bool is_right =
        spec_histograms(spec) == 1 && !spec->has_weights && !spec->is_spectrum;

    for (size_t i = 0; i < spec->axis_count; i++)
        is_right &= spec_key_kind(spec, i) == KEY_TEXT ||
                    axis_is_kmers(&spec->shown[i]);
    if (is_right)
        return 0;
    error_set(error, EXIT_USAGE,
              "--per-file --pivot counts keys: --lines, --words, --kmers, "
              "--group-by or --fields without numbers, bins and weights");
    return -1;
}

/* Check that SPEC has what OPTIONS print; if that is a table of all inputs, the
   spec of the table is checked later. */
static int
check_report(const struct spec *spec, const struct options *options,
             struct error *error)
{
    if (options_make_table(options))
        return check_table(spec, error);
    return report_check(spec, &options->report, error) < 0
               ? -1
               : check_names(spec, options, error);
}

int
wanted_spec_check(const struct spec *spec, const struct options *options,
                  struct error *error)
{
    if (check_equalize(spec, options, error) < 0 ||
        check_report(spec, options, error) < 0 ||
        check_stats(spec, options, error) < 0 ||
        check_device(spec, options, error) < 0 ||
        check_growing(spec, options, error) < 0)
        return -1;
    return check_pictures(spec, options, error);
}

/* ---- the spec ---- */

/* Whether no output depends on the order of keys that --top leaves out. */
static bool
needs_top_only(const struct options *options)
{
    /* Keys beyond the limits are no candidates. */
    return options->report.figures.count == 0 && options->stats == PLACE_NONE &&
           options->report.sort != SORT_VALUE &&
           options->report.limits.most == 0 &&
           (options->report.limits.least == 0 ||
            options->spec.weights == NULL) &&
           options->plot == PLACE_NONE && options->svg == NULL;
}

/* The needs that the numbers with some ranks meet. */
#define NEEDS_RANKS (FIGURE_NEEDS_ORDER | FIGURE_NEEDS_QUARTILES)

/* Whether of the numbers of a group the count, the sum, the least, the greatest
   and the numbers with the ranks of find_ranks() are enough. */
static bool
shows_figures_only(const struct report_options *options)
{
    const unsigned int more =
        FIGURE_NEEDS_SQUARES | (FIGURE_NEEDS_VALUES & ~NEEDS_RANKS);

    return options->figures.count > 0 && (report_needs(options) & more) == 0;
}

/* Whether OPTIONS show how many numbers occur.  With groups, these are only
   the numbers of the output. */
static bool
shows_number_count(const struct options *options, const struct spec *spec)
{
    return options->report.format == FORMAT_JSON && spec->group_count == 0;
}

/* Returns the ranks that the figures of OPTIONS need. */
static struct spec_ranks
find_ranks(const struct report_options *options)
{
    struct spec_ranks ranks = {
        .has_quartiles = (report_needs(options) & FIGURE_NEEDS_QUARTILES) != 0,
        .has_other =
            !options->no_other &&
            (options->top != 0 || count_limits_are_set(&options->limits)),
    };

    for (size_t f = 0; f < options->figures.count; f++) {
        const struct figure *figure = &options->figures.figure[f];
        if ((figure_row(figure)->needs & FIGURE_NEEDS_ORDER) != 0)
            ranks.nano[ranks.percentiles++] = figure->percentile.nano;
    }
    if (options->sort == SORT_FIGURE &&
        (figure_row(&options->sort_figure)->needs & FIGURE_NEEDS_ORDER) != 0)
        ranks.nano[ranks.percentiles++] = options->sort_figure.percentile.nano;
    return ranks;
}

_Static_assert(SPEC_PERCENTILES_MAX > FIGURES_MAX, "one is of the order");

/* Whether the counts are added up later: all keys and numbers are needed. */
static bool
are_added_up(const struct options *options)
{
    return results_have_state(options) || options->total ||
           options_make_table(options);
}

/*
 * Returns what exact sums of numbers, enum exact_want, all figures can be found
 * from; 0: the numbers themselves are needed.
 */
static unsigned int
wanted_sums(const struct options *options)
{
    const unsigned int needs = report_needs(&options->report);

    /* The states tell. */
    if (options->merge)
        return options->spec.only_sums;
    if (options->report.figures.count == 0 || options->reset ||
        (needs & FIGURE_NEEDS_VALUES) != 0)
        return 0;
    if (are_added_up(options))
        return EXACT_ALL;
    return EXACT_EXTREMES | ((needs & FIGURE_NEEDS_SUM) != 0 ? EXACT_SUM : 0u) |
           ((needs & FIGURE_NEEDS_SQUARES) != 0 ? EXACT_SQUARES : 0u);
}

/* Check that states with the sums of numbers, and not the numbers, have what is
   to be printed.  Returns 0, or -1 with *ERROR set. */
static int
check_sums(const struct spec *spec, const struct options *options,
           struct error *error)
{
    const struct figures *figures = &options->report.figures;
    char name[FIGURE_NAME_BYTES];

    if (!options->merge || spec->wants_sums == 0 ||
        options->report.format == FORMAT_STATE)
        return 0;
    for (size_t f = 0; f < figures->count; f++) {
        const struct figure *figure = &figures->figure[f];
        if ((figure_row(figure)->needs & FIGURE_NEEDS_VALUES) == 0)
            continue;
        error_set(error, EXIT_USAGE,
                  "--columns=%s: the states have the sums of the numbers, and "
                  "not the numbers; count with --columns=%s, too",
                  figure_name(figure, "", name), figure_name(figure, "", name));
        return -1;
    }
    if (figures->count > 0)
        return 0;
    error_set(error, EXIT_USAGE,
              "the states have only the sums of the numbers: --columns=count,"
              "min,max,sum,mean,sd");
    return -1;
}

/* Whether values without bins are keys because only occurring values are
   printed. */
static bool
is_only_occurring(const struct options *options)
{
    /* The states tell. */
    if (options->merge)
        return options->spec.only_occurring;
    return options->report.nonzero || options->report.profile ||
           options->report.top != 0 ||
           count_limits_are_set(&options->report.limits);
}

/* Whether OPTIONS allow --nonzero for values without bins: a message may then
   name the option. */
static bool
may_occur_only(const struct options *options)
{
    const struct report_options *report = &options->report;
    unsigned int needed = REPORT_KEYS | REPORT_NONZERO;

    return options->spec.weights == NULL &&
           options->spec.closed == BINNING_LEFT &&
           options->plot != PLACE_ONLY && options->action == ACTION_COUNT &&
           !plan_demands_gpu(&options->plan) && !report->density &&
           report->flow != FLOW_CLAMP &&
           (report_formats[report->format].unsupported & needed) == 0;
}

int
wanted_spec_ask(struct spec *spec, const struct options *options,
                const struct reading *reading, struct error *error)
{
    struct spec_options spec_options = options->spec;

    spec_options.header = reading->header;
    spec_options.columns = reading->columns;
    spec_options.only_occurring = is_only_occurring(options);
    spec_options.may_occur_only = may_occur_only(options);
    spec_options.has_figures = options_have_figures(options);
    /* Devices have a cell for each. */
    spec_options.all_kmers =
        options->report.full || plan_demands_gpu(&options->plan);
    spec_options.only_sums = wanted_sums(options);
    spec_options.npy = reading->npy != NULL ? &reading->npy->record : NULL;
    return spec_make(spec, &spec_options,
                     options->image ? &reading->format : NULL,
                     options->plan.memory_limit, error);
}

int
wanted_spec_make(struct spec *spec, const struct options *options,
                 const struct reading *reading, struct error *error)
{
    if (wanted_spec_ask(spec, options, reading, error) < 0 ||
        check_sums(spec, options, error) < 0)
        return -1;
    if (spec_is_open(spec)) {
        error_set(error, EXIT_USAGE,
                  "the bins are not known: a pass before finds them");
        return -1;
    }
    if (report_formats[options->report.format].keeps_bins)
        spec_keep_bins(spec);
    /* A state has all keys, in their order. */
    if (!are_added_up(options)) {
        spec->ranks_keys = options->report.figures.count == 0 &&
                           options->stats == PLACE_NONE &&
                           options->report.sort == SORT_COUNT &&
                           options->report.top == 0;
        if (needs_top_only(options))
            spec->top_keys = options->report.top;
    }
    spec->sums_series =
        (options_figures_needs(options) & FIGURE_NEEDS_SERIES) != 0 &&
        spec_is_of_bytes(spec);
    spec->shows_all = options->report.full;
    spec->only_figures = shows_figures_only(&options->report) &&
                         !shows_number_count(options, spec) &&
                         !are_added_up(options) && !options->merge &&
                         !interval_is_set(&options->plan.every);
    if (spec->only_figures)
        spec->ranks = find_ranks(&options->report);
    spec->keeps_numbers = are_added_up(options) && !options->merge &&
                          !interval_is_set(&options->plan.every) &&
                          !spec->is_spectrum;
    spec->is_part = options->shard.count > 0 || results_have_state(options);
    return wanted_spec_check(spec, options, error);
}

const char *
wanted_spec_text_hint(const struct spec *spec, const struct options *options)
{
    if (!spec->record.is_assumed)
        return NULL;
    if (options->spec.fields.count > 0)
        return "its lines are not divided yet, so bytes were counted (fields "
               "of text need -W, --tsv, --csv, --clf, --jsonl, --logfmt, --seq "
               "or -d)";
    if (options->spec.axis.log.count > 0)
        return "--log is for bins, so bytes were counted in these (numbers in "
               "lines: -l --dtype=num; a log of requests: --clf -f FIELD)";
    return NULL;
}

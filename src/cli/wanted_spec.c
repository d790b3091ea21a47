/* wanted_spec.c -- the spec that the options and the inputs ask for */

#include "cli/wanted_spec.h"
#include "cli/results.h"

/* Whether no output depends on the order of keys that --top leaves out. */
static bool
needs_top_only(const struct options *options)
{
    /* Of sums, those of rare keys are no candidates. */
    return options->report.figures.count == 0 &&
           options->report.sort != SORT_VALUE &&
           (options->report.min_count == 0 || options->spec.weights == NULL) &&
           options->plot == PLACE_NONE && options->svg == NULL;
}

/* Whether of the numbers of a group the count, the sum, the least and the
   greatest are enough. */
static bool
shows_figures_only(const struct report_options *options)
{
    const unsigned int more = FIGURE_NEEDS_SQUARES | FIGURE_NEEDS_VALUES;

    return options->figures.count > 0 && (report_needs(options) & more) == 0;
}

/* Whether values without bins are keys because only what occurs is printed. */
static bool
is_only_occurring(const struct options *options)
{
    /* The states say it. */
    if (options->merge)
        return options->spec.only_occurring;
    return options->report.nonzero || options->report.top != 0 ||
           options->report.min_count != 0;
}

/* Whether OPTIONS allow --nonzero for values without bins, so that a message
   may name it. */
static bool
may_occur_only(const struct options *options)
{
    const struct report_options *report = &options->report;
    unsigned int needed = REPORT_KEYS | REPORT_NONZERO;

    return !options->spec.joint && options->spec.weights == NULL &&
           options->spec.closed == BINNING_LEFT &&
           options->stats == PLACE_NONE && options->plot != PLACE_ONLY &&
           options->action == ACTION_COUNT &&
           !plan_demands_gpu(&options->plan) && !report->density &&
           report->flow != FLOW_CLAMP &&
           (report_formats[report->format].unsupported & needed) == 0;
}

int
wanted_spec_make(struct spec *spec, const struct options *options,
                 const struct reading *reading, struct error *error)
{
    struct spec_options spec_options = options->spec;

    spec_options.header = reading->header;
    spec_options.columns = reading->columns;
    spec_options.only_occurring = is_only_occurring(options);
    spec_options.may_occur_only = may_occur_only(options);
    /* Devices have a cell for each. */
    spec_options.all_kmers =
        options->report.full || plan_demands_gpu(&options->plan);
    spec_options.npy = reading->npy != NULL ? &reading->npy->record : NULL;
    if (spec_make(spec, &spec_options, options->image ? &reading->format : NULL,
                  options->plan.memory_limit, error) < 0)
        return -1;
    if (report_formats[options->report.format].keeps_bins)
        spec_keep_bins(spec);
    /* A state has all keys, in their order. */
    if (!results_have_state(options)) {
        spec->ranks_keys = options->report.figures.count == 0 &&
                           options->report.sort == SORT_COUNT &&
                           options->report.top == 0;
        if (needs_top_only(options))
            spec->top_keys = options->report.top;
    }
    spec->shows_all = options->report.full;
    spec->only_figures = shows_figures_only(&options->report) &&
                         !results_have_state(options) && !options->merge &&
                         !interval_is_set(&options->plan.every);
    spec->is_part = options->shard.count > 0 || results_have_state(options);
    return results_check(spec, options, error);
}

const char *
wanted_spec_text_hint(const struct spec *spec, const struct options *options)
{
    if (!spec->record.is_assumed)
        return NULL;
    if (options->spec.fields.count > 0)
        return "its lines are not divided yet, so bytes were counted (fields "
               "of text need -W, --tsv, --csv, --clf, --jsonl, --seq or -d)";
    if (options->spec.axis.log.count > 0)
        return "--log is for bins, so bytes were counted in these (numbers in "
               "lines: -l --dtype=num; a log of requests: --clf -f FIELD)";
    return NULL;
}

/* SPDX-License-Identifier: MIT */
/* options.h -- the options of the command line */

#ifndef GPUHIST_OPTIONS_H
#define GPUHIST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/status_line.h"
#include "hist/spec.h"
#include "input/content/shard.h"
#include "input/decode/decoders.h"
#include "report/report.h"
#include "report/summary.h"
#include "run/plan.h"
#include "state/portions_check.h"

enum action {
    ACTION_COUNT,
    ACTION_USAGE, /* -h */
    ACTION_HELP,  /* --help */
    ACTION_VERSION,
    ACTION_LIST_DEVICES,
    ACTION_LIST_STRATEGIES,
};

/* Where statistics or pictures go. */
enum placement {
    PLACE_NONE,
    PLACE_BESIDE, /* to standard error; the rows go to standard output */
    PLACE_ONLY,   /* to standard output, instead of the rows */
};

/* The scale of bars. */
enum plot_scale {
    PLOT_SCALE_AUTO, /* not given: linear */
    PLOT_SCALE_LINEAR,
    PLOT_SCALE_LOG,
};

/* What to do with an incomplete record at the end of an input. */
enum partial {
    PARTIAL_ERROR,
    PARTIAL_DROP,
};

/* What to do with the counts when a signal ends the run. */
enum interrupted {
    INTERRUPTED_DISCARD,
    INTERRUPTED_PRINT,
};

/* Room for the condition of --sample. */
#define OPTIONS_SAMPLE_BYTES 64

/* Room for the fields that --columns names. */
#define OPTIONS_FIELDS_BYTES 1024

struct options {
    enum action action;
    unsigned int topic; /* of --help: 1 + index; 0: all options */

    struct provenance provenance; /* the command line; the inputs' paths */
    const char *files0_from;      /* a file with these paths; NULL: none */
    bool members; /* the inputs are archives: count the files in them */
    struct axis_option arrays; /* of a file with several: names; none: all */
    enum decompress decompress;
    uint64_t skip_bytes; /* of each input */
    uint64_t read_bytes; /* of each input at most; PLAN_CHOOSE: all */
    uint64_t first;      /* records of each input; 0: all ... */
    uint64_t reads;      /* ... and of sequences */
    struct shard shard;  /* of the inputs */
    enum partial partial;
    enum interrupted interrupted;
    bool image;           /* the inputs are images, the fields channels */
    bool npy;             /* the inputs are .npy files */
    bool safetensors;     /* the inputs are safetensors files */
    const char *equalize; /* a file to write; NULL: none */
    bool lut;             /* also print the table of equalization */
    struct spec_options spec;
    const char *sample; /* of the reads: a percentage; NULL: all ... */
    uint64_t seed;      /* ... and which ones */
    char sample_condition[OPTIONS_SAMPLE_BYTES]; /* ... as a condition */

    bool merge;                         /* the inputs are states: add them up */
    enum portion_duplicates duplicates; /* in these */
    bool incomplete;                    /* shards may be missing */
    const char *state;  /* a file for the state of the counts; NULL: none */
    const char *output; /* a file for the counts; NULL: standard output */
    bool total;         /* with plan.per_file: the sum of all inputs, too */
    bool reset;         /* each snapshot has only the counts since the last */
    bool is_uniq; /* -c; after parsing: lines are counted because of that */
    char named_fields[OPTIONS_FIELDS_BYTES]; /* by --columns, without --fields;
                                                empty: none */
    struct report_options report; /* SORT is not SORT_DEFAULT after parsing */
    enum placement stats;
    struct summary_options summary; /* after parsing: all figures ... */
    struct figures percentiles;     /* ... with those of --percentiles */
    enum placement plot;
    const char *svg;            /* a file to draw to; NULL: none */
    enum plot_scale plot_scale; /* of --plot and --svg */
    enum sort plot_sort;        /* the order of keys; SORT_DEFAULT: not given */

    struct plan_options plan;
    bool has_gpu_timeout; /* gpu-timeout of --tune is given */

    enum status_line_when progress;
    bool explain;
    bool verbose;
    bool quiet;
};

/* Whether OPTIONS do not say what the records are, which are bytes then. */
static inline bool
options_are_of_bytes(const struct options *options)
{
    const struct spec_options *spec = &options->spec;

    return !text_options_are_given(&spec->text) && spec->dtype == NULL &&
           spec->record == NULL && !options->image && !options->npy &&
           !options->safetensors;
}

/* Whether OPTIONS want figures of the numbers of binary records: then these are
   counted as numbers, and not by patterns of their bits. */
static inline bool
options_have_figures(const struct options *options)
{
    /* The states tell of those that are merged. */
    if (options->merge)
        return options->spec.has_figures;
    return options->report.figures.count > 0 || options->stats != PLACE_NONE;
}

/* Returns the needs, enum figure_need, of the figures that OPTIONS name. */
static inline unsigned int
options_figures_needs(const struct options *options)
{
    return report_needs(&options->report) |
           figures_needs(&options->summary.figures);
}

/* Whether OPTIONS ask for one table with a column for each input. */
static inline bool
options_make_table(const struct options *options)
{
    return options->plan.per_file && options->report.pivot;
}

/* Let OPTIONS use no device. */
static inline void
options_forgo_devices(struct options *options)
{
    options->plan.device = DEVICE_CPU;
    options->plan.gpu_decode = GPU_DECODE_NEVER;
}

#endif

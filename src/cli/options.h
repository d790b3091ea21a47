/* options.h -- the command line */

#ifndef GPUHIST_OPTIONS_H
#define GPUHIST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "cli/status_line.h"
#include "hist/record.h"
#include "input/source.h"
#include "util/error.h"
#include "util/interval.h"

enum action {
    ACTION_COUNT,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST_DEVICES,
    ACTION_LIST_STRATEGIES,
};

enum device {
    DEVICE_AUTO, /* the CPU at once, a GPU where it pays */
    DEVICE_CPU,
    DEVICE_CUDA,   /* these GPUs only */
    DEVICE_OPENCL, /* these OpenCL devices only */
};

/* What is printed of the values that are in no bin. */
enum flow {
    FLOW_AUTO,  /* their rows where they are not 0 */
    FLOW_SHOW,  /* their rows always */
    FLOW_HIDE,  /* nothing, but a warning */
    FLOW_CLAMP, /* they are added to the first and the last bin */
};

/* How the histogram is printed. */
enum format {
    FORMAT_TSV,
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_PROM,
    FORMAT_UNIQ,
    FORMAT_NPY,
    FORMAT_COUNT,
};

/* The order of lines. */
enum sort {
    SORT_DEFAULT, /* by value; with a TOP, by count */
    SORT_VALUE,
    SORT_COUNT,
};

/* How bytes are written. */
enum labels {
    LABELS_DEC,
    LABELS_HEX,
    LABELS_CHAR,
};

/* Where statistics go. */
enum stats_place {
    STATS_NONE,
    STATS_BESIDE, /* to standard error, the histogram to standard output */
    STATS_ONLY,   /* to standard output */
};

/* A percentage, in units of 10^-9, and as the user wrote it. */
struct percentile {
    uint64_t nano;
    const char *text; /* into argv: digits and a point, up to TEXT_LENGTH */
    int text_length;
};

#define OPTIONS_PERCENTILES_MAX 64

/* Where bars go. */
enum plot {
    PLOT_NONE,
    PLOT_BESIDE, /* to standard error, the table to standard output */
    PLOT_ONLY,   /* to standard output, instead of the table */
};

/* How long a bar is for a count. */
enum plot_scale {
    PLOT_SCALE_AUTO, /* not given: linear */
    PLOT_SCALE_LINEAR,
    PLOT_SCALE_LOG,
};

/* What is to be done with a record that is cut off at the end of an input. */
enum partial {
    PARTIAL_ERROR,
    PARTIAL_DROP,
};

/* What is done with what was counted when a signal ends the run. */
enum interrupted {
    INTERRUPTED_DISCARD,
    INTERRUPTED_PRINT,
};

/* How a kernel keeps its counts. */
enum strategy {
    STRATEGY_AUTO,
    STRATEGY_REGISTERS, /* in registers */
    STRATEGY_LANE,      /* in shared memory, a table for each lane */
    STRATEGY_SHARED,    /* in shared memory, a table for each block */
    STRATEGY_PACKED,    /* likewise, two 16-bit counters in a word */
    STRATEGY_GLOBAL,    /* in global memory */
    STRATEGY_COUNT,
};

/* As many axes as options may be repeated for. */
#define OPTIONS_AXES_MAX 64

/* An option that is there once for all axes, or once for each. */
struct axis_option {
    const char *name;
    const char *text[OPTIONS_AXES_MAX]; /* the arguments, into argv */
    size_t count;
};

/* Their arguments are understood by axis.h. */
struct axis_options {
    struct axis_option bins;
    struct axis_option range;
    struct axis_option bin_width;
    struct axis_option edges;
    struct axis_option log;
    struct axis_option subdiv;
    struct axis_option shift;
    struct axis_option mask;
    struct axis_option mod;
};

/* As many GPUs as one run may name. */
#define OPTIONS_GPUS_MAX 64

/* In place of an ordinal: the best device. */
#define OPTIONS_GPU_BEST (-1)

/* No value given: to be chosen (plan.h). */
#define OPTIONS_CHOOSE UINT64_MAX

struct options {
    enum action action;

    char *const *paths; /* into argv */
    size_t path_count;
    enum decompress decompress;
    uint64_t skip_bytes; /* of each input */
    uint64_t read_bytes; /* of each input at most; or OPTIONS_CHOOSE: all */
    enum partial partial;
    enum interrupted interrupted;

    /* What to count: spec.h understands the texts, which point into argv. */
    const char *dtype; /* NULL: not given, like the next */
    const char *record;
    const char *fields;
    const char *weights;
    enum byte_order endian;
    bool joint;
    bool image;           /* the inputs are images, fields their channels */
    const char *equalize; /* a file to write; NULL: none */
    bool lut;             /* print the table of equalisation, too */
    struct axis_options axis;
    enum binning_closed closed;

    const char *output;    /* a file for the counts; NULL: standard output */
    struct interval every; /* between snapshots; or none are wanted */
    bool reset;            /* each is of what came since the last one */
    enum flow flow;
    bool nonzero;
    bool header_out;
    enum format format;
    const char *metric; /* of FORMAT_PROM; NULL: not given */
    bool cumulative;
    bool density;
    bool percent;
    uint64_t top;   /* lines at most; 0: all */
    enum sort sort; /* never SORT_DEFAULT once it is parsed */
    enum labels labels;
    enum stats_place stats;
    bool has_summary; /* --stats, not --percentiles alone */
    struct percentile percentile[OPTIONS_PERCENTILES_MAX];
    size_t percentile_count;

    /* The options as they were given, for a record of the run. */
    char *const *arguments; /* into argv */
    size_t argument_count;
    enum plot plot;
    const char *svg;            /* a file to draw to; NULL: none */
    enum plot_scale plot_scale; /* of both */

    enum device device;
    int gpu[OPTIONS_GPUS_MAX]; /* ordinals, of CUDA or of OpenCL */
    size_t gpu_count;          /* at least 1 */
    uint64_t gpu_after;        /* bytes; or OPTIONS_CHOOSE */
    double gpu_timeout;        /* seconds for a call; 0: for ever */
    bool has_gpu_timeout;      /* it was given */
    unsigned int threads;      /* 0: choose */
    size_t chunk_bytes;        /* 0: choose */
    uint64_t memory_limit;     /* bytes; or OPTIONS_CHOOSE */
    enum strategy strategy;    /* of a GPU */

    enum status_line_when progress;
    bool explain;
    bool verbose;
    bool quiet;
};

/*
 * Read the command line.  Files and options may be mixed; ARGV is permuted.
 * Returns 0, or -1 with *ERROR set.
 */
int options_parse(struct options *options, int argc, char **argv,
                  struct error *error);

/* The word for STRATEGY: "lane". */
const char *options_strategy_name(enum strategy strategy);

/* The word for FORMAT: "tsv". */
const char *options_format_name(enum format format);

/* What --help prints, in pieces; NULL behind the last. */
extern const char *const options_help[];

#endif

/* option_table.c -- every option, once */

#include "cli/option_table.h"
#include "cli/option_set.h"

/* The largest --chunk-size: a GPU's 32-bit counters hold it easily. */
#define CHUNK_BYTES_MAX ((uint64_t)1 << 30)
#define THREADS_MAX 4096

#define GPU_TIMEOUT_DEFAULT 30 /* seconds */

/* ---- words of other rooms ---- */

static const char *
type_word(size_t i, const char **remark)
{
    (void)remark;
    return i <= SAMPLE_F8 ? record_type_name((enum sample_type)i) : NULL;
}

static const char *
format_word(size_t i, const char **remark)
{
    if (i >= FORMAT_COUNT)
        return NULL;
    *remark = report_formats[i].remark;
    return report_formats[i].name;
}

static const char *
decompress_word(size_t i, const char **remark)
{
    (void)remark;
    return decoders_word((unsigned int)i);
}

static const char *
strategy_word(size_t i, const char **remark)
{
    (void)remark;
    return i < STRATEGY_COUNT ? kernel_strategy_name((enum strategy)i) : NULL;
}

/* ---- parts of rows ---- */

/* Does not compile unless MEMBER of struct options is a TYPE. */
#define FIELD(type, member)                             \
    {                                                   \
        _Generic(((struct options *)NULL)->member, type \
                 : offsetof(struct options, member)),   \
            sizeof(type)                                \
    }

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* How an option is set, and where. */
#define FLAG(member) .set = option_set_flag, .field = FIELD(bool, member)
#define WORD(member, enumerator)                                  \
    .set = option_set_word, .field = FIELD(unsigned int, member), \
    .first = (enumerator)
#define CONSTANT(member, enumerator)                                  \
    .set = option_set_constant, .field = FIELD(unsigned int, member), \
    .first = (enumerator)
#define SIZE(member)                                          \
    .set = option_set_size, .field = FIELD(uint64_t, member), \
    .wanted = "a size, such as 4096, 64k or 1.5GiB"
#define TEXT(member) \
    .set = option_set_text, .field = FIELD(const char *, member)
#define AXIS(member) \
    .set = option_set_axis, .field = FIELD(struct axis_option, member)
/* Instead of the rows, or beside them. */
#define PLACE(member) WORD(member, PLACE_ONLY), .absent = PLACE_BESIDE
/* A file beside the counts, which go to standard output. */
#define FILE_BESIDE(member)                                       \
    .set = option_set_file, .field = FIELD(const char *, member), \
    .wanted = "a file: standard output is for the counts"

/* Messages about several options. */
#define ONE_FIELD                                                              \
    "--stats and --percentiles are about the counts of one field: no --joint " \
    "and no --weights"
#define NOT_FOR_LISTS "--output and --format are for counts, not for lists"

/* ---- the options ---- */

const struct option_row option_table[] = {
    {
        .heading = "What to count",
        .name = "dtype",
        .argument = "TYPE",
        .help = "u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 (the digit is in\n"
                "bytes), or names like uint16; < or > before it\n"
                "is the byte order",
        .brief = "type of the values",
        .word_at = type_word,
        TEXT(spec.dtype),
        .rule = {{.excludes = "record"}},
    },
    {
        .name = "record",
        .argument = "TYPE[*N],...",
        .help = "several elements in a row; x*N skips N bytes",
        .brief = "several elements in a row",
        .word_at = type_word,
        TEXT(spec.record),
    },
    {
        .name = "endian",
        .argument = "ORDER",
        .help = "%w, where a TYPE does not say it",
        .brief = "byte order",
        .words = WORDS("little", "big"),
        WORD(spec.endian, ORDER_LITTLE),
    },
    {
        .name = "fields",
        .letter = 'f',
        .argument = "LIST",
        .help = "count these elements (1,3-5), each by itself",
        .brief = "count these elements, each by itself",
        TEXT(spec.fields),
    },
    {
        .name = "joint",
        .help = "count all fields of a record together",
        FLAG(spec.joint),
        .use = {{.feature = REPORT_JOINT}},
    },
    {
        .name = "weights",
        .argument = "FIELD",
        .help = "add up this field instead of counting",
        TEXT(spec.weights),
        .use = {{.feature = REPORT_WEIGHTS}},
    },
    {
        .name = "image",
        .help = "the pixels of PNM and BMP images; fields are the\n"
                "channels",
        .brief = "the pixels of PNM and BMP images",
        FLAG(image),
        .rule =
            {{.excludes = "dtype record endian",
              .message =
                  "--image has its own fields: no --dtype, --record or --endian"},
             {.excludes = "read-bytes",
              .message = "--read-bytes would cut an --image"}},
    },
    {
        .name = "skip-bytes",
        .argument = "SIZE",
        .help = "leave out the first SIZE bytes of each input",
        .brief = "leave out so many bytes of each input",
        SIZE(skip_bytes),
    },
    {
        .name = "read-bytes",
        .argument = "SIZE",
        .help = "read at most SIZE bytes of each input",
        .brief = "read at most so many bytes of each input",
        SIZE(read_bytes),
    },
    {
        .name = "partial",
        .argument = "HOW",
        .help = "a record cut off at the end is an error, or: drop",
        .brief = "a record cut off at the end",
        .words = WORDS("error", "drop"),
        WORD(partial, PARTIAL_ERROR),
    },
    {
        .heading = "Bins (once for all fields, or once for each; - for none)",
        .name = "bins",
        .letter = 'b',
        .argument = "N",
        .help = "N bins of one width",
        .brief = "bins of one width",
        AXIS(spec.axis.bins),
    },
    {
        .name = "range",
        .argument = "LO,HI",
        .help = "from LO to HI",
        .brief = "first and last edge: LO,HI or auto",
        .words = WORDS("auto"),
        AXIS(spec.axis.range),
    },
    {
        .name = "bin-width",
        .argument = "W",
        .help = "bins of width W",
        .brief = "bins of this width",
        AXIS(spec.axis.bin_width),
    },
    {
        .name = "edges",
        .argument = "E0,E1,...",
        .help = "bins between these edges; @FILE has them",
        .brief = "bins between these edges, or @FILE",
        .completion = OPTION_COMPLETE_AT_FILE,
        AXIS(spec.axis.edges),
    },
    {
        .name = "log",
        .is_optional = true,
        .argument = "BASE",
        .help = "bins of one ratio; BASE is 2 (default), 10 or e",
        .brief = "bins of one ratio",
        .words = WORDS("2", "10", "e"),
        AXIS(spec.axis.log),
    },
    {
        .name = "subdiv",
        .argument = "K",
        .help = "2^K bins for each octave, decade or e-fold",
        AXIS(spec.axis.subdiv),
    },
    {
        .name = "shift",
        .argument = "N",
        .help = "shift integers N bits to the right first,",
        .brief = "shift integers to the right",
        AXIS(spec.axis.shift),
    },
    {
        .name = "mask",
        .argument = "M",
        .help = "then keep the bits M,",
        .brief = "keep these bits",
        AXIS(spec.axis.mask),
    },
    {
        .name = "mod",
        .argument = "M",
        .help = "then take the remainder of M",
        .brief = "take the remainder",
        AXIS(spec.axis.mod),
    },
    {
        .name = "closed",
        .argument = "SIDE",
        .help = "bins are [lo,hi) (left, default) or (lo,hi]",
        .brief = "which edge belongs to a bin",
        .words = WORDS("left", "right"),
        WORD(spec.closed, BINNING_LEFT),
    },
    {
        .name = "numpy",
        .help = "as left, but the last bin is [lo,hi]",
        .brief = "the last bin is closed, as in numpy",
        CONSTANT(spec.closed, BINNING_NUMPY),
    },
    {
        .name = "flow",
        .argument = "HOW",
        .help = "values in no bin: %w",
        .brief = "values in no bin",
        .words = WORDS("auto", "show", "hide", "clamp"),
        WORD(report.flow, FLOW_AUTO),
        .use = {{.feature = REPORT_FLOW},
                {.feature = REPORT_FLOW_ROWS, .when = "show"}},
    },
    {
        .heading = "Input",
        .name = "decompress",
        .argument = "HOW",
        .help = "auto: decode what begins like zstd (default);\n"
                "none: count every byte as it is;\n"
                "zstd: refuse anything but zstd",
        .brief = "what to do with zstd",
        .word_at = decompress_word,
        WORD(decompress, DECOMPRESS_AUTO),
    },
    {
        .name = "memory-limit",
        .argument = "SIZE",
        .help = "bound the memory for buffers, zstd windows and\n"
                "tables (default: half of the machine's)",
        .brief = "bound the memory",
        SIZE(plan.memory_limit),
        .least = 1,
    },
    {
        .heading = "Output",
        .name = "output",
        .letter = 'o',
        .argument = "FILE",
        .help = "print to FILE, which is replaced when all is done",
        .brief = "print to a file",
        .completion = OPTION_COMPLETE_FILE,
        .set = option_set_output,
        .field = FIELD(const char *, output),
    },
    {
        .name = "every",
        .argument = "INTERVAL",
        .help = "print the counts so far again and again: each 10s,\n"
                "5min or 1h, or each SIZE of input",
        .brief = "print the counts so far, again and again",
        .set = option_set_interval,
        .field = FIELD(struct interval, plan.every),
        .wanted = "a time from 1ms on (with ms, s, min, h or d) or a size",
        .rule = {{.excludes = "image",
                  .message = "--every is not for an --image"}},
    },
    {
        .name = "reset",
        .help = "... but what came since the last time",
        .brief = "print what came since the last time",
        FLAG(reset),
        .rule = {{.needs = "every"}},
    },
    {
        .name = "interrupted",
        .argument = "HOW",
        .help = "after INT, TERM or HUP: discard what was counted, or\n"
                "print it with a mark",
        .brief = "what to do after a signal",
        .words = WORDS("discard", "print"),
        WORD(interrupted, INTERRUPTED_DISCARD),
        .use = {{.feature = REPORT_MARK, .when = "print"}},
    },
    {
        .name = "format",
        .argument = "FORMAT",
        .help = "%w",
        .brief = "how to print",
        .word_at = format_word,
        WORD(report.format, FORMAT_TSV),
        .use = {{.feature = REPORT_ROWS}},
    },
    {
        .name = "header-out",
        .help = "print a header line",
        FLAG(report.header_out),
        .use = {{.feature = REPORT_HEADER}},
    },
    {
        .name = "nonzero",
        .help = "leave out the values that do not occur",
        FLAG(report.nonzero),
        .use = {{.feature = REPORT_NONZERO}},
    },
    {
        .name = "top",
        .argument = "N",
        .help = "the N most frequent ones, and a line for the rest",
        .brief = "the most frequent ones only",
        .set = option_set_size,
        .field = FIELD(uint64_t, report.top),
        .least = 1,
        .wanted = "a number of lines from 1 on",
        .use = {{.feature = REPORT_ORDER}},
    },
    {
        .name = "sort",
        .argument = "ORDER",
        .help = "by value, or by count, descending",
        .brief = "order of the lines",
        .words = WORDS("value", "count"),
        WORD(report.sort, SORT_VALUE),
        .use = {{.feature = REPORT_ORDER, .when = "count"}},
    },
    {
        .name = "labels",
        .argument = "HOW",
        .help = "write bytes as %w",
        .brief = "how to write bytes",
        .words = WORDS("dec", "hex", "char"),
        WORD(report.labels, LABELS_DEC),
        .use = {{.feature = REPORT_LABELS}},
    },
    {
        .name = "cumulative",
        .help = "one more column: the sum of all lines so far,",
        .brief = "one more column: the sum so far",
        FLAG(report.cumulative),
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "density",
        .help = "... the density, as numpy's,",
        .brief = "one more column: the density",
        FLAG(report.density),
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "percent",
        .help = "... the percentage of all values",
        .brief = "one more column: the percentage",
        FLAG(report.percent),
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "metric",
        .argument = "NAME",
        .help = "with prom: the metric's name (gpuhist_values)",
        .brief = "name of the metric, with prom",
        .set = option_set_metric,
        .field = FIELD(const char *, report.metric),
        .wanted = "a name of letters, digits, _ and :",
        .rule = {{.needs = "format=prom"}},
    },
    {
        .name = "lut",
        .help = "with --image: print the table that equalises it",
        .brief = "print the table that equalises an image",
        FLAG(lut),
        .rule = {{.needs = "image"}},
        .use = {{.feature = REPORT_COLUMNS}},
    },
    {
        .name = "equalize",
        .argument = "FILE",
        .help = "with --image: write the equalised image, PGM",
        .brief = "write the equalised image",
        .completion = OPTION_COMPLETE_FILE,
        FILE_BESIDE(equalize),
        .rule = {{.needs = "image"}},
    },
    {
        .heading = "Statistics",
        .name = "stats",
        .is_optional = true,
        .argument = "only",
        .help = "mean, deviation, entropy and others, on standard\n"
                "error; only: instead of the counts",
        .brief = "mean, deviation, entropy and others",
        .words = WORDS("only"),
        PLACE(stats),
        .rule = {{.excludes = "joint weights", .message = ONE_FIELD},
                 {.when = "only", .excludes = "plot=only"}},
    },
    {
        .name = "percentiles",
        .argument = "P,...",
        .help = "the values that P percent do not exceed",
        .brief = "values that so many percent do not exceed",
        .set = option_set_percentiles,
        .field = FIELD(size_t, summary.percentile_count),
        .wanted = "a list of numbers above 0, up to 100, with up to 9 decimals",
        .rule = {{.excludes = "joint weights", .message = ONE_FIELD}},
    },
    {
        .heading = "Pictures",
        .name = "plot",
        .is_optional = true,
        .argument = "only",
        .help = "draw bars on standard error, or a heat map; only:\n"
                "on standard output, instead of the lines",
        .brief = "draw bars or a heat map",
        .words = WORDS("only"),
        PLACE(plot),
    },
    {
        .name = "plot-scale",
        .argument = "SCALE",
        .help = "linear (default) or log: how long a bar is",
        .brief = "how long a bar is",
        .words = WORDS("linear", "log"),
        WORD(plot_scale, PLOT_SCALE_LINEAR),
        .rule = {{.needs = "plot svg"}},
    },
    {
        .name = "svg",
        .argument = "FILE",
        .help = "draw the same picture to FILE, as SVG",
        .brief = "draw a picture to this file",
        .completion = OPTION_COMPLETE_FILE,
        FILE_BESIDE(svg),
    },
    {
        .heading = "Engine",
        .name = "device",
        .argument = "DEVICE",
        .help = "auto, cpu, cuda, opencl, cuda:N[,N]... or\n"
                "opencl:N[,N]... (default: auto: the CPU, and a\n"
                "GPU for long inputs)",
        .brief = "who counts",
        .words = WORDS("auto", "cpu", "cuda", "opencl"),
        .set = option_set_device,
        .field = FIELD(unsigned int, plan.device),
        .first = DEVICE_AUTO,
        .wanted = "auto, cpu, cuda, opencl, cuda:N[,N]... or opencl:N[,N]...",
    },
    {
        .name = "gpu-after",
        .argument = "SIZE",
        .help = "with auto: start the GPU when SIZE bytes are\n"
                "known to come or have come",
        .brief = "start the GPU after so many bytes",
        SIZE(plan.gpu_after),
        .rule = {{.needs = "device=auto"}},
    },
    {
        .name = "gpu-timeout",
        .argument = "SECONDS",
        .help = "give up a GPU that does not answer for so long\n"
                "(default: 30); none: never",
        .brief = "give up a GPU that does not answer for so long",
        .words = WORDS("none"),
        .set = option_set_gpu_timeout,
        .field = FIELD(bool, has_gpu_timeout),
        .wanted = "a number from 0.01 to 1e6, or none",
        .rule = {{.excludes = "device=cpu",
                  .message = "--gpu-timeout has no effect with --device=cpu"}},
    },
    {
        .name = "strategy",
        .argument = "NAME",
        .help = "how the GPU keeps its counts: %w",
        .brief = "how the GPU keeps its counts",
        .word_at = strategy_word,
        WORD(plan.strategy, STRATEGY_AUTO),
        .rule =
            {{.excludes = "device=cpu",
              .message =
                  "--strategy is about GPUs: it has no effect with --device=cpu"}},
    },
    {
        .name = "threads",
        .letter = 'j',
        .argument = "N",
        .help = "count with up to N CPU threads",
        .brief = "count with up to so many CPU threads",
        .set = option_set_number,
        .field = FIELD(unsigned int, plan.threads),
        .least = 1,
        .most = THREADS_MAX,
        .wanted = "a number from 1 to 4096",
    },
    {
        .name = "chunk-size",
        .argument = "SIZE",
        .help = "read, copy and count SIZE bytes at a time",
        .brief = "read, copy and count so many bytes at a time",
        .set = option_set_size,
        .field = FIELD(size_t, plan.chunk_bytes),
        .least = 1,
        .most = CHUNK_BYTES_MAX,
        .wanted = "a size from 1 to 1GiB",
    },
    {
        .name = "list-devices",
        .help = "list the devices and exit",
        CONSTANT(action, ACTION_LIST_DEVICES),
        .rule = {{.excludes = "output format", .message = NOT_FOR_LISTS}},
    },
    {
        .name = "list-strategies",
        .help = "list what --strategy can be, and exit",
        CONSTANT(action, ACTION_LIST_STRATEGIES),
        .rule = {{.excludes = "output format", .message = NOT_FOR_LISTS}},
    },
    {
        .heading = "Messages",
        .name = "progress",
        .is_optional = true,
        .argument = "WHEN",
        .help = "say on standard error how far it is: auto (on a\n"
                "terminal, default), always or never",
        .brief = "say how far it is",
        .words = WORDS("auto", "always", "never"),
        WORD(progress, STATUS_LINE_AUTO),
        .absent = STATUS_LINE_ALWAYS,
    },
    {
        .name = "explain",
        .help = "say on standard error which bins there are, and\n"
                "who counted how much",
        .brief = "say which bins there are, and who counted",
        FLAG(explain),
    },
    {
        .name = "quiet",
        .letter = 'q',
        .help = "no warnings, only errors",
        .brief = "no warnings",
        FLAG(quiet),
    },
    {
        .name = "verbose",
        .letter = 'v',
        .help = "also say why no GPU was used, and what the system\n"
                "refused",
        .brief = "also say why no GPU was used",
        FLAG(verbose),
    },
    {
        .name = "help",
        .letter = 'h',
        .help = "print this help and exit",
        .brief = "print a summary and exit",
        CONSTANT(action, ACTION_HELP),
    },
    {
        .name = "version",
        .letter = 'V',
        .help = "print the version and exit",
        CONSTANT(action, ACTION_VERSION),
    },
};

const size_t option_count = sizeof option_table / sizeof *option_table;

const struct options option_defaults = {
    .read_bytes = PLAN_CHOOSE,
    .plan.gpu_count = 1,
    .plan.gpu_after = PLAN_CHOOSE,
    .plan.gpu_timeout = GPU_TIMEOUT_DEFAULT,
    .plan.memory_limit = PLAN_CHOOSE,
};

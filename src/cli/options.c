/* options.c -- the command line */

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/spelling.h"
#include "util/number.h"
#include "util/size.h"

/* The largest --chunk-size: a GPU's 32-bit counters hold it easily. */
#define CHUNK_BYTES_MAX ((uint64_t)1 << 30)
#define THREADS_MAX 4096
/* A GPU takes a second for what it holds, unless that is many GiB. */
#define GPU_TIMEOUT 30
#define GPU_TIMEOUT_MIN 0.01
#define GPU_TIMEOUT_MAX 1e6

/* What a size is, for messages. */
#define SIZE_WANTED "a size, such as 4096, 64k or 1.5GiB"

/* Room for a message's list of options. */
#define LIST_BYTES 512

/* Options without a letter. */
enum {
    OPTION_BIN_WIDTH = 256,
    OPTION_CHUNK_SIZE,
    OPTION_CLOSED,
    OPTION_CUMULATIVE,
    OPTION_DECOMPRESS,
    OPTION_DENSITY,
    OPTION_DEVICE,
    OPTION_DTYPE,
    OPTION_EDGES,
    OPTION_ENDIAN,
    OPTION_EQUALIZE,
    OPTION_EVERY,
    OPTION_EXPLAIN,
    OPTION_FLOW,
    OPTION_FORMAT,
    OPTION_GPU_AFTER,
    OPTION_GPU_TIMEOUT,
    OPTION_HEADER_OUT,
    OPTION_IMAGE,
    OPTION_INTERRUPTED,
    OPTION_JOINT,
    OPTION_LABELS,
    OPTION_LIST_DEVICES,
    OPTION_LIST_STRATEGIES,
    OPTION_LOG,
    OPTION_LUT,
    OPTION_MASK,
    OPTION_MEMORY_LIMIT,
    OPTION_METRIC,
    OPTION_MOD,
    OPTION_NONZERO,
    OPTION_NUMPY,
    OPTION_PARTIAL,
    OPTION_PERCENT,
    OPTION_PERCENTILES,
    OPTION_PLOT,
    OPTION_PLOT_SCALE,
    OPTION_PROGRESS,
    OPTION_RANGE,
    OPTION_READ_BYTES,
    OPTION_RECORD,
    OPTION_RESET,
    OPTION_SHIFT,
    OPTION_SKIP_BYTES,
    OPTION_SORT,
    OPTION_STATS,
    OPTION_STRATEGY,
    OPTION_SUBDIV,
    OPTION_SVG,
    OPTION_TOP,
    OPTION_WEIGHTS,
};

static const struct option long_options[] = {
    {"bin-width", required_argument, NULL, OPTION_BIN_WIDTH},
    {"bins", required_argument, NULL, 'b'},
    {"chunk-size", required_argument, NULL, OPTION_CHUNK_SIZE},
    {"closed", required_argument, NULL, OPTION_CLOSED},
    {"cumulative", no_argument, NULL, OPTION_CUMULATIVE},
    {"decompress", required_argument, NULL, OPTION_DECOMPRESS},
    {"density", no_argument, NULL, OPTION_DENSITY},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"dtype", required_argument, NULL, OPTION_DTYPE},
    {"edges", required_argument, NULL, OPTION_EDGES},
    {"endian", required_argument, NULL, OPTION_ENDIAN},
    {"equalize", required_argument, NULL, OPTION_EQUALIZE},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"explain", no_argument, NULL, OPTION_EXPLAIN},
    {"fields", required_argument, NULL, 'f'},
    {"flow", required_argument, NULL, OPTION_FLOW},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"gpu-after", required_argument, NULL, OPTION_GPU_AFTER},
    {"gpu-timeout", required_argument, NULL, OPTION_GPU_TIMEOUT},
    {"header-out", no_argument, NULL, OPTION_HEADER_OUT},
    {"help", no_argument, NULL, 'h'},
    {"image", no_argument, NULL, OPTION_IMAGE},
    {"interrupted", required_argument, NULL, OPTION_INTERRUPTED},
    {"joint", no_argument, NULL, OPTION_JOINT},
    {"labels", required_argument, NULL, OPTION_LABELS},
    {"list-devices", no_argument, NULL, OPTION_LIST_DEVICES},
    {"list-strategies", no_argument, NULL, OPTION_LIST_STRATEGIES},
    {"log", optional_argument, NULL, OPTION_LOG},
    {"lut", no_argument, NULL, OPTION_LUT},
    {"mask", required_argument, NULL, OPTION_MASK},
    {"memory-limit", required_argument, NULL, OPTION_MEMORY_LIMIT},
    {"metric", required_argument, NULL, OPTION_METRIC},
    {"mod", required_argument, NULL, OPTION_MOD},
    {"nonzero", no_argument, NULL, OPTION_NONZERO},
    {"numpy", no_argument, NULL, OPTION_NUMPY},
    {"output", required_argument, NULL, 'o'},
    {"partial", required_argument, NULL, OPTION_PARTIAL},
    {"percent", no_argument, NULL, OPTION_PERCENT},
    {"percentiles", required_argument, NULL, OPTION_PERCENTILES},
    {"plot", optional_argument, NULL, OPTION_PLOT},
    {"plot-scale", required_argument, NULL, OPTION_PLOT_SCALE},
    {"progress", optional_argument, NULL, OPTION_PROGRESS},
    {"quiet", no_argument, NULL, 'q'},
    {"range", required_argument, NULL, OPTION_RANGE},
    {"read-bytes", required_argument, NULL, OPTION_READ_BYTES},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"reset", no_argument, NULL, OPTION_RESET},
    {"shift", required_argument, NULL, OPTION_SHIFT},
    {"skip-bytes", required_argument, NULL, OPTION_SKIP_BYTES},
    {"sort", required_argument, NULL, OPTION_SORT},
    {"stats", optional_argument, NULL, OPTION_STATS},
    {"strategy", required_argument, NULL, OPTION_STRATEGY},
    {"subdiv", required_argument, NULL, OPTION_SUBDIV},
    {"svg", required_argument, NULL, OPTION_SVG},
    {"threads", required_argument, NULL, 'j'},
    {"top", required_argument, NULL, OPTION_TOP},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {"weights", required_argument, NULL, OPTION_WEIGHTS},
    {NULL, 0, NULL, 0},
};

/* In pieces: C99 wants none longer than 4095. */
const char *const options_help[] = {
    "Usage: gpuhist [OPTION]... [FILE]...\n"
    "Count how often each value occurs in the FILEs, or in standard input, and\n"
    "print a line for each: value, tab, count; or for each bin: its two edges,\n"
    "count.  Without options the values are bytes.\n"
    "\n"
    "No FILE, or - as FILE: standard input.  Several inputs are added up.\n"
    "\n"
    "What to count:\n"
    "      --dtype=TYPE        u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 (the digit is in\n"
    "                          bytes), or names like uint16; < or > before it\n"
    "                          is the byte order\n"
    "      --record=TYPE[*N],...\n"
    "                          several elements in a row; x*N skips N bytes\n"
    "      --endian=ORDER      little or big, where a TYPE does not say it\n"
    "  -f, --fields=LIST       count these elements (1,3-5), each by itself\n"
    "      --joint             count all fields of a record together\n"
    "      --weights=FIELD     add up this field instead of counting\n"
    "      --image             the pixels of PNM and BMP images; fields are the\n"
    "                          channels\n"
    "      --skip-bytes=SIZE   leave out the first SIZE bytes of each input\n"
    "      --read-bytes=SIZE   read at most SIZE bytes of each input\n"
    "      --partial=HOW       a record cut off at the end is an error, or: drop\n"
    "\n",
    "Bins (once for all fields, or once for each; - for none):\n"
    "  -b, --bins=N            N bins of one width\n"
    "      --range=LO,HI       from LO to HI\n"
    "      --bin-width=W       bins of width W\n"
    "      --edges=E0,E1,...   bins between these edges; @FILE has them\n"
    "      --log[=BASE]        bins of one ratio; BASE is 2 (default), 10 or e\n"
    "      --subdiv=K          2^K bins for each octave, decade or e-fold\n"
    "      --shift=N           shift integers N bits to the right first,\n"
    "      --mask=M            then keep the bits M,\n"
    "      --mod=M             then take the remainder of M\n"
    "      --closed=SIDE       bins are [lo,hi) (left, default) or (lo,hi]\n"
    "      --numpy             as left, but the last bin is [lo,hi]\n"
    "      --flow=HOW          values in no bin: auto, show, hide or clamp\n"
    "\n"
    "Input:\n"
    "      --decompress=HOW    auto: decode what begins like zstd (default);\n"
    "                          none: count every byte as it is;\n"
    "                          zstd: refuse anything but zstd\n"
    "      --memory-limit=SIZE bound the memory for buffers, zstd windows and\n"
    "                          tables (default: half of the machine's)\n"
    "\n",
    "Output:\n"
    "  -o, --output=FILE       print to FILE, which is replaced when all is done\n"
    "      --every=INTERVAL    print the counts so far again and again: each 10s,\n"
    "                          5min or 1h, or each SIZE of input\n"
    "      --reset             ... but what came since the last time\n"
    "      --interrupted=HOW   after INT, TERM or HUP: discard what was counted, or\n"
    "                          print it with a mark\n"
    "      --format=FORMAT     tsv (default), csv, json, jsonl, prom (for\n"
    "                          Prometheus), uniq (as uniq -c) or npy (numpy)\n"
    "      --header-out        print a header line\n"
    "      --nonzero           leave out the values that do not occur\n"
    "      --top=N             the N most frequent ones, and a line for the rest\n"
    "      --sort=ORDER        by value, or by count, descending\n"
    "      --labels=HOW        write bytes as dec, hex or char\n"
    "      --cumulative        one more column: the sum of all lines so far,\n"
    "      --density           ... the density, as numpy's,\n"
    "      --percent           ... the percentage of all values\n"
    "      --metric=NAME       with prom: the metric's name (gpuhist_values)\n"
    "      --lut               with --image: print the table that equalises it\n"
    "      --equalize=FILE     with --image: write the equalised image, PGM\n"
    "\n"
    "Statistics:\n"
    "      --stats[=only]      mean, deviation, entropy and others, on standard\n"
    "                          error; only: instead of the counts\n"
    "      --percentiles=P,... the values that P percent do not exceed\n"
    "\n"
    "Pictures:\n"
    "      --plot[=only]       draw bars on standard error, or a heat map; only:\n"
    "                          on standard output, instead of the lines\n"
    "      --plot-scale=SCALE  linear (default) or log: how long a bar is\n"
    "      --svg=FILE          draw the same picture to FILE, as SVG\n"
    "\n",
    "Engine:\n"
    "      --device=DEVICE     auto, cpu, cuda, opencl, cuda:N[,N]... or\n"
    "                          opencl:N[,N]... (default: auto: the CPU, and a\n"
    "                          GPU for long inputs)\n"
    "      --gpu-after=SIZE    with auto: start the GPU when SIZE bytes are\n"
    "                          known to come or have come\n"
    "      --gpu-timeout=SECONDS\n"
    "                          give up a GPU that does not answer for so long\n"
    "                          (default: 30); none: never\n"
    "      --strategy=NAME     how the GPU keeps its counts: auto, lane,\n"
    "                          shared, packed or global\n"
    "  -j, --threads=N         count with up to N CPU threads\n"
    "      --chunk-size=SIZE   read, copy and count SIZE bytes at a time\n"
    "      --list-devices      list the devices and exit\n"
    "      --list-strategies   list what --strategy can be, and exit\n"
    "\n"
    "Messages:\n"
    "      --progress[=WHEN]   say on standard error how far it is: auto (on a\n"
    "                          terminal, default), always or never\n"
    "      --explain           say on standard error which bins there are, and\n"
    "                          who counted how much\n"
    "  -q, --quiet             no warnings, only errors\n"
    "  -v, --verbose           also say why no GPU was used, and what the system\n"
    "                          refused\n"
    "  -h, --help              print this help and exit\n"
    "  -V, --version           print the version and exit\n"
    "\n"
    "SIZE is a number of bytes with an optional unit: k M G T are powers of 1000,\n"
    "Ki Mi Gi Ti of 1024, and a B may follow; 1e6, 1.5GiB and 0x1000 are fine.\n"
    "The N of --bins and --top is read in the same way.\n"
    "\n"
    "Exit status: 0 everything counted and printed, 1 bad input or output,\n"
    "2 wrong usage, 3 the demanded device is not usable.\n",
    NULL,
};

static int
parse_uint(const char *text, unsigned int max, unsigned int *number)
{
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
        return -1;
    errno = 0;
    unsigned long value = strtoul(text, NULL, 10);
    if (errno != 0 || value > max)
        return -1;
    *number = (unsigned int)value;
    return 0;
}

/* "N[,N]...": the ordinals of the GPUs, each once. */
static int
parse_gpus(const char *list, struct options *options)
{
    options->plan.gpu_count = 0;
    for (;;) {
        char word[16];
        size_t length = strcspn(list, ",");
        unsigned int ordinal;

        if (length >= sizeof word || options->plan.gpu_count == PLAN_GPUS_MAX)
            return -1;
        memcpy(word, list, length);
        word[length] = '\0';
        if (parse_uint(word, INT_MAX, &ordinal) < 0)
            return -1;
        for (size_t i = 0; i < options->plan.gpu_count; i++) {
            if (options->plan.gpu[i] == (int)ordinal)
                return -1;
        }
        options->plan.gpu[options->plan.gpu_count++] = (int)ordinal;
        if (list[length] == '\0')
            return 0;
        list += length + 1;
    }
}

static int
parse_device(const char *text, struct options *options)
{
    options->plan.gpu[0] = 0;
    options->plan.gpu_count = 1;
    if (strcmp(text, "auto") == 0)
        options->plan.device = DEVICE_AUTO;
    else if (strcmp(text, "cpu") == 0)
        options->plan.device = DEVICE_CPU;
    else if (strcmp(text, "cuda") == 0)
        options->plan.device = DEVICE_CUDA;
    else if (strncmp(text, "cuda:", 5) == 0) {
        options->plan.device = DEVICE_CUDA;
        return parse_gpus(text + 5, options);
    } else if (strcmp(text, "opencl") == 0) {
        options->plan.device = DEVICE_OPENCL;
        options->plan.gpu[0] = ENGINE_BEST;
    } else if (strncmp(text, "opencl:", 7) == 0) {
        options->plan.device = DEVICE_OPENCL;
        return parse_gpus(text + 7, options);
    } else
        return -1;
    return 0;
}

/* The index of TEXT among COUNT WORDS, or -1. */
static int
find_word(const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0)
            return i;
    }
    return -1;
}

static int
find_strategy(const char *text)
{
    for (int i = 0; i < STRATEGY_COUNT; i++) {
        if (strcmp(text, kernel_strategy_name((enum strategy)i)) == 0)
            return i;
    }
    return -1;
}

static int
find_format(const char *text)
{
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(text, report_formats[i].name) == 0)
            return i;
    }
    return -1;
}

static int
parse_timeout(const char *text, double *seconds)
{
    if (strcmp(text, "none") == 0) {
        *seconds = 0;
        return 0;
    }
    if (number_parse(text, seconds) < 0)
        return -1;
    return *seconds >= GPU_TIMEOUT_MIN && *seconds <= GPU_TIMEOUT_MAX ? 0 : -1;
}

/* In the order of the enumerations that they stand for. */
static const char *const order_words[] = {"little", "big"};
static const char *const interrupted_words[] = {"discard", "print"};
static const char *const partial_words[] = {"error", "drop"};
static const char *const progress_words[] = {"auto", "always", "never"};
static const char *const closed_words[] = {"left", "right"};
static const char *const flow_words[] = {"auto", "show", "hide", "clamp"};
static const char *const scale_words[] = {"linear", "log"};

static const char *const sort_words[] = {"value", "count"};
static const char *const labels_words[] = {"dec", "hex", "char"};

static int
bad_value(const char *option, const char *value, const char *wanted,
          struct error *error)
{
    error_set(error, EXIT_USAGE, "%s: '%s' is not %s", option, value, wanted);
    return -1;
}

/* A file beside the counts, which go to standard output. */
static int
set_file(const char **file, const char *option, const char *value,
         struct error *error)
{
    if (strcmp(value, "-") == 0)
        return bad_value(option, value,
                         "a file: standard output is for the counts", error);
    *file = value;
    return 0;
}

static int
add_text(struct axis_option *option, const char *text, struct error *error)
{
    if (option->count == SPEC_AXES_MAX) {
        error_set(error, EXIT_USAGE, "--%s is there more than %d times",
                  option->name, SPEC_AXES_MAX);
        return -1;
    }
    option->text[option->count++] = text;
    return 0;
}

/*
 * Apply an option about what is counted and in which bins.  Returns 0, -1
 * with *ERROR set, or 1: it is another option.
 */
static int
apply_spec(struct options *options, int option, const char *value,
           struct error *error)
{
    struct axis_options *axis = &options->spec.axis;
    int word;

    switch (option) {
    case OPTION_BIN_WIDTH:
        return add_text(&axis->bin_width, value, error);
    case 'b':
        return add_text(&axis->bins, value, error);
    case OPTION_EDGES:
        return add_text(&axis->edges, value, error);
    case OPTION_LOG:
        return add_text(&axis->log, value != NULL ? value : "2", error);
    case OPTION_MASK:
        return add_text(&axis->mask, value, error);
    case OPTION_MOD:
        return add_text(&axis->mod, value, error);
    case OPTION_RANGE:
        return add_text(&axis->range, value, error);
    case OPTION_SHIFT:
        return add_text(&axis->shift, value, error);
    case OPTION_SUBDIV:
        return add_text(&axis->subdiv, value, error);
    case OPTION_CLOSED:
        word = find_word(value, closed_words, 2);
        if (word < 0)
            return bad_value("--closed", value, "left or right", error);
        options->spec.closed = (enum binning_closed)word;
        break;
    case OPTION_NUMPY:
        options->spec.closed = BINNING_NUMPY;
        break;
    case OPTION_DTYPE:
        options->spec.dtype = value;
        break;
    case OPTION_ENDIAN:
        word = find_word(value, order_words, 2);
        if (word < 0)
            return bad_value("--endian", value, "little or big", error);
        options->spec.endian = (enum byte_order)(ORDER_LITTLE + word);
        break;
    case OPTION_EQUALIZE:
        return set_file(&options->equalize, "--equalize", value, error);
    case 'f':
        options->spec.fields = value;
        break;
    case OPTION_IMAGE:
        options->image = true;
        break;
    case OPTION_JOINT:
        options->spec.joint = true;
        break;
    case OPTION_LUT:
        options->lut = true;
        break;
    case OPTION_RECORD:
        options->spec.record = value;
        break;
    case OPTION_WEIGHTS:
        options->spec.weights = value;
        break;
    default:
        return 1;
    }
    return 0;
}

/* "P,...": percentages above 0, up to 100, with up to 9 decimals. */
static int
parse_percentiles(const char *list, struct options *options)
{
    options->summary.percentile_count = 0;
    for (;;) {
        size_t length = strcspn(list, ",");
        uint64_t nano = 0;
        int decimals = -1; /* no point so far */

        for (size_t i = 0; i < length; i++) {
            if (list[i] == '.' && decimals < 0) {
                decimals = 0;
                continue;
            }
            if (list[i] < '0' || list[i] > '9' || decimals == 9 ||
                nano > UINT64_C(1000000000000))
                return -1;
            nano = nano * 10 + (uint64_t)(list[i] - '0');
            decimals += decimals >= 0;
        }
        for (int i = decimals < 0 ? 0 : decimals; i < 9; i++)
            nano *= 10;
        if (nano == 0 || nano > (uint64_t)100 * 1000000000 ||
            options->summary.percentile_count == SUMMARY_PERCENTILES_MAX)
            return -1;
        options->summary.percentile[options->summary.percentile_count++] =
            (struct percentile){nano, list, (int)length};
        if (list[length] == '\0')
            return 0;
        list += length + 1;
    }
}

/* Whether TEXT can be the name of a metric. */
static bool
is_metric(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ_:";

    if (strspn(text, first) == 0)
        return false;
    while (*text != '\0' &&
           (strchr(first, *text) != NULL || (*text >= '0' && *text <= '9')))
        text++;
    return *text == '\0';
}

/* Apply an option about what is printed; returns as apply_spec(). */
static int
apply_output(struct options *options, int option, const char *value,
             struct error *error)
{
    int word;

    switch (option) {
    case OPTION_CUMULATIVE:
        options->report.cumulative = true;
        break;
    case OPTION_DENSITY:
        options->report.density = true;
        break;
    case OPTION_FLOW:
        word = find_word(value, flow_words, 4);
        if (word < 0)
            return bad_value("--flow", value, "auto, show, hide or clamp",
                             error);
        options->report.flow = (enum flow)word;
        break;
    case OPTION_FORMAT:
        word = find_format(value);
        if (word < 0)
            return bad_value("--format", value,
                             "tsv, csv, json, jsonl, prom, uniq or npy", error);
        options->report.format = (enum format)word;
        break;
    case OPTION_HEADER_OUT:
        options->report.header_out = true;
        break;
    case OPTION_LABELS:
        word = find_word(value, labels_words, 3);
        if (word < 0)
            return bad_value("--labels", value, "dec, hex or char", error);
        options->report.labels = (enum labels)word;
        break;
    case OPTION_METRIC:
        if (!is_metric(value))
            return bad_value("--metric", value,
                             "a name of letters, digits, _ and :", error);
        options->report.metric = value;
        break;
    case OPTION_NONZERO:
        options->report.nonzero = true;
        break;
    case OPTION_PERCENT:
        options->report.percent = true;
        break;
    case OPTION_PERCENTILES:
        if (parse_percentiles(value, options) < 0)
            return bad_value("--percentiles", value,
                             "a list of numbers above 0, up to 100, with up "
                             "to 9 decimals",
                             error);
        if (options->stats == STATS_NONE)
            options->stats = STATS_BESIDE;
        break;
    case OPTION_SORT:
        word = find_word(value, sort_words, 2);
        if (word < 0)
            return bad_value("--sort", value, "value or count", error);
        options->report.sort = (enum sort)(SORT_VALUE + word);
        break;
    case OPTION_STATS:
        if (value != NULL && strcmp(value, "only") != 0)
            return bad_value("--stats", value, "only", error);
        options->stats = value != NULL ? STATS_ONLY : STATS_BESIDE;
        options->summary.has_figures = true;
        break;
    case OPTION_TOP:
        if (size_parse(value, &options->report.top) < 0 ||
            options->report.top == 0)
            return bad_value("--top", value, "a number of lines from 1 on",
                             error);
        break;
    default:
        return 1;
    }
    return 0;
}

/* Apply one option; VALUE is its argument, or NULL. */
static int
apply(struct options *options, int option, const char *value,
      struct error *error)
{
    uint64_t size;
    int word = apply_spec(options, option, value, error);

    if (word > 0)
        word = apply_output(options, option, value, error);
    if (word <= 0)
        return word;
    switch (option) {
    case OPTION_CHUNK_SIZE:
        if (size_parse(value, &size) < 0 || size == 0 || size > CHUNK_BYTES_MAX)
            return bad_value("--chunk-size", value, "a size from 1 to 1GiB",
                             error);
        options->plan.chunk_bytes = (size_t)size;
        break;
    case OPTION_DECOMPRESS:
        if (decoders_find_word(value, &options->decompress) < 0)
            return bad_value("--decompress", value, "auto, none or zstd",
                             error);
        break;
    case OPTION_DEVICE:
        if (parse_device(value, options) < 0)
            return bad_value("--device", value,
                             "auto, cpu, cuda, opencl, cuda:N[,N]... or "
                             "opencl:N[,N]...",
                             error);
        break;
    case OPTION_EVERY:
        if (interval_parse(value, &options->plan.every) < 0)
            return bad_value("--every", value,
                             "a time from 1ms on (with ms, s, min, h or d) or "
                             "a size",
                             error);
        break;
    case OPTION_EXPLAIN:
        options->explain = true;
        break;
    case OPTION_GPU_AFTER:
        if (size_parse(value, &options->plan.gpu_after) < 0)
            return bad_value("--gpu-after", value, SIZE_WANTED, error);
        break;
    case OPTION_GPU_TIMEOUT:
        if (parse_timeout(value, &options->plan.gpu_timeout) < 0)
            return bad_value("--gpu-timeout", value,
                             "a number from 0.01 to 1e6, or none", error);
        options->has_gpu_timeout = true;
        break;
    case 'h':
        options->action = ACTION_HELP;
        break;
    case OPTION_INTERRUPTED:
        word = find_word(value, interrupted_words, 2);
        if (word < 0)
            return bad_value("--interrupted", value, "discard or print", error);
        options->interrupted = (enum interrupted)word;
        break;
    case 'j':
        if (parse_uint(value, THREADS_MAX, &options->plan.threads) < 0 ||
            options->plan.threads == 0)
            return bad_value("--threads", value, "a number from 1 to 4096",
                             error);
        break;
    case OPTION_LIST_DEVICES:
        options->action = ACTION_LIST_DEVICES;
        break;
    case OPTION_LIST_STRATEGIES:
        options->action = ACTION_LIST_STRATEGIES;
        break;
    case OPTION_MEMORY_LIMIT:
        if (size_parse(value, &options->plan.memory_limit) < 0 ||
            options->plan.memory_limit == 0)
            return bad_value("--memory-limit", value, SIZE_WANTED, error);
        break;
    case 'o':
        options->output = strcmp(value, "-") == 0 ? NULL : value;
        break;
    case OPTION_PARTIAL:
        word = find_word(value, partial_words, 2);
        if (word < 0)
            return bad_value("--partial", value, "error or drop", error);
        options->partial = (enum partial)word;
        break;
    case OPTION_PLOT:
        if (value != NULL && strcmp(value, "only") != 0)
            return bad_value("--plot", value, "only", error);
        options->plot = value != NULL ? PLOT_ONLY : PLOT_BESIDE;
        break;
    case OPTION_PLOT_SCALE:
        word = find_word(value, scale_words, 2);
        if (word < 0)
            return bad_value("--plot-scale", value, "linear or log", error);
        options->plot_scale = (enum plot_scale)(PLOT_SCALE_LINEAR + word);
        break;
    case OPTION_PROGRESS:
        word = value == NULL ? STATUS_LINE_ALWAYS
                             : find_word(value, progress_words, 3);
        if (word < 0)
            return bad_value("--progress", value, "auto, always or never",
                             error);
        options->progress = (enum status_line_when)word;
        break;
    case OPTION_READ_BYTES:
        if (size_parse(value, &options->read_bytes) < 0)
            return bad_value("--read-bytes", value, SIZE_WANTED, error);
        break;
    case OPTION_RESET:
        options->reset = true;
        break;
    case OPTION_SKIP_BYTES:
        if (size_parse(value, &options->skip_bytes) < 0)
            return bad_value("--skip-bytes", value, SIZE_WANTED, error);
        break;
    case OPTION_STRATEGY:
        word = find_strategy(value);
        if (word < 0)
            return bad_value("--strategy", value,
                             "auto, lane, shared, packed or global", error);
        options->plan.strategy = (enum strategy)word;
        break;
    case OPTION_SVG:
        return set_file(&options->svg, "--svg", value, error);
    case 'q':
        options->quiet = true;
        break;
    case 'v':
        options->verbose = true;
        break;
    case 'V':
        options->action = ACTION_VERSION;
        break;
    default:
        abort(); /* every option of the table is above */
    }
    return 0;
}

/* The option that the LENGTH letters of NAME may have been meant to be. */
static const char *
find_near(const char *name, size_t length)
{
    /* One letter in three may be wrong (as rustc has it). */
    size_t nearest = (length < 3 ? 3 : length) / 3 + 1;
    const char *near = NULL;

    for (size_t i = 0; long_options[i].name != NULL; i++) {
        size_t distance = spelling_distance(name, length, long_options[i].name);
        if (distance < nearest && distance < length) {
            nearest = distance;
            near = long_options[i].name;
        }
    }
    return near;
}

/* List the options that begin with the LENGTH letters of NAME. */
static void
list_beginning(const char *name, size_t length, char *list, size_t size)
{
    list[0] = '\0';
    for (size_t i = 0; long_options[i].name != NULL; i++) {
        size_t used = strlen(list);
        if (strncmp(long_options[i].name, name, length) == 0)
            snprintf(list + used, size - used, "%s--%s", used > 0 ? ", " : "",
                     long_options[i].name);
    }
}

/*
 * No option is like WORD, "--name", "--name=value" or letters behind one "-":
 * say so of the first SHOWN characters of TEXT, and what may have been meant.
 */
static void
set_unknown(const char *word, const char *text, size_t shown,
            struct error *error)
{
    const char *name = word + strspn(word, "-");
    const char *near = find_near(name, strcspn(name, "="));

    if (near != NULL)
        error_set(error, EXIT_USAGE,
                  "unknown option '%.*s' (did you mean --%s?)", (int)shown,
                  text, near);
    else
        error_set(error, EXIT_USAGE, "unknown option '%.*s' (try --help)",
                  (int)shown, text);
}

/* WORD is "--name" or "--name=value"; that is no option, or the begin of many. */
static void
set_unknown_name(const char *word, struct error *error)
{
    char list[LIST_BYTES];
    size_t length = strcspn(word + 2, "=");

    list_beginning(word + 2, length, list, sizeof list);
    if (length == 0)
        error_set(error, EXIT_USAGE, "'%s' is not an option (try --help)",
                  word);
    else if (list[0] != '\0')
        error_set(error, EXIT_USAGE, "option '%.*s' is ambiguous: %s",
                  (int)length + 2, word, list);
    else
        set_unknown(word, word, length + 2, error);
}

/*
 * LETTER is no option.  It is in the argument NEXT if other letters follow it,
 * and else in LAST; that may have been meant to be a name.
 */
static void
set_unknown_letter(int letter, const char *last, const char *next,
                   struct error *error)
{
    const char shown[] = {'-', (char)letter};
    bool is_next = next != NULL && next[0] == '-' && next[1] != '-' &&
                   strchr(next, letter) != NULL;

    set_unknown(is_next ? next : last, shown, sizeof shown, error);
}

/* Say what is wrong with the argument that getopt_long() refused. */
static void
set_usage_error(int result, char *const *argv, struct error *error)
{
    const char *argument = argv[optind - 1];

    if (result == ':')
        error_set(error, EXIT_USAGE, "option '%s' needs a value", argument);
    else if (optopt >= 256 || (optopt != 0 && strchr("hqvV", optopt) != NULL &&
                               strncmp(argument, "--", 2) == 0))
        error_set(error, EXIT_USAGE, "option '%.*s' takes no value",
                  (int)strcspn(argument, "="), argument);
    else if (optopt != 0)
        set_unknown_letter(optopt, argument, argv[optind], error);
    else
        set_unknown_name(argument, error);
}

/*
 * OPTION can do without a value, and has none: refuse the argument WORD behind
 * it if that is one, and no file, for which it would be taken.
 */
static int
check_next(int option, const char *word, struct error *error)
{
    static const struct {
        int option;
        const char *name;
        const char *words[3];
    } table[] = {
        {OPTION_LOG, "log", {"2", "10", "e"}},
        {OPTION_PLOT, "plot", {"only"}},
        {OPTION_PROGRESS, "progress", {"auto", "always", "never"}},
        {OPTION_STATS, "stats", {"only"}},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (size_t w = 0; w < 3 && table[i].words[w] != NULL; w++) {
            if (option != table[i].option ||
                strcmp(word, table[i].words[w]) != 0 || access(word, F_OK) == 0)
                continue;
            error_set(error, EXIT_USAGE,
                      "--%s %s: there is no file '%s' (did you mean --%s=%s?)",
                      table[i].name, word, word, table[i].name, word);
            return -1;
        }
    }
    return 0;
}

/* What an output may have no place for. */
enum {
    LACKS_FORMAT = 1,
    LACKS_HEADER = 2,
    LACKS_NONZERO = 4,
    LACKS_COLUMNS = 8,
    LACKS_ORDER = 16,
    LACKS_LABELS = 32,
    LACKS_WEIGHTS = 64,
    LACKS_JOINT = 128,
    LACKS_FLOW_LINES = 256,
    LACKS_FLOW = 512,
    LACKS_MARK = 1024,
    /* What there is in lines only. */
    LACKS_LINES = LACKS_FORMAT | LACKS_HEADER | LACKS_COLUMNS | LACKS_ORDER |
                  LACKS_LABELS,
};

static const unsigned int format_lacks[FORMAT_COUNT] = {
    [FORMAT_JSON] = LACKS_HEADER,
    [FORMAT_JSONL] = LACKS_HEADER,
    [FORMAT_PROM] = LACKS_HEADER | LACKS_COLUMNS | LACKS_ORDER | LACKS_LABELS |
                    LACKS_WEIGHTS | LACKS_JOINT | LACKS_MARK,
    [FORMAT_UNIQ] = LACKS_HEADER | LACKS_COLUMNS,
    [FORMAT_NPY] = LACKS_HEADER | LACKS_NONZERO | LACKS_COLUMNS | LACKS_ORDER |
                   LACKS_LABELS | LACKS_FLOW_LINES | LACKS_MARK,
};

/* What nothing that is printed or drawn has a place for. */
static unsigned int
find_lacks(const struct options *options)
{
    bool has_bars = options->plot != PLOT_NONE;
    bool has_picture = has_bars || options->svg != NULL;

    if (options->stats == STATS_ONLY)
        return LACKS_LINES | (has_bars ? 0 : LACKS_NONZERO) |
               (has_picture ? 0 : LACKS_FLOW);
    return options->plot == PLOT_ONLY ? LACKS_LINES
                                      : format_lacks[options->report.format];
}

/* Refuse what is asked of an output that has no place for it. */
static int
check_output(const struct options *options, struct error *error)
{
    const struct {
        unsigned int lack;
        bool is_given;
        const char *text;
    } given[] = {
        {LACKS_FORMAT, options->report.format != FORMAT_TSV, "--format"},
        {LACKS_HEADER, options->report.header_out, "--header-out"},
        {LACKS_NONZERO, options->report.nonzero, "--nonzero"},
        {LACKS_COLUMNS, options->report.cumulative, "--cumulative"},
        {LACKS_COLUMNS, options->report.density, "--density"},
        {LACKS_COLUMNS, options->report.percent, "--percent"},
        {LACKS_COLUMNS, options->lut, "--lut"},
        {LACKS_ORDER, options->report.top != 0, "--top"},
        {LACKS_ORDER, options->report.sort == SORT_COUNT, "--sort"},
        {LACKS_LABELS, options->report.labels != LABELS_DEC, "--labels"},
        {LACKS_WEIGHTS, options->spec.weights != NULL, "--weights"},
        {LACKS_JOINT, options->spec.joint, "--joint"},
        {LACKS_FLOW_LINES, options->report.flow == FLOW_SHOW, "--flow=show"},
        {LACKS_FLOW, options->report.flow != FLOW_AUTO, "--flow"},
        {LACKS_MARK, options->interrupted == INTERRUPTED_PRINT,
         "--interrupted=print"},
    };
    unsigned int lacks = find_lacks(options);

    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (!given[i].is_given || (lacks & given[i].lack) == 0)
            continue;
        if (options->stats == STATS_ONLY || options->plot == PLOT_ONLY)
            error_set(error, EXIT_USAGE, "%s prints no lines: no %s",
                      options->stats == STATS_ONLY ? "--stats=only"
                                                   : "--plot=only",
                      given[i].text);
        else
            error_set(error, EXIT_USAGE, "--format=%s has no place for %s",
                      report_formats[options->report.format].name,
                      given[i].text);
        return -1;
    }
    return 0;
}

/* Whether what is printed can follow what was printed before. */
static bool
is_repeatable(const struct options *options)
{
    return options->output != NULL || options->report.format == FORMAT_JSON ||
           options->report.format == FORMAT_JSONL ||
           options->stats == STATS_ONLY || options->plot == PLOT_ONLY;
}

/* Refuse combinations in which an option would have no effect. */
static int
check(const struct options *options, struct error *error)
{
    const char *wrong = NULL;
    bool has_every = interval_is_set(&options->plan.every);

    if (options->plan.gpu_after != PLAN_CHOOSE &&
        options->plan.device != DEVICE_AUTO)
        wrong = "--gpu-after goes with --device=auto only";
    else if (options->has_gpu_timeout && options->plan.device == DEVICE_CPU)
        wrong = "--gpu-timeout has no effect with --device=cpu";
    else if (options->plan.strategy != STRATEGY_AUTO &&
             options->plan.device == DEVICE_CPU)
        wrong = "--strategy is about GPUs: it has no effect with --device=cpu";
    else if (options->spec.dtype != NULL && options->spec.record != NULL)
        wrong = "--dtype and --record exclude each other";
    else if (options->image &&
             (options->spec.dtype != NULL || options->spec.record != NULL ||
              options->spec.endian != ORDER_MACHINE))
        wrong = "--image has its own fields: no --dtype, --record or --endian";
    else if (options->image && options->read_bytes != PLAN_CHOOSE)
        wrong = "--read-bytes would cut an --image";
    else if ((options->lut || options->equalize != NULL) && !options->image)
        wrong = "--lut and --equalize go with --image";
    else if (options->equalize != NULL && options->provenance.path_count > 1)
        wrong = "--equalize is for one image";
    else if ((options->output != NULL ||
              options->report.format != FORMAT_TSV) &&
             (options->action == ACTION_LIST_DEVICES ||
              options->action == ACTION_LIST_STRATEGIES))
        wrong = "--output and --format are for counts, not for lists";
    else if (options->output != NULL && options->equalize != NULL &&
             strcmp(options->output, options->equalize) == 0)
        wrong = "--output and --equalize name the same file";
    else if (options->report.metric != NULL &&
             options->report.format != FORMAT_PROM)
        wrong = "--metric goes with --format=prom";
    else if (options->stats != STATS_NONE &&
             (options->spec.joint || options->spec.weights != NULL))
        wrong = "--stats and --percentiles are about the counts of one field: "
                "no --joint and no --weights";
    else if (options->stats == STATS_ONLY && options->plot == PLOT_ONLY)
        wrong = "--stats=only and --plot=only exclude each other";
    else if (options->plot_scale != PLOT_SCALE_AUTO &&
             options->plot == PLOT_NONE && options->svg == NULL)
        wrong = "--plot-scale goes with --plot or --svg";
    else if (options->svg != NULL && options->output != NULL &&
             strcmp(options->svg, options->output) == 0)
        wrong = "--svg and --output name the same file";
    else if (options->svg != NULL && options->equalize != NULL &&
             strcmp(options->svg, options->equalize) == 0)
        wrong = "--svg and --equalize name the same file";
    else if (has_every && options->image)
        wrong = "--every is not for an --image";
    else if (has_every && !is_repeatable(options))
        wrong = "--every prints again and again: it needs --output, "
                "--format=json or jsonl, --stats=only or --plot=only";
    else if (options->reset && !has_every)
        wrong = "--reset goes with --every";
    if (wrong == NULL)
        return check_output(options, error);
    error_set(error, EXIT_USAGE, "%s", wrong);
    return -1;
}

int
options_parse(struct options *options, int argc, char **argv,
              struct error *error)
{
    int option;

    *options = (struct options){
        .plan.gpu_count = 1,
        .plan.gpu_after = PLAN_CHOOSE,
        .plan.gpu_timeout = GPU_TIMEOUT,
        .plan.memory_limit = PLAN_CHOOSE,
        .read_bytes = PLAN_CHOOSE,
        .spec.axis =
            {
                .bins = {.name = "bins"},
                .range = {.name = "range"},
                .bin_width = {.name = "bin-width"},
                .edges = {.name = "edges"},
                .log = {.name = "log"},
                .subdiv = {.name = "subdiv"},
                .shift = {.name = "shift"},
                .mask = {.name = "mask"},
                .mod = {.name = "mod"},
            },
    };
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":b:f:hj:o:qvV", long_options,
                                 NULL)) != -1) {
        if (option == '?' || option == ':') {
            set_usage_error(option, argv, error);
            return -1;
        }
        if (apply(options, option, optarg, error) < 0)
            return -1;
        if (optarg == NULL && optind < argc &&
            check_next(option, argv[optind], error) < 0)
            return -1;
    }
    options->provenance.paths = argv + optind;
    options->provenance.path_count = (size_t)(argc - optind);
    options->provenance.arguments = argv + 1;
    options->provenance.argument_count = (size_t)optind - 1;
    if (check(options, error) < 0)
        return -1;
    if (options->report.sort == SORT_DEFAULT)
        options->report.sort =
            options->report.top != 0 ? SORT_COUNT : SORT_VALUE;
    return 0;
}

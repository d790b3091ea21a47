/* SPDX-License-Identifier: MIT */
/* option_table.c -- one row for each option */

#include "cli/option_table.h"
#include "base/number_style.h"
#include "cli/help_topics.h"
#include "cli/option_set.h"
#include "engine/gpu/device/kernel.h"
#include "hist/record.h"
#include "hist/text_axis.h"
#include "input/decode/decoders.h"
#include "report/figure.h"
#include "report/report.h"

/* The largest --chunk-size: a GPU's 32-bit counters cannot overflow with it. */
#define CHUNK_BYTES_MAX ((uint64_t)1 << 30)
#define THREADS_MAX 4096

#define GPU_TIMEOUT_DEFAULT 30 /* seconds */

/* ---- words that other rooms define: word_at of struct option_row ---- */

static const char *
word_of_type(size_t i, const char **remark)
{
    (void)remark;
    return i < SAMPLE_DECIMAL ? record_type_name((enum sample_type)i) : NULL;
}

/* Also the types of fields of text. */
static const char *
word_of_dtype(size_t i, const char **remark)
{
    return i < SAMPLE_DECIMAL ? word_of_type(i, remark)
                              : text_axis_type(i - SAMPLE_DECIMAL);
}

static const char *
word_of_format(size_t i, const char **remark)
{
    if (i >= FORMAT_COUNT)
        return NULL;
    *remark = report_formats[i].remark;
    return report_formats[i].name;
}

static const char *
word_of_decompress(size_t i, const char **remark)
{
    return decoders_word((unsigned int)i, remark);
}

static const char *
word_of_column(size_t i, const char **remark)
{
    (void)remark;
    return i < FIGURE_WORDS ? figure_rows[i].name : NULL;
}

static const char *
word_of_stats(size_t i, const char **remark)
{
    return i == 0 ? "only" : word_of_column(i - 1, remark);
}

/* The first two are orders without figures, too. */
static const char *
word_of_order(size_t i, const char **remark)
{
    size_t kind = FIGURE_COUNT + i - 1;

    (void)remark;
    if (i == 0)
        return "value";
    return kind < FIGURE_VALUES ? figure_rows[kind].name : NULL;
}

static const char *
word_of_key(size_t i, const char **remark)
{
    (void)remark;
    for (size_t r = 0; r < option_count; r++) {
        if (option_table[r].is_key && i-- == 0)
            return option_table[r].name;
    }
    return NULL;
}

static const char *
word_of_strategy(size_t i, const char **remark)
{
    (void)remark;
    return i < STRATEGY_COUNT ? kernel_strategy_name((enum strategy)i) : NULL;
}

/* ---- parts of rows ---- */

/* A compile error unless MEMBER of struct options has type TYPE. */
#define FIELD(type, member)                             \
    {                                                   \
        _Generic(((struct options *)NULL)->member, type \
                 : offsetof(struct options, member)),   \
            sizeof(type)                                \
    }

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* How an option is set, and which member of struct options it sets. */
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
/* "only": instead of the rows; without a value: in addition to them. */
#define PLACE(member) WORD(member, PLACE_ONLY), .absent = PLACE_BESIDE
/* A file of its own, because the counts go to standard output. */
#define FILE_BESIDE(member)                                       \
    .set = option_set_file, .field = FIELD(const char *, member), \
    .wanted = "a file: standard output is for the counts"

/* Messages that several options share. */
#define STATE_OF_KEYS                                                       \
    "a state has keys, and no spectrum: --merge --spectrum makes one from " \
    "states"
/* What --profile has lines for. */
#define PROFILED                                                         \
    "csv tsv delimiter whitespace clf jsonl logfmt regex matches lines " \
    "words log-format counts dtype record npy safetensors merge"
#define ARRAY_OF_WHAT \
    "--array is for --safetensors, and for files .npz: --npy --members"
/* The first records of each input: a reader finds them in their order. */
#define COUNT_OF_FIRST(member)                                            \
    .set = option_set_size, .field = FIELD(uint64_t, member), .least = 1, \
    .wanted = "a number of records from 1 on"
#define FIRST_OF_WHAT                                                        \
    {.excludes = "shard state format=state",                                 \
     .message =                                                              \
         "shards and states stand for all bytes of their inputs, of which "  \
         "--first and --reads leave some out: head -n N FILE | gpuhist has " \
         "a state of lines"},                                                \
    {                                                                        \
        .excludes = "every"                                                  \
    }
#define NOT_FOR_LISTS "--output and --format do not apply to lists"

/* ---- the options ---- */

const struct option_row option_table[] = {
    {
        .heading = "What to count",
        .name = "dtype",
        .is_counting = true,
        .argument = "TYPE",
        .help = "u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 (the digit is the\n"
                "size in bytes) bf16 f8e4m3 f8e5m2, or names like\n"
                "uint16; a < or > in front sets the byte order; of\n"
                "text: int, num or decimal",
        .brief = "type of the values",
        .word_at = word_of_dtype,
        TEXT(spec.dtype),
        .rule = {{.excludes = "record"}},
    },
    {
        .name = "record",
        .is_counting = true,
        .argument = "TYPE[*N],...",
        .help = "each record has these elements; x*N skips N bytes",
        .brief = "elements of each record",
        .word_at = word_of_type,
        TEXT(spec.record),
    },
    {
        .name = "endian",
        .is_counting = true,
        .argument = "ORDER",
        .help = "byte order of a TYPE without < or >: %w",
        .brief = "byte order",
        .words = WORDS("little", "big"),
        WORD(spec.endian, ORDER_LITTLE),
        .rule = {{.needs = "dtype record image npy safetensors seq kmers",
                  .message = "--endian needs --dtype or --record"}},
    },
#include "cli/option_text.h"
    {
        .name = "joint",
        .is_counting = true,
        .help = "count combinations of all fields of a record",
        FLAG(spec.joint),
        .use = {{.feature = REPORT_JOINT}},
    },
    {
        .name = "weights",
        .is_counting = true,
        .argument = "FIELD",
        .help = "add up this field instead of counting",
        TEXT(spec.weights),
        .use = {{.feature = REPORT_WEIGHTS}},
    },
    {
        .name = "image",
        .is_counting = true,
        .help = "count pixels of PNM and BMP images; the fields are\n"
                "the channels: red, green, blue or grey",
        .brief = "count pixels of PNM and BMP images",
        FLAG(image),
        .rule = {{.excludes = "dtype record endian",
                  .message =
                      "--image has its own fields: no --dtype, --record or "
                      "--endian"},
                 {.excludes = "read-bytes",
                  .message = "--read-bytes does not work with --image"}},
    },
    {
        .name = "npy",
        .is_counting = true,
        .help = "count the array of numpy files; type, byte order and\n"
                "fields come from their headers",
        .brief = "count the array of numpy files",
        FLAG(npy),
        .rule = {{.excludes = "dtype record endian image",
                  .message = "--npy finds the type in the file: no --dtype, "
                             "--record, --endian or --image"},
                 {.excludes = "read-bytes partial",
                  .message = "--npy reads the whole array: no --read-bytes "
                             "or --partial"}},
    },
    {
        .name = "safetensors",
        .is_counting = true,
        .is_new = true,
        .help = "count the arrays of safetensors files, together unless\n"
                "--per-file",
        .brief = "count the arrays of safetensors files",
        FLAG(safetensors),
        .rule = {{.excludes = "dtype record endian image npy",
                  .message = "--safetensors finds the type in the file: no "
                             "--dtype, --record, --endian, --image or --npy"},
                 {.excludes = "skip-bytes read-bytes partial members",
                  .message = "--safetensors reads whole arrays of files: no "
                             "--skip-bytes, --read-bytes, --partial or "
                             "--members"}},
    },
    {
        .name = "array",
        .is_new = true,
        .argument = "NAME",
        .help = "count only the array NAME of safetensors or .npz files\n"
                "(--npy --members); may be repeated",
        .brief = "count only this array of a file",
        AXIS(arrays),
        .rule = {{.needs = "safetensors members", .message = ARRAY_OF_WHAT},
                 {.needs = "safetensors npy", .message = ARRAY_OF_WHAT}},
    },
    {
        .name = "skip-bytes",
        .argument = "SIZE",
        .help = "skip the first SIZE bytes of each input",
        .brief = "skip bytes at the start of each input",
        SIZE(skip_bytes),
    },
    {
        .name = "read-bytes",
        .argument = "SIZE",
        .help = "read at most SIZE bytes of each input",
        .brief = "read at most this many bytes of each input",
        SIZE(read_bytes),
    },
    {
        .name = "first",
        .is_new = true,
        .argument = "N",
        .help = "count only the first N records of each input: lines,\n"
                "words, reads, samples",
        .brief = "count only so many records of each input",
        COUNT_OF_FIRST(first),
        .rule = {FIRST_OF_WHAT,
                 {.excludes = "image npy safetensors matches merge"}},
    },
    {
        .name = "partial",
        .argument = "HOW",
        .help = "if an input ends within a record: error (default)\n"
                "or drop the incomplete record",
        .brief = "what to do with an incomplete last record",
        .words = WORDS("error", "drop"),
        WORD(partial, PARTIAL_ERROR),
    },
    {
        .heading = "Bins (give an option once for all fields, or once for each "
                   "field; - for none)",
        .name = "bins",
        .is_counting = true,
        .letter = 'b',
        .argument = "N",
        .help = "N bins of equal width: of --range, or between round\n"
                "numbers; over --range=minmax if N is a rule of numpy: %w",
        .brief = "number of bins of equal width, or a rule for it",
        .words = WORDS("auto", "fd", "doane", "scott", "stone", "rice",
                       "sturges", "sqrt"),
        AXIS(spec.axis.bins),
    },
    {
        .name = "range",
        .is_counting = true,
        .argument = "LO,HI",
        .help = "bins from LO to HI; auto: round bins around all values;\n"
                "minmax: from the least to the greatest, as numpy",
        .brief = "first and last edge: LO,HI, auto or minmax",
        .words = WORDS("auto", "minmax"),
        AXIS(spec.axis.range),
    },
    {
        .name = "bin-width",
        .is_counting = true,
        .argument = "W",
        .help = "bins of width W",
        .brief = "bins of this width",
        AXIS(spec.axis.bin_width),
    },
    {
        .name = "edges",
        .is_counting = true,
        .argument = "E0,E1,...",
        .help = "bins between these edges; @FILE: read them there;\n"
                "quantiles:N: N bins with equal counts; fastqc: positions\n"
                "in the groups of FastQC",
        .brief = "bins between these edges, or @FILE",
        .completion = OPTION_COMPLETE_AT_FILE,
        AXIS(spec.axis.edges),
    },
    {
        .name = "log",
        .is_counting = true,
        .is_optional = true,
        .argument = "BASE",
        .help = "logarithmic bins; BASE is 2 (default), 10 or e",
        .brief = "logarithmic bins",
        .words = WORDS("2", "10", "e"),
        AXIS(spec.axis.log),
    },
    {
        .name = "subdiv",
        .is_counting = true,
        .argument = "K",
        .help = "with --log: 2^K bins in each octave, decade or e-fold",
        .brief = "2^K bins in each octave, decade or e-fold",
        AXIS(spec.axis.subdiv),
    },
    {
        .name = "scale",
        .is_counting = true,
        .argument = "S",
        .help = "bins of the ratio 2^(2^-S), -10 to 20, as OpenTelemetry",
        .brief = "bins of the ratio 2^(2^-S)",
        AXIS(spec.axis.scale),
    },
    {
        .name = "shift",
        .is_counting = true,
        .argument = "N",
        .help = "shift integers right by N bits,",
        .brief = "shift integers right by this many bits",
        AXIS(spec.axis.shift),
    },
    {
        .name = "mask",
        .is_counting = true,
        .argument = "M",
        .help = "then keep only the bits of M,",
        .brief = "keep these bits",
        AXIS(spec.axis.mask),
    },
    {
        .name = "mod",
        .is_counting = true,
        .argument = "M",
        .help = "then take the remainder of division by M",
        .brief = "take the remainder of division",
        AXIS(spec.axis.mod),
    },
    {
        .name = "closed",
        .is_counting = true,
        .argument = "SIDE",
        .help = "bins are [lo,hi) (left, default) or (lo,hi] (right)",
        .brief = "which edge belongs to a bin",
        .words = WORDS("left", "right"),
        WORD(spec.closed, BINNING_LEFT),
    },
    {
        .name = "numpy",
        .is_counting = true,
        .help = "like --closed=left, but the last bin is [lo,hi]",
        .brief = "the last bin is closed, as in numpy",
        CONSTANT(spec.closed, BINNING_NUMPY),
    },
    {
        .name = "flow",
        .argument = "HOW",
        .help = "values in no bin: %w",
        .brief = "what to do with values in no bin",
        .words = WORDS("auto", "show", "hide", "clamp"),
        WORD(report.flow, FLOW_AUTO),
        .use = {{.feature = REPORT_FLOW},
                {.feature = REPORT_FLOW_ROWS, .when = "show"},
                {.feature = REPORT_CLAMP, .when = "clamp"}},
    },
    {
        .heading = "Input",
        .name = "files0-from",
        .argument = "FILE",
        .help = "count the files whose names are in FILE, each ended by\n"
                "NUL; -: in standard input",
        .brief = "count the files whose names are in a file",
        .completion = OPTION_COMPLETE_FILE,
        TEXT(files0_from),
        .rule = {{.excludes = "equalize"}},
    },
    {
        .name = "members",
        .help = "count the files in tar, zip, 7z and cpio archives,\n"
                "each as an input of its own",
        .brief = "count the files in tar, zip, 7z and cpio archives",
        .set = option_set_members,
        .field = FIELD(bool, members),
        .rule = {{.excludes = "equalize"}},
    },
    {
        .name = "merge",
        .letter = 'm',
        .help = "the inputs are state files: add up their counts",
        .brief = "add up the counts of state files",
        FLAG(merge),
        .rule = {{.excludes =
                      "members skip-bytes read-bytes partial shard equalize "
                      "every per-file total interrupted=print gpu-after "
                      "gpu-decode gpu-timeout strategy chunk-size list-devices "
                      "list-strategies device=cpu device=cuda "
                      "device=opencl"}},
    },
    {
        .name = "shard",
        .argument = "I/N",
        .help = "count only part I, from 1 on, of N parts of the inputs",
        .set = option_set_shard,
        .field = FIELD(struct shard, shard),
        .wanted = "I/N, such as 1/64, ..., 64/64",
        .rule = {{.excludes = "equalize"}},
    },
    {
        .name = "duplicates",
        .argument = "HOW",
        .help = "with --merge, an input that two states have is an\n"
                "error (default); skip: leave out a state; allow: count\n"
                "it twice",
        .brief = "what to do with an input that two states have",
        .words = WORDS("error", "skip", "allow"),
        WORD(duplicates, PORTIONS_REFUSE),
        .rule = {{.needs = "merge"}},
    },
    {
        .name = "incomplete",
        .help = "with --merge, shards may be missing",
        FLAG(incomplete),
        .rule = {{.needs = "merge"}},
    },
    {
        .name = "decompress",
        .argument = "HOW",
        .help = "how to decode inputs: %w; a "
                "format accepts no other",
        .brief = "how to decode compressed inputs",
        .word_at = word_of_decompress,
        WORD(decompress, DECOMPRESS_AUTO),
    },
    {
        .name = "memory-limit",
        .argument = "SIZE",
        .help = "limit the memory for buffers, decoders and\n"
                "tables (default: half of the machine's memory)",
        .brief = "limit the memory",
        SIZE(plan.memory_limit),
        .least = 1,
    },
    {
        .heading = "Output",
        .name = "output",
        .letter = 'o',
        .argument = "FILE",
        .help = "print to FILE; an old FILE is replaced at the end",
        .brief = "print to a file",
        .completion = OPTION_COMPLETE_FILE,
        .set = option_set_output,
        .field = FIELD(const char *, output),
    },
    {
        .name = "state",
        .argument = "FILE",
        .help = "also write the counts to FILE, so that --merge can\n"
                "add them up",
        .brief = "also write the counts for --merge",
        .completion = OPTION_COMPLETE_FILE,
        FILE_BESIDE(state),
        .rule = {{.excludes = "every list-devices list-strategies "
                              "format=state"},
                 {.excludes = "spectrum", .message = STATE_OF_KEYS}},
    },
    {
        .name = "every",
        .argument = "INTERVAL",
        .help = "also print the counts so far every INTERVAL: a time\n"
                "(10s, 5min, 1h) or a SIZE of input",
        .brief = "also print the counts so far at this interval",
        .set = option_set_interval,
        .field = FIELD(struct interval, plan.every),
        .wanted = "a time from 1ms on (with ms, s, min, h or d) or a size",
        .rule = {{.excludes = "image",
                  .message = "--every does not work with --image"}},
    },
    {
        .name = "per-file",
        .help = "print a histogram for each input, or with --members\n"
                "for each file in the archives",
        .brief = "print a histogram for each input",
        FLAG(plan.per_file),
        .rule = {{.excludes = "every interrupted=print equalize"},
                 {.excludes = "plot svg",
                  .message = "--per-file prints no pictures: no --plot and no "
                             "--svg"}},
    },
    {
        .name = "total",
        .is_new = true,
        .help = "with --per-file: print also a histogram of all inputs,\n"
                "named total",
        .brief = "print also a histogram of all inputs",
        FLAG(total),
        .rule = {{.needs = "per-file"},
                 {.excludes = "spectrum",
                  .message = "--total adds up counts of keys, and --spectrum "
                             "has none: leave one of them out"}},
    },
    {
        .name = "reset",
        .help = "with --every: print only what is new each time",
        .brief = "print only what is new each time",
        FLAG(reset),
        .rule = {{.needs = "every"}},
    },
    {
        .name = "interrupted",
        .argument = "HOW",
        .help = "on INT, TERM or HUP: discard the counts (default) or\n"
                "print the partial counts, marked incomplete",
        .brief = "what to do on a signal",
        .words = WORDS("discard", "print"),
        WORD(interrupted, INTERRUPTED_DISCARD),
        .use = {{.feature = REPORT_MARK, .when = "print"}},
    },
#include "cli/option_report.h"
    {
        .heading = "Engine",
        .name = "device",
        .argument = "DEVICE",
        .help = "auto, cpu, cuda, opencl, cuda:N[,N]... or\n"
                "opencl:N[,N]...; auto (default): the CPU, and a GPU\n"
                "for long inputs",
        .brief = "which device counts",
        .words = WORDS("auto", "cpu", "cuda", "opencl"),
        .set = option_set_device,
        .field = FIELD(unsigned int, plan.device),
        .first = DEVICE_AUTO,
        .wanted = "auto, cpu, cuda, opencl, cuda:N[,N]... or opencl:N[,N]...",
    },
    {
        .name = "tune",
        .is_new = true,
        .argument = "KEY=VALUE,...",
        .help = "set knobs of the engines, which --help=gpu describes: %w",
        .brief = "set knobs of the engines",
        .word_at = word_of_key,
        .set = option_set_keys,
    },
    {
        .name = "gpu-after",
        .is_key = true,
        .argument = "SIZE",
        .help = "with --device=auto: use a GPU for inputs of at least\n"
                "SIZE bytes; with cuda:N,N...: use all GPUs for these",
        .brief = "use a GPU, or all GPUs, for inputs of at least this size",
        SIZE(plan.gpu_after),
    },
    {
        .name = "gpu-decode",
        .is_key = true,
        .argument = "WHEN",
        .help = "decode zstd and BGZF files on a GPU: auto (default: if\n"
                "that is faster), always or never",
        .brief = "decode zstd and BGZF files on a GPU",
        .words = WORDS("auto", "always", "never"),
        WORD(plan.gpu_decode, GPU_DECODE_AUTO),
        .rule = {{.when = "always",
                  .excludes = "device=cpu device=opencl",
                  .message = "--tune=gpu-decode=always needs a GPU of CUDA, "
                             "not --device=cpu or opencl"}},
    },
    {
        .name = "gpu-timeout",
        .is_key = true,
        .argument = "SECONDS",
        .help = "stop using a GPU that does not answer for SECONDS\n"
                "(default: 30); none: no timeout",
        .brief = "stop using a GPU that does not answer in time",
        .words = WORDS("none"),
        .set = option_set_gpu_timeout,
        .field = FIELD(bool, has_gpu_timeout),
        .wanted = "a number from 0.01 to 1e6, or none",
        .rule = {{.excludes = "device=cpu",
                  .message = "--tune=gpu-timeout has no effect with "
                             "--device=cpu"}},
    },
    {
        .name = "strategy",
        .is_key = true,
        .argument = "NAME",
        .help = "how the GPU keeps its counts: %w",
        .brief = "how the GPU keeps its counts",
        .word_at = word_of_strategy,
        WORD(plan.strategy, STRATEGY_AUTO),
        .rule = {{.excludes = "device=cpu",
                  .message =
                      "--tune=strategy has no effect with --device=cpu"}},
    },
    {
        .name = "chunk-size",
        .is_key = true,
        .argument = "SIZE",
        .help = "read, copy and count SIZE bytes at a time",
        .brief = "bytes to read, copy and count at a time",
        .set = option_set_size,
        .field = FIELD(uint64_t, plan.chunk_bytes),
        .least = 1,
        .most = CHUNK_BYTES_MAX,
        .wanted = "a size from 1 to 1GiB",
    },
    {
        .name = "threads",
        .letter = 'j',
        .argument = "N",
        .help = "count with up to N CPU threads",
        .brief = "count with up to this many CPU threads",
        .set = option_set_number,
        .field = FIELD(unsigned int, plan.threads),
        .least = 1,
        .most = THREADS_MAX,
        .wanted = "a number from 1 to 4096",
    },
    {
        .name = "list-devices",
        .help = "list the devices and exit",
        CONSTANT(action, ACTION_LIST_DEVICES),
        .rule = {{.excludes = "output format", .message = NOT_FOR_LISTS}},
    },
    {
        .name = "list-strategies",
        .help = "list the strategies of --tune for the spec and exit",
        .brief = "list the strategies of --tune and exit",
        CONSTANT(action, ACTION_LIST_STRATEGIES),
        .rule = {{.excludes = "output format", .message = NOT_FOR_LISTS}},
    },
    {
        .heading = "Messages",
        .name = "progress",
        .is_optional = true,
        .argument = "WHEN",
        .help = "show progress on standard error: auto (default: on a\n"
                "terminal), always or never",
        .brief = "show progress",
        .words = WORDS("auto", "always", "never"),
        WORD(progress, STATUS_LINE_AUTO),
        .absent = STATUS_LINE_ALWAYS,
    },
    {
        .name = "explain",
        .help = "print the bins, and what each engine counted, on\n"
                "standard error",
        .brief = "print the bins and what each engine counted",
        FLAG(explain),
    },
    {
        .name = "quiet",
        .letter = 'q',
        .help = "print errors only, no warnings",
        .brief = "no warnings",
        FLAG(quiet),
    },
    {
        .name = "verbose",
        .letter = 'v',
        .help = "also print why no GPU was used, and which resources\n"
                "the system refused",
        .brief = "also print why no GPU was used",
        FLAG(verbose),
    },
    {
        .name = "usage",
        .letter = 'h',
        .is_new = true,
        .help = "print the most common jobs and options, and exit",
        .brief = "print the most common options and exit",
        CONSTANT(action, ACTION_USAGE),
    },
    {
        .name = "help",
        .is_optional = true,
        .argument = "TOPIC",
        .help = "print this help, or the options of a topic, and exit:\n"
                "%w",
        .brief = "print all options and exit",
        .word_at = help_topic_name,
        .set = option_set_help,
        .field = FIELD(unsigned int, topic),
        .first = 1,
    },
    {
        .name = "version",
        .letter = 'V',
        .help = "print the version, libraries and GPU engines, and exit",
        CONSTANT(action, ACTION_VERSION),
    },
};

const size_t option_count = sizeof option_table / sizeof *option_table;

const struct options option_defaults = {
    .read_bytes = PLAN_CHOOSE,
    .report.low_quality = REPORT_LOW_DEFAULT,
    .report.decimals = REPORT_DECIMALS_ALL,
    .plan.gpu_count = 1,
    .plan.gpu_after = PLAN_CHOOSE,
    .plan.gpu_timeout = GPU_TIMEOUT_DEFAULT,
    .plan.memory_limit = PLAN_CHOOSE,
};

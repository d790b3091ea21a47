/* SPDX-License-Identifier: MIT */
/* test_options.c -- the command line: sizes, devices, errors */

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "cli/option_parse.h"

#define ARGUMENTS_MAX 16

static struct options options;
static char *argument[ARGUMENTS_MAX + 1];
static char argument_text[1024];

/* Parse "gpuhist " and the words of LINE; returns the error's status. */
static enum exit_status
parse(const char *line)
{
    struct error error = ERROR_NONE;
    int count = 0;

    snprintf(argument_text, sizeof argument_text, "gpuhist %s", line);
    for (char *word = strtok(argument_text, " "); word != NULL;
         word = strtok(NULL, " "))
        argument[count++] = word;
    argument[count] = NULL;
    int result = option_parse(&options, count, argument, &error);
    enum exit_status status = error.status;
    bool is_consistent = result == (status == EXIT_DONE ? 0 : -1) &&
                         (error.text != NULL) == (status != EXIT_DONE);
    error_clear(&error);
    return is_consistent ? status : EXIT_DATA;
}

/* Give VALUE, of any characters, to OPTION. */
static enum exit_status
parse_value(const char *option, const char *value)
{
    struct error error = ERROR_NONE;
    char text[1024];
    char program[] = "gpuhist";
    char *argv[] = {program, text, NULL};

    snprintf(text, sizeof text, "%s=%s", option, value);
    option_parse(&options, 2, argv, &error);
    enum exit_status status = error.status;
    error_clear(&error);
    return status;
}

/* ---- sizes ---- */

#define REFUSED UINT64_MAX

#define ZEROS_40 "0000000000000000000000000000000000000000"

static void
test_sizes(void)
{
    static const struct {
        const char *text;
        uint64_t size;
    } table[] = {
        {"0", 0},
        {"00", 0},
        {"1", 1},
        {"0010", 10},
        {"4095", 4095},
        {"1k", 1000},
        {"1K", 1000},
        {"1M", 1000000},
        {"1G", 1000000000},
        {"1T", 1000000000000},
        {"1P", 1000000000000000},
        {"1E", 1000000000000000000},
        {"1ki", 1024},
        {"1Ki", 1024},
        {"1Mi", 1 << 20},
        {"1Gi", 1 << 30},
        {"1Ti", (uint64_t)1 << 40},
        {"1Pi", (uint64_t)1 << 50},
        {"1Ei", (uint64_t)1 << 60},
        {"1kB", 1000},
        {"1KB", 1000},
        {"1MB", 1000000},
        {"1EB", 1000000000000000000},
        {"1kiB", 1024},
        {"1KiB", 1024},
        {"1MiB", 1 << 20},
        {"7EiB", (uint64_t)7 << 60},
        {"1.5GiB", 1610612736},
        {"2e3kB", 2000000},
        {"1E0EB", 1000000000000000000},
        {"0x0", 0},
        {"0x10", 16},
        {"0X10", 16},
        {"0x1E", 30},
        {"0x10B", 267}, /* all are digits */
        {"0x000000000000000000fF", 255},
        {"0x7fffffffffffffff", INT64_MAX},
        {"0k", 0},
        {"1.5k", 1500},
        {"1.5Gi", 1610612736},
        {".5k", 500},
        {"2.Ki", 2048},
        {"1e6", 1000000},
        {"1E6", 1000000},
        {"1e+3", 1000},
        {"1.25e3", 1250},
        {"2e3k", 2000000},
        {"9007199254740993", 9007199254740993},
        {"9223372036854774784", 9223372036854774784},
        {"9223372036854775807", INT64_MAX},
        {"7Ei", (uint64_t)7 << 60},
        {"1E0E", 1000000000000000000},
        {"0.001k", 1},
        {"1.000001M", 1000001},
        {"4.35k", 4350},
        {"0.0009765625Ki", 1},
        {"9223372036854775.807k", INT64_MAX},
        {"9.223372036854775807E", INT64_MAX},
        {"9223372036854775807e0", INT64_MAX},
        {"00000000000000000000000000000000000000000001", 1},
        {"0e99999999999999999999", 0},
        {"1000e-3", 1},
        {"." ZEROS_40 ZEROS_40 "1e99", 1000000000000000000},
        {"." ZEROS_40 ZEROS_40 ZEROS_40 "1e121", 1},
        {"." ZEROS_40 ZEROS_40 ZEROS_40 "15e122k", 15000},
        {"1." ZEROS_40 "k", 1000},
        {"1" ZEROS_40 "e-40", 1},
        {"1" ZEROS_40 ZEROS_40 ".0e-77k", 1000000},
        {ZEROS_40 "." ZEROS_40, 0},
        {"9223372036854775807." ZEROS_40, INT64_MAX},
        /* 2^60 + 1, 2^63 - 1 and 1, all their digits. */
        {"1.000000000000000000867361737988403547205962240695953369140625Ei",
         ((uint64_t)1 << 60) + 1},
        {"7.999999999999999999132638262011596452794037759304046630859375Ei",
         INT64_MAX},
        {".000000000000000000867361737988403547205962240695953369140625Ei", 1},
        {"8673617379884035472059622406959533691.40625e-55Ei", 1},

        {"1.000000000000000000867361737988403547205962240695953369140624Ei",
         REFUSED},
        {"7.9999999999999999999999999999999999999999999999999999999999999Ei",
         REFUSED},
        {"1." ZEROS_40 "1k", REFUSED},
        {"1" ZEROS_40, REFUSED},
        {"1" ZEROS_40 "e-41", REFUSED},
        {"9223372036854775807.5", REFUSED},
        {"9223372036854775.808k", REFUSED},
        {"9223372036854775808", REFUSED},
        {"18446744073709551615", REFUSED},
        {"18446744073709551616", REFUSED},
        {"18446744073709551617", REFUSED},
        {"8Ei", REFUSED},
        {"10E", REFUSED},
        {"9.223372036854775808E", REFUSED},
        {"1e19", REFUSED},
        {"1e20", REFUSED},
        {"1E3E", REFUSED},
        {"1e99999999999999999999", REFUSED},
        {".5e99999999999999999999", REFUSED},
        {".5e-99999999999999999999", REFUSED},
        {"1e-9223372036854775808", REFUSED},
        {"1e18446744073709551616", REFUSED},
        {"." ZEROS_40 ZEROS_40 "1e100", REFUSED},
        {"." ZEROS_40 ZEROS_40 "1e99999999999999999999", REFUSED},
        {"." ZEROS_40 ZEROS_40 "1e-99999999999999999999", REFUSED},
        {"." ZEROS_40 ZEROS_40 ZEROS_40 "1e120", REFUSED},
        {"1e4294967296", REFUSED},
        {"999999999999999999999999999999", REFUSED},
        {"1000e-4", REFUSED},
        {"0.0009765625k", REFUSED},
        {"1e400", REFUSED},
        {"1e400k", REFUSED},
        {"1e-400", REFUSED},
        {"1.5e-99999999999999999999", REFUSED},
        {"1e99999999999999999999", REFUSED},
        {"1e-1", REFUSED},
        {"1.5", REFUSED},
        {"0.0001k", REFUSED},
        {"1.0001k", REFUSED},
        {"", REFUSED},
        {" ", REFUSED},
        {" 1", REFUSED},
        {"1 ", REFUSED},
        {"1 k", REFUSED},
        {"\t1", REFUSED},
        {"1\n", REFUSED},
        {"-1", REFUSED},
        {"-0", REFUSED},
        {"+1", REFUSED},
        {".", REFUSED},
        {"..", REFUSED},
        {"1..5k", REFUSED},
        {"k", REFUSED},
        {"i", REFUSED},
        {"1i", REFUSED},
        {"1x", REFUSED},
        {"1e", REFUSED},
        {"e1", REFUSED},
        {".e1", REFUSED},
        {"1e+", REFUSED},
        {"1e-", REFUSED},
        {"1e+-1", REFUSED},
        {"1e 1", REFUSED},
        {"1e1.0", REFUSED},
        {"1e1e1", REFUSED},
        {"1kk", REFUSED},
        {"1B", REFUSED},
        {"100B", REFUSED},
        {"1e3B", REFUSED},
        {"kB", REFUSED},
        {"1kBB", REFUSED},
        {"1kBi", REFUSED},
        {"1kb", REFUSED},
        {"1Kib", REFUSED},
        {"1KIB", REFUSED},
        {"1iB", REFUSED},
        {"1mB", REFUSED},
        {"1k B", REFUSED},
        {"8EiB", REFUSED},
        {"1m", REFUSED},
        {"1g", REFUSED},
        {"1KI", REFUSED},
        {"1Kii", REFUSED},
        {"1k0", REFUSED},
        {"0x", REFUSED},
        {"0xg", REFUSED},
        {"0x10k", REFUSED},
        {"0x1.8", REFUSED},
        {"-0x10", REFUSED},
        {"x10", REFUSED},
        {"0x8000000000000000", REFUSED},
        {"0x10000000000000000", REFUSED},
        {"0x100000000000000000000000000000000", REFUSED},
        {"0x1p4", REFUSED},
        {"inf", REFUSED},
        {"infinity", REFUSED},
        {"nan", REFUSED},
        {"nan(1)", REFUSED},
        {"1,5k", REFUSED},
        {"1_000", REFUSED},
        {"1'000", REFUSED},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *text = table[i].text;
        enum exit_status status = parse_value("--gpu-after", text);
        if (table[i].size == REFUSED)
            ok(status == EXIT_USAGE, "size \"%s\": refused",
               strpbrk(text, "\t\n") == NULL ? text : "(white space)");
        else
            ok(status == EXIT_DONE && options.plan.gpu_after == table[i].size,
               "size \"%s\": %" PRIu64, text, table[i].size);
    }
}

/* All options read sizes and counts of things in one way. */
static void
test_size_options(void)
{
    static const char *const names[] = {
        "--chunk-size", "--gpu-after",  "--memory-limit",
        "--top",        "--read-bytes", "--skip-bytes",
    };
    static const char *const good[] = {
        "7",  "7k",  "7kB",  "7K",  "7Ki", "7KiB",
        "7M", "7MB", "7MiB", "0x7", "7e1",
    };
    static const char *const bad[] = {"7B", "7kb", "7iB", "0x7k", "+7", "7.5"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (size_t t = 0; t < sizeof good / sizeof *good; t++)
            ok(parse_value(names[i], good[t]) == EXIT_DONE, "%s=%s", names[i],
               good[t]);
        for (size_t t = 0; t < sizeof bad / sizeof *bad; t++)
            ok(parse_value(names[i], bad[t]) == EXIT_USAGE, "%s=%s: refused",
               names[i], bad[t]);
    }
}

/* Decimal fractions that are a whole number of bytes are one, exactly. */
static void
test_fractions(void)
{
    unsigned int wrong = 0;
    char text[32];

    for (unsigned int n = 0; n < 20000; n++) {
        snprintf(text, sizeof text, "%u.%03uk", n / 1000, n % 1000);
        if (parse_value("--gpu-after", text) != EXIT_DONE ||
            options.plan.gpu_after != n) {
            if (wrong++ == 0)
                printf("# \"%s\" is not %u\n", text, n);
        }
    }
    ok(wrong == 0, "all of 0.000k to 19.999k (%u wrong)", wrong);
}

/* The same syntax, with other limits. */
static void
test_limits(void)
{
    static const struct {
        const char *option, *value;
        bool is_good;
    } table[] = {
        {"--chunk-size", "0", false},
        {"--chunk-size", "1", true},
        {"--chunk-size", "1Gi", true},
        {"--chunk-size", "1073741825", false},
        {"--chunk-size", "1e18", false},
        {"--memory-limit", "0", false},
        {"--memory-limit", "1", true},
        {"--memory-limit", "1E", true},
        {"--gpu-after", "0", true},
        {"--threads", "", false},
        {"--threads", "0", false},
        {"--threads", "1", true},
        {"--threads", "007", true},
        {"--threads", "4096", true},
        {"--threads", "4097", false},
        {"--threads", "-1", false},
        {"--threads", "+1", false},
        {"--threads", " 1", false},
        {"--threads", "1k", false},
        {"--threads", "1.0", false},
        {"--threads", "4294967297", false},
        {"--threads", "18446744073709551617", false},
        {"--decompress", "auto", true},
        {"--decompress", "none", true},
        {"--decompress", "zstd", true},
        {"--decompress", "", false},
        {"--decompress", "gzip", true},
        {"--decompress", "xz", true},
        {"--decompress", "lzma", true},
        {"--decompress", "lz4", true},
        {"--decompress", "bzip2", true},
        {"--decompress", "gz", false},
        {"--decompress", "zst", false},
        {"--decompress", "ZSTD", false},
        {"--skip-bytes", "0", true},
        {"--skip-bytes", "1.5Ki", true},
        {"--skip-bytes", "9223372036854775807", true},
        {"--skip-bytes", "9223372036854775808", false},
        {"--skip-bytes", "-1", false},
        {"--skip-bytes", "", false},
        {"--read-bytes", "0", true},
        {"--read-bytes", "1k", true},
        {"--read-bytes", "9223372036854775807", true},
        {"--read-bytes", "18446744073709551615", false},
        {"--read-bytes", "x", false},
        {"--closed", "left", true},
        {"--closed", "right", true},
        {"--closed", "both", false},
        {"--closed", "Left", false},
        {"--closed", "", false},
        {"--endian", "machine", false},
        {"--endian", "<", false},
        {"--endian", "", false},
        {"--flow", "auto", true},
        {"--flow", "show", true},
        {"--flow", "hide", true},
        {"--flow", "clamp", true},
        {"--flow", "none", false},
        {"--flow", "", false},
        {"--partial", "error", true},
        {"--partial", "drop", true},
        {"--partial", "pad", false},
        {"--partial", "", false},
        {"--strategy", "auto", true},
        {"--strategy", "registers", false},
        {"--strategy", "lane", true},
        {"--strategy", "shared", true},
        {"--strategy", "packed", true},
        {"--strategy", "global", true},
        {"--strategy", "local", false},
        {"--strategy", "", false},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        enum exit_status status = parse_value(table[i].option, table[i].value);
        ok(status == (table[i].is_good ? EXIT_DONE : EXIT_USAGE), "%s=%s: %s",
           table[i].option, table[i].value,
           table[i].is_good ? "accepted" : "refused");
    }
}

/* ---- devices ---- */

static void
test_devices(void)
{
    static const struct {
        const char *text;
        enum device device;
        size_t gpu_count;
        int gpu[4];
    } good[] = {
        {"auto", DEVICE_AUTO, 1, {0}},
        {"cpu", DEVICE_CPU, 1, {0}},
        {"cuda", DEVICE_CUDA, 1, {0}},
        {"cuda:0", DEVICE_CUDA, 1, {0}},
        {"cuda:7", DEVICE_CUDA, 1, {7}},
        {"cuda:2147483647", DEVICE_CUDA, 1, {2147483647}},
        {"cuda:1,0", DEVICE_CUDA, 2, {1, 0}},
        {"cuda:3,1,2,0", DEVICE_CUDA, 4, {3, 1, 2, 0}},
        {"opencl", DEVICE_OPENCL, 1, {ENGINE_BEST}},
        {"opencl:0", DEVICE_OPENCL, 1, {0}},
        {"opencl:2,1", DEVICE_OPENCL, 2, {2, 1}},
    };
    static const char *const bad[] = {
        "",         "CPU",       "gpu",      "aut",
        "auto ",    "cpu:0",     "auto:0",   "cuda:",
        "cuda:,",   "cuda:0,",   "cuda:,0",  "cuda:0,,1",
        "cuda:0,0", "cuda:1,01", "cuda:-1",  "cuda:+1",
        "cuda: 1",  "cuda:x",    "cuda:0x1", "cuda:2147483648",
        "cuda:1e1", "cuda:0-3",  "cuda:0 1", "cuda:4294967296",
        "cuda:1.0", "cuda0",     "cuda:0;1", "cuda:00000000000000000",
        "opencl:",  "opencl:x",  "opencl0",  "opencl:0,0",
    };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        bool is_right =
            parse_value("--device", good[i].text) == EXIT_DONE &&
            options.plan.device == good[i].device &&
            options.plan.gpu_count == good[i].gpu_count &&
            memcmp(options.plan.gpu, good[i].gpu,
                   good[i].gpu_count * sizeof *options.plan.gpu) == 0;
        ok(is_right, "device \"%s\"", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(parse_value("--device", bad[i]) == EXIT_USAGE,
           "device \"%s\": refused", bad[i]);
}

static void
test_many_devices(void)
{
    char list[1000] = "cuda:0";

    for (int i = 1; i < PLAN_GPUS_MAX; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), ",%d", i);
    ok(parse_value("--device", list) == EXIT_DONE &&
           options.plan.gpu_count == PLAN_GPUS_MAX &&
           options.plan.gpu[PLAN_GPUS_MAX - 1] == PLAN_GPUS_MAX - 1,
       "%d devices", PLAN_GPUS_MAX);
    snprintf(list + strlen(list), sizeof list - strlen(list), ",%d",
             PLAN_GPUS_MAX);
    ok(parse_value("--device", list) == EXIT_USAGE, "one more: refused");
}

/* ---- whole lines ---- */

/* The options for axes, and where their arguments are kept. */
static const struct {
    const char *name;
    size_t offset;
} axis_options[] = {
    {"bins", offsetof(struct axis_options, bins)},
    {"range", offsetof(struct axis_options, range)},
    {"bin-width", offsetof(struct axis_options, bin_width)},
    {"edges", offsetof(struct axis_options, edges)},
    {"log", offsetof(struct axis_options, log)},
    {"subdiv", offsetof(struct axis_options, subdiv)},
    {"shift", offsetof(struct axis_options, shift)},
    {"mask", offsetof(struct axis_options, mask)},
    {"mod", offsetof(struct axis_options, mod)},
};
#define AXIS_OPTIONS (sizeof axis_options / sizeof *axis_options)

static const struct axis_option *
axis_option(size_t i)
{
    const void *option =
        (const char *)&options.spec.axis + axis_options[i].offset;

    return option;
}

static void
test_defaults(void)
{
    ok(parse("") == EXIT_DONE && options.action == ACTION_COUNT &&
           options.provenance.path_count == 0 &&
           options.decompress == DECOMPRESS_AUTO && !options.report.nonzero &&
           !options.report.header_out && options.plan.device == DEVICE_AUTO &&
           options.plan.gpu_count == 1 && options.plan.gpu[0] == 0 &&
           options.plan.gpu_after == PLAN_CHOOSE && options.plan.threads == 0 &&
           options.plan.chunk_bytes == 0 &&
           options.plan.memory_limit == PLAN_CHOOSE && !options.explain &&
           !options.verbose && !options.quiet,
       "no arguments: the defaults");
    ok(options.skip_bytes == 0 && options.read_bytes == PLAN_CHOOSE &&
           options.partial == PARTIAL_ERROR && options.spec.dtype == NULL &&
           options.spec.record == NULL && options.spec.fields.count == 0 &&
           options.spec.weights == NULL &&
           options.spec.endian == ORDER_MACHINE && !options.spec.joint &&
           options.spec.closed == BINNING_LEFT &&
           options.report.flow == FLOW_AUTO &&
           options.plan.strategy == STRATEGY_AUTO,
       "no arguments: the defaults of what is counted");
    bool has_none = true;
    for (size_t i = 0; i < AXIS_OPTIONS; i++)
        has_none &= axis_option(i)->count == 0;
    ok(has_none, "no arguments: no axis is described");
}

/* ---- what is counted ---- */

static bool
is_text(const char *text, const char *wanted)
{
    return text != NULL && strcmp(text, wanted) == 0;
}

static void
test_spec(void)
{
    ok(parse("--record u1,x*3 --fields 1,3-5 --weights=2 "
             "--endian=big --joint --skip-bytes 1k --read-bytes=2k "
             "--partial=drop") == EXIT_DONE &&
           options.spec.dtype == NULL &&
           is_text(options.spec.record, "u1,x*3") &&
           is_text(options.spec.fields.text[0], "1,3-5") &&
           is_text(options.spec.weights, "2") &&
           options.spec.endian == ORDER_BIG && options.spec.joint &&
           options.skip_bytes == 1000 && options.read_bytes == 2000 &&
           options.partial == PARTIAL_DROP,
       "what is counted");
    ok(parse("--dtype=u1 --dtype=f8 --endian=big --endian=little "
             "--weights=1 --weights=3 --skip-bytes=1 --skip-bytes=2") ==
               EXIT_DONE &&
           is_text(options.spec.dtype, "f8") &&
           options.spec.endian == ORDER_LITTLE &&
           is_text(options.spec.weights, "3") && options.skip_bytes == 2,
       "the last of two wins here, too");
    ok(parse("-f1 -f2,3") == EXIT_DONE && options.spec.fields.count == 2 &&
           is_text(options.spec.fields.text[0], "1") &&
           is_text(options.spec.fields.text[1], "2,3"),
       "but there may be several lists of fields");
    ok(parse("--dtype=u1 --record=u1,u2") == EXIT_USAGE &&
           parse("--record=u1 --dtype=u1") == EXIT_USAGE,
       "--dtype and --record exclude each other");
    ok(parse("--image") == EXIT_DONE && options.image && !options.lut &&
           options.equalize == NULL && parse("") == EXIT_DONE && !options.image,
       "--image");
    ok(parse("--image --lut --equalize=a -f1 -b 9 b") == EXIT_DONE &&
           options.image && options.lut && is_text(options.equalize, "a"),
       "--lut and --equalize");
    ok(parse("--image --dtype=u1") == EXIT_USAGE &&
           parse("--record=u1 --image") == EXIT_USAGE &&
           parse("--image --endian=big") == EXIT_USAGE &&
           parse("--image --read-bytes=1") == EXIT_USAGE &&
           parse("--lut") == EXIT_USAGE &&
           parse("--equalize=a") == EXIT_USAGE &&
           parse("--image --equalize=a b c") == EXIT_USAGE,
       "--image: what it does not go with");
    ok(parse("--closed=right") == EXIT_DONE &&
           options.spec.closed == BINNING_RIGHT,
       "--closed");
    ok(parse("--numpy") == EXIT_DONE && options.spec.closed == BINNING_NUMPY,
       "--numpy");
    ok(parse("--numpy --closed=left") == EXIT_DONE &&
           options.spec.closed == BINNING_LEFT &&
           parse("--closed=right --numpy") == EXIT_DONE &&
           options.spec.closed == BINNING_NUMPY,
       "the last of --closed and --numpy wins");

    static const char *const flows[] = {"auto", "show", "hide", "clamp"};
    bool is_right = true;
    for (int i = 0; i < 4; i++)
        is_right &= parse_value("--flow", flows[i]) == EXIT_DONE &&
                    options.report.flow == (enum flow)i;
    ok(is_right, "--flow");
}

static void
test_strategies(void)
{
    static const char *const names[] = {"auto", "lane", "shared", "packed",
                                        "global"};
    bool is_right = sizeof names / sizeof *names == STRATEGY_COUNT;

    for (int i = 0; i < STRATEGY_COUNT; i++) {
        enum strategy strategy = (enum strategy)i;
        is_right &= parse_value("--strategy", names[i]) == EXIT_DONE &&
                    options.plan.strategy == strategy &&
                    is_text(kernel_strategy_name(strategy), names[i]);
    }
    ok(is_right, "--strategy, and the names");
    ok(parse("--strategy=lane --device=cpu") == EXIT_USAGE &&
           parse("--device=cpu --strategy=global") == EXIT_USAGE &&
           parse("--device=cpu --strategy=auto") == EXIT_DONE &&
           parse("--device=cuda --strategy=lane") == EXIT_DONE &&
           parse("--strategy=lane --strategy=auto --device=cpu") == EXIT_DONE,
       "--strategy is refused where it would do nothing");
}

/* Each is there once for all axes, or once for each. */
static void
test_axis_options(void)
{
    for (size_t i = 0; i < AXIS_OPTIONS; i++) {
        const struct axis_option *option = axis_option(i);
        const char *name = axis_options[i].name;
        char line[200];
        snprintf(line, sizeof line, "--%s=a --%s=- file --%s=c", name, name,
                 name);
        bool is_right =
            parse(line) == EXIT_DONE && option->count == 3 &&
            is_text(option->name, name) && is_text(option->text[0], "a") &&
            is_text(option->text[1], "-") && is_text(option->text[2], "c") &&
            options.provenance.path_count == 1;
        for (size_t other = 0; other < AXIS_OPTIONS; other++)
            is_right &= other == i || axis_option(other)->count == 0;
        ok(is_right, "--%s three times", name);
    }
    ok(parse("-b 5 -b6 --bins 7") == EXIT_DONE &&
           options.spec.axis.bins.count == 3 &&
           is_text(options.spec.axis.bins.text[1], "6") &&
           is_text(options.spec.axis.bins.text[2], "7"),
       "-b");
    ok(parse("--log --log=10 --log x") == EXIT_DONE &&
           options.spec.axis.log.count == 3 &&
           options.provenance.path_count == 1 &&
           is_text(options.spec.axis.log.text[0], "2") &&
           is_text(options.spec.axis.log.text[1], "10") &&
           is_text(options.spec.axis.log.text[2], "2"),
       "--log: the base is 2 unless it is there, after a =");
    ok(parse("--log=") == EXIT_DONE &&
           is_text(options.spec.axis.log.text[0], ""),
       "--log=: left to axis.h");
}

/* As many as there is room for, and one more. */
static void
test_many_axes(void)
{
    for (size_t i = 0; i < AXIS_OPTIONS; i++) {
        for (int excess = 0; excess < 2; excess++) {
            static char word[32];
            static char program[] = "gpuhist";
            char *argv[SPEC_AXES_MAX + 3] = {program};
            struct error error = ERROR_NONE;
            char text[80];
            int count = SPEC_AXES_MAX + excess;

            snprintf(word, sizeof word, "--%s=1", axis_options[i].name);
            for (int n = 1; n <= count; n++)
                argv[n] = word;
            int result = option_parse(&options, count + 1, argv, &error);
            snprintf(text, sizeof text, "--%s is given more than %d times",
                     axis_options[i].name, SPEC_AXES_MAX);
            if (excess)
                ok(result == -1 && error.status == EXIT_USAGE &&
                       is_text(error.text, text),
                   "%s", text);
            else
                ok(result == 0 && axis_option(i)->count == SPEC_AXES_MAX,
                   "--%s: %d times", axis_options[i].name, SPEC_AXES_MAX);
            error_clear(&error);
        }
    }
}

static void
test_every_option(void)
{
    ok(parse("--chunk-size=3Ki --decompress none --device=cuda:2,1 --explain "
             "--header-out --memory-limit=1Gi --nonzero "
             "-q -v -j 3") == EXIT_DONE &&
           options.action == ACTION_COUNT && options.plan.chunk_bytes == 3072 &&
           options.decompress == DECOMPRESS_NONE &&
           options.plan.device == DEVICE_CUDA && options.plan.gpu_count == 2 &&
           options.plan.gpu[0] == 2 && options.plan.gpu[1] == 1 &&
           options.explain && options.report.header_out &&
           options.plan.memory_limit == 1 << 30 && options.report.nonzero &&
           options.quiet && options.verbose && options.plan.threads == 3,
       "every option");
    ok(parse("--gpu-after 5k") == EXIT_DONE && options.plan.gpu_after == 5000,
       "--gpu-after");
    ok(parse("--gpu-after=1 --device=cpu") == EXIT_USAGE &&
           parse("--device=cuda --gpu-after=1") == EXIT_USAGE &&
           parse("--device=opencl:0,1 --gpu-after=1") == EXIT_USAGE &&
           parse("--device=cuda:0,1 --gpu-after=1") == EXIT_DONE &&
           parse("--device=cuda --gpu-after=1 --device=auto") == EXIT_DONE,
       "--gpu-after is refused where it would do nothing");
    ok(parse("-j2 -j 5") == EXIT_DONE && options.plan.threads == 5,
       "the last of two wins");
    ok(parse("--device=cuda:3,4 --device=cuda") == EXIT_DONE &&
           options.plan.gpu_count == 1 && options.plan.gpu[0] == 0,
       "also of two devices");
    ok(parse("-qvj7") == EXIT_DONE && options.quiet && options.verbose &&
           options.plan.threads == 7,
       "letters together");
    ok(parse("-h") == EXIT_DONE && options.action == ACTION_USAGE, "-h");
    ok(parse("--help") == EXIT_DONE && options.action == ACTION_HELP &&
           options.topic == 0,
       "--help");
    ok(parse("--help=logs") == EXIT_DONE && options.topic == 2, "--help=logs");
    ok(parse("-V") == EXIT_DONE && options.action == ACTION_VERSION, "-V");
    ok(parse("--list-devices") == EXIT_DONE &&
           options.action == ACTION_LIST_DEVICES,
       "--list-devices");
}

/*
 * What can be asked of which output.  A '+' is accepted; a '-' is refused: it
 * would have no effect, or there is no place for it.
 */
static void
test_outputs(void)
{
    /* In the order of the columns below. */
    static const char *const outputs[] = {
        "--format=tsv",        "--format=csv",         "--format=json",
        "--format=jsonl",      "--format=prom",        "--format=uniq",
        "--format=npy",        "--plot=only",          "--stats=only",
        "--stats=only --plot", "--stats=only --svg=s", "--plot=only --svg=s",
    };
    static const struct {
        const char *options;
        const char *outcomes;
    } table[] = {
        {"", "++++++++++++"},
        {"-o a", "++++++++++++"},
        {"--header-out", "++----------"},
        {"--nonzero", "++++++-+-+-+"},
        {"--top=3", "++++++------"},
        {"--sort=value", "++++++++++++"},
        {"--sort=count", "++++++------"},
        {"--top=3 --sort=value", "++++++------"},
        {"--labels=dec", "++++++++++++"},
        {"--labels=hex", "++++-+------"},
        {"--labels=char", "++++-+------"},
        {"--cumulative", "++++--------"},
        {"--density", "++++--------"},
        {"--percent", "++++--------"},
        {"--joint", "++++++++---+"},
        {"--weights=1", "++++-+++---+"},
        {"--flow=auto", "++++++++++++"},
        {"--flow=show", "++++++-+-+++"},
        {"--flow=hide", "++++++++-+++"},
        {"--flow=clamp", "++++++++-+++"},
        {"--interrupted=discard", "++++++++++++"},
        {"--interrupted=print", "++++-+-+++++"},
        {"--metric=a", "----+-------"},
        {"--stats", "++++++++++++"},
        {"--percentiles=50", "++++++++++++"},
        {"--stats --joint", "------------"},
        {"--stats --weights=1", "------------"},
        {"--plot-scale=log", "-------+-+++"},
        {"--plot", "++++++++++++"},
        {"--plot --plot-scale=log", "++++++++++++"},
        {"--plot --nonzero", "++++++-+++++"},
        {"--plot --header-out", "++----------"},
        {"--svg=b", "++++++++++++"},
        {"--svg=b --plot-scale=log", "++++++++++++"},
        {"--svg=b --nonzero", "++++++-+-+-+"},
        {"--svg=b --flow=show", "++++++-+++++"},
        {"--svg=a -o a", "----------++"},
        {"--lut", "------------"},
        {"--image --lut", "++++--------"},
        {"--image --lut --plot", "++++--------"},
        {"--image --equalize=a", "++++++++++++"},
        {"--image --equalize=a -o a", "------------"},
        {"--image --equalize=a --svg=a", "----------++"},
        {"--image --equalize=a --interrupted=print", "++++-+-+++++"},
        {"--list-devices", "+------+++++"},
        {"--list-devices -o a", "------------"},
        {"--list-strategies", "+------+++++"},
        {"--svg=-", "------------"},
        {"--image --equalize=-", "------------"},
        {"-o -", "++++++++++++"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (size_t o = 0; o < sizeof outputs / sizeof *outputs; o++) {
            char line[200];
            bool is_good = table[i].outcomes[o] == '+';
            snprintf(line, sizeof line, "%s %s", table[i].options, outputs[o]);
            ok(parse(line) == (is_good ? EXIT_DONE : EXIT_USAGE), "%s: %s",
               line, is_good ? "accepted" : "refused");
        }
    }
    ok(parse("--stats=only --plot=only") == EXIT_USAGE &&
           parse("--plot=only --stats=only") == EXIT_USAGE,
       "two things only: refused");
}

static void
test_paths(void)
{
    static const struct {
        const char *line;
        size_t count;
        const char *first;
    } table[] = {
        {"a b c", 3, "a"},
        {"-", 1, "-"},
        {"- a -", 3, "-"},
        {"--", 0, NULL},
        {"-- --help", 1, "--help"},
        {"-- -q -", 2, "-q"},
        {"-- --", 1, "--"},
        {"a -q b", 2, "a"},
        {"a --device=cpu -j 2 b", 2, "a"},
        {"-j 2 a", 1, "a"},
        {"-q -- a", 1, "a"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        ok(parse(table[i].line) == EXIT_DONE &&
               options.provenance.path_count == table[i].count &&
               (table[i].count == 0 ||
                strcmp(options.provenance.paths[0], table[i].first) == 0),
           "\"%s\": %zu files", table[i].line, table[i].count);
}

static void
test_words(void)
{
    static const struct {
        const char *line;
        bool is_good;
    } table[] = {
        {"--chunk=1", true},     {"--ch 1", true},
        {"--dev cpu", true},     {"--dt u2", true},
        {"--we 1", true},        {"--end big --dt f4", true},
        {"--subd 1", true},      {"--bins=3", true},
        {"--log", true},         {"--log=10", true},
        {"--log x", true}, /* a file of that name */
        {"--w 1", false},  /* it is --whitespace's, too */
        {"--c 1", false},        {"--f=1", false},
        {"--sh", false},         {"--re=1", false},
        {"--rec=u2", true},      {"--s=1", false},
        {"--ma=1", true},        {"--m=1", false},
        {"--bin=1", false},      {"-b", false},
        {"-f", false},           {"--bins", false},
        {"--bin-width", false},  {"--closed", false},
        {"--dtype", false},      {"--edges", false},
        {"--endian", false},     {"--fields", false},
        {"--flow", false},       {"--mask", false},
        {"--mod", false},        {"--partial", false},
        {"--range", false},      {"--read-bytes", false},
        {"--record", false},     {"--shift", false},
        {"--skip-bytes", false}, {"--strategy", false},
        {"--subdiv", false},     {"--weights", false},
        {"--joint=1", false},    {"--numpy=yes", false},
        {"--thr=2", true},       {"--nonz", true},
        {"--vers", true},        {"--head", false},
        {"--unknown", false},    {"--unknown=1", false},
        {"--nonzeros", false},   {"-x", false},
        {"-qx", false},          {"-xq", false},
        {"-1", false},           {"-:", false},
        {"-?", false},           {"--d=cpu", false},
        {"--ver", false},        {"--he", false},
        {"--=1", false},         {"---", false},
        {"-j", false},           {"-qj", false},
        {"--threads", false},    {"--chunk-size", false},
        {"--decompress", false}, {"--device", false},
        {"--gpu-after", false},  {"--memory-limit", false},
        {"--help=1", false},     {"--explain=yes", false},
        {"--nonzero=", false},   {"--quiet=1", false},
        {"-q=1", false},         {"-j=2", false},
        {"--endian=big", false}, {"--endian=little --record=u2", true},
        {"-j 2x", false},        {"--help --unknown", false},
        {"\x80", true},          {"-\x80", false},
        {"--\xc3\xa9", false},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        ok(parse(table[i].line) == (table[i].is_good ? EXIT_DONE : EXIT_USAGE),
           "line %zu, \"%s\": %s", i,
           strpbrk(table[i].line, "\x80\xc3") ? "..." : table[i].line,
           table[i].is_good ? "accepted" : "refused");
}

/* The message names the actual error. */
static void
test_messages(void)
{
    static const struct {
        const char *word;
        const char *text;
    } table[] = {
        {"--threads", "option '--threads' needs a value"},
        {"-j", "option '-j' needs a value"},
        {"--usage=1", "option '--usage' takes no value"},
        {"--explain=1", "option '--explain' takes no value"},
        {"--version=--x", "option '--version' takes no value"},
        {"-x", "unknown option '-x' (try --help)"},
        {"-xh", "unknown option '-x' (try --help)"},
        {"--ver", "option '--ver' is ambiguous: --verbose, --version"},
        {"--ver=1", "option '--ver' is ambiguous: --verbose, --version"},
        {"--no-such", "unknown option '--no-such' (try --help)"},
        {"--=1", "'--=1' is not an option (try --help)"},
        {"---", "unknown option '---' (try --help)"},
        {"--devise=cpu", "unknown option '--devise' (did you mean --device?)"},
        {"--devcie", "unknown option '--devcie' (did you mean --device?)"},
        {"--Device", "unknown option '--Device' (did you mean --device?)"},
        {"--chunksize", "unknown option '--chunksize' (did you mean "
                        "--tune=chunk-size?)"},
        {"--chunk_size", "unknown option '--chunk_size' (did you mean "
                         "--tune=chunk-size?)"},
        {"--nonzeros", "unknown option '--nonzeros' (did you mean --nonzero?)"},
        {"--lgo", "unknown option '--lgo' (did you mean --log?)"},
        {"--lot", "unknown option '--lot' (did you mean --log?)"},
        {"--xyz", "unknown option '--xyz' (try --help)"},
        {"--x", "unknown option '--x' (try --help)"},
        {"-top=3", "'-top=3' is several letters: did you mean --top=3? (if "
                   "not, divide them: -t -op=3)"},
        {"-nr", "'-n r': -n N prints the N most frequent values, as --top=N "
                "(the -n of sort is --dtype=num: fields are numbers)"},
        {"-F::", "'-F ::': -F C is --delimiter=C, one byte (-W divides at "
                 "blanks, and groups of --regex=RE are fields, too)"},
        {"-version", "'-version' is several letters: did you mean --version? "
                     "(if not, divide them: -v -ersion)"},
        {"-log", "'-log' is several letters: did you mean --log? (if not, "
                 "divide them: -l -og)"},
        {"-qx", "unknown option '-x' (try --help)"},
        {"-j0", "--threads: '0' is not a number from 1 to 4096"},
        {"--chunk-size=x", "--chunk-size: 'x' is not a size from 1 to 1GiB"},
        {"-b", "option '-b' needs a value"},
        {"-f", "option '-f' needs a value"},
        {"--bins", "option '--bins' needs a value"},
        {"--read-bytes", "option '--read-bytes' needs a value"},
        {"--joint=1", "option '--joint' takes no value"},
        {"--numpy=1", "option '--numpy' takes no value"},
        {"--bin", "option '--bin' is ambiguous: --bin-width, --bins"},
        {"--closed=x", "--closed: 'x' is not left or right"},
        {"--endian=x", "--endian: 'x' is not little or big"},
        {"--flow=x", "--flow: 'x' is not auto, show, hide or clamp"},
        {"--partial=x", "--partial: 'x' is not error or drop"},
        {"--skip-bytes=x",
         "--skip-bytes: 'x' is not a size, such as 4096, 64k or 1.5GiB"},
        {"--read-bytes=x",
         "--read-bytes: 'x' is not a size, such as 4096, 64k or 1.5GiB"},
        {"--strategy=x", "--strategy: 'x' is not auto, lane, "
                         "shared, packed or global"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = ERROR_NONE;
        char program[] = "gpuhist";
        char word[64];
        char *argv[] = {program, word, NULL};

        snprintf(word, sizeof word, "%s", table[i].word);
        option_parse(&options, 2, argv, &error);
        bool is_right =
            error.text != NULL && strcmp(error.text, table[i].text) == 0;
        ok(is_right, "%s: %s", word, table[i].text);
        if (!is_right)
            printf("# got: %s\n", error.text != NULL ? error.text : "nothing");
        error_clear(&error);
    }
}

int
main(void)
{
    test_sizes();
    test_size_options();
    test_fractions();
    test_limits();
    test_devices();
    test_many_devices();
    test_defaults();
    test_every_option();
    test_outputs();
    test_spec();
    test_strategies();
    test_axis_options();
    test_many_axes();
    test_paths();
    test_words();
    test_messages();
    return done_testing();
}

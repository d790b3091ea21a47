/* options.c -- the command line */

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "size.h"

/* The largest --chunk-size: a GPU's 32-bit counters hold it easily. */
#define CHUNK_BYTES_MAX ((uint64_t)1 << 30)
#define THREADS_MAX 4096

/* Options without a letter. */
enum {
    OPTION_CHUNK_SIZE = 256,
    OPTION_DECOMPRESS,
    OPTION_DEVICE,
    OPTION_EXPLAIN,
    OPTION_GPU_AFTER,
    OPTION_HEADER_OUT,
    OPTION_LIST_DEVICES,
    OPTION_MEMORY_LIMIT,
    OPTION_NONZERO,
};

static const struct option long_options[] = {
    {"chunk-size", required_argument, NULL, OPTION_CHUNK_SIZE},
    {"decompress", required_argument, NULL, OPTION_DECOMPRESS},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"explain", no_argument, NULL, OPTION_EXPLAIN},
    {"gpu-after", required_argument, NULL, OPTION_GPU_AFTER},
    {"header-out", no_argument, NULL, OPTION_HEADER_OUT},
    {"help", no_argument, NULL, 'h'},
    {"list-devices", no_argument, NULL, OPTION_LIST_DEVICES},
    {"memory-limit", required_argument, NULL, OPTION_MEMORY_LIMIT},
    {"nonzero", no_argument, NULL, OPTION_NONZERO},
    {"quiet", no_argument, NULL, 'q'},
    {"threads", required_argument, NULL, 'j'},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

const char options_help[] =
    "Usage: gpuhist [OPTION]... [FILE]...\n"
    "Count how often each byte value occurs in the FILEs, or in standard\n"
    "input, and print 256 lines: value, tab, count.\n"
    "\n"
    "No FILE, or - as FILE: standard input.  Several inputs are added up.\n"
    "\n"
    "Input:\n"
    "      --decompress=HOW    auto: decode what begins like zstd (default);\n"
    "                          none: count every byte as it is;\n"
    "                          zstd: refuse anything but zstd\n"
    "      --memory-limit=SIZE bound the memory for buffers and zstd windows\n"
    "                          (default: half of the machine's)\n"
    "\n"
    "Output:\n"
    "      --header-out        print a header line\n"
    "      --nonzero           leave out the values that do not occur\n"
    "\n"
    "Engine:\n"
    "      --device=DEVICE     auto, cpu, cuda, or cuda:N[,N]... (default:\n"
    "                          auto: the CPU, and a GPU for long inputs)\n"
    "      --gpu-after=SIZE    with auto: start the GPU when SIZE bytes are\n"
    "                          known to come or have come\n"
    "  -j, --threads=N         count with up to N CPU threads\n"
    "      --chunk-size=SIZE   read, copy and count SIZE bytes at a time\n"
    "      --list-devices      list the devices and exit\n"
    "\n"
    "Messages:\n"
    "      --explain           say on standard error who counted how much\n"
    "  -q, --quiet             no warnings, only errors\n"
    "  -v, --verbose           also say why no GPU was used\n"
    "  -h, --help              print this help and exit\n"
    "  -V, --version           print the version and exit\n"
    "\n"
    "SIZE is a number of bytes with an optional suffix: k M G T are powers\n"
    "of 1000, Ki Mi Gi Ti of 1024; 1e6 and 1.5Gi are fine.\n"
    "\n"
    "Exit status: 0 everything counted and printed, 1 bad input or output,\n"
    "2 wrong usage, 3 the demanded device is not usable.\n";

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
    options->gpu_count = 0;
    for (;;) {
        char word[16];
        size_t length = strcspn(list, ",");
        unsigned int ordinal;

        if (length >= sizeof word || options->gpu_count == OPTIONS_GPUS_MAX)
            return -1;
        memcpy(word, list, length);
        word[length] = '\0';
        if (parse_uint(word, INT_MAX, &ordinal) < 0)
            return -1;
        for (size_t i = 0; i < options->gpu_count; i++) {
            if (options->gpu[i] == (int)ordinal)
                return -1;
        }
        options->gpu[options->gpu_count++] = (int)ordinal;
        if (list[length] == '\0')
            return 0;
        list += length + 1;
    }
}

static int
parse_device(const char *text, struct options *options)
{
    options->gpu[0] = 0;
    options->gpu_count = 1;
    if (strcmp(text, "auto") == 0)
        options->device = DEVICE_AUTO;
    else if (strcmp(text, "cpu") == 0)
        options->device = DEVICE_CPU;
    else if (strcmp(text, "cuda") == 0)
        options->device = DEVICE_CUDA;
    else if (strncmp(text, "cuda:", 5) == 0) {
        options->device = DEVICE_CUDA;
        return parse_gpus(text + 5, options);
    } else
        return -1;
    return 0;
}

static int
parse_decompress(const char *text, enum decompress *decompress)
{
    if (strcmp(text, "auto") == 0)
        *decompress = DECOMPRESS_AUTO;
    else if (strcmp(text, "none") == 0)
        *decompress = DECOMPRESS_NONE;
    else if (strcmp(text, "zstd") == 0)
        *decompress = DECOMPRESS_ZSTD;
    else
        return -1;
    return 0;
}

static int
bad_value(const char *option, const char *value, const char *wanted,
          struct error *error)
{
    error_set(error, EXIT_USAGE, "%s: '%s' is not %s", option, value, wanted);
    return -1;
}

/* Apply one option; VALUE is its argument, or NULL. */
static int
apply(struct options *options, int option, const char *value,
      struct error *error)
{
    uint64_t size;

    switch (option) {
    case OPTION_CHUNK_SIZE:
        if (size_parse(value, &size) < 0 || size == 0 || size > CHUNK_BYTES_MAX)
            return bad_value("--chunk-size", value, "a size from 1 to 1Gi",
                             error);
        options->chunk_bytes = (size_t)size;
        break;
    case OPTION_DECOMPRESS:
        if (parse_decompress(value, &options->decompress) < 0)
            return bad_value("--decompress", value, "auto, none or zstd",
                             error);
        break;
    case OPTION_DEVICE:
        if (parse_device(value, options) < 0)
            return bad_value("--device", value,
                             "auto, cpu, cuda or cuda:N[,N]...", error);
        break;
    case OPTION_EXPLAIN:
        options->explain = true;
        break;
    case OPTION_GPU_AFTER:
        if (size_parse(value, &options->gpu_after) < 0)
            return bad_value("--gpu-after", value, "a size", error);
        break;
    case OPTION_HEADER_OUT:
        options->header_out = true;
        break;
    case 'h':
        options->action = ACTION_HELP;
        break;
    case 'j':
        if (parse_uint(value, THREADS_MAX, &options->threads) < 0 ||
            options->threads == 0)
            return bad_value("--threads", value, "a number from 1 to 4096",
                             error);
        break;
    case OPTION_LIST_DEVICES:
        options->action = ACTION_LIST_DEVICES;
        break;
    case OPTION_MEMORY_LIMIT:
        if (size_parse(value, &options->memory_limit) < 0 ||
            options->memory_limit == 0)
            return bad_value("--memory-limit", value, "a size", error);
        break;
    case OPTION_NONZERO:
        options->nonzero = true;
        break;
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
        error_set(error, EXIT_USAGE, "unknown option '-%c' (try --help)",
                  optopt);
    else
        error_set(error, EXIT_USAGE,
                  "unknown or ambiguous option '%s' (try --help)", argument);
}

int
options_parse(struct options *options, int argc, char **argv,
              struct error *error)
{
    int option;

    *options = (struct options){.gpu_count = 1,
                                .gpu_after = OPTIONS_CHOOSE,
                                .memory_limit = OPTIONS_CHOOSE};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":hj:qvV", long_options, NULL)) !=
           -1) {
        if (option == '?' || option == ':') {
            set_usage_error(option, argv, error);
            return -1;
        }
        if (apply(options, option, optarg, error) < 0)
            return -1;
    }
    if (options->gpu_after != OPTIONS_CHOOSE &&
        options->device != DEVICE_AUTO) {
        error_set(error, EXIT_USAGE,
                  "--gpu-after goes with --device=auto only");
        return -1;
    }
    options->paths = argv + optind;
    options->path_count = (size_t)(argc - optind);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* gen_options.c -- the command line of gpuhist-gen */

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/size.h"
#include "gen_alias.h"
#include "gen_options.h"
#include "gen_sample.h"
#include "hist/record.h"

/* Larger doubles could not represent all whole numbers. */
#define WHOLE_MAX 1e15
#define EXPONENT_MAX 100
#define GENOME_MAX 16000000000u

/* Parameters of distributions, in the order of long_options. */
enum parameter {
    COVERAGE,
    ERRORS,
    EXPONENT,
    GENOME,
    LENGTH,
    MEAN,
    ODD,
    PROBABILITY,
    RANGE,
    RATE,
    SD,
    TRIALS,
    UNKNOWN,
    VALUE,
    VALUES,
    WIDTH,
    PARAMETERS,
};

enum {
    OPTION_COUNT = 256,
    OPTION_DTYPE,
    OPTION_SEED,
    OPTION_SIZE,
    OPTION_PARAMETER, /* of the first parameter */
};

static const struct option long_options[] = {
    {"coverage", required_argument, NULL, OPTION_PARAMETER + COVERAGE},
    {"errors", required_argument, NULL, OPTION_PARAMETER + ERRORS},
    {"exponent", required_argument, NULL, OPTION_PARAMETER + EXPONENT},
    {"genome", required_argument, NULL, OPTION_PARAMETER + GENOME},
    {"length", required_argument, NULL, OPTION_PARAMETER + LENGTH},
    {"mean", required_argument, NULL, OPTION_PARAMETER + MEAN},
    {"odd", required_argument, NULL, OPTION_PARAMETER + ODD},
    {"probability", required_argument, NULL, OPTION_PARAMETER + PROBABILITY},
    {"range", required_argument, NULL, OPTION_PARAMETER + RANGE},
    {"rate", required_argument, NULL, OPTION_PARAMETER + RATE},
    {"sd", required_argument, NULL, OPTION_PARAMETER + SD},
    {"trials", required_argument, NULL, OPTION_PARAMETER + TRIALS},
    {"unknown", required_argument, NULL, OPTION_PARAMETER + UNKNOWN},
    {"value", required_argument, NULL, OPTION_PARAMETER + VALUE},
    {"values", required_argument, NULL, OPTION_PARAMETER + VALUES},
    {"width", required_argument, NULL, OPTION_PARAMETER + WIDTH},
    {"count", required_argument, NULL, OPTION_COUNT},
    {"dtype", required_argument, NULL, OPTION_DTYPE},
    {"help", no_argument, NULL, 'h'},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"size", required_argument, NULL, OPTION_SIZE},
    {NULL, 0, NULL, 0},
};

#define BIT(parameter) (1U << (parameter))
#define OF_SEQUENCES                                                      \
    (BIT(COVERAGE) | BIT(ERRORS) | BIT(GENOME) | BIT(LENGTH) | BIT(ODD) | \
     BIT(UNKNOWN) | BIT(WIDTH))

/* In the order of enum gen_distribution. */
static const struct {
    const char *name;
    unsigned int parameters;
} distributions[GEN_DISTRIBUTIONS] = {
    {"uniform", BIT(RANGE)},
    {"normal", BIT(MEAN) | BIT(SD)},
    {"binomial", BIT(TRIALS) | BIT(PROBABILITY)},
    {"poisson", BIT(RATE)},
    {"exponential", BIT(RATE)},
    {"zipf", BIT(EXPONENT) | BIT(VALUES)},
    {"constant", BIT(VALUE)},
    {"sorted", BIT(RANGE)},
    {"acgt", 0},
    {"log", 0},
    {"text", 0},
    {"fasta", OF_SEQUENCES},
    {"fastq", OF_SEQUENCES},
};

static const struct {
    const char *name;
    enum gen_odd odd;
} odds[] = {
    {"crlf", GEN_ODD_CRLF},
    {"empty", GEN_ODD_EMPTY},
    {"iupac", GEN_ODD_IUPAC},
    {"lower", GEN_ODD_LOWER},
};

const char gen_options_help[] =
    "Usage: gpuhist-gen [OPTION]... DISTRIBUTION\n"
    "Write samples of a DISTRIBUTION to standard output, without end unless\n"
    "--size, --count or --coverage is given.  The same options write the same\n"
    "bytes on any machine.\n"
    "\n"
    "      --dtype=TYPE   u1 (default) i1 u2 i2 u4 i4 u8 i8 f2 f4 f8, or a\n"
    "                     name like uint16; a < or > in front sets the byte\n"
    "                     order\n"
    "      --seed=N       each N gives a different stream (default: 0)\n"
    "      --size=SIZE    write SIZE bytes; k M G Ki Mi Gi may follow\n"
    "      --count=N      write N samples; k M G Ki Mi Gi may follow\n"
    "  -h, --help         print this help and exit\n"
    "\n"
    "DISTRIBUTION, its parameters and their defaults:\n"
    "  uniform      --range=LO,HI    integers: from LO to HI, both included\n"
    "                                (all of the type); floats: in [LO,HI)\n"
    "                                (0,1)\n"
    "  normal       --mean=X         (the middle of an integer type; 0)\n"
    "               --sd=X           standard deviation (an eighth of an\n"
    "                                integer type; 1)\n"
    "  binomial     --trials=N       (100)\n"
    "               --probability=X  of a success (0.5); N X (1-X) up to 1e8\n"
    "  poisson      --rate=X         the mean (10), up to 1e8\n"
    "  exponential  --rate=X         1 / mean (1)\n"
    "  zipf         --values=N       from 1 to N (100), each value v with a\n"
    "               --exponent=X     probability like v^-X (1), X up to 100\n"
    "  constant     --value=X        (0)\n"
    "  sorted       --range=LO,HI    as for uniform, but evenly ascending in\n"
    "                                the output; needs --size or --count\n"
    "  acgt                          lines of 100 random bases\n"
    "  log                           lines like those of a web server's log\n"
    "  text                          common English words\n"
    "  fasta        reads from random places of a random genome, from both\n"
    "  fastq        strands; --count is of records, and --size leaves out a\n"
    "               record that does not fit\n"
    "               --coverage=X     until they are X genomes (no end)\n"
    "               --errors=X       probability that a base is wrong (0.001)\n"
    "               --genome=SIZE    bases of the genome (1M)\n"
    "               --length=N       bases of each read (150)\n"
    "               --length=LO,HI   lengths with even logarithms\n"
    "               --odd=LIST       crlf: lines end with CR LF; empty: one\n"
    "                                read of 64 has no base; iupac: a base\n"
    "                                that is unknown is any of\n"
    "                                RYSWKMBDHVUrN-.*; lower: one read of\n"
    "                                four has a part in lower case\n"
    "               --unknown=X      probability that a base is N (0.0001)\n"
    "               --width=N        bases of a line; 0: all (60; 0 of fastq)\n"
    "\n"
    "For an integer type, samples are rounded to the nearest integer, half to\n"
    "even, and clamped to the range of the type.  For a float type, samples\n"
    "are rounded to the type; samples beyond its range become infinite.\n"
    "acgt and all after it need u1.\n"
    "\n"
    "Exit status: 0 everything is written, 1 write error, 2 wrong usage.\n";

/* Arguments to be read once the distribution and the type are known. */
struct texts {
    const char *parameter[PARAMETERS];
    const char *dtype;
    const char *count;
    const char *size;
};

static int
bad_value(const char *option, const char *value, const char *wanted,
          struct error *error)
{
    error_set(error, EXIT_USAGE, "--%s: '%s' is not %s", option, value, wanted);
    return -1;
}

static int
apply(struct gen_options *options, struct texts *texts, int option,
      const char *value, struct error *error)
{
    struct wide seed;

    switch (option) {
    case OPTION_COUNT:
        texts->count = value;
        break;
    case OPTION_DTYPE:
        texts->dtype = value;
        break;
    case 'h':
        options->is_help = true;
        break;
    case OPTION_SEED:
        if (number_parse_integer(value, &seed) < 0 || seed.high != 0)
            return bad_value("seed", value, "a whole number below 2^64", error);
        options->seed = seed.low;
        break;
    case OPTION_SIZE:
        texts->size = value;
        break;
    default:
        texts->parameter[option - OPTION_PARAMETER] = value;
    }
    return 0;
}

static int
set_usage_error(int result, char *const *argv, struct error *error)
{
    const char *argument = argv[optind - 1];

    if (result == ':')
        error_set(error, EXIT_USAGE, "option '%s' needs a value", argument);
    else if (optopt == 'h' && strncmp(argument, "--", 2) == 0)
        error_set(error, EXIT_USAGE, "option '%.*s' takes no value",
                  (int)strcspn(argument, "="), argument);
    else
        error_set(error, EXIT_USAGE,
                  "unknown or ambiguous option '%s' (try --help)", argument);
    return -1;
}

/* ---- the type and the length ---- */

static int
set_type(struct gen_options *options, const char *text, struct error *error)
{
    struct record record;
    int result = record_parse(&record, text, ORDER_MACHINE, "--dtype", error);

    if (result == 0 && (record.count != 1 ||
                        record.bytes != binning_size(record.element[0].type)))
        result = bad_value("dtype", text, "one type", error);
    if (result == 0 && record.element[0].type > SAMPLE_F8)
        result = bad_value("dtype", text, "a type from u1 to f8", error);
    if (result == 0) {
        options->type = record.element[0].type;
        const bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
        options->is_swapped = record.element[0].is_swapped != is_big;
    }
    record_close(&record);
    if (result == 0 && options->distribution >= GEN_ACGT &&
        options->type != SAMPLE_U1)
        result = bad_value("dtype", text, "u1, the only type for text", error);
    return result;
}

static int
set_length(struct gen_options *options, const struct texts *texts,
           struct error *error)
{
    const char *wanted = "a size";
    bool is_sequence = options->distribution >= GEN_FASTA;

    options->bytes = GEN_ENDLESS;
    options->records = GEN_ENDLESS;
    if (texts->count != NULL && texts->size != NULL) {
        error_set(error, EXIT_USAGE, "--count and --size exclude each other");
        return -1;
    }
    if (texts->size != NULL && size_parse(texts->size, &options->bytes) < 0)
        return bad_value("size", texts->size, wanted, error);
    if (texts->count != NULL &&
        (size_parse(texts->count, &options->bytes) < 0 ||
         options->bytes > INT64_MAX / binning_size(options->type)))
        return bad_value("count", texts->count, "a number of samples", error);
    if (texts->count != NULL && is_sequence) {
        options->records = options->bytes;
        options->bytes = GEN_ENDLESS;
    } else if (texts->count != NULL) {
        options->bytes *= binning_size(options->type);
    }
    if (options->distribution == GEN_SORTED && options->bytes == GEN_ENDLESS) {
        error_set(error, EXIT_USAGE, "sorted needs --size or --count");
        return -1;
    }
    return 0;
}

/* ---- parameters ---- */

/*
 * If PARAMETER is given, read a number from LEAST to MOST.  WANTED describes it
 * in messages.  Returns 0, or -1 with *ERROR set.
 */
static int
set_number(const struct texts *texts, enum parameter parameter, double least,
           double most, const char *wanted, double *number, struct error *error)
{
    const char *text = texts->parameter[parameter];

    if (text == NULL)
        return 0;
    if (number_parse(text, number) < 0 || !(*number >= least) ||
        !(*number <= most))
        return bad_value(long_options[parameter].name, text, wanted, error);
    return 0;
}

/* Like set_number(), but for a whole number from LEAST to WHOLE_MAX. */
static int
set_whole(const struct texts *texts, enum parameter parameter, double least,
          const char *wanted, double *number, struct error *error)
{
    int result =
        set_number(texts, parameter, least, WHOLE_MAX, wanted, number, error);

    if (result == 0 && *number != (double)(int64_t)*number)
        return bad_value(long_options[parameter].name,
                         texts->parameter[parameter], wanted, error);
    return result;
}

/* Read an integer in the range of TYPE, two's complement.  Returns 0 or -1. */
static int
parse_integer(enum sample_type type, const char *text, uint64_t *integer)
{
    unsigned int bits = 8 * binning_size(type);
    uint64_t all = UINT64_MAX >> (64 - bits);
    struct wide least = wide_of(0);
    struct wide value;

    if (binning_is_signed(type))
        least = wide_negate(wide_of(all / 2 + 1));
    if (number_parse_integer(text, &value) < 0 ||
        wide_compare(value, least) < 0 ||
        wide_compare(value, wide_add(least, wide_of(all))) > 0)
        return -1;
    *integer = value.low;
    return 0;
}

/* Read "LO,HI" in the type of OPTIONS.  Returns 0 or -1. */
static int
parse_range(struct gen_options *options, const char *text)
{
    char low[NUMBER_TEXT_BYTES * 2];
    size_t length = strcspn(text, ",");
    const char *high = text + length + 1;

    if (length >= sizeof low || text[length] == '\0')
        return -1;
    memcpy(low, text, length);
    low[length] = '\0';
    if (binning_is_float(options->type))
        return number_parse(low, &options->lo) < 0 ||
                       number_parse(high, &options->hi) < 0 ||
                       !(options->lo < options->hi) ||
                       isinf(options->hi - options->lo)
                   ? -1
                   : 0;
    if (parse_integer(options->type, low, &options->first) < 0 ||
        parse_integer(options->type, high, &options->last) < 0)
        return -1;
    return (binning_is_signed(options->type)
                ? (int64_t)options->first <= (int64_t)options->last
                : options->first <= options->last)
               ? 0
               : -1;
}

static int
set_range(struct gen_options *options, const char *text, struct error *error)
{
    unsigned int unused = 64 - 8 * binning_size(options->type);

    options->lo = 0;
    options->hi = 1;
    options->first = 0;
    options->last = UINT64_MAX >> unused;
    if (binning_is_signed(options->type)) {
        options->last >>= 1;
        options->first = ~options->last;
    }
    if (text != NULL && parse_range(options, text) < 0)
        return bad_value("range", text, "LO,HI in ascending order in the type",
                         error);
    return 0;
}

static int
set_value(struct gen_options *options, const char *text, struct error *error)
{
    if (text == NULL)
        return 0;
    if (!binning_is_float(options->type)) {
        if (parse_integer(options->type, text, &options->first) < 0)
            return bad_value("value", text, "an integer of the type", error);
        return 0;
    }
    if (number_parse(text, &options->value) < 0)
        return bad_value("value", text, "a number", error);
    return 0;
}

/* Read a size from LEAST to MOST, as set_number() a number. */
static int
set_size(const struct texts *texts, enum parameter parameter, uint64_t least,
         uint64_t most, const char *wanted, uint64_t *size, struct error *error)
{
    const char *text = texts->parameter[parameter];

    if (text != NULL &&
        (size_parse(text, size) < 0 || *size < least || *size > most))
        return bad_value(long_options[parameter].name, text, wanted, error);
    return 0;
}

/* Read "N" or "LO,HI".  Returns 0 or -1. */
static int
parse_lengths(struct gen_options *options, const char *text)
{
    char low[NUMBER_TEXT_BYTES];
    size_t length = strcspn(text, ",");
    const char *high = text[length] == ',' ? text + length + 1 : text;

    if (length >= sizeof low)
        return -1;
    memcpy(low, text, length);
    low[length] = '\0';
    return size_parse(low, &options->shortest) < 0 ||
                   size_parse(high, &options->longest) < 0 ||
                   options->shortest < 1 || options->shortest > options->longest
               ? -1
               : 0;
}

/* Read a list of the names of ODDS.  Returns 0 or -1. */
static int
parse_odds(const char *text, unsigned int *odd)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        size_t i = 0;
        while (i < sizeof odds / sizeof *odds &&
               (strncmp(text, odds[i].name, length) != 0 ||
                odds[i].name[length] != '\0'))
            i++;
        if (i == sizeof odds / sizeof *odds)
            return -1;
        *odd |= (unsigned int)odds[i].odd;
        if (text[length] == '\0')
            return 0;
        text += length + 1;
    }
}

static int
set_sequence(struct gen_options *options, const struct texts *texts,
             struct error *error)
{
    const char *wanted = "a probability from 0 to 0.5";
    const char *length = texts->parameter[LENGTH];
    const char *odd = texts->parameter[ODD];

    options->genome = 1000000;
    options->shortest = options->longest = 150;
    options->width = options->distribution == GEN_FASTA ? 60 : 0;
    options->coverage = INFINITY;
    options->errors = 0.001;
    options->unknown = 0.0001;
    if (set_number(texts, COVERAGE, 0, 1e9, "a number from 0 to 1e9",
                   &options->coverage, error) < 0 ||
        set_number(texts, ERRORS, 0, 0.5, wanted, &options->errors, error) <
            0 ||
        set_number(texts, UNKNOWN, 0, 0.5, wanted, &options->unknown, error) <
            0 ||
        set_size(texts, GENOME, 1, GENOME_MAX, "a size from 1 to 16G",
                 &options->genome, error) < 0 ||
        set_size(texts, WIDTH, 0, GENOME_MAX, "a size from 0 to 16G",
                 &options->width, error) < 0)
        return -1;
    if (length != NULL && parse_lengths(options, length) < 0)
        return bad_value("length", length, "N, or LO,HI in ascending order",
                         error);
    if (odd != NULL && parse_odds(odd, &options->odd) < 0)
        return bad_value("odd", odd, "a list of crlf, empty, iupac, lower",
                         error);
    if (options->longest > options->genome) {
        error_set(error, EXIT_USAGE, "--length: longer than the genome");
        return -1;
    }
    return 0;
}

static int
set_parameters(struct gen_options *options, const struct texts *texts,
               struct error *error)
{
    enum sample_type type = options->type;

    switch (options->distribution) {
    case GEN_UNIFORM:
    case GEN_SORTED:
        return set_range(options, texts->parameter[RANGE], error);
    case GEN_NORMAL:
        options->mean = 0;
        options->sd = 1;
        if (!binning_is_float(type)) {
            double least = gen_sample_least(type);
            double most = gen_sample_most(type);
            options->mean = (least + most) / 2;
            options->sd = (most - least) / 8;
        }
        if (set_number(texts, MEAN, -INFINITY, INFINITY, "a number",
                       &options->mean, error) < 0)
            return -1;
        return set_number(texts, SD, 0, INFINITY, "a number from 0 up",
                          &options->sd, error);
    case GEN_BINOMIAL:
        options->trials = 100;
        options->probability = 0.5;
        if (set_whole(texts, TRIALS, 0, "a whole number from 0 to 1e15",
                      &options->trials, error) < 0 ||
            set_number(texts, PROBABILITY, 0, 1, "a number from 0 to 1",
                       &options->probability, error) < 0)
            return -1;
        if (options->trials * options->probability *
                (1 - options->probability) <=
            GEN_ALIAS_VARIANCE_MAX)
            return 0;
        error_set(error, EXIT_USAGE, "binomial: the variance is above 1e8");
        return -1;
    case GEN_POISSON:
        options->rate = 10;
        return set_number(texts, RATE, 0, GEN_ALIAS_VARIANCE_MAX,
                          "a number from 0 to 1e8", &options->rate, error);
    case GEN_EXPONENTIAL:
        options->rate = 1;
        return set_number(texts, RATE, 1e-300, INFINITY,
                          "a number above 1e-300", &options->rate, error);
    case GEN_ZIPF:
        options->values = 100;
        options->exponent = 1;
        if (set_whole(texts, VALUES, 1, "a whole number from 1 to 1e15",
                      &options->values, error) < 0)
            return -1;
        return set_number(texts, EXPONENT, 0, EXPONENT_MAX,
                          "a number from 0 to 100", &options->exponent, error);
    case GEN_CONSTANT:
        return set_value(options, texts->parameter[VALUE], error);
    case GEN_FASTA:
    case GEN_FASTQ:
        return set_sequence(options, texts, error);
    default:
        return 0;
    }
}

/* Refuse parameters that the distribution does not have. */
static int
check_parameters(const struct gen_options *options, const struct texts *texts,
                 struct error *error)
{
    for (int i = 0; i < PARAMETERS; i++) {
        if (texts->parameter[i] != NULL &&
            (distributions[options->distribution].parameters & BIT(i)) == 0) {
            error_set(error, EXIT_USAGE, "%s has no --%s",
                      distributions[options->distribution].name,
                      long_options[i].name);
            return -1;
        }
    }
    return 0;
}

static int
set_distribution(struct gen_options *options, const char *name,
                 struct error *error)
{
    for (int i = 0; i < GEN_DISTRIBUTIONS; i++) {
        if (strcmp(name, distributions[i].name) == 0) {
            options->distribution = (enum gen_distribution)i;
            return 0;
        }
    }
    error_set(error, EXIT_USAGE, "'%s' is not a distribution (try --help)",
              name);
    return -1;
}

int
gen_options_parse(struct gen_options *options, int argc, char **argv,
                  struct error *error)
{
    struct texts texts = {.dtype = "u1"};
    int option;

    *options = (struct gen_options){0};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (option == '?' || option == ':')
            return set_usage_error(option, argv, error);
        if (apply(options, &texts, option, optarg, error) < 0)
            return -1;
    }
    if (options->is_help)
        return 0;
    if (argc - optind != 1) {
        error_set(error, EXIT_USAGE,
                  "one DISTRIBUTION must be named (try --help)");
        return -1;
    }
    if (set_distribution(options, argv[optind], error) < 0 ||
        check_parameters(options, &texts, error) < 0 ||
        set_type(options, texts.dtype, error) < 0 ||
        set_length(options, &texts, error) < 0)
        return -1;
    return set_parameters(options, &texts, error);
}

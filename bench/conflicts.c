/* SPDX-License-Identifier: MIT */
/*
 * conflicts.c -- conflicts between the lanes of a warp, computed on the CPU
 *
 * The program computes which conflicts the atomic adds of a kernel have for
 * given data, for each layout of the counters in shared memory and each kind of
 * load.
 */

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/size.h"
#include "conflict_model.h"

enum {
    BUFFER_BYTES = 256 << 10,
    OPTION_SIZE = 256,
};

_Static_assert(BUFFER_BYTES % CONFLICT_TILE == 0, "only the last is shorter");

static const struct option long_options[] = {
    {"help", no_argument, NULL, 'h'},
    {"layout", required_argument, NULL, 'l'},
    {"size", required_argument, NULL, OPTION_SIZE},
    {NULL, 0, NULL, 0},
};

static const char *const layout_names[CONFLICT_LAYOUTS] = {
    "lane", "copies", "block", "warp", "packed", "spread",
};

static const char *const load_names[CONFLICT_LOADS] = {"vector", "sample"};

static const char help[] =
    "Usage: conflicts [OPTION]... [FILE]\n"
    "Compute the conflicts between the lanes of a GPU's warp in shared memory\n"
    "when they count FILE, or standard input.  Print TSV.\n"
    "\n"
    "  -l, --layout=NAME  compute only this layout (default: all)\n"
    "      --size=LIMIT   read at most LIMIT bytes; k M G Ki Mi Gi may follow\n"
    "  -h, --help         print this help and exit\n"
    "\n"
    "Layouts: the word that a lane adds to for value v\n"
    "  lane     bytes: word 32 v + lane, a column for each lane\n"
    "  copies   bytes: word 16 v + lane % 16\n"
    "  block    bytes: word v, one table for the block\n"
    "  warp     bytes: word v, one table for each warp; the numbers are those\n"
    "           of block, because an access has lanes of one warp only\n"
    "  packed   16-bit samples, low byte first: word v / 2, which has two\n"
    "           counters; a lane whose vector has 8 equal samples adds once\n"
    "  spread   as packed, but word v / 2 ^ (v >> 8 & 31): letters have few\n"
    "           different low bytes\n"
    "\n"
    "Loads: 16 bytes for each lane, whose samples are added in turn (vector),\n"
    "and one sample for each lane (sample), as in gpuhist's kernels.\n"
    "\n"
    "Columns:\n"
    "  layout, load\n"
    "  accesses     atomic adds of a warp\n"
    "  degree_mean, degree_max\n"
    "               different words of an access in one of 32 banks: the\n"
    "               number of passes\n"
    "  same_mean, same_max\n"
    "               lanes of an access that add to one word; the hardware\n"
    "               merges these adds or serializes them\n"
    "  bank_free    share of accesses with degree 1\n"
    "  free         share of accesses in which no two lanes conflict\n"
    "\n"
    "To compare with a GPU, run `bench/kernels -f FILE -k KERNEL -n 0` in a\n"
    "profiler.  The mean degree predicts wavefronts per instruction; the\n"
    "degree minus 1 predicts bank conflicts per instruction.\n"
    "bench/conflicts.sh compares both:\n"
    "\n"
    "  ncu --metrics smsp__inst_executed_op_shared_atom.sum,\\\n"
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum,\\\n"
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum \\\n"
    "      bench/kernels -f FILE -k 'u1 lane' -n 0\n"
    "\n"
    "Exit status: 0 done, 1 read or write error, 2 wrong usage.\n";

struct options {
    bool is_help;
    enum conflict_layout layout; /* CONFLICT_LAYOUTS: all */
    uint64_t limit;              /* bytes */
    const char *path;            /* NULL: standard input */
};

/* Read the command line.  Returns 0, or -1 with *ERROR set. */
static int
parse(struct options *options, int argc, char **argv, struct error *error)
{
    int option;

    *options = (struct options){
        .layout = CONFLICT_LAYOUTS,
        .limit = UINT64_MAX,
    };
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":hl:", long_options, NULL)) !=
           -1) {
        switch (option) {
        case 'h':
            options->is_help = true;
            return 0;
        case 'l':
            options->layout = 0;
            while (options->layout < CONFLICT_LAYOUTS &&
                   strcmp(optarg, layout_names[options->layout]) != 0)
                options->layout++;
            if (options->layout == CONFLICT_LAYOUTS) {
                error_set(error, EXIT_USAGE, "--layout: unknown layout '%s'",
                          optarg);
                return -1;
            }
            break;
        case OPTION_SIZE:
            if (size_parse(optarg, &options->limit) < 0) {
                error_set(error, EXIT_USAGE, "--size: '%s' is not a size",
                          optarg);
                return -1;
            }
            break;
        default:
            error_set(error, EXIT_USAGE, "wrong option '%s' (try --help)",
                      argv[optind - 1]);
            return -1;
        }
    }
    if (argc - optind > 1) {
        error_set(error, EXIT_USAGE, "more than one file: '%s'",
                  argv[optind + 1]);
        return -1;
    }
    if (optind < argc && strcmp(argv[optind], "-") != 0)
        options->path = argv[optind];
    return 0;
}

/* Count at most LIMIT bytes of FILE.  Returns 0, or -1 with errno set. */
static int
count(struct conflict_tally *tallies, size_t tally_count, FILE *file,
      uint64_t limit)
{
    static unsigned char buffer[BUFFER_BYTES];
    size_t got;

    do {
        size_t wanted = limit < sizeof buffer ? (size_t)limit : sizeof buffer;
        /* fread() returns less than wanted only at the end. */
        got = fread(buffer, 1, wanted, file);
        for (size_t i = 0; i < tally_count; i++)
            conflict_add(&tallies[i], buffer, got);
        limit -= got;
    } while (got == sizeof buffer);
    return ferror(file) ? -1 : 0;
}

static void
print(const struct conflict_tally *tally)
{
    double accesses = (double)tally->accesses;

    printf("%s\t%s\t%" PRIu64, layout_names[tally->layout],
           load_names[tally->load], tally->accesses);
    if (tally->accesses == 0)
        printf("\t-\t-\t-\t-\t-\t-\n");
    else
        printf("\t%.6f\t%u\t%.6f\t%u\t%.6f\t%.6f\n",
               (double)tally->degrees / accesses, tally->degree_max,
               (double)tally->crowds / accesses, tally->crowd_max,
               (double)tally->bank_free / accesses,
               (double)tally->wholly_free / accesses);
}

/* Read, count and print.  Returns 0, or -1 with *ERROR set. */
static int
run(const struct options *options, struct error *error)
{
    struct conflict_tally tallies[CONFLICT_LAYOUTS * CONFLICT_LOADS];
    size_t tally_count = 0;
    const char *name = options->path != NULL ? options->path : "standard input";
    FILE *file = options->path != NULL ? fopen(options->path, "rb") : stdin;

    if (file == NULL) {
        error_set(error, EXIT_DATA, "%s: %s", name, strerror(errno));
        return -1;
    }
    for (int layout = 0; layout < CONFLICT_LAYOUTS; layout++) {
        if (options->layout != CONFLICT_LAYOUTS &&
            options->layout != (enum conflict_layout)layout)
            continue;
        for (int load = 0; load < CONFLICT_LOADS; load++)
            tallies[tally_count++] = (struct conflict_tally){
                .layout = (enum conflict_layout)layout,
                .load = (enum conflict_load)load,
            };
    }
    if (count(tallies, tally_count, file, options->limit) < 0)
        error_set(error, EXIT_DATA, "%s: read error: %s", name,
                  strerror(errno));
    if (file != stdin)
        (void)fclose(file);
    if (error->status != EXIT_DONE)
        return -1;
    printf("#layout\tload\taccesses\tdegree_mean\tdegree_max\tsame_mean\t"
           "same_max\tbank_free\tfree\n");
    for (size_t i = 0; i < tally_count; i++)
        print(&tallies[i]);
    return 0;
}

int
main(int argc, char **argv)
{
    struct options options;
    struct error error = ERROR_NONE;
    enum exit_status status;

    if (parse(&options, argc, argv, &error) == 0) {
        if (options.is_help)
            (void)fputs(help, stdout);
        else
            (void)run(&options, &error);
        if (error.status == EXIT_DONE &&
            (fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0))
            error_set(&error, EXIT_DATA, "standard output: write error: %s",
                      strerror(errno));
    }
    status = error.status;
    if (status != EXIT_DONE)
        fprintf(stderr, "conflicts: %s\n",
                error.text != NULL ? error.text : "out of memory");
    error_clear(&error);
    return (int)status;
}

/* SPDX-License-Identifier: MIT */
/*
 * results.h -- print and write the results of a run or of a snapshot
 *
 * The counts go to standard output or to a file, statistics and bars to
 * standard error, images and pictures to their own files.  Files are replaced
 * last, after all output was accepted.
 */

#ifndef GPUHIST_RESULTS_H
#define GPUHIST_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/output.h"
#include "base/spool.h"
#include "cli/options.h"
#include "cli/redraw.h"
#include "cli/total.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/read/inputs.h"
#include "report/report.h"
#include "state/state_head.h"

/*
 * Returns whether OPTIONS name output files; a signal must remove their
 * temporary files.
 */
bool results_have_files(const struct options *options);

/* Returns whether OPTIONS ask for a state. */
bool results_have_state(const struct options *options);

/* Counted values without a row, for warnings at the end.  With --per-file the
   sum of all inputs. */
struct unshown {
    struct report_hidden hidden;
    uint64_t unweighted; /* records whose weight is missing */
    uint64_t operations; /* of CIGAR strings */
    uint64_t left_out;   /* records or elements not counted, by conditions */
    uint64_t records;    /* counted records */
    uint64_t met;        /* the fields of conditions: see struct snapshot */
    uint64_t fulfilled;  /* choices: see struct filter */
    bool matches;        /* see struct snapshot */
    uint64_t bytes;      /* of input */

    /* For each axis alone in a histogram, of keys or numbers: the elements, and
       the elements without a value. */
    uint64_t elements[FIELD_LIST_MAX];
    uint64_t missing[FIELD_LIST_MAX];
};

struct results {
    const struct options *options;
    struct outputs *outputs;
    unsigned int threads;   /* threads that may print; results_open() sets 1 */
    bool is_open;           /* the files are open */
    struct output counts;   /* --output */
    struct output image;    /* --equalize */
    struct output picture;  /* --svg */
    struct output state;    /* --state */
    struct spool rows;      /* of --per-file, until the end ... */
    bool has_rows;          /* ... and whether there are any */
    struct redraw redraw;   /* of the picture on a terminal */
    bool has_stats_above;   /* statistics stand above pictures there */
    uint64_t lines;         /* of counts in the final result, on a terminal
                                 ... */
    size_t screen_rows;     /* ... that has so many rows */
    struct unshown unshown; /* in the final result, or in all inputs */
};

/*
 * Start to write the files of OPTIONS now: errors show before hours of
 * counting.  OUTPUTS removes the temporary files when the process ends early.
 * OUTPUTS points into RESULTS, so RESULTS must not move.  INTRUSIONS counts
 * what else is written to the terminal (redraw.h).  Returns 0, or -1 with
 * *ERROR set.  The caller calls results_close() in both cases.
 */
int results_open(struct results *results, const struct options *options,
                 struct outputs *outputs, const atomic_uint *intrusions,
                 struct error *error);

/* What to print. */
struct result {
    struct snapshot *counts;     /* results_print() folds their histogram */
    const struct inputs *inputs; /* the inputs of the counts; NULL: STATES */
    const struct state_head *states; /* the head of merged states; NULL */
    uint64_t snapshot;      /* its number, from 1 on; 0: the final result */
    const char *incomplete; /* why some of the input is missing; NULL: none */
    const char *file;       /* the name of the rows that wait; NULL: none do */
    struct total *total;    /* the counts are added to it; NULL: none */
    bool is_total;          /* RESULTS->unshown has all these counts */
};

/*
 * Print and write RESULT.  For a snapshot, open the files again if they are
 * closed; any other result but a total is added to RESULTS->unshown.  The
 * result of one input, and a total, wait for results_print_rows().  After the
 * final result, standard output is closed.  Returns 0, or -1 with *ERROR set:
 * then no file was replaced, or the message names the replaced files (see
 * outputs_commit()).
 */
int results_print(struct results *results, const struct result *result,
                  struct error *error);

/* Add COUNTS, of an input whose values are printed later, with others, to
   RESULTS->unshown.  Windows without a k-mer are not printed. */
void results_note(struct results *results, const struct snapshot *counts);

/*
 * Print the results of all inputs, one after the other.  Returns as
 * results_print() does.
 */
int results_print_rows(struct results *results, struct error *error);

/* Close the files, and remove incomplete files.  May be repeated. */
void results_close(struct results *results);

#endif

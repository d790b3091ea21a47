/*
 * results.h -- all that a run prints and writes once everything is counted,
 * or each time that there is a snapshot
 *
 * The counts go to standard output or to a file; statistics and bars beside
 * them to standard error; images and pictures to files of their own.  What may
 * fail is done first, and no file is replaced before all output was accepted.
 */

#ifndef GPUHIST_RESULTS_H
#define GPUHIST_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/inputs.h"
#include "util/error.h"
#include "util/output.h"

/* Whether OPTIONS name files to be written, which a signal must not leave. */
bool results_have_files(const struct options *options);

struct results {
    const struct options *options;
    struct outputs *outputs;
    unsigned int threads;  /* that may print; 1 after results_open() */
    bool is_open;          /* the files are */
    struct output counts;  /* --output */
    struct output image;   /* --equalize */
    struct output picture; /* --svg */
};

/*
 * Begin to write the files that OPTIONS name: if that is not possible, it
 * shows before hours of counting.  OUTPUTS knows what is to be removed when
 * the process ends early; both must stay in place.  Returns 0, or -1 with
 * *ERROR set; results_close() is due in any case.
 */
int results_open(struct results *results, const struct options *options,
                 struct outputs *outputs, struct error *error);

/*
 * Whether all that is wanted can be made of a SPEC.  Returns 0, or -1 with
 * *ERROR set.
 */
int results_check(const struct spec *spec, const struct options *options,
                  struct error *error);

/* What is to be printed. */
struct result {
    struct snapshot *counts;     /* their histogram is folded */
    const struct inputs *inputs; /* that they are of */
    uint64_t snapshot;           /* its number, from 1 on; 0: it is the end */
    const char *incomplete; /* why some of the input is missing; NULL: none */
};

/*
 * Print and write RESULT; of a snapshot, to files that are opened anew where
 * they have been closed, and more of standard output can follow.  At the end it
 * is closed.  *HIDDEN is how many values are not shown.  Returns 0, or -1 with
 * *ERROR set: then no file was replaced, or the message names those that were
 * (see outputs_commit()).
 */
int results_print(struct results *results, const struct result *result,
                  uint64_t *hidden, struct error *error);

/* Whatever is not complete goes; may be called again. */
void results_close(struct results *results);

#endif

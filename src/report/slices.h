/* SPDX-License-Identifier: MIT */
/*
 * slices.h -- print many lines on several cores
 *
 * The lines are cut into slices of a few thousand rows.  Threads turn slices
 * into text.  The calling thread writes the texts in order.  So the output
 * equals the output of one thread, and the calling thread gets the signals
 * caused by a write.
 */

#ifndef GPUHIST_SLICES_H
#define GPUHIST_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/writer.h"
#include "report/rows.h"

/* One thread writes about as fast as so many threads format. */
#define SLICES_THREADS 16

/* Lines of any kind; the caller's own facts follow.  A thread has its slice in
   a part, which TAKE sets, by one thread at a time, in order.  Several threads
   call PUT, which prints the lines of a part, or returns early if OUT fails. */
struct slices_lines {
    uint64_t slices;
    void (*take)(struct slices_lines *lines, void *part);
    void (*put)(struct writer *out, void *part,
                const struct slices_lines *lines);
};

/*
 * Print LINES from up to THREADS threads, 1 to SLICES_THREADS, each of which
 * has its own PART.  Returns false, with nothing taken, if the system refuses
 * all threads or memory.
 */
bool slices_run(struct writer *out, struct slices_lines *lines,
                void *const *part, unsigned int threads);

/* Print all remaining lines of ROWS.  Several threads call PUT at a time, each
   with its own ROWS and the same CONTEXT.  Returns early if OUT fails. */
typedef void slices_put(struct writer *out, struct rows *rows,
                        const void *context);

/*
 * Print ROWS by calling PUT.  Up to SLICES_ROWS_MIN remaining rows, and ranked
 * rows, take one call.  More rows take one call for each slice, from up to
 * THREADS threads.  If the system refuses threads or memory, fewer threads or
 * one call do the work.
 */
void slices_print(struct writer *out, struct rows *rows, unsigned int threads,
                  slices_put *put, const void *context);

#define SLICES_ROWS_MIN ((uint64_t)1 << 20)

/* Returns the memory of slices_print() for ROWS rows, in bytes. */
uint64_t slices_bytes(uint64_t rows);

#endif

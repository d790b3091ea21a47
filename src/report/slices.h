/* SPDX-License-Identifier: MIT */
/*
 * slices.h -- print many rows on several cores
 *
 * The rows are cut into slices of a few thousand rows.  Threads turn slices
 * into text.  The calling thread writes the texts in order.  So the output
 * equals the output of one thread, and the calling thread gets the signals
 * caused by a write.
 */

#ifndef GPUHIST_SLICES_H
#define GPUHIST_SLICES_H

#include <stdint.h>

#include "base/writer.h"
#include "report/rows.h"

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

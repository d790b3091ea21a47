/*
 * slices.h -- print many rows on several cores
 *
 * The rows are cut into slices of some thousand each.  Threads turn slices into
 * text; the calling thread writes the texts, in order.  So the output is that
 * of one thread, and a signal that a write causes is the calling thread's.
 */

#ifndef GPUHIST_SLICES_H
#define GPUHIST_SLICES_H

#include <stdint.h>

#include "report/rows.h"
#include "util/writer.h"

/*
 * Print all lines of ROWS that are to come, as CONTEXT says.  Several threads
 * call this at once, each with rows of its own.  Returns early if OUT fails.
 */
typedef void slices_put(struct writer *out, struct rows *rows,
                        const void *context);

/*
 * Call PUT for ROWS once.  If more than SLICES_ROWS_MIN rows are to come, call
 * it for each slice instead, from up to THREADS threads; from fewer, or once,
 * where the system refuses threads or memory.  Ranked rows are one slice.
 */
void slices_print(struct writer *out, struct rows *rows, unsigned int threads,
                  slices_put *put, const void *context);

#define SLICES_ROWS_MIN ((uint64_t)1 << 20)

/* How much memory that takes for so many rows. */
uint64_t slices_bytes(uint64_t rows);

#endif

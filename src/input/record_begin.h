/*
 * record_begin.h -- where the first record begins at or after a byte of a file
 *
 * Shards find their edges so: each process finds its own two, and its last one
 * is the first one of the next process.  So the result depends on nothing but
 * the file and the framing.
 */

#ifndef GPUHIST_RECORD_BEGIN_H
#define GPUHIST_RECORD_BEGIN_H

#include <sys/types.h>

#include "input/framing.h"
#include "input/source.h"

/*
 * Returns where the first record of SOURCE, a plain file, begins that is not
 * before byte OFFSET; or SOURCE->size if there is none.  One begins at byte
 * START, which is not behind OFFSET.  Returns -1 with SOURCE->error set; after
 * cancel_ask() without an error.
 *
 * In CSV this depends on all quotes from START on, which are read.  In FASTA
 * and FASTQ, a record seems to begin there, as the first one of the file does.
 * If that is wrong, a record before it is cut in two, and whoever reads that
 * finds its error.
 */
off_t record_begin_find(struct source *source, const struct framing *framing,
                        off_t start, off_t offset);

#endif

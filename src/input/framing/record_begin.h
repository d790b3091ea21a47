/*
 * record_begin.h -- where the first record begins at or after a byte of a file
 *
 * The edges of shards are found this way.  Each process finds both of its
 * edges, and its last edge is the first one of the next process.  So the result
 * must depend on the file and the framing only.
 */

#ifndef GPUHIST_RECORD_BEGIN_H
#define GPUHIST_RECORD_BEGIN_H

#include <sys/types.h>

#include "input/framing/framing.h"
#include "input/source.h"

/*
 * Returns where the first record of SOURCE, a plain file, begins that is not
 * before byte OFFSET; or SOURCE->size if there is none.  One begins at byte
 * START, which is not behind OFFSET.  Returns -1 with SOURCE->error set; after
 * cancel_ask() without an error.
 *
 * In CSV this depends on all quotes from START on, which are read.  In FASTA
 * and FASTQ, what looks like the begin of a record is taken for one.  If it is
 * none, the record before it is cut in two: the process that reads the first
 * half finds a wrong record.
 */
off_t record_begin_find(struct source *source, const struct framing *framing,
                        off_t start, off_t offset);

#endif

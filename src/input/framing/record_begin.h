/*
 * record_begin.h -- find the first record that begins at or after a byte
 *
 * The edges of shards are found so.  Each process finds both of its edges, and
 * its last edge is the first edge of the next process.  So the result must
 * depend on the file and the framing only.
 */

#ifndef GPUHIST_RECORD_BEGIN_H
#define GPUHIST_RECORD_BEGIN_H

#include <sys/types.h>

#include "input/framing/framing.h"
#include "input/source.h"

/*
 * Returns where the first record of SOURCE, a plain file, begins that is not
 * before byte OFFSET; without such a record, SOURCE->size.  A record begins at
 * byte START, and START is not after OFFSET.  Returns -1 with SOURCE->error
 * set; after cancel_ask() without an error.
 *
 * In CSV the result depends on all quotes from START on, so these bytes are
 * read.  In FASTA and FASTQ, a place that looks like the start of a record is
 * taken for the start.  If it is a wrong one, the record before it is cut in
 * two: the process that reads the first half finds a wrong record.
 */
off_t record_begin_find(struct source *source, const struct framing *framing,
                        off_t start, off_t offset);

#endif

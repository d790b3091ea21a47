/*
 * sequence_bases.h -- the bases and the quality of a sequence, without what is
 * between its lines
 */

#ifndef GPUHIST_SEQUENCE_BASES_H
#define GPUHIST_SEQUENCE_BASES_H

#include <stdbool.h>
#include <stddef.h>

#include "sequence.h"
#include "text/text_slice.h"

/*
 * Returns the record->length bases of RECORD, as they stand in DATA, without
 * blanks and line ends: in DATA if nothing is between them; otherwise BUFFER,
 * which has room for them.
 */
const unsigned char *sequence_bases(const unsigned char *data,
                                    const struct sequence_record *record,
                                    unsigned char *buffer);

/* The same for the quality, of which RECORD has one. */
const unsigned char *sequence_quality(const unsigned char *data,
                                      const struct sequence_record *record,
                                      unsigned char *buffer);

/* Returns the lines of the bases of RECORD, from the first base to the last. */
struct text_slice sequence_bases_slice(const unsigned char *data,
                                       const struct sequence_record *record);

/* ---- bases as a value ---- */

/*
 * Whether the bases in SLICE, lines of bases, are not its bytes: something is
 * between them, or, unless KEEPS_CASE, one of them is in lower case.
 */
bool sequence_is_written(const unsigned char *data, struct text_slice slice,
                         bool keeps_case);

/*
 * Write to BUFFER, which has room for slice.size bytes, the bases in SLICE; in
 * upper case, unless KEEPS_CASE.  Returns their number.
 */
size_t sequence_put(const unsigned char *data, struct text_slice slice,
                    bool keeps_case, unsigned char *buffer);

/* ---- lines of a quality ---- */

/* Returns the first line of the quality of RECORD, without its end; all of the
   quality if it has one line. */
struct text_slice sequence_quality_first(const unsigned char *data,
                                         const struct sequence_record *record);

/* Set *LINE to the next line of the quality.  Returns whether there is one. */
bool sequence_quality_next(const unsigned char *data,
                           const struct sequence_record *record,
                           struct text_slice *line);

#endif

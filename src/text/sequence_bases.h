/*
 * sequence_bases.h -- the bases and the quality of a sequence, without what is
 * between its lines
 */

#ifndef GPUHIST_SEQUENCE_BASES_H
#define GPUHIST_SEQUENCE_BASES_H

#include "sequence.h"

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

#endif

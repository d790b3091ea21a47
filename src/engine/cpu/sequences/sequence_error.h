/* sequence_error.h -- the message for a record of sequences that is wrong */

#ifndef GPUHIST_SEQUENCE_ERROR_H
#define GPUHIST_SEQUENCE_ERROR_H

#include "base/error.h"
#include "kernels/seq/sequence.h"
#include "sync/pool.h"

/*
 * Set *ERROR to what is wrong with RECORD of CHUNK: FOUND, which is an error.
 * The records before it may be joined (sequence_join.h).
 */
void sequence_error_set(const struct chunk *chunk, enum sequence_found found,
                        const struct sequence_record *record,
                        struct error *error);

#endif

/*
 * key_codes.h -- the tuples of a batch of records, as keys
 *
 * A thread writes the fields of each record as one key (hist/key_code.h) to a
 * buffer, from which key_counter_add() counts them.
 */

#ifndef GPUHIST_KEY_CODES_H
#define GPUHIST_KEY_CODES_H

#include "hist/key_memory.h"
#include "hist/spec.h"
#include "text/text_slice.h"

/*
 * All 0: no buffer.  It is not within the limit of the tables, because these
 * may be full when a thread needs it.
 */
struct key_codes {
    unsigned char *byte; /* ROOM of them */
    size_t room;         /* it grows for a tuple that does not fit */
};

/* Allocate the buffer.  The caller calls key_codes_close() in any case. */
enum key_result key_codes_open(struct key_codes *codes);

/*
 * Write the tuples of histogram I of RECORDS records.  FIELD has the fields of
 * SPEC, record by record, in the chunk at DATA.  CODE gets where the tuples are
 * in codes->byte, and *COUNT their number: as many as there is room for, and at
 * least one if RECORDS is not 0.
 */
enum key_result key_codes_make(struct key_codes *codes, const struct spec *spec,
                               size_t i, const unsigned char *data,
                               const struct text_slice *field, size_t records,
                               struct text_slice *code, size_t *count);

void key_codes_close(struct key_codes *codes);

#endif

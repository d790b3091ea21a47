/* field_text.h -- the text of a field, whether in the chunk or written */

#ifndef GPUHIST_FIELD_TEXT_H
#define GPUHIST_FIELD_TEXT_H

#include "text/field_value.h"

/* A field, and memory for a text that must be written.  At first, all members
   but FORMAT and PART are 0. */
struct field_text {
    const struct text_format *format;
    binning_u32 part; /* enum text_part */
    bool is_computed; /* its slices have numbers, and no text */

    unsigned char *written; /* ROOM bytes */
    size_t room;
};

/*
 * Returns the text of SLICE, which is not missing, of the chunk at DATA, and
 * sets *SIZE to its bytes; NULL: out of memory.  It is valid until the next
 * call, and as long as the chunk.
 */
const unsigned char *field_text_find(struct field_text *field,
                                     const unsigned char *data,
                                     struct text_slice slice,
                                     binning_u32 *size);

void field_text_close(struct field_text *field);

#endif

/* text_slice.h -- where a field is in a chunk of text */

#ifndef GPUHIST_TEXT_SLICE_H
#define GPUHIST_TEXT_SLICE_H

#include <stdint.h>

/* The offset of a field that its record does not have. */
#define TEXT_SLICE_MISSING UINT32_MAX

struct text_slice {
    uint32_t at;   /* from the start of the chunk, bytes */
    uint32_t size; /* bytes; below 2^31 */
};

#endif

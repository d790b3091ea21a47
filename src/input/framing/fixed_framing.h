/* fixed_framing.h -- framing of records of a fixed size, including pixels */

#ifndef GPUHIST_FIXED_FRAMING_H
#define GPUHIST_FIXED_FRAMING_H

#include <stdbool.h>
#include <stddef.h>

#include "input/framing/framing.h"

/*
 * Returns the framing of records of RECORD_BYTES, which is 1 or more.  With
 * DROPS_REST an incomplete record at the end is ignored; otherwise it is an
 * error.
 */
struct framing fixed_framing_make(size_t record_bytes, bool drops_rest);

#endif

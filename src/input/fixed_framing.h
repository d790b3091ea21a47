/* fixed_framing.h -- records that all have the same size; pixels, too */

#ifndef GPUHIST_FIXED_FRAMING_H
#define GPUHIST_FIXED_FRAMING_H

#include <stdbool.h>
#include <stddef.h>

#include "input/framing.h"

/*
 * The framing of records of RECORD_BYTES, 1 or more.  DROPS_REST: what is too
 * short for a record at the end is left out; else it is an error.
 */
struct framing fixed_framing_make(size_t record_bytes, bool drops_rest);

#endif

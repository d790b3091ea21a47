/* SPDX-License-Identifier: MIT */
/* byte_count_neon.h -- count bytes with NEON, if the build supports it */

#ifndef GPUHIST_BYTE_COUNT_NEON_H
#define GPUHIST_BYTE_COUNT_NEON_H

#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/bytes/byte_count_portable.h"

#ifdef BYTE_COUNT_HAS_NEON
/* Counts frequent values by bit operations and all others by tables.  The
   contract is that of byte_count_tables(). */
void byte_count_neon(const unsigned char *data, size_t size,
                     uint64_t bin[BYTE_COUNT_BINS]);
#endif

#endif

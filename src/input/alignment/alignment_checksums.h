/* SPDX-License-Identifier: MIT */
/*
 * alignment_checksums.h -- the CRC-32 of the name, the bases and the qualities
 * of a record
 *
 * As samtools stats has them since 1.22: of the bytes that BAM stores, without
 * the NUL of the name.  Qualities that are absent are bytes 0xff.
 */

#ifndef GPUHIST_ALIGNMENT_CHECKSUMS_H
#define GPUHIST_ALIGNMENT_CHECKSUMS_H

#include "base/crc32.h"
#include "input/alignment/alignment.h"

/* Write the checksums of ALIGNMENT, as ALIGNMENT_WORD_CHECKSUMS has them, to
   OUT.  CODE has the code of each letter of SAM.  Returns the bytes. */
size_t alignment_checksums_write(const struct crc32 *crc32,
                                 const unsigned char code[256],
                                 const struct alignment *alignment,
                                 unsigned char *out);

#endif

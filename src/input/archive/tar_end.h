/*
 * tar_end.h -- the end of a tar archive
 *
 * Two blocks of zeros end an archive; another archive may follow.  libarchive
 * takes what else follows for a damaged header.
 */

#ifndef GPUHIST_TAR_END_H
#define GPUHIST_TAR_END_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/archive/archive_bytes.h"

#define TAR_BLOCK_BYTES 512

/*
 * Whether the bytes that libarchive got last, all of BYTES, end with a block of
 * zeros, which begins at LEAST or later.
 */
bool tar_end_is_marked(struct archive_bytes *bytes, off_t least);

/*
 * libarchive has found no header from byte FROM on, and failed at byte AT.
 * Returns whether it has found an end, and then bytes that are no header; sets
 * *FIRST to the first of these, or to -1 if they are zeros, less than a block.
 */
bool tar_end_is_before(struct archive_bytes *bytes, off_t from, off_t at,
                       off_t *first);

#endif

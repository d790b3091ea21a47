/* zip_memory.h -- the memory that libarchive takes to decode a file in a zip */

#ifndef GPUHIST_ZIP_MEMORY_H
#define GPUHIST_ZIP_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

#include "input/archive_bytes.h"

/*
 * Returns the bytes that a file takes whose data are AT in BYTES, as its first
 * bytes say.  FORMAT is what libarchive calls it.  0: few.
 */
uint64_t zip_memory_bytes(struct archive_bytes *bytes, off_t at,
                          const char *format);

#endif

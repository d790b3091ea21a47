/* zip_memory.h -- the memory that libarchive takes to decode a file in a zip */

#ifndef GPUHIST_ZIP_MEMORY_H
#define GPUHIST_ZIP_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

#include "input/archive/archive_bytes.h"

/*
 * Returns the bytes of memory that decoding a file takes, as its first bytes
 * say; 0: few.  Its data start AT in BYTES.  FORMAT is the format's name, by
 * libarchive.
 */
uint64_t zip_memory_bytes(struct archive_bytes *bytes, off_t at,
                          const char *format);

#endif

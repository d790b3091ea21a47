/* SPDX-License-Identifier: MIT */
/*
 * scratch_file.h -- a temporary file in $TMPDIR, or /tmp, without a name
 *
 * The file has no name in any directory, so the file ends with its descriptor,
 * even if the process is killed.  Only the owner may open the file (mode 0600).
 *
 * A failing function returns -1, or NULL, with *ERROR set; the message names
 * the directory and TMPDIR.
 */

#ifndef GPUHIST_SCRATCH_FILE_H
#define GPUHIST_SCRATCH_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct scratch_file {
    int fd;                /* undefined unless it is open */
    const char *directory; /* NULL: not open */
    uint64_t size;         /* bytes that are written */
};

/* Returns the directory: $TMPDIR, or /tmp. */
const char *scratch_file_directory(void);

/* Make an empty file.  The caller calls scratch_file_close() in any case. */
int scratch_file_open(struct scratch_file *scratch, struct error *error);

/* Write SIZE bytes at the end. */
int scratch_file_append(struct scratch_file *scratch, const void *bytes,
                        size_t size, struct error *error);

/* Read the SIZE bytes from AT on, which are written, to BYTES. */
int scratch_file_read(const struct scratch_file *scratch, uint64_t at,
                      void *bytes, size_t size, struct error *error);

/* The SIZE bytes from AT on are read soon. */
void scratch_file_expect(const struct scratch_file *scratch, uint64_t at,
                         uint64_t size);

/*
 * Give the SIZE bytes from AT on back to the file system, if the file system
 * supports this.  The bytes are not read any more.
 */
void scratch_file_discard(const struct scratch_file *scratch, uint64_t at,
                          uint64_t size);

/* Close the file.  SCRATCH may be all 0.  Mappings stay. */
void scratch_file_close(struct scratch_file *scratch);

/* ---- mappings: memory that the kernel can write to the file ---- */

/*
 * Map the first SIZE bytes, 1 or more, to be read only.  The file may be
 * shorter; bytes appended later appear in the mapping.
 */
void *scratch_file_map(const struct scratch_file *scratch, uint64_t size,
                       struct error *error);

/*
 * Returns SIZE bytes of zeros, 1 or more, in a separate file.  The file system
 * reserves the room: no access fails later because the disk is full.
 */
void *scratch_file_memory(uint64_t size, struct error *error);

/*
 * The SIZE bytes at AT are not used for now: keep the bytes in the file only.
 * The mapping starts at MAPPING or before; some bytes between MAPPING and AT
 * are kept in the file only, too.
 */
void scratch_file_forget(const void *mapping, const void *at, uint64_t size);

/* Release a MAPPING of SIZE bytes; it may be NULL. */
void scratch_file_unmap(void *mapping, uint64_t size);

#endif

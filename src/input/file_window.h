/* SPDX-License-Identifier: MIT */
/*
 * file_window.h -- a few bytes of a file at any offset, for walks
 *
 * A walk (decoder.h) looks at short headers that are far apart or close
 * together: one pread() serves all headers within 4 KiB.
 */

#ifndef GPUHIST_FILE_WINDOW_H
#define GPUHIST_FILE_WINDOW_H

#include <stddef.h>
#include <sys/types.h>

enum {
    FILE_WINDOW_BYTES = 4096
};

/* All 0 except FD: nothing read yet. */
struct file_window {
    int fd;
    unsigned char data[FILE_WINDOW_BYTES]; /* DATA_BYTES of the file ... */
    size_t data_bytes;
    off_t data_offset; /* ... from this offset on */
};

/*
 * Read WANTED bytes at OFFSET, at most FILE_WINDOW_BYTES; fewer at the end of
 * the file, and none after an error, which decoding will report.  Returns the
 * bytes, valid until the next call, and sets *SIZE to their number, which may
 * be more than WANTED.
 */
const unsigned char *file_window_look(struct file_window *window, off_t offset,
                                      size_t wanted, size_t *size);

#endif

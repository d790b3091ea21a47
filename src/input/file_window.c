/* SPDX-License-Identifier: MIT */
/* file_window.c -- a few bytes of a file at any offset, for walks */

#include <errno.h>
#include <unistd.h>

#include "input/file_window.h"

const unsigned char *
file_window_look(struct file_window *window, off_t offset, size_t wanted,
                 size_t *size)
{
    off_t ahead = offset - window->data_offset;

    if (ahead < 0 || ahead + (off_t)wanted > (off_t)window->data_bytes) {
        ssize_t got;
        do {
            got = pread(window->fd, window->data, sizeof window->data, offset);
        } while (got < 0 && errno == EINTR);
        window->data_offset = offset;
        window->data_bytes = got > 0 ? (size_t)got : 0;
        ahead = 0;
    }
    *size = window->data_bytes - (size_t)ahead;
    return window->data + ahead;
}

/* SPDX-License-Identifier: MIT */
/*
 * timed_write.h -- write() with a time limit
 *
 * write() to a pipe without a reader, or to a terminal stopped by ^S, can block
 * for ever.  O_NONBLOCK must not be set on an inherited descriptor, because
 * other processes share the descriptor.  poll() is not enough: a terminal with
 * room for one byte is writable, and another process may use up the room
 * between poll() and write().  So a timer interrupts write() by SIGURG, with an
 * empty handler; the default action of SIGURG is to ignore it.
 */

#ifndef GPUHIST_TIMED_WRITE_H
#define GPUHIST_TIMED_WRITE_H

#include <stddef.h>

/*
 * Write the SIZE bytes at DATA, at most PIPE_BUF, to FD with one write().
 * Waits for room for at most MILLISECONDS, 0: not at all, and returns at most a
 * tenth of a second later.  Bytes not written by then are dropped.  A pipe or
 * FIFO gets all bytes or none; a terminal or socket may get the first bytes.
 *
 * A regular file or a disk has no limit: signals do not interrupt write()
 * there.  If the system refuses a timer, only poll() limits the wait.
 *
 * Returns 0: all bytes are written, or -1.
 */
int timed_write(int fd, const void *data, size_t size, int milliseconds);

#endif

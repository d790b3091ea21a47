/*
 * timed_write.h -- write to a descriptor that may take nothing
 *
 * A pipe that nobody reads, or a terminal that ^S has stopped, can hold up
 * write() for ever.  O_NONBLOCK is no way out for an inherited descriptor: the
 * flag would hold for every process that shares it.  poll() alone is none
 * either: a terminal is writable when it has room for one byte, and another
 * process may take the room between poll() and write().  So a timer interrupts
 * write(), by SIGURG with a handler that does nothing; the default of SIGURG is
 * to do nothing, too.
 */

#ifndef GPUHIST_TIMED_WRITE_H
#define GPUHIST_TIMED_WRITE_H

#include <stddef.h>

/*
 * Write the SIZE bytes at DATA, at most PIPE_BUF, to FD with one write().
 * Wait for room for MILLISECONDS at most, 0: not at all; return after a tenth
 * of a second more in any case.  What has not been written by then is dropped:
 * of a pipe or a FIFO all or nothing, of a terminal or a socket the rest.
 *
 * A regular file and a disk are waited for: no timer interrupts them.  Where
 * the system has no timer to give, only poll() guards the call.
 *
 * Returns 0 when all is written, or -1.
 */
int timed_write(int fd, const void *data, size_t size, int milliseconds);

#endif

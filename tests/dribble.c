/* SPDX-License-Identifier: MIT */
/*
 * dribble.c -- copy input to a pipe, piece by piece as the reader reads
 *
 *     dribble SIZE TIMES [FIFO]
 *
 * Copies TIMES pieces of SIZE bytes, or fewer where the input ends, from
 * standard input to standard output and ends when the reader has taken all of
 * them.  With FIFO it writes there, once a reader has opened it.
 *
 * The status is 1 if the reader goes away, 2 if the command line is wrong.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The interval of polling, where no call can wait. */
#define PAUSE_US 200

/* Open FIFO for writing as soon as it has a reader.  Returns -1: an error. */
static int
open_late(const char *fifo)
{
    int fd;

    while ((fd = open(fifo, O_WRONLY | O_NONBLOCK)) < 0 && errno == ENXIO)
        usleep(PAUSE_US);
    if (fd >= 0)
        fcntl(fd, F_SETFL, 0);
    return fd;
}

/* Wait until nothing is left in the pipe; false if it has no reader. */
static bool
drain(int fd)
{
    struct pollfd pipe = {.fd = fd};
    int left;

    while (ioctl(fd, FIONREAD, &left) == 0 && left > 0) {
        if (poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLERR) != 0)
            return false;
        usleep(PAUSE_US);
    }
    return true;
}

/* Copy up to SIZE bytes; false if they cannot be written. */
static bool
copy(int fd, size_t size)
{
    char buffer[4096];

    while (size > 0) {
        size_t wanted = size < sizeof buffer ? size : sizeof buffer;
        ssize_t got = read(STDIN_FILENO, buffer, wanted);
        if (got <= 0)
            break;
        for (ssize_t done = 0; done < got;) {
            ssize_t written = write(fd, buffer + done, (size_t)(got - done));
            if (written < 0)
                return false;
            done += written;
        }
        size -= (size_t)got;
    }
    return true;
}

int
main(int argc, char **argv)
{
    if (argc < 3 || argc > 4)
        return 2;
    size_t size = strtoul(argv[1], NULL, 10);
    int fd = argc == 4 ? open_late(argv[3]) : STDOUT_FILENO;
    if (fd < 0)
        return 2;
    for (unsigned long i = strtoul(argv[2], NULL, 10); i > 0; i--)
        if (!copy(fd, size) || !drain(fd))
            return 1;
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * drop.c -- read standard input, or the given FILEs, to the end and drop it
 *
 * Its speed is the limit for every filter that reads with one thread.  It sets
 * the same pipe size as gpuhist and reads into a buffer that stays in the
 * second-level cache.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PIPE_BYTES = 1 << 20,
    BUFFER_BYTES = 256 << 10,
};

/* Read FILE to the end.  Returns 0, or -1 with errno set. */
static int
drop(int file)
{
    static char buffer[BUFFER_BYTES];
    ssize_t got;

    do {
        got = read(file, buffer, sizeof buffer);
    } while (got > 0);
    return (int)got;
}

int
main(int argc, char **argv)
{
    int result = 0;

    if (argc < 2) {
        (void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
        result = drop(STDIN_FILENO);
    }
    for (int i = 1; i < argc && result == 0; i++) {
        int file = open(argv[i], O_RDONLY);
        result = file < 0 ? -1 : drop(file);
        if (file >= 0)
            close(file);
    }
    if (result < 0)
        fprintf(stderr, "drop: %s\n", strerror(errno));
    return result < 0;
}

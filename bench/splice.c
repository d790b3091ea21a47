/* SPDX-License-Identifier: MIT */
/*
 * splice.c -- move FILEs into the pipe on standard output without a copy
 *
 *     splice FILE... | COMMAND
 *
 * The pages of the page cache become pages of the pipe, so the only copy is the
 * reader's.  No writer of a pipe is faster; pv and newer versions of cat do the
 * same.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PIPE_BYTES = 1 << 20
};

int
main(int argc, char **argv)
{
    (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
    for (int i = 1; i < argc; i++) {
        int file = open(argv[i], O_RDONLY);
        ssize_t moved = file < 0 ? -1 : 1;
        while (moved > 0)
            moved = splice(file, NULL, STDOUT_FILENO, NULL, PIPE_BYTES, 0);
        if (moved < 0) {
            fprintf(stderr, "splice: %s: %s\n", argv[i], strerror(errno));
            return 1;
        }
        close(file);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * naive.c -- count the bytes of standard input, one by one, in one table
 *
 * This is the obvious program.  bench/stream.sh compares gpuhist with it, and
 * uses its counts as the reference.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PIPE_BYTES = 1 << 20,
    BUFFER_BYTES = 256 << 10, /* stays in the second-level cache */
    VALUES = 256,
};

int
main(void)
{
    static unsigned char buffer[BUFFER_BYTES];
    static uint64_t counts[VALUES];
    ssize_t got;

    (void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
    while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            counts[buffer[i]]++;
    }
    if (got < 0) {
        fprintf(stderr, "naive: %s\n", strerror(errno));
        return 1;
    }
    for (int value = 0; value < VALUES; value++)
        printf("%d\t%llu\n", value, (unsigned long long)counts[value]);
    return fflush(stdout) != 0;
}

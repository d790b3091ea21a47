/*
 * drop.c -- read standard input to its end and drop it
 *
 * The limit for every filter: what a pipe or a redirected file can deliver.
 * It makes the pipe as big as gpuhist does and reads into a buffer that
 * stays in the second-level cache.
 */

#include <fcntl.h>
#include <unistd.h>

enum {
    PIPE_BYTES = 1 << 20,
    BUFFER_BYTES = 256 << 10,
};

int
main(void)
{
    static char buffer[BUFFER_BYTES];
    ssize_t got;

    (void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
    do {
        got = read(STDIN_FILENO, buffer, sizeof buffer);
    } while (got > 0);
    return got < 0;
}

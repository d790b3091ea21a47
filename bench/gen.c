/* SPDX-License-Identifier: MIT */
/*
 * gen.c -- gpuhist-gen: streams of samples for tests and benchmarks
 *
 * Like yes(1), it writes until its reader closes the pipe, unless --size,
 * --count or --coverage limits the output.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen_options.h"
#include "gen_stream.h"

enum {
    PIPE_BYTES = 1 << 20,
    BUFFER_BYTES = 256 << 10, /* stays in the second-level cache */
};

_Static_assert(BUFFER_BYTES >= GEN_STREAM_ROOM_MIN, "room for a piece");

/* Write COUNT bytes to standard output.  Returns 0, or -1 with *ERROR set. */
static int
write_all(const unsigned char *bytes, size_t count, struct error *error)
{
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            error_set(error, EXIT_DATA, "standard output: write error: %s",
                      strerror(errno));
            return -1;
        }
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

static int
write_stream(const struct gen_options *options, struct error *error)
{
    static unsigned char buffer[BUFFER_BYTES];
    struct gen_stream stream;
    uint64_t left = options->bytes;
    size_t count = 1;
    int result = 0;

    if (gen_stream_open(&stream, options, error) < 0)
        return -1;
    (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
    while (left > 0 && count > 0 && result == 0) {
        count = gen_stream_fill(&stream, buffer, sizeof buffer);
        if (count > left)
            count = (size_t)left;
        result = write_all(buffer, count, error);
        if (left != GEN_ENDLESS)
            left -= count;
    }
    /* Some file systems report errors of writing only on close(). */
    if (result == 0 && close(STDOUT_FILENO) < 0) {
        error_set(error, EXIT_DATA, "standard output: write error: %s",
                  strerror(errno));
        result = -1;
    }
    gen_stream_close(&stream);
    return result;
}

int
main(int argc, char **argv)
{
    struct gen_options options;
    struct error error = ERROR_NONE;
    enum exit_status status;

    if (gen_options_parse(&options, argc, argv, &error) == 0) {
        if (options.is_help)
            (void)write_all((const unsigned char *)gen_options_help,
                            strlen(gen_options_help), &error);
        else
            (void)write_stream(&options, &error);
    }
    status = error.status;
    if (status != EXIT_DONE) {
        const char *text = error.text != NULL ? error.text : "out of memory";
        fprintf(stderr, "gpuhist-gen: %s\n", text);
    }
    error_clear(&error);
    return (int)status;
}

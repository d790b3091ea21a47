/* SPDX-License-Identifier: MIT */
/*
 * frames.c -- compress standard input to zstd frames of one size, or decode
 *
 *     frames [-l LEVEL] [-w LOG] [-s SIZE] [-c] [-n] <IN >OUT
 *     frames -d [FILE]...
 *
 * Each frame holds SIZE bytes, as in the output of pzstd, in archives that grow
 * and in concatenated files; the zstd command writes one frame only.  SIZE 0,
 * the default, writes one frame.  -w sets the window, as zstd --long does.  -c
 * adds checksums.  If standard input is a regular file, a frame's header has
 * the size of its content; -n leaves the size out.
 *
 * -d decodes FILEs, or standard input, and drops the result.  Its speed is the
 * limit for every reader that decodes with one thread of libzstd.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/size.h"

enum {
    BUFFER_BYTES = 256 << 10
};

static char in_buffer[BUFFER_BYTES];
static char out_buffer[BUFFER_BYTES];

/* Print a message.  Returns -1. */
static int
complain(const char *what, const char *why)
{
    fprintf(stderr, "frames: %s: %s\n", what, why);
    return -1;
}

/* Read up to BYTES into in_buffer.  Returns the number; 0: end; -1: error. */
static ssize_t
fill(int file, const char *name, size_t bytes)
{
    ssize_t got = read(file, in_buffer, bytes);

    return got < 0 ? complain(name, strerror(errno)) : got;
}

/* Compress INPUT and write the output.  Returns 0 or -1. */
static int
put(ZSTD_CCtx *context, ZSTD_inBuffer *input, ZSTD_EndDirective directive)
{
    size_t left;

    do {
        ZSTD_outBuffer output = {out_buffer, sizeof out_buffer, 0};
        left = ZSTD_compressStream2(context, &output, input, directive);
        if (ZSTD_isError(left))
            return complain("libzstd", ZSTD_getErrorName(left));
        if (fwrite(out_buffer, 1, output.pos, stdout) != output.pos)
            return complain("standard output", strerror(errno));
    } while (directive == ZSTD_e_end ? left > 0 : input->pos < input->size);
    return 0;
}

/*
 * Write frames of FRAME_BYTES.  KNOWN_BYTES is the size of the input, or
 * ZSTD_CONTENTSIZE_UNKNOWN.  Returns 0 or -1.
 */
static int
compress(ZSTD_CCtx *context, uint64_t frame_bytes, uint64_t known_bytes)
{
    bool is_known = known_bytes != ZSTD_CONTENTSIZE_UNKNOWN;
    uint64_t left = 0; /* of this frame */
    bool is_first = true;
    ssize_t got = 0;

    for (;;) {
        size_t bytes = sizeof in_buffer;
        if (left > 0 && bytes > left)
            bytes = (size_t)left;
        else if (left == 0 && bytes > frame_bytes)
            bytes = (size_t)frame_bytes;
        got = fill(STDIN_FILENO, "standard input", bytes);
        if (got < 0)
            return -1;
        ZSTD_inBuffer input = {in_buffer, (size_t)got, 0};
        ZSTD_inBuffer nothing = {in_buffer, 0, 0};
        if (left == 0 && (got > 0 || is_first)) {
            left = frame_bytes;
            if (is_known && known_bytes < left)
                left = known_bytes;
            ZSTD_CCtx_setPledgedSrcSize(
                context, is_known ? left : ZSTD_CONTENTSIZE_UNKNOWN);
            known_bytes -= is_known ? left : 0;
        } else if (got == 0 && left == 0) {
            return 0;
        }
        if (got > 0 && put(context, &input, ZSTD_e_continue) < 0)
            return -1;
        left -= (uint64_t)got;
        if ((left == 0 || got == 0) && put(context, &nothing, ZSTD_e_end) < 0)
            return -1;
        if (got == 0)
            return 0;
        is_first = false;
    }
}

/* Decode FILE and drop the result.  Returns 0 or -1. */
static int
drop(ZSTD_DCtx *context, int file, const char *name)
{
    size_t left = 0;
    ssize_t got;

    while ((got = fill(file, name, sizeof in_buffer)) > 0) {
        ZSTD_inBuffer input = {in_buffer, (size_t)got, 0};
        ZSTD_outBuffer output;
        do {
            output = (ZSTD_outBuffer){out_buffer, sizeof out_buffer, 0};
            left = ZSTD_decompressStream(context, &output, &input);
            if (ZSTD_isError(left))
                return complain(name, ZSTD_getErrorName(left));
            /* If the buffer is full, libzstd may hold more output. */
        } while (input.pos < input.size ||
                 (left > 0 && output.pos == output.size));
    }
    return got < 0 ? -1 : left > 0 ? complain(name, "truncated") : 0;
}

static int
drop_all(char *const *names, int count)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    int result = 0;

    if (context == NULL)
        return complain("libzstd", "out of memory");
    /* The largest window that gpuhist decodes on most machines. */
    (void)ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 31);
    if (count == 0)
        result = drop(context, STDIN_FILENO, "standard input");
    for (int i = 0; i < count && result == 0; i++) {
        int file = open(names[i], O_RDONLY);
        if (file < 0) {
            result = complain(names[i], strerror(errno));
        } else {
            result = drop(context, file, names[i]);
            close(file);
        }
    }
    ZSTD_freeDCtx(context);
    return result;
}

int
main(int argc, char **argv)
{
    uint64_t frame_bytes = 0;
    uint64_t known_bytes = ZSTD_CONTENTSIZE_UNKNOWN;
    bool is_size_hidden = false;
    bool is_decoding = false;
    int has_checksum = 0;
    int level = 1;
    int window_log = 0;
    struct stat status;
    int option;
    int result;

    while ((option = getopt(argc, argv, "l:w:s:cnd")) != -1) {
        if (option == 'l')
            level = atoi(optarg);
        else if (option == 'w')
            window_log = atoi(optarg);
        else if (option == 'c')
            has_checksum = 1;
        else if (option == 'n')
            is_size_hidden = true;
        else if (option == 'd')
            is_decoding = true;
        else if (option != 's' || size_parse(optarg, &frame_bytes) < 0)
            return 2;
    }
    if (is_decoding)
        return drop_all(argv + optind, argc - optind) < 0;
    if (optind < argc)
        return 2;
    if (frame_bytes == 0)
        frame_bytes = UINT64_MAX;
    if (!is_size_hidden && fstat(STDIN_FILENO, &status) == 0 &&
        S_ISREG(status.st_mode))
        known_bytes = (uint64_t)status.st_size;

    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL)
        return complain("libzstd", "out of memory") < 0;
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, has_checksum);
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching,
                           window_log > 0);
    result = compress(context, frame_bytes, known_bytes);
    ZSTD_freeCCtx(context);
    if (result == 0 && fclose(stdout) != 0)
        result = complain("standard output", strerror(errno));
    return result < 0;
}

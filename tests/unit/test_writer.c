/* SPDX-License-Identifier: MIT */
/* test_writer.c -- all bytes in order, in any room; failures are permanent */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../noise.h"
#include "../tap.h"
#include "base/writer.h"

#define TEXT_BYTES 400000

/* Where the bytes go. */
struct sink {
    char text[TEXT_BYTES];
    size_t size;
    size_t drains;
    size_t fails_at; /* the drain from which on it fails; 0: none */
};

static void
drain_to_sink(struct writer *writer)
{
    struct sink *sink = writer->context;
    size_t size = (size_t)(writer->at - writer->room);

    if (++sink->drains == sink->fails_at)
        writer->reason = EIO;
    if (writer->reason == 0 && sink->size + size <= sizeof sink->text) {
        memcpy(sink->text + sink->size, writer->room, size);
        sink->size += size;
    }
    writer->at = writer->room;
}

/* Put a piece to WRITER, and the same by stdio to TEXT.  Returns its size. */
static size_t
put_any(struct writer *writer, char *text)
{
    static const char noises[] = "0123456789abcdefghijklmnopqrstuvwxyz"
                                 "0123456789abcdefghijklmnopqrstuvwxyz"
                                 "0123456789abcdefghijklmnopqrstuvwxyz";
    uint64_t number = noise() >> noise() % 64;
    size_t size = noise() % (sizeof noises - 1);
    char some[NUMBER_TEXT_BYTES] = "some text of a label";

    switch (noise() % 6) {
    case 0:
        writer_put_char(writer, '\t');
        return (size_t)sprintf(text, "\t");
    case 1:
        writer_put_number(writer, number);
        return (size_t)sprintf(text, "%llu", (unsigned long long)number);
    case 2:
        writer_put_double(writer, (double)(number >> 14) / 4);
        number_text((double)(number >> 14) / 4, text);
        return strlen(text);
    case 3:
        writer_put_bytes(writer, noises, size);
        return (size_t)sprintf(text, "%.*s", (int)size, noises);
    case 4:
        size %= 21;
        writer_put_short(writer, some, size);
        return (size_t)sprintf(text, "%.*s", (int)size, some);
    default:
        writer_put_text(writer, "a constant");
        return (size_t)sprintf(text, "a constant");
    }
}

static void
test_rooms(void)
{
    static char wanted[TEXT_BYTES];
    static char room[4096];
    static struct sink sink;
    static const size_t sizes[] = {128, 129, 150, 191, 192, 1000, 4096};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct writer writer;
        size_t size = 0;

        sink = (struct sink){.size = 0};
        /* Nothing is written after it. */
        memset(room, '!', sizeof room);
        writer_open_room(&writer, room, sizes[i], drain_to_sink, &sink);
        while (size < sizeof wanted - 1000)
            size += put_any(&writer, wanted + size);
        bool is_flushed = writer_flush(&writer) == 0;
        ok(is_flushed && sink.size == size &&
               memcmp(sink.text, wanted, size) == 0,
           "pieces through %zu bytes", sizes[i]);
        size_t behind = 0;
        for (size_t at = sizes[i]; at < sizeof room; at++)
            behind += room[at] != '!';
        ok(behind == 0, "... and no byte behind them is touched");
    }
}

static void
test_failure(void)
{
    static struct sink sink;
    struct writer writer;
    char room[256];

    sink = (struct sink){.fails_at = 3};
    writer_open_room(&writer, room, sizeof room, drain_to_sink, &sink);
    for (int i = 0; i < 10000; i++)
        writer_put_text(&writer, "a line\n");
    errno = 0;
    ok(writer_has_failed(&writer) && writer_flush(&writer) == -1 &&
           errno == EIO,
       "the first failure stays");
    bool is_whole = sink.size > 0;
    for (size_t i = 0; i < sink.size; i++)
        is_whole = is_whole && sink.text[i] == "a line\n"[i % 7];
    ok(is_whole, "... and nothing follows a gap");
}

/* ---- descriptors ---- */

static void
test_full_disk(void)
{
    static char much[1 << 18];
    static const size_t sizes[] = {10, 1000, sizeof much};
    int fd = open("/dev/full", O_WRONLY);

    if (fd < 0) {
        ok(true, "a full disk # SKIP no /dev/full");
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct writer writer;
        int result = writer_open(&writer, fd);
        if (result == 0) {
            writer_put_bytes(&writer, much, sizes[i]);
            errno = 0;
            result = writer_flush(&writer);
        }
        ok(result == -1 && errno == ENOSPC, "a full disk, %zu bytes", sizes[i]);
        writer_close(&writer);
    }
    close(fd);
}

/* Read everything from FD; exit with 0 if that is COUNT lines "N\n" of N. */
static void
check_lines(int fd, unsigned long count)
{
    FILE *in = fdopen(fd, "r");
    unsigned long number;
    unsigned long next = 0;

    while (in != NULL && fscanf(in, "%lu", &number) == 1 && number == next)
        next++;
    _exit(in != NULL && feof(in) && next == count ? 0 : 1);
}

/* A pipe with O_NONBLOCK that is much smaller than what goes through it. */
static void
test_pipe(bool is_large)
{
    const unsigned long lines = 200000;
    struct writer writer;
    int fds[2];
    int status = -1;

    if (pipe(fds) < 0 || fcntl(fds[1], F_SETFL, O_NONBLOCK) < 0)
        abort();
    (void)fcntl(fds[1], F_SETPIPE_SZ, 4096);
    pid_t child = fork();
    if (child == 0) {
        close(fds[1]);
        check_lines(fds[0], lines);
    }
    close(fds[0]);
    if (child < 0 || writer_open(&writer, fds[1]) < 0)
        abort();
    char *all = malloc(lines * 8);
    size_t size = 0;
    for (unsigned long i = 0; i < lines && all != NULL; i++) {
        if (is_large) {
            size += (size_t)sprintf(all + size, "%lu\n", i);
        } else {
            writer_put_number(&writer, i);
            writer_put_char(&writer, '\n');
        }
    }
    if (all != NULL)
        writer_put_bytes(&writer, all, size);
    int result = writer_flush(&writer);
    bool is_kept = (fcntl(fds[1], F_GETFL) & O_NONBLOCK) != 0;
    writer_close(&writer);
    free(all);
    close(fds[1]);
    if (waitpid(child, &status, 0) != child)
        abort();
    ok(result == 0 && status == 0, "a pipe that does not wait, %s",
       is_large ? "all at once" : "line by line");
    ok(is_kept, "... and stays as it is");
}

static void
test_stream(void)
{
    static struct sink sink;
    struct writer writer;
    char room[128];

    sink = (struct sink){.size = 0};
    writer_open_room(&writer, room, sizeof room, drain_to_sink, &sink);
    writer_put_text(&writer, "before ");
    FILE *stream = writer_stream(&writer);
    if (stream == NULL)
        abort();
    fprintf(stream, "%d%200s", 42, "x");
    fclose(stream);
    writer_put_text(&writer, " behind");
    char wanted[300];
    int size = sprintf(wanted, "before 42%200s behind", "x");
    ok(writer_flush(&writer) == 0 && sink.size == (size_t)size &&
           memcmp(sink.text, wanted, sink.size) == 0,
       "a stream");
}

int
main(void)
{
    test_rooms();
    test_failure();
    test_full_disk();
    test_pipe(false);
    test_pipe(true);
    test_stream();
    return done_testing();
}

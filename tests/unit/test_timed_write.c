/* SPDX-License-Identifier: MIT */
/* test_timed_write.c -- a descriptor that accepts nothing does not block */

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tap.h"
#include "base/clock.h"
#include "base/timed_write.h"

/* No call may take longer than this, on a busy machine. */
#define SECONDS_MAX 20

#define PIECE_BYTES 500

static char piece[PIECE_BYTES];

/* Fill the pipe that WRITER belongs to; O_NONBLOCK is gone afterwards. */
static void
fill(int writer)
{
    int flags = fcntl(writer, F_GETFL);

    fcntl(writer, F_SETFL, flags | O_NONBLOCK);
    while (write(writer, piece, 1) == 1)
        continue;
    fcntl(writer, F_SETFL, flags);
}

static void
test_pipe(void)
{
    char text[8] = "";
    int ends[2];

    if (pipe(ends) < 0)
        abort();
    ok(timed_write(ends[1], "text", 4, 0) == 0 &&
           read(ends[0], text, sizeof text) == 4 && strcmp(text, "text") == 0,
       "a pipe with room");

    fill(ends[1]);
    int flags = fcntl(ends[1], F_GETFL);
    double start = clock_now();
    ok(timed_write(ends[1], piece, PIECE_BYTES, 0) < 0, "a full pipe");
    ok(timed_write(ends[1], piece, PIECE_BYTES, 100) < 0 &&
           clock_now() - start >= 0.1,
       "... which is waited for");
    ok(fcntl(ends[1], F_GETFL) == flags && (flags & O_NONBLOCK) == 0,
       "... without O_NONBLOCK");

    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    ok(timed_write(ends[1], piece, PIECE_BYTES, 1000) < 0, "a broken pipe");
    close(ends[1]);
    ok(timed_write(ends[1], piece, PIECE_BYTES, 0) < 0, "a closed descriptor");
}

static void *
read_all(void *argument)
{
    char bytes[4096];

    while (read(*(int *)argument, bytes, sizeof bytes) > 0)
        continue;
    return NULL;
}

static void
test_room_later(void)
{
    pthread_t reader;
    int ends[2];

    if (pipe(ends) < 0)
        abort();
    fill(ends[1]);
    if (pthread_create(&reader, NULL, read_all, &ends[0]) != 0)
        abort();
    ok(timed_write(ends[1], piece, PIECE_BYTES, SECONDS_MAX * 1000) == 0,
       "room comes later");
    close(ends[1]);
    pthread_join(reader, NULL);
    close(ends[0]);
}

/* poll() says that there is room; but not for all of the piece. */
static void
test_terminal(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    int terminal = -1;

    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
        terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (terminal < 0) {
        ok(true, "a terminal # SKIP there is none");
        return;
    }
    int written = 0;
    while (timed_write(terminal, piece, PIECE_BYTES, 0) == 0)
        written++;
    ok(written > 0, "a terminal that nobody reads (%d lines)", written);
    close(terminal);
    close(master);
}

int
main(void)
{
    sigset_t urgent;

    memset(piece, 'x', sizeof piece);
    /* A call that waits for ever ends the test. */
    alarm(3 * SECONDS_MAX);
    /* As in the threads of the program. */
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    pthread_sigmask(SIG_BLOCK, &urgent, NULL);
    test_pipe();
    test_room_later();
    test_terminal();
    return done_testing();
}

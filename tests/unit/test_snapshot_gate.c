/* SPDX-License-Identifier: MIT */
/* test_snapshot_gate.c -- the reader is outside while a snapshot is taken */

#include <unistd.h>

#include "../tap.h"
#include "sync/snapshot_gate.h"

static struct pool pool;

/* Whether the reader is outside and all is counted, since nothing was read. */
static bool
is_idle(void)
{
    return pool_wait(&pool, 1e-3) == POOL_IDLE;
}

/* The first COUNT times that the gate shuts itself are at WANTED. */
static void
test_multiples(uint64_t every, size_t record, const uint64_t *wanted,
               size_t count)
{
    struct error error = ERROR_NONE;
    struct snapshot_gate gate;
    uint64_t bytes = 0;
    size_t i = 0;

    ok(snapshot_gate_open(&gate, &pool, false, every, record, &error) == 0,
       "each %llu bytes, records of %zu", (unsigned long long)every, record);
    while (i < count) {
        snapshot_gate_enter(&gate);
        size_t room = snapshot_gate_room(&gate, 3 * record);
        bytes += room;
        snapshot_gate_leave(&gate, room);
        if (room == 0 || room % record != 0)
            break;
        if (!is_idle())
            continue;
        if (bytes != wanted[i++])
            break;
        snapshot_gate_reopen(&gate);
    }
    ok(i == count && bytes == wanted[count - 1], "... to the byte");
    snapshot_gate_close(&gate);
}

/* Records of any length: the gate shuts at the first end after a multiple. */
static void
test_ends(void)
{
    static const struct {
        size_t left; /* before the record */
        size_t record;
        bool shuts;
    } table[] = {{10, 4, false}, {6, 6, true},   {10, 9, false}, {1, 30, true},
                 {1, 1, true},   {10, 11, true}, {9, 8, false},  {1, 2, true}};
    struct error error = ERROR_NONE;
    struct snapshot_gate gate;
    size_t wrong = 0;

    ok(snapshot_gate_left(NULL) == SIZE_MAX && !snapshot_gate_awaits_end(NULL),
       "no gate: all may be read");
    ok(snapshot_gate_open(&gate, &pool, false, 10, 0, &error) == 0 &&
           snapshot_gate_awaits_end(&gate),
       "each 10 bytes, records of any length");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        snapshot_gate_enter(&gate);
        wrong += snapshot_gate_left(&gate) != table[i].left;
        wrong += snapshot_gate_room(&gate, 1000) != 1000;
        snapshot_gate_leave(&gate, table[i].record);
        wrong += is_idle() != table[i].shuts;
        if (table[i].shuts)
            snapshot_gate_reopen(&gate);
    }
    ok(wrong == 0, "... at the end of a record (%zu wrong)", wrong);
    snapshot_gate_close(&gate);
}

static void
test_shut(void)
{
    struct error error = ERROR_NONE;
    struct snapshot_gate gate;
    int pipe_fd[2];

    if (pipe(pipe_fd) < 0)
        return;
    ok(snapshot_gate_open(&gate, &pool, true, 0, 4, &error) == 0,
       "a gate for a clock");
    snapshot_gate_enter(&gate);
    ok(snapshot_gate_is_timed(&gate) && snapshot_gate_room(&gate, 1000) == 1000,
       "all may be read");
    snapshot_gate_shut(&gate);
    ok(!is_idle(), "shut while the reader is inside");
    ok(snapshot_gate_wait_input(&gate, pipe_fd[0], -1) == 0,
       "... who is woken");
    snapshot_gate_leave(&gate, 0);
    ok(is_idle(), "... and has left");
    snapshot_gate_reopen(&gate);
    ok(!is_idle(), "open again");
    snapshot_gate_enter(&gate);
    ok(write(pipe_fd[1], "x", 1) == 1 &&
           snapshot_gate_wait_input(&gate, pipe_fd[0], -1) == 1,
       "there is something to read");
    snapshot_gate_leave(&gate, 4);
    snapshot_gate_shut(&gate);
    ok(is_idle(), "shut while nobody is inside");
    snapshot_gate_reopen(&gate);
    snapshot_gate_close(&gate);
    close(pipe_fd[0]);
    close(pipe_fd[1]);
}

static void
test_none(void)
{
    int pipe_fd[2];

    snapshot_gate_enter(NULL);
    ok(snapshot_gate_room(NULL, 7) == 7, "no gate: all may be read");
    ok(!snapshot_gate_is_timed(NULL), "... at once");
    ok(pipe(pipe_fd) == 0 && write(pipe_fd[1], "x", 1) == 1 &&
           snapshot_gate_wait_input(NULL, pipe_fd[0], -1) == 1,
       "... or when there is something to read");
    close(pipe_fd[0]);
    close(pipe_fd[1]);
    snapshot_gate_leave(NULL, 7);
}

int
main(void)
{
    struct error error = ERROR_NONE;

    if (pool_open(&pool, 2, 16, false, &error) < 0)
        return 99;
    test_multiples(10, 1, (const uint64_t[]){10, 20, 30, 40}, 4);
    test_multiples(10, 4, (const uint64_t[]){12, 20, 32, 40}, 4);
    test_multiples(1, 4, (const uint64_t[]){4, 8, 12}, 3);
    test_multiples(9, 2, (const uint64_t[]){10, 18, 28, 36, 46}, 5);
    test_ends();
    test_shut();
    test_none();
    pool_close(&pool);
    return done_testing();
}

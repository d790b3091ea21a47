/* SPDX-License-Identifier: MIT */
/*
 * test_zstd_blocks.c -- our decoder of the blocks of zstd, and its helpers
 *
 * libzstd is the oracle: frames of all levels decode to the same, and what is
 * damaged is refused or decodes to what libzstd makes of it.  Then whole files,
 * by helpers: same content, same messages, each byte counted.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../noise.h"
#include "../scratch.h"
#include "../tap.h"
#include "../zstd_check.h"
#include "input/decode/zstd/zstd_stream.h"

#define WATCHDOG_SECONDS 300
#define CONTENT_MAX ((size_t)3 << 20)
#define WINDOW_MAX ((uint64_t)256 << 20)

#include "../zstd_samples.h"

static unsigned char result[CONTENT_MAX + 100];
static size_t result_size;

static enum zstd_check
check_packed(size_t size)
{
    return zstd_check(packed, size, WINDOW_MAX, result, sizeof result,
                      &result_size);
}

static bool
is_same(void)
{
    return result_size == content_size &&
           memcmp(result, content, content_size) == 0;
}

static void
test_levels(void)
{
    static const size_t sizes[] = {0, 1, 5, 300, 5000, 131072, 131073, 500000};

    for (int kind = 0; kind < KINDS; kind++) {
        unsigned int wrong = 0;
        unsigned int frames = 0;
        for (int level = -6; level <= 22; level++) {
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                bool is_slow = sizes[i] > 100000 && level > 5;
                if ((is_slow && level % 7 != kind % 7) || !has_turn(7))
                    continue;
                make((enum kind)kind, sizes[i]);
                struct shape shape = {.level = level == 0 ? 3 : level,
                                      .has_checksum = level % 2 == 0,
                                      .is_unsized = level % 3 == 0,
                                      .flush = i % 4 == 3 ? 1000 : 0};
                packed_size = 0;
                pack(&shape);
                wrong +=
                    check_packed(packed_size) != ZSTD_CHECK_SAME || !is_same();
                frames++;
            }
        }
        ok(wrong == 0, "%s: %u frames of all levels (%u wrong)",
           kind_names[kind], frames, wrong);
    }
}

static void
test_shapes(void)
{
    for (int log = 10; log <= 24; log += 2) {
        unsigned int wrong = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            if (!has_turn(4))
                continue;
            make((enum kind)kind, log < 20 ? 300000 : 1200000);
            struct shape shape = {.level = 1 + kind,
                                  .window_log = log,
                                  .is_unsized = true,
                                  .is_long = kind % 2 == 1};
            packed_size = 0;
            pack(&shape);
            wrong += check_packed(packed_size) != ZSTD_CHECK_SAME || !is_same();
        }
        ok(wrong == 0, "a window of 2^%d (%u wrong)", log, wrong);
    }
}

/* Each bit of a small frame flipped, and each truncation of it. */
static void
test_damage(void)
{
    size_t refused = 0;
    size_t others = 0;
    size_t cuts = 0;

    for (int level = -3; level <= 22; level++) {
        for (int kind = 0; kind < KINDS; kind++) {
            if ((level + kind + 100) % 4 != 0)
                continue;
            make((enum kind)kind, 400 + noise() % 500);
            struct shape shape = {.level = level == 0 ? 3 : level,
                                  .is_unsized = kind % 2 == 0,
                                  .flush = kind % 3 == 0 ? 300 : 0};
            packed_size = 0;
            pack(&shape);
            for (size_t size = 0; size < packed_size; size++)
                cuts +=
                    has_turn(61) && check_packed(size) != ZSTD_CHECK_REFUSED;
            for (size_t bit = 0; bit < 8 * packed_size; bit++) {
                if (!has_turn(61))
                    continue;
                packed[bit / 8] ^= (unsigned char)(1 << bit % 8);
                enum zstd_check outcome = check_packed(packed_size);
                refused += outcome == ZSTD_CHECK_REFUSED;
                others += outcome == ZSTD_CHECK_OTHER;
                packed[bit / 8] ^= (unsigned char)(1 << bit % 8);
            }
        }
    }
    ok(cuts == 0, "what is cut off is refused (%zu not)", cuts);
    ok(others == 0 && refused > 0,
       "with a bit flipped it is refused, as %zu are, or as libzstd says "
       "(%zu not)",
       refused, others);
}

/* ---- whole files ---- */

static char message[300];
static uint64_t counted;
static bool is_helped; /* helpers have decoded a frame */

static void
write_file(size_t size)
{
    FILE *file = fopen("x.zst", "wb");

    if (file == NULL || fwrite(packed, 1, size, file) != size ||
        fclose(file) != 0)
        abort();
}

#define LEASES_MAX 40

/* Leases that are held at most; 0: none is taken. */
static unsigned int leases_held;
static bool feeds_device; /* of the budget */
static size_t leased_bytes;

/* What a chunk is leased. */
static struct lease lease[LEASES_MAX];
static size_t lease_at[LEASES_MAX]; /* in RESULT */

/* End lease I, whose bytes must still be there.  Returns how many they are. */
static size_t
end_lease(unsigned int i)
{
    size_t bytes = lease[i].bytes;

    if (bytes > 0 && memcmp(lease[i].data, result + lease_at[i], bytes) != 0)
        abort();
    lease_end(&lease[i]);
    return bytes;
}

/* Have up to ROOM bytes leased as lease I.  Returns how many, or -1. */
static ssize_t
read_leased(struct decoder *decoder, unsigned int i, size_t room)
{
    size_t front = noise() % 4 == 0 ? noise() % 70000 : noise() % 100;

    if (front > result_size)
        front = result_size;
    (void)end_lease(i);
    if (decoder_lease(decoder, result + result_size - front, front, room,
                      &lease[i]) < 0)
        return -1;
    if (lease[i].bytes == 0)
        return 0;
    if (memcmp(lease[i].data - front, result + result_size - front, front) != 0)
        abort();
    lease_at[i] = result_size;
    memcpy(result + result_size, lease[i].data, lease[i].bytes);
    leased_bytes += lease[i].bytes;
    return (ssize_t)lease[i].bytes;
}

/* Read the file by HELPERS and STEP bytes at a time.  Returns 0, or -1. */
static int
read_file(unsigned int helpers, size_t step, uint64_t budget_bytes)
{
    static const struct zstd_ahead_sizes sizes = {.long_bytes = 20,
                                                  .helper_bytes = 1};
    struct source source = {.path = "x.zst", .display_name = "x.zst"};
    struct decoder *spare = NULL;
    struct budget budget;
    struct progress progress;
    unsigned int turn = 0;
    ssize_t got;

    budget_open(&budget, budget_bytes);
    budget_return_helpers(&budget, helpers);
    budget.guessers = helpers;
    budget.feeds_device = feeds_device;
    progress_open(&progress);
    if (source_open(&source, &progress, NULL) < 0)
        abort();
    struct decoder *decoder =
        decoder_open(&zstd_stream_type, &source, &budget, &spare);
    if (decoder == NULL)
        abort();
    zstd_stream_set_sizes(decoder, &sizes);
    result_size = 0;
    do {
        size_t room = sizeof result - result_size;
        if (room > step)
            room = step;
        got = leases_held > 0 && room > 0
                  ? read_leased(decoder, turn++ % leases_held, room)
                  : 0;
        if (got == 0)
            got = decoder_read(decoder, result + result_size, room);
        if (got > 0)
            result_size += (size_t)got;
    } while (got > 0);
    snprintf(message, sizeof message, "%s", got < 0 ? source.error.text : "");
    counted = atomic_load(&progress.read_bytes);
    is_helped = atomic_load(&progress.helped_frames) > 0;
    /* Leases outlast the decoder. */
    for (unsigned int i = 0; i < leases_held / 2; i++)
        (void)end_lease(i);
    decoder_close(decoder);
    for (unsigned int i = leases_held / 2; i < leases_held; i++)
        (void)end_lease(i);
    if (budget.left != budget_bytes || budget.helpers != helpers)
        abort();
    budget_close(&budget);
    source_close(&source);
    error_clear(&source.error);
    return got < 0 ? -1 : 0;
}

#define BUDGET ((uint64_t)300 << 20)

static void
test_files(void)
{
    static const size_t steps[] = {1000, 131072, 131073, 1000000, SIZE_MAX};

    for (int kind = 0; kind < KINDS; kind++) {
        unsigned int wrong = 0;
        unsigned int alone = 0;
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            if (!has_turn(4))
                continue;
            make((enum kind)kind, 1300000);
            struct shape shape = {.level = 1 + (int)(i * 2),
                                  .has_checksum = true,
                                  .flush = i == 1 ? 3000 : 0};
            packed_size = 0;
            pack(&shape);
            write_file(packed_size);
            for (unsigned int helpers = 1; helpers < 8; helpers += 3) {
                wrong += read_file(helpers, steps[i], BUDGET) < 0 ||
                         !is_same() || counted != packed_size;
                alone += !is_helped;
            }
        }
        ok(wrong == 0 && alone == 0, "%s: files (%u wrong, %u without helpers)",
           kind_names[kind], wrong, alone);
    }
}

/* Content is leased as far as leases are not held too long.  It fills more than
   one slot of the window. */
static void
test_leases(void)
{
    unsigned int wrong = 0;

    make(KIND_MIXED, CONTENT_MAX - 100000);
    struct shape shape = {.level = 3, .window_log = 16, .has_checksum = true};
    packed_size = 0;
    pack(&shape);
    write_file(packed_size);
    for (leases_held = 1; leases_held <= LEASES_MAX; leases_held *= 3) {
        leased_bytes = 0;
        wrong += read_file(3, 90000, BUDGET) < 0 || !is_same() || !is_helped ||
                 counted != packed_size || leased_bytes == 0;
        wrong += read_file(1, 300000, BUDGET) < 0 || !is_same();
    }
    ok(wrong == 0, "content is lent (%u wrong)", wrong);
    leases_held = 5;
    leased_bytes = 0;
    feeds_device = true;
    ok(read_file(3, 90000, BUDGET) == 0 && is_same() && is_helped &&
           leased_bytes == 0,
       "... but copied for a device");
    feeds_device = false;
    test_files();
    leases_held = 0;
}

/* Frames of all kinds behind each other. */
static void
test_frames(void)
{
    static unsigned char all[CONTENT_MAX];
    size_t all_size = 0;
    unsigned int wrong = 0;

    packed_size = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        make((enum kind)kind, kind == 2 ? 0 : 200000);
        memcpy(all + all_size, content, content_size);
        all_size += content_size;
        struct shape shape = {.level = 3, .has_checksum = kind % 2 == 0};
        pack(&shape);
        memcpy(packed + packed_size, "\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
        packed_size += 11;
    }
    write_file(packed_size);
    memcpy(content, all, all_size);
    content_size = all_size;
    for (unsigned int helpers = 0; helpers < 16; helpers += 3)
        wrong += read_file(helpers, 70000, BUDGET) < 0 || !is_same() ||
                 counted != packed_size;
    ok(wrong == 0, "frames behind each other (%u wrong)", wrong);
}

/* Damaged files: what helpers deliver and what libzstd says are the same as
   without helpers. */
static void
test_damaged_files(void)
{
    unsigned int wrong = 0;
    unsigned int refused = 0;

    make(KIND_MIXED, 900000);
    struct shape shape = {.level = 5, .has_checksum = true};
    packed_size = 0;
    pack(&shape);
    for (int i = 0; i < (IS_INSTRUMENTED ? 20 : 100); i++) {
        char wanted[sizeof message];
        size_t at = noise() % packed_size;
        bool is_cut = i % 5 == 0;
        unsigned char bit = (unsigned char)(1 << noise() % 8);
        packed[at] ^= is_cut ? 0 : bit;
        write_file(is_cut ? at : packed_size);
        int expected = read_file(0, 50000, BUDGET);
        memcpy(wanted, message, sizeof wanted);
        wrong += read_file(3, 50000, BUDGET) != expected ||
                 strcmp(message, wanted) != 0 || (expected == 0 && !is_same());
        refused += expected < 0;
        packed[at] ^= is_cut ? 0 : bit;
    }
    ok(wrong == 0 && refused > 0,
       "damaged files: %u refused, with the same messages (%u not)", refused,
       wrong);
}

static void
test_budget(void)
{
    make(KIND_TEXT, 1000000);
    struct shape shape = {.level = 3, .window_log = 20, .has_checksum = true};
    packed_size = 0;
    pack(&shape);
    write_file(packed_size);
    ok(read_file(3, 50000, (uint64_t)8 << 20) == 0 && is_same() && !is_helped,
       "without memory for helpers");
    ok(read_file(3, 50000, (uint64_t)20 << 20) == 0 && is_same() && is_helped,
       "with memory for some");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    scratch_open();
    test_levels();
    test_shapes();
    test_damage();
    test_leases();
    test_files();
    test_frames();
    test_damaged_files();
    /* The order of bytes is the same in what is lent. */
    if (!IS_EMULATED) {
        leases_held = 5;
        test_frames();
        test_damaged_files();
        leases_held = 0;
    }
    test_budget();
    return done_testing();
}

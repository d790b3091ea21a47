/* SPDX-License-Identifier: MIT */
/*
 * test_zstd_offload.c -- zstd files that a device decodes
 *
 * A driver that decodes on the CPU stands in for the device.  Whatever it does,
 * content, messages and the bytes that are counted as read are those of libzstd
 * alone.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../memory_file.h"
#include "../noise.h"
#include "../tap.h"
#include "../zstd_standin.h"
#include "input/decode/zstd/zstd_batch.h"
#include "input/decode/zstd/zstd_stream.h"
#include "input/device/decoding_devices.h"

#define WATCHDOG_SECONDS 300
#define CONTENT_MAX ((size_t)6 << 20)
#define COUNT(table) (sizeof(table) / sizeof *(table))

#include "../zstd_samples.h"

#define BUDGET ((uint64_t)300 << 20)
#define MIB ((uint32_t)1 << 20)

static unsigned char result[CONTENT_MAX + 100];
static size_t result_size;
static char message[300];
static uint64_t counted;
static uint64_t device_frames;
static uint64_t device_bytes;
static uint64_t started_bytes;
static uint64_t refused_frames;
static bool was_lost;
static uint64_t leased_bytes;   /* of the content ... */
static unsigned int leased_bad; /* ... and leases whose bytes were not kept */
static bool has_waited;         /* ... until the device was free */
static size_t frame_at[1000];   /* where FRAMES start */
static size_t frames;

/* How a file is read. */
struct how {
    struct decoding_sizes sizes;
    unsigned int helpers;
    size_t step;
    off_t pause;         /* pause at each of these bytes; 0: never */
    unsigned int leases; /* leases to hold at once, up to HELD; 0: none */
    bool keeps;          /* ... and after the end, too */
    enum standin_fault fault;
    uint64_t at;
    double timeout;
    double patience;
    struct decoding_devices *devices; /* one that is open; or NULL */
    size_t start_at; /* the device starts, or is free, after so much content */
    bool asks;       /* who decodes all, at START_AT */
    bool waits;      /* before all content, for DEVICE, which is free later */
    off_t least;     /* bytes of a file for the device */
    off_t tail;      /* of a file, for a device to go on; 0: 1 byte */
    uint64_t budget; /* bytes; 0: BUDGET */
};

/* Sizes for which batches are small. */
static struct decoding_sizes
small_sizes(uint32_t most, uint32_t blocks)
{
    struct decoding_sizes sizes = zstd_batch_least;

    sizes.content = most;
    sizes.literals = most;
    sizes.sequences = most / 2;
    sizes.packed *= 2;
    sizes.blocks = blocks;
    sizes.history = 2 * MIB;
    sizes.slots = blocks % 2 == 0 ? DECODING_BATCHES : DECODING_BATCHES_LEAST;
    return sizes;
}

/* Let hanging calls return; a device that was lost is left behind otherwise. */
static void
standin_awake(bool is_awake)
{
    pthread_mutex_lock(&standins.lock);
    standins.is_awake = is_awake;
    pthread_cond_broadcast(&standins.awakes);
    pthread_mutex_unlock(&standins.lock);
}

/* Leases that have not ended, and what they lease. */
#define HELD 40
static struct lease held[HELD];
static size_t held_at[HELD]; /* in RESULT */
static unsigned int held_count;

/* End a lease: until then nothing that it leases has changed. */
static void
end_one(void)
{
    unsigned int i = (unsigned int)(noise() % held_count);
    struct lease *lease = &held[i];

    leased_bad += memcmp(lease->data, result + held_at[i], lease->bytes) != 0;
    lease_end(lease);
    leased_bad += lease->data != NULL;
    held_count--;
    held[i] = held[held_count];
    held_at[i] = held_at[held_count];
}

/* Returns how much of the result is to be in front of what is leased next. */
static size_t
choose_front(void)
{
    size_t front = noise() % 4 == 0 ? 0 : noise() % 4000;

    if (noise() % 20 == 0)
        front = LEASE_FRONT_BYTES + noise() % 2;
    return front < result_size ? front : result_size;
}

/* Add up to ROOM bytes to the result.  Returns as decoder_read(), or 0: nothing
   is leased. */
static ssize_t
take_lease(struct decoder *decoder, size_t room, unsigned int most)
{
    static unsigned char copy[LEASE_FRONT_BYTES + 1];
    size_t front = choose_front();
    bool is_other = front > 0 && noise() % 30 == 0;
    struct lease lease = {.data = NULL};

    memcpy(copy, result + result_size - front, front);
    /* What is not the content before may be in front of a batch only. */
    copy[front > 0 ? front - 1 : 0] ^= is_other;
    if (decoder_lease(decoder, copy, front, room, &lease) < 0)
        return -1;
    if (lease.bytes == 0)
        return 0;
    leased_bad +=
        lease.bytes > room || memcmp(lease.data - front, copy, front) != 0;
    memcpy(result + result_size, lease.data, lease.bytes);
    leased_bytes += lease.bytes;
    if (held_count == most)
        end_one();
    held[held_count] = lease;
    held_at[held_count++] = result_size;
    return (ssize_t)lease.bytes;
}

static void
standin_hold(bool is_held)
{
    pthread_mutex_lock(&standins.lock);
    standins.is_held = is_held;
    pthread_cond_broadcast(&standins.awakes);
    pthread_mutex_unlock(&standins.lock);
}

/* Let a device start that does not, or give one back that is taken. */
static void
let_start(struct decoding_devices *devices, const struct how *how)
{
    standin_hold(false);
    if (how->devices != NULL)
        decoding_belt_give(&how->devices->device[0]->belt[0]);
    /* However patient owners are. */
    pthread_mutex_lock(&devices->lock);
    while (devices->device[0]->state == DECODING_DEVICE_STARTING)
        decoding_belt_wait(&devices->device[0]->belt[0]);
    pthread_mutex_unlock(&devices->lock);
}

/* Read all of the content, pausing where HOW says so.  Returns 0, or -1. */
static int
read_all(struct decoder *decoder, const struct how *how)
{
    bool is_early = how->start_at > 0;
    ssize_t got;

    result_size = 0;
    leased_bytes = 0;
    leased_bad = 0;
    if (how->pause > 0)
        decoder->pause_at = how->pause;
    if (how->waits) {
        has_waited = decoder_wants_remainder(decoder) &&
                     decoder_take_remainder(decoder) == DECODER_REMAINDER_BUSY;
        let_start(how->devices, how);
        has_waited &=
            decoder_take_remainder(decoder) == DECODER_REMAINDER_TAKEN;
        is_early = false;
    }
    do {
        size_t room = sizeof result - result_size;
        if (is_early && result_size >= how->start_at) {
            let_start(decoder->budget->devices, how);
            is_early = false;
            /* A reader may ask later than its decoder has started. */
            if (how->asks)
                (void)(decoder_wants_remainder(decoder) &&
                       decoder_take_remainder(decoder) ==
                           DECODER_REMAINDER_TAKEN);
        }
        if (how->step > 0 && room > how->step)
            room = how->step;
        got = how->leases > 0 && room > 0
                  ? take_lease(decoder, room, how->leases)
                  : 0;
        if (got == 0)
            got = decoder_read(decoder, result + result_size, room);
        if (got > 0)
            result_size += (size_t)got;
        if (decoder->is_paused) {
            decoder->pause_at += how->pause;
            decoder->is_paused = false;
            got = got == 0 ? 1 : got;
        }
    } while (got > 0);
    return got < 0 ? -1 : 0;
}

static struct decoding_devices *
open_device(const struct how *how)
{
    const struct decoding_devices_use use = {.content = MIB,
                                             .timeout = how->timeout,
                                             .patience = how->patience,
                                             .file_bytes_min = how->least};
    struct error error = ERROR_NONE;
    struct decoding_devices *devices = decoding_devices_open(
        &(struct decoding_driver *){standin_new(how->fault, how->at)}, 1,
        &how->sizes, &use, &error);

    if (devices == NULL)
        abort();
    return devices;
}

static void
close_device(struct decoding_devices *devices)
{
    was_lost = !decoding_devices_close(devices);
    if (!was_lost)
        return;
    /* The program would end without this. */
    standin_hold(false);
    standin_awake(true);
    for (int i = 0; i < DECODING_CALLS; i++)
        pthread_join(devices->device[0]->caller[i].thread, NULL);
    standin_awake(false);
    devices->device[0]->driver->type->close(devices->device[0]->driver);
    error_clear(&devices->device[0]->error);
    free(devices->device[0]);
    free(devices);
}

/* Read the file with a device, or without if HOW is NULL.  Returns 0, or -1. */
static int
read_file(const struct how *how)
{
    const struct zstd_ahead_sizes helped = {
        .long_bytes = 20,
        .helper_bytes = 1,
        .remainder_bytes = how != NULL && how->tail > 0 ? how->tail : 1};
    static const struct how alone = {.step = 0};
    struct source source = {.path = memory_file.path, .display_name = "x.zst"};
    struct decoder *spare = NULL;
    struct decoding_devices *devices = NULL;
    struct budget budget;
    struct progress progress;

    uint64_t bytes = how != NULL && how->budget > 0 ? how->budget : BUDGET;
    budget_open(&budget, bytes);
    progress_open(&progress);
    bool is_own = how != NULL && how->devices == NULL;
    if (how != NULL) {
        devices = how->devices;
        standin_hold(how->start_at > 0);
    }
    if (is_own) {
        devices = open_device(how);
        if (how->start_at == 0)
            (void)decoding_devices_await_start(devices, NULL);
    } else if (devices != NULL && how->start_at > 0 &&
               decoding_devices_take(devices) == NULL) {
        abort();
    }
    if (how != NULL) {
        budget.devices = devices;
        budget_return_helpers(&budget, how->helpers);
        budget.guessers = how->helpers;
    }
    if (source_open(&source, &progress, NULL) < 0)
        abort();
    struct decoder *decoder =
        decoder_open(&zstd_stream_type, &source, &budget, &spare);
    if (decoder == NULL)
        abort();
    zstd_stream_set_sizes(decoder, &helped);
    int failed = read_all(decoder, how != NULL ? how : &alone);
    snprintf(message, sizeof message, "%s", failed ? source.error.text : "");
    counted = atomic_load(&progress.read_bytes);
    device_frames = atomic_load(&progress.device_frames);
    device_bytes = atomic_load(&progress.device_bytes);
    started_bytes = atomic_load(&progress.started_bytes);
    refused_frames = atomic_load(&progress.refused_frames);
    decoder_close(decoder);
    while (held_count > 0 && !(how != NULL && how->keeps))
        end_one();
    was_lost = false;
    if (budget.left != bytes ||
        budget.helpers != (how != NULL ? how->helpers : 0) ||
        (devices != NULL && devices->device[0]->belt[0].is_taken))
        abort();
    if (is_own)
        close_device(devices);
    budget_close(&budget);
    source_close(&source);
    error_clear(&source.error);
    return failed;
}

static bool
is_same(void)
{
    return result_size == content_size && leased_bad == 0 &&
           memcmp(result, content, content_size) == 0;
}

/* ---- tests ---- */

/* Batches of one block, of a few, and of all, with helpers and without. */
static void
test_files(void)
{
    static const size_t steps[] = {777, 131072, 131073, 1000000, SIZE_MAX};
    static const unsigned int leases[] = {0, 1, HELD, 4};

    for (int kind = 0; kind < KINDS; kind++) {
        unsigned int wrong = 0;
        unsigned int alone = 0;
        unsigned int copied = 0;
        for (int level = -5; level <= 22; level += 6) {
            if (!has_turn(IS_INSTRUMENTED ? 7 : 3))
                continue;
            make((enum kind)kind, level > 12 ? 400000 : 1300000);
            struct shape shape = {.level = level,
                                  .has_checksum = level % 2 == 0,
                                  .is_unsized = level % 5 == 0,
                                  .window_log = level % 4 == 0 ? 17 : 20,
                                  .flush = level % 4 == 1 ? 3000 : 0};
            packed_size = 0;
            pack(&shape);
            memory_file_write(packed, packed_size);
            for (unsigned int i = 0; i < 4; i += IS_INSTRUMENTED ? 3 : 1) {
                struct how how = {
                    .sizes = small_sizes(i < 2 ? ZSTD_BLOCK_MAX : 2 * MIB,
                                         i == 0 ? 1 : 64),
                    .helpers = i % 4 * 2,
                    .step = steps[(unsigned int)(level + 5) % 5],
                    .leases =
                        leases[((unsigned int)level + 5 + i) % COUNT(leases)]};
                wrong +=
                    read_file(&how) < 0 || !is_same() || counted != packed_size;
                /* What is first is copied. */
                copied += how.leases == 1 && how.step < content_size / 4 &&
                          leased_bytes < content_size / 4;
                alone += device_frames != 1 || device_bytes != content_size ||
                         refused_frames != 0;
            }
        }
        ok(wrong == 0 && alone == 0 && copied == 0,
           "%s: files (%u wrong, %u not by the device, %u not lent)",
           kind_names[kind], wrong, alone, copied);
    }
}

/* Frames of all kinds behind each other, with some to skip, to *COUNT.  Returns
   the content, which the caller frees. */
static void
make_frames(unsigned int *count, unsigned int rounds)
{
    static unsigned char all[CONTENT_MAX];
    size_t all_size = 0;

    packed_size = 0;
    *count = 0;
    for (unsigned int i = 0; i < rounds * KINDS; i++) {
        enum kind kind = (enum kind)(i % KINDS);
        make(kind, i % 7 == 2 ? 0 : i % 5 == 0 ? 150000 : noise() % 5000);
        memcpy(all + all_size, content, content_size);
        all_size += content_size;
        struct shape shape = {
            .level = 3, .has_checksum = i % 2 == 0, .is_unsized = i % 3 == 0};
        pack(&shape);
        ++*count;
        if (i % 3 == 0) {
            memcpy(packed + packed_size, "\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
            packed_size += 11;
        }
    }
    memcpy(content, all, all_size);
    content_size = all_size;
}

static void
test_frames(void)
{
    unsigned int wrong = 0;
    unsigned int alone = 0;
    unsigned int count;

    make_frames(&count, 6);
    memory_file_write(packed, packed_size);
    for (unsigned int i = 0; i < 8; i += IS_INSTRUMENTED ? 3 : 1) {
        struct how how = {.sizes = small_sizes(i < 4 ? 2 * MIB : ZSTD_BLOCK_MAX,
                                               i % 4 == 0 ? 3 : 100),
                          .helpers = i % 4,
                          .step = 70000,
                          .leases = i * 5};
        wrong += read_file(&how) < 0 || !is_same() || counted != packed_size;
        alone += device_frames != count;
    }
    ok(wrong == 0 && alone == 0,
       "frames behind each other (%u wrong, %u not by the device)", wrong,
       alone);

    wrong = 0;
    alone = 0;
    for (unsigned int i = 1; i < 5; i++) {
        struct how how = {.sizes = small_sizes(2 * MIB, 100),
                          .helpers = i % 4,
                          .step = 7000,
                          .leases = i * 9,
                          .pause = 3000 * (off_t)i};
        wrong += read_file(&how) < 0 || !is_same() || counted != packed_size;
        alone += device_frames == 0;
    }
    ok(wrong == 0 && alone == 0, "... with pauses (%u wrong, %u without it)",
       wrong, alone);
}

/* A long part to skip, of which nothing is read. */
static void
test_skipped(void)
{
    unsigned int wrong = 0;

    make(KIND_TEXT, 1000);
    struct shape shape = {.level = 3};
    packed_size = 0;
    pack(&shape);
    memcpy(packed + packed_size, "\x51\x2a\x4d\x18\0\0\x30\0", 8);
    packed_size += 8 + 0x300000;
    pack(&shape);
    memcpy(content + content_size, content, content_size);
    content_size *= 2;
    for (unsigned int helpers = 0; helpers < 3; helpers++) {
        struct how how = {.sizes = small_sizes(MIB, 64), .helpers = helpers};
        memory_file_write(packed, packed_size);
        wrong += read_file(&how) < 0 || !is_same() || counted != packed_size ||
                 device_frames != 2;
    }
    ok(wrong == 0, "a long part to skip (%u wrong)", wrong);
}

/*
 * What helpers read ahead, for a walk that jumps over a part to skip, that ends
 * earlier than expected, or that needs more.
 */
static void
test_reads(void)
{
    static const uint32_t skipped[] = {100, 700000, 0x200000};
    static unsigned char all[CONTENT_MAX];
    struct shape shape = {.level = 1, .has_checksum = true};
    unsigned int wrong = 0;
    unsigned int alone = 0;

    for (unsigned int round = 0; round < 12; round++) {
        if (!has_turn(5))
            continue;
        size_t all_size = 0;
        packed_size = 0;
        for (unsigned int i = 0; i < 4; i++) {
            make((i + round) % 3 == 0 ? KIND_TEXT : KIND_NOISE, 1000000);
            memcpy(all + all_size, content, content_size);
            all_size += content_size;
            pack(&shape);
            if (i != round % 4)
                continue;
            uint32_t size = skipped[round % 3];
            memcpy(packed + packed_size, "\x51\x2a\x4d\x18", 4);
            for (int byte = 0; byte < 4; byte++)
                packed[packed_size + 4 + (size_t)byte] =
                    (unsigned char)(size >> 8 * byte);
            packed_size += 8 + size;
        }
        memcpy(content, all, all_size);
        content_size = all_size;
        memory_file_write(packed, packed_size);
        struct how how = {.sizes = small_sizes(3 * MIB, 64),
                          .helpers = round / 3,
                          .leases = 3,
                          .step = 200000};
        how.sizes.packed = 8 * MIB;
        wrong += read_file(&how) < 0 || !is_same() || counted != packed_size;
        alone += device_frames != 4;
    }
    ok(wrong == 0 && alone == 0,
       "helpers that read ahead (%u wrong, %u not by the device)", wrong,
       alone);
}

/* A window that the device has no room for, between two that it has. */
static void
test_windows(void)
{
    static unsigned char all[CONTENT_MAX];
    size_t all_size = 0;

    packed_size = 0;
    for (int i = 0; i < 3; i++) {
        make(KIND_MIXED, 1500000);
        memcpy(all + all_size, content, content_size);
        all_size += content_size;
        struct shape shape = {.level = 3,
                              .window_log = i == 1 ? 22 : 18 + i,
                              .flush = 100000,
                              .is_unsized = true,
                              .has_checksum = true};
        pack(&shape);
    }
    memcpy(content, all, all_size);
    content_size = all_size;
    memory_file_write(packed, packed_size);
    struct how how = {.sizes = small_sizes(2 * MIB, 64), .helpers = 2};
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 2,
       "a window without room");
}

/*
 * Whether two messages may say that the same frame is wrong.  How libzstd says
 * what is wrong, and at which block it finds that, depends on the memory that it
 * has for content: on the frames before.  A frame whose last block is no longer
 * marked as such may go on to the end of the file.
 */
static bool
is_same_frame(const char *a, const char *b)
{
    const char *at_a = strstr(a, "at byte ");
    const char *at_b = strstr(b, "at byte ");
    size_t frame_a = 0;
    size_t frame_b = 0;

    if (strcmp(a, b) == 0)
        return true;
    if (at_a == NULL || at_b == NULL)
        return false;
    for (size_t i = 0; i < frames; i++) {
        frame_a += strtoul(at_a + 8, NULL, 10) >= frame_at[i];
        frame_b += strtoul(at_b + 8, NULL, 10) >= frame_at[i];
    }
    return frame_a == frame_b ||
           (strstr(a, "truncated") != NULL && frame_a > frame_b) ||
           (strstr(b, "truncated") != NULL && frame_b > frame_a);
}

struct agreement {
    unsigned int cases;
    unsigned int refused;
    unsigned int other; /* messages, for the same frame */
    unsigned int wrong;
};

/* Compare what a device makes of the file with what libzstd alone does. */
static void
compare(struct agreement *agreement, const struct how *how)
{
    static unsigned char wanted[CONTENT_MAX];
    char text[sizeof message];

    int expected = read_file(NULL);
    size_t wanted_size = result_size;
    uint64_t read = counted;
    memcpy(wanted, result, result_size);
    memcpy(text, message, sizeof text);
    agreement->cases++;
    agreement->refused += expected < 0;
    bool is_right = read_file(how) == expected && is_same_frame(message, text);
    agreement->other += strcmp(message, text) != 0;
    /* Of a file that is wrong nothing counts. */
    if (expected == 0)
        is_right &= result_size == wanted_size && counted == read &&
                    memcmp(result, wanted, wanted_size) == 0;
    agreement->wrong += !is_right || leased_bad > 0;
}

static void
put_agreement(const struct agreement *agreement, const char *what)
{
    ok(agreement->wrong == 0 && agreement->refused > 0 &&
           agreement->other <= agreement->refused / 20,
       "%u %s, %u of which are refused, %u in other words (%u wrong)",
       agreement->cases, what, agreement->refused, agreement->other,
       agreement->wrong);
}

/* Every flip and every truncation of small files. */
static void
test_damage(void)
{
    struct agreement small = {0};
    struct agreement large = {0};

    for (int variant = 0; variant < 6; variant++) {
        packed_size = 0;
        frames = 0;
        for (int i = 0; i < 3; i++) {
            frame_at[frames++] = packed_size;
            make((enum kind)((variant + i) % KINDS), 200 + noise() % 300);
            struct shape shape = {.level = 1 + variant * 4,
                                  .has_checksum = (variant + i) % 2 == 0,
                                  .is_unsized = i == 0,
                                  .flush = variant % 2 == 0 ? 100 : 0};
            pack(&shape);
        }
        struct how how = {.sizes = small_sizes(MIB, variant < 3 ? 2 : 64),
                          .helpers = (unsigned int)variant % 2,
                          .leases = (unsigned int)variant / 2 * 4};
        how.devices = open_device(&how);
        for (size_t size = 1; size < packed_size; size += 7) {
            if (!has_turn(20))
                continue;
            memory_file_write(packed, size);
            compare(&small, &how);
        }
        for (size_t bit = 0; bit < 8 * packed_size; bit++) {
            if (noise() % (is_expensive() ? 16 : 40) != 0 ||
                !has_turn(IS_INSTRUMENTED ? 31 : 10))
                continue;
            packed[bit / 8] ^= (unsigned char)(1 << bit % 8);
            memory_file_write(packed, packed_size);
            compare(&small, &how);
            packed[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        close_device(how.devices);
    }
    put_agreement(&small, "damaged small files");

    frames = 0;
    make(KIND_MIXED, 900000);
    struct shape shape = {.level = 5, .has_checksum = true};
    packed_size = 0;
    pack(&shape);
    struct how how = {
        .sizes = small_sizes(ZSTD_BLOCK_MAX, 2), .helpers = 2, .step = 50000};
    how.leases = 7;
    how.devices = open_device(&how);
    for (int i = 0; i < (IS_INSTRUMENTED ? 10 : 50); i++) {
        size_t at = noise() % packed_size;
        bool is_cut = i % 5 == 0;
        unsigned char bit = (unsigned char)(1 << noise() % 8);
        packed[at] ^= is_cut ? 0 : bit;
        memory_file_write(packed, is_cut ? at : packed_size);
        compare(&large, &how);
        packed[at] ^= is_cut ? 0 : bit;
    }
    close_device(how.devices);
    put_agreement(&large, "damaged long files");
}

/* How often all calls are tried until content is wrong: which call waits for it
   depends on what the device's threads do meanwhile. */
#define TURNS 8

static const struct {
    enum standin_fault fault;
    const char *name;
} faults[] = {{STANDIN_FAILS, "fails"},
              {STANDIN_HANGS, "hangs"},
              {STANDIN_LIES, "says wrong sizes"},
              {STANDIN_REFUSES, "refuses"},
              {STANDIN_FLIPS, "flips bits"}};

/* Whether a sanitizer that looks for races has seen what threads do then: what
   is wrong with content does not change that. */
static bool
is_no_race(size_t f)
{
    return LOOKS_FOR_RACES && faults[f].fault > STANDIN_HANGS;
}

/* Each call of the driver fails, or hangs, or lies. */
static void
test_faults(void)
{
    unsigned int count;

    make_frames(&count, 3);
    make(KIND_MIXED, 1000);
    make_frames(&count, 3);
    memory_file_write(packed, packed_size);
    for (size_t f = 0; f < COUNT(faults); f++) {
        if (faults[f].fault == STANDIN_FLIPS || is_no_race(f))
            continue; /* see test_flips() */
        unsigned int wrong = 0;
        unsigned int lost = 0;
        uint64_t fired = 0;
        uint64_t tries = 0;
        uint64_t at = 0;
        do {
            at += tries++ > 0 && IS_INSTRUMENTED ? 2 : 1;
            struct how how = {.sizes = small_sizes(MIB / 2, 64),
                              .helpers = (unsigned int)at % 3,
                              .step = 100000,
                              .leases = (unsigned int)at % 4 * 5,
                              .fault = faults[f].fault,
                              .at = at,
                              .timeout = IS_INSTRUMENTED ? 0.5 : 0.08};
            fired = standins.fired;
            wrong +=
                read_file(&how) < 0 || !is_same() || counted != packed_size;
            lost += was_lost;
        } while (standins.fired > fired);
        ok(wrong == 0 && at > 8 &&
               (faults[f].fault != STANDIN_HANGS || lost == tries - 1),
           "a device that %s, at %llu of %llu calls (%u wrong)", faults[f].name,
           (unsigned long long)tries - 1, (unsigned long long)at - 1, wrong);
    }
}

/* Nobody waits for ever for a device that does not start. */
static void
test_start(void)
{
    struct how how = {.sizes = small_sizes(MIB / 2, 64),
                      .fault = STANDIN_HANGS,
                      .at = 1,
                      .patience = 0.1};

    ok(read_file(&how) == 0 && is_same() && was_lost,
       "a device that does not start");
}

/* Content that is wrong, and of which some was taken, is no content. */
static void
test_flips(void)
{
    unsigned int silent = 0;
    unsigned int told = 0;

    make(KIND_TEXT, 1200000);
    struct shape shape = {.level = 3, .has_checksum = true};
    packed_size = 0;
    pack(&shape);
    memory_file_write(packed, packed_size);
    for (uint64_t n = 0; n < TURNS * 29 && (told == 0 || n % 29 > 0); n++) {
        uint64_t at = n % 29 + 1;
        struct how how = {.sizes = small_sizes(MIB / 2, 64),
                          .helpers = 2,
                          .step = 100000,
                          .leases = (unsigned int)at % 3,
                          .fault = STANDIN_FLIPS,
                          .at = at};
        uint64_t fired = standins.fired;
        int failed = read_file(&how);
        if (standins.fired == fired)
            continue;
        silent += failed == 0 && !is_same();
        told += failed < 0 && strstr(message, "wrongly") != NULL;
    }
    ok(silent == 0 && told > 0, "a device that flips bits is found out");
}

/* Wait until all slots have memory. */
static void
await_places(struct decoding_devices *devices)
{
    pthread_mutex_lock(&devices->lock);
    while (devices->device[0]->belt[0].opened < devices->sizes.slots)
        decoding_belt_wait(&devices->device[0]->belt[0]);
    pthread_mutex_unlock(&devices->lock);
}

/*
 * Leases of all slots but one outlast the file, its decoder, and files after
 * it: nobody waits for their end, and what they lease stays as it is.
 */
static void
test_kept(void)
{
    static unsigned char first[CONTENT_MAX];
    static struct lease kept[HELD];
    static size_t kept_at[HELD];
    struct how how = {.sizes = small_sizes(ZSTD_BLOCK_MAX, 8),
                      .step = ZSTD_BLOCK_MAX / 2,
                      .leases = HELD};
    struct shape shape = {.level = 3, .has_checksum = true};
    bool is_used[DECODING_BATCHES] = {false};
    unsigned int slots = 0;
    unsigned int wrong = 0;

    make(KIND_TEXT, 900000);
    packed_size = 0;
    pack(&shape);
    memory_file_write(packed, packed_size);
    how.devices = open_device(&how);
    await_places(how.devices);
    how.keeps = true;
    wrong += read_file(&how) < 0 || !is_same();
    unsigned int count = held_count;
    memcpy(first, result, result_size);
    memcpy(kept, held, sizeof held);
    memcpy(kept_at, held_at, sizeof held_at);
    held_count = 0;
    for (unsigned int i = 0; i < count; i++)
        is_used[kept[i].slot] = true;
    for (int i = 0; i < DECODING_BATCHES; i++)
        slots += is_used[i];
    ok(wrong == 0 && slots == DECODING_BATCHES - 1,
       "%u leases in %u slots outlast their file", count, slots);

    how.keeps = false;
    for (unsigned int i = 0; i < 4; i++) {
        make((enum kind)(i % KINDS), 700000);
        packed_size = 0;
        pack(&shape);
        memory_file_write(packed, packed_size);
        how.helpers = i;
        wrong += read_file(&how) < 0 || !is_same() || device_frames != 1 ||
                 leased_bytes > 0;
    }
    ok(wrong == 0, "... and the next files are copied by the device");
    for (unsigned int i = 0; i < count; i++) {
        wrong += memcmp(kept[i].data, first + kept_at[i], kept[i].bytes) != 0;
        lease_end(&kept[i]);
    }
    ok(wrong == 0, "... and what is lent is as it was");
    wrong += read_file(&how) < 0 || !is_same() || leased_bytes == 0;
    ok(wrong == 0, "... and then the next file is lent");
    close_device(how.devices);
}

/* A frame of KIND in many blocks, one for each FLUSH bytes. */
static void
make_blocks(enum kind kind, size_t size, size_t flush, bool has_checksum)
{
    struct shape shape = {.level = 3 + (int)(flush % 7) * 2,
                          .has_checksum = has_checksum,
                          .is_unsized = flush % 2 == 0,
                          .window_log = 18 + (int)(flush % 3),
                          .flush = flush};

    make(kind, size);
    packed_size = 0;
    pack(&shape);
    memory_file_write(packed, packed_size);
}

/* A device that starts in the middle of a frame goes on with it. */
static void
test_handover(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        unsigned int wrong = 0;
        unsigned int handed = 0;
        unsigned int cases = 0;
        for (unsigned int i = 0; i < 6; i++) {
            size_t flush = 777 * (i + 1) + i % 3;
            if (!has_turn(IS_INSTRUMENTED ? 11 : 5))
                continue;
            bool has_checksum = i % 3 != 0;
            make_blocks((enum kind)kind, 900000, flush, has_checksum);
            size_t step = (is_expensive() ? 61 : 251) * flush;
            for (size_t at = 1; at < content_size; at += step) {
                struct how how = {
                    .sizes = small_sizes(i % 2 == 0 ? 2 * MIB : 3 * MIB / 2,
                                         i % 2 == 0 ? 100 : 4000),
                    .helpers = 1 + (unsigned int)(at / flush) % 3,
                    .step = 5000,
                    /* Helpers do not start without a checksum before. */
                    .patience = has_checksum ? 0 : 0.02,
                    .start_at = at};
                wrong += read_file(&how) < 0 || !is_same() ||
                         counted != packed_size || refused_frames != 0;
                wrong += device_frames > 0 &&
                         device_bytes + started_bytes != content_size;
                handed += started_bytes >= at && started_bytes < content_size;
                cases++;
            }
        }
        ok(wrong == 0 && handed >= cases / 2,
           "%s: handed over, %u of %u (%u wrong)", kind_names[kind], handed,
           cases, wrong);
    }
}

/* Content goes round the memory of the helpers before the device starts. */
static void
test_handover_window(void)
{
    unsigned int wrong = 0;
    unsigned int handed = 0;

    make_blocks(KIND_FAR, 5000000, 9000, true); /* a window of 256 KiB */
    for (unsigned int i = 0; i < 24; i++) {
        if (!has_turn(6))
            continue;
        struct how how = {.sizes = small_sizes(2 * MIB, 100),
                          .helpers = 1,
                          .step = 30000,
                          .start_at = 1000000 + 97000 * i};
        wrong += read_file(&how) < 0 || !is_same() || refused_frames != 0;
        handed += started_bytes > 0;
    }
    ok(wrong == 0 && handed > 2, "a window from two laps (%u wrong, %u)", wrong,
       handed);
}

/* The device is free when somebody else has decoded a frame; or its start is
   over in one of many frames. */
static void
test_handover_later(void)
{
    unsigned int wrong = 0;
    unsigned int handed = 0;
    unsigned int count;
    const unsigned int times = IS_INSTRUMENTED ? 6 : 20;
    struct how how = {.sizes = small_sizes(2 * MIB, 100), .step = 5000};

    make_blocks(KIND_MIXED, 1300000, 2000, true);
    how.devices = open_device(&how);
    if (!decoding_devices_await_start(how.devices, NULL))
        abort();
    for (unsigned int i = 0; i < times; i++) {
        how.helpers = 1 + i % 3;
        how.start_at = 1 + i * 40000;
        how.asks = i % 2 == 0;
        wrong += read_file(&how) < 0 || !is_same() || counted != packed_size;
        handed += started_bytes > 0;
    }
    close_device(how.devices);
    ok(wrong == 0 && handed > times / 4 * 3,
       "a device that was not free (%u wrong, %u)", wrong, handed);

    make_frames(&count, 6);
    memory_file_write(packed, packed_size);
    wrong = 0;
    handed = 0;
    for (unsigned int i = 0; i < times; i++) {
        how = (struct how){.sizes = small_sizes(2 * MIB, 100),
                           .helpers = 1 + i % 3,
                           .step = 7000,
                           .pause = i % 4 == 0 ? 50000 : 0,
                           .patience = 0.02, /* for short frames */
                           .start_at = 1 + i * 30000};
        wrong += read_file(&how) < 0 || !is_same() || counted != packed_size;
        handed += device_frames > 0 && device_frames < count;
    }
    ok(wrong == 0 && handed > times / 4 * 3,
       "frames, some by the device (%u wrong, %u)", wrong, handed);
}

static void *
release_later(void *unused)
{
    bool is_held = false;

    while (!is_held) {
        usleep(1000);
        pthread_mutex_lock(&standins.lock);
        is_held = standins.is_held;
        pthread_mutex_unlock(&standins.lock);
    }
    usleep(100000);
    standin_hold(false);
    return unused;
}

/* A frame without a checksum waits for a device that is starting. */
static void
test_waiting(void)
{
    struct how how = {.sizes = small_sizes(2 * MIB, 100),
                      .helpers = 2,
                      .step = 5000,
                      .start_at = SIZE_MAX};
    pthread_t thread;

    make_blocks(KIND_MIXED, 1300000, 2000, false);
    standin_hold(false);
    if (pthread_create(&thread, NULL, release_later, NULL) != 0)
        abort();
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 1 && started_bytes == 0,
       "without a checksum, a frame waits for the device");
    pthread_join(thread, NULL);
}

/* What cannot be handed over the helpers decode to the end. */
static void
test_no_handover(void)
{
    struct how how = {.sizes = small_sizes(2 * MIB, 100),
                      .helpers = 2,
                      .step = 5000,
                      .start_at = SIZE_MAX};

    make_blocks(KIND_MIXED, 1300000, 2000, true);
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 0 && refused_frames == 0,
       "a device that starts too late");
    how.start_at = 400000;
    how.tail = (off_t)packed_size / 10 * 9;
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 0 && refused_frames == 0,
       "a rest that is too short");
    how.tail = 0;
    how.fault = STANDIN_FAILS;
    how.at = 1;
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 0 && refused_frames == 0,
       "a device that fails to start");
    how.fault = STANDIN_NONE;
    how.patience = 0.05;
    how.sizes.blocks = 3;
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 0 && refused_frames == 0,
       "a window without room in a batch");
    how.sizes.blocks = 100;
    how.sizes.history = 16;
    how.patience = 0;
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 0 && refused_frames == 0,
       "a window without room in the device, which nobody waits for");
    how.sizes.history = 2 * MIB;
    how.sizes.blocks = 100000;
    how.budget = (uint64_t)16 << 20;
    ok(read_file(&how) == 0 && is_same() && counted == packed_size &&
           device_frames == 0 && refused_frames == 1,
       "no memory to go on");
}

/* Files are wrong before the device goes on, or after that. */
static void
test_handover_damage(void)
{
    struct agreement agreement = {0};
    struct how how = {.sizes = small_sizes(2 * MIB, 100),
                      .helpers = 2,
                      .step = 20000,
                      .patience = 0.02}; /* if helpers do not start */

    for (int i = 0; i < (LOOKS_FOR_RACES ? 5 : IS_INSTRUMENTED ? 8 : 25); i++) {
        frames = 0;
        make_blocks(KIND_MIXED, 700000, 1001 + (size_t)i, i % 4 != 0);
        /* Checksums, sizes, ends, and bits. */
        size_t at = i % 6 == 0   ? packed_size - 1
                    : i % 6 == 1 ? 6
                                 : noise() % packed_size;
        packed[at] ^= (unsigned char)(1 << noise() % 8);
        memory_file_write(packed, i % 6 == 2 ? at : packed_size);
        how.start_at = 1 + noise() % 400000;
        compare(&agreement, &how);
    }
    put_agreement(&agreement, "damaged files, handed over");
}

/* Each call of a driver that goes on with a frame. */
static void
test_handover_faults(void)
{
    make_blocks(KIND_MIXED, 500000, 2000, true);
    for (size_t f = 0; f < COUNT(faults); f++) {
        if (is_no_race(f))
            continue;
        bool is_flip = faults[f].fault == STANDIN_FLIPS;
        unsigned int wrong = 0;
        uint64_t refused = 0;
        uint64_t fired = standins.fired;
        for (uint64_t n = 0; n < TURNS * 14 && (refused == 0 || n % 14 > 0);
             n += IS_INSTRUMENTED ? 2 : 1) {
            uint64_t at = n % 14 + 2;
            struct how how = {.sizes = small_sizes(MIB + MIB / 2, 100),
                              .helpers = 1 + (unsigned int)at % 3,
                              .step = 20000,
                              .fault = faults[f].fault,
                              .at = at,
                              .timeout = 0.08,
                              .start_at = 100000};
            int failed = read_file(&how);
            bool is_told = failed < 0 && strstr(message, "wrongly") != NULL;
            wrong += (failed < 0 || !is_same() || counted != packed_size) &&
                     !(is_flip && is_told);
            refused += refused_frames;
        }
        /* A device that is slow under a sanitizer is lost before. */
        fired = standins.fired - fired;
        ok(wrong == 0 && refused > 0 && (fired > 10 || IS_INSTRUMENTED),
           "handed over to a device that %s, %llu times (%u wrong)",
           faults[f].name, (unsigned long long)fired, wrong);
    }
}

/* Files wait for a device that is taken, if they are large enough for it. */
static void
test_files_wait(void)
{
    struct how how = {
        .sizes = small_sizes(2 * MIB, 100), .helpers = 2, .start_at = 1};
    unsigned int wrong = 0;
    unsigned int count;

    how.devices = open_device(&how);
    if (!decoding_devices_await_start(how.devices, NULL))
        abort();
    how.waits = true;
    for (unsigned int i = 0; i < 3; i++) {
        if (i == 0) {
            make_frames(&count, 2);
            memory_file_write(packed, packed_size);
        } else {
            make_blocks(KIND_MIXED, 300000, 2000, i == 1);
            count = 1;
        }
        wrong += read_file(&how) < 0 || !is_same() || !has_waited ||
                 device_frames != count || started_bytes > 0;
    }
    close_device(how.devices);
    ok(wrong == 0, "files of short and long frames wait for a device");

    how = (struct how){.sizes = small_sizes(2 * MIB, 100), .helpers = 2};
    how.least = (off_t)packed_size;
    ok(read_file(&how) == 0 && is_same() && device_frames == 1,
       "a file that is just large enough for it");
    how.least++;
    ok(read_file(&how) == 0 && is_same() && device_frames == 0,
       "... and one that is not");
}

/* Two decoders, of which one has the device. */
static void
test_two(void)
{
    struct decoding_sizes sizes = small_sizes(2 * MIB, 64);
    const struct decoding_devices_use use = {.content = MIB, .timeout = 1};
    struct error error = ERROR_NONE;
    struct decoding_devices *devices = decoding_devices_open(
        &(struct decoding_driver *){standin_new(STANDIN_NONE, 0)}, 1, &sizes,
        &use, &error);

    if (devices == NULL || !decoding_devices_await_start(devices, NULL))
        abort();
    struct decoding_belt *belt = decoding_devices_take(devices);
    ok(belt != NULL && decoding_devices_take(devices) == NULL,
       "one decoder has the belt");
    decoding_belt_drop(belt);
    decoding_belt_give(belt);
    ok(decoding_devices_take(devices) == belt, "... and then another one");
    decoding_belt_give(belt);
    ok(decoding_devices_close(devices) && standins.opened == 0,
       "all is closed");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    test_files();
    test_frames();
    test_skipped();
    test_reads();
    test_windows();
    test_damage();
    test_faults();
    test_start();
    if (!LOOKS_FOR_RACES)
        test_flips();
    test_kept();
    test_two();
    test_files_wait();
    test_handover();
    test_handover_window();
    test_handover_later();
    test_waiting();
    test_no_handover();
    test_handover_damage();
    test_handover_faults();
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/*
 * test_bgzf_offload.c -- BGZF files that a device decodes
 *
 * A driver that decodes by zlib stands in for the device.  Whatever it does,
 * content, messages and the bytes that are counted as read are those of the
 * library alone.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../deflate_samples.h"
#include "../inflate_standin.h"
#include "../memory_file.h"
#include "../noise.h"
#include "../tap.h"
#include "input/decode/gzip/bgzf_batch.h"
#include "input/decode/gzip/gzip_stream.h"
#include "input/decode/gzip/gzip_walk.h"
#include "input/device/decoding_devices.h"

#define WATCHDOG_SECONDS 300
#define FILE_MAX ((size_t)4 << 20)
#define CONTENT_MAX ((size_t)4 << 20)
#define BLOCKS_MAX 1000
#define BUDGET ((uint64_t)100 << 20)
#define KIB (uint32_t)1024
#define HELD 8

/* A file, and what it has. */
static unsigned char file[FILE_MAX];
static size_t file_size;
static size_t block_at[BLOCKS_MAX];
static size_t content_at[BLOCKS_MAX + 1]; /* of each block, and the end */
static size_t blocks;

/* What is read of a file. */
struct reading {
    unsigned char content[CONTENT_MAX];
    size_t size;
    int result;
    char message[300];
    uint64_t counted;
    bool lacks_end;
    uint64_t device_blocks;
};

static struct reading alone;
static struct reading other;
static unsigned int leased_bad;   /* leases whose bytes were not kept */
static unsigned int sketched_bad; /* sketches of other content */
static uint64_t sketched_bytes;
static unsigned int passed_bad; /* pauses that were passed */
static uint64_t leased_bytes;

/* How a file is read. */
struct how {
    struct decoding_sizes sizes;
    unsigned int helpers;
    size_t step;
    off_t pause;         /* pause at each of these bytes; 0: never */
    bool is_late;        /* ... but not before some content has been read */
    unsigned int leases; /* leases to hold at once, up to HELD; 0: none */
    enum standin_fault fault;
    uint64_t at;
    double timeout;
};

/* ---- files ---- */

static void
put(const void *data, size_t size)
{
    if (size > sizeof file - file_size)
        abort();
    memcpy(file + file_size, data, size);
    file_size += size;
}

/* Add a block of SIZE bytes of KIND, with more extra fields if HAS_MORE. */
static void
put_block(enum deflate_kind kind, size_t size, bool has_more)
{
    static unsigned char bytes[INFLATE_CONTENT_MAX];
    static unsigned char packed[INFLATE_PACKED_MAX];
    struct deflate_sample sample = {bytes, 0, sizeof bytes};
    const struct deflate_shape shape = {.level = (int)(noise() % 10),
                                        .memory = 8};
    static const unsigned char more[] = {'X', 'Y', 3, 0, 1, 2, 3};
    const size_t extra = 6 + (has_more ? sizeof more : 0);
    size_t packed_size;

    deflate_sample_make(&sample, kind, size);
    while ((packed_size =
                deflate_sample_pack(&sample, &shape, packed, 65000)) == 0)
        sample.size -= sample.size / 8;
    const size_t whole = 12 + extra + packed_size + 8;
    const uLong sum =
        crc32(crc32(0, NULL, 0), sample.byte, (unsigned)sample.size);
    const unsigned char header[] = {
        0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, (unsigned char)extra, 0};
    const unsigned char field[] = {'B',
                                   'C',
                                   2,
                                   0,
                                   (unsigned char)(whole - 1),
                                   (unsigned char)((whole - 1) >> 8)};
    const unsigned char trailer[] = {(unsigned char)sum,
                                     (unsigned char)(sum >> 8),
                                     (unsigned char)(sum >> 16),
                                     (unsigned char)(sum >> 24),
                                     (unsigned char)sample.size,
                                     (unsigned char)(sample.size >> 8),
                                     (unsigned char)(sample.size >> 16),
                                     0};
    block_at[blocks++] = file_size;
    content_at[blocks] = content_at[blocks - 1] + sample.size;
    put(header, sizeof header);
    if (has_more)
        put(more, sizeof more);
    put(field, sizeof field);
    put(packed, packed_size);
    put(trailer, sizeof trailer);
}

/* Let BLOCK be a member that states no size: its field has another name. */
static void
hide_size(size_t block)
{
    unsigned char *field = file + block_at[block] + 12;

    while (*field != 'B')
        field++;
    *field = 'Z';
}

/* Make a file of COUNT blocks, the last one empty, if HAS_END. */
static void
make_file(size_t count, size_t most, bool has_end)
{
    file_size = 0;
    blocks = 0;
    for (size_t i = 0; i < count; i++) {
        size_t size = noise() % 5 == 0 ? most : noise() % (most + 1);
        put_block((enum deflate_kind)(noise() % DEFLATE_KINDS),
                  has_end && i + 1 == count ? 0 : size, noise() % 20 == 0);
    }
    memory_file_write(file, file_size);
}

/* ---- reading ---- */

static struct lease held[HELD];
static size_t held_at[HELD]; /* in the content */
static unsigned int held_count;

/* End a lease: until then nothing that it leases has changed. */
static void
end_one(const struct reading *reading)
{
    unsigned int i = (unsigned int)(noise() % held_count);
    struct lease *lease = &held[i];

    leased_bad +=
        memcmp(lease->data, reading->content + held_at[i], lease->bytes) != 0;
    lease_end(lease);
    held_count--;
    held[i] = held[held_count];
    held_at[i] = held_at[held_count];
}

/* Count the lines of the content that is sketched. */
static void
look_at_sketches(const struct lease *lease)
{
    const struct sequence_sketches *sketches = &lease->sketches;
    size_t at = sketches->at;

    for (uint32_t i = 0; i < sketches->count && at <= lease->bytes &&
                         sketches->sketch[i].bytes <= lease->bytes - at;
         i++) {
        const struct sequence_sketch *sketch = &sketches->sketch[i];
        uint32_t lines = 0;
        for (uint32_t b = 0; b < sketch->bytes; b++)
            lines += lease->data[at + b] == '\n';
        sketched_bad += lines != sketch->lines;
        at += sketch->bytes;
        sketched_bytes += sketch->bytes;
    }
}

/* Lease up to ROOM bytes.  Returns as decoder_read(), or 0: nothing is leased.
 */
static ssize_t
take_lease(struct reading *reading, struct decoder *decoder, size_t room,
           unsigned int most)
{
    static unsigned char copy[LEASE_FRONT_BYTES + 1];
    size_t front = noise() % 4 == 0 ? 0 : noise() % 4000;
    struct lease lease = {.data = NULL};

    if (noise() % 20 == 0)
        front = LEASE_FRONT_BYTES + noise() % 2;
    if (front > reading->size)
        front = reading->size;
    memcpy(copy, reading->content + reading->size - front, front);
    if (decoder_lease(decoder, copy, front, room, &lease) < 0)
        return -1;
    if (lease.bytes == 0)
        return 0;
    leased_bad +=
        lease.bytes > room || memcmp(lease.data - front, copy, front) != 0;
    memcpy(reading->content + reading->size, lease.data, lease.bytes);
    leased_bytes += lease.bytes;
    look_at_sketches(&lease);
    if (held_count == most)
        end_one(reading);
    held[held_count] = lease;
    held_at[held_count++] = reading->size;
    return (ssize_t)lease.bytes;
}

/* Pause at a block that is still to be read.  Returns whether there is any. */
static bool
set_late_pause(const struct reading *reading, struct decoder *decoder)
{
    size_t block = noise() % blocks;

    if (content_at[block] < reading->size)
        return false;
    decoder->pause_at = (off_t)block_at[block];
    return true;
}

/* Content of blocks at the pause or after it has been read? */
static void
look_at_pause(const struct reading *reading, const struct decoder *decoder)
{
    size_t block = 0;

    while (block < blocks && (off_t)block_at[block] < decoder->pause_at)
        block++;
    passed_bad += reading->size > content_at[block];
}

static void
read_all(struct reading *reading, struct decoder *decoder,
         const struct how *how)
{
    ssize_t got;

    bool is_late = how->is_late;
    if (how->pause > 0 && !is_late)
        decoder->pause_at = how->pause;
    do {
        size_t room = sizeof reading->content - reading->size;
        if (how->step > 0 && room > how->step)
            room = how->step;
        got = how->leases > 0 && room > 0
                  ? take_lease(reading, decoder, room, how->leases)
                  : 0;
        if (got == 0)
            got = decoder_read(decoder, reading->content + reading->size, room);
        if (got > 0)
            reading->size += (size_t)got;
        if (how->pause > 0)
            look_at_pause(reading, decoder);
        if (is_late && got > 0)
            is_late = !set_late_pause(reading, decoder);
        if (decoder->is_paused) {
            decoder->pause_at += how->pause;
            decoder->is_paused = false;
            got = got == 0 ? 1 : got;
            /* As the reader of the last part does. */
            if (noise() % 2 == 0 && decoder_wants_remainder(decoder) &&
                decoder_take_remainder(decoder) == DECODER_REMAINDER_TAKEN)
                decoder->pause_at = DECODER_NO_PAUSE;
        }
    } while (got > 0);
    reading->result = got < 0 ? -1 : 0;
}

static struct decoding_devices *
open_device(const struct how *how)
{
    const struct decoding_devices_use use = {
        .content = 1 << 20, .timeout = how->timeout, .wants_sketches = true};
    struct error error = ERROR_NONE;
    struct decoding_devices *devices = decoding_devices_open(
        &(struct decoding_driver *){standin_new(how->fault, how->at)}, 1,
        &how->sizes, &use, &error);

    if (devices == NULL)
        abort();
    (void)decoding_devices_await_start(devices, NULL);
    return devices;
}

static void
close_device(struct decoding_devices *devices)
{
    if (decoding_devices_close(devices))
        return;
    /* The program would end without this. */
    standin_awake(true);
    for (int i = 0; i < DECODING_CALLS; i++)
        pthread_join(devices->device[0]->caller[i].thread, NULL);
    standin_awake(false);
    devices->device[0]->driver->type->close(devices->device[0]->driver);
    error_clear(&devices->device[0]->error);
    free(devices->device[0]);
    free(devices);
}

/* Read the file with a device, or without if HOW is NULL. */
static void
read_file(struct reading *reading, const struct how *how)
{
    static const struct how without = {.step = 0};
    struct source source = {.path = memory_file.path, .display_name = "x.gz"};
    struct decoding_devices *devices = how != NULL ? open_device(how) : NULL;
    struct decoder *spare = NULL;
    struct budget budget;
    struct progress progress;

    reading->size = 0;
    budget_open(&budget, BUDGET);
    progress_open(&progress);
    if (how != NULL) {
        budget.devices = devices;
        budget_return_helpers(&budget, how->helpers);
    }
    if (source_open(&source, &progress, NULL) < 0)
        abort();
    struct decoder *decoder =
        decoder_open(&gzip_stream_type, &source, &budget, &spare);
    if (decoder == NULL)
        abort();
    read_all(reading, decoder, how != NULL ? how : &without);
    snprintf(reading->message, sizeof reading->message, "%s",
             reading->result < 0 ? source.error.text : "");
    reading->counted = atomic_load(&progress.read_bytes);
    reading->device_blocks = atomic_load(&progress.device_blocks);
    reading->lacks_end = decoder->lacks_end_mark;
    decoder_close(decoder);
    while (held_count > 0)
        end_one(reading);
    if (budget.left != BUDGET ||
        budget.helpers != (how != NULL ? how->helpers : 0) ||
        (devices != NULL && devices->device[0]->belt[0].is_taken))
        abort();
    if (devices != NULL)
        close_device(devices);
    budget_close(&budget);
    source_close(&source);
    error_clear(&source.error);
}

/* Whether the same is read with and without a device. */
static bool
is_same(void)
{
    bool is_right = other.result == alone.result &&
                    strcmp(other.message, alone.message) == 0 &&
                    leased_bad == 0;

    /* What precedes an error has no meaning. */
    if (alone.result == 0)
        is_right = is_right && other.size == alone.size &&
                   memcmp(other.content, alone.content, alone.size) == 0 &&
                   other.counted == alone.counted &&
                   other.lacks_end == alone.lacks_end;
    return is_right;
}

/* Returns a way to read, number TURN. */
static struct how
how_of(unsigned int turn)
{
    static const size_t steps[] = {0, 777, 65536, 300000};
    static const unsigned int leases[] = {0, 1, HELD};
    struct how how = {.sizes = bgzf_batch_least,
                      .helpers = turn % 4,
                      .step = steps[turn % 4],
                      .leases = leases[turn % 3],
                      .timeout = 60};

    how.sizes.blocks = 1 + turn * 7 % 50;
    how.sizes.content = (64 + turn * 100 % 900) * KIB;
    how.sizes.packed += turn % 5 * 300 * KIB;
    how.sizes.belts = 1;
    how.sizes.slots = turn % 2 == 0 ? DECODING_BATCHES : DECODING_BATCHES_LEAST;
    return how;
}

/* ---- tests ---- */

static void
test_files(void)
{
    unsigned int wrong = 0;
    unsigned int few = 0;

    leased_bytes = 0;
    sketched_bytes = 0;
    for (unsigned int turn = 0; turn < 40; turn++) {
        if (!has_turn(2))
            continue;
        make_file(turn % 3 == 0 ? 1 + turn : 300,
                  turn % 4 == 0   ? 500
                  : turn % 3 == 0 ? 65280
                                  : 9000,
                  turn % 5 != 0);
        read_file(&alone, NULL);
        struct how how = how_of(turn);
        read_file(&other, &how);
        wrong += alone.result < 0 || !is_same();
        few += other.device_blocks != blocks;
    }
    ok(wrong == 0 && few == 0, "files (%u wrong, %u not all by the device)",
       wrong, few);
    ok(leased_bytes > 0, "... and leased");
    ok(sketched_bytes > leased_bytes / 4 && sketched_bad == 0,
       "... with sketches of their blocks");
}

static void
test_pauses(void)
{
    unsigned int wrong = 0;
    uint64_t decoded = 0;

    for (unsigned int turn = 0; turn < 20; turn++) {
        make_file(200, 5000, true);
        read_file(&alone, NULL);
        struct how how = how_of(turn);
        how.pause = 1 + (off_t)(noise() % file_size);
        how.is_late = turn % 2 == 0;
        how.step = how.is_late ? 3000 : how.step;
        read_file(&other, &how);
        wrong += alone.result < 0 || !is_same();
        decoded += other.device_blocks;
    }
    ok(wrong == 0 && decoded > 0 && passed_bad == 0,
       "pauses (%u wrong, %u passed)", wrong, passed_bad);
}

/* Members that are no blocks, garbage, zeros, and cuts. */
static void
test_others(void)
{
    unsigned int wrong = 0;
    uint64_t decoded = 0;

    for (unsigned int turn = 0; turn < 40; turn++) {
        make_file(30, 3000, turn % 2 == 0);
        size_t size = file_size;
        if (turn % 4 == 0) {
            hide_size(10);
        } else if (turn % 4 == 1) {
            size -= 1 + noise() % (file_size - block_at[20]);
        } else if (turn % 4 == 2) {
            memset(file + file_size, 0, 700);
            size += 700;
        } else {
            memcpy(file + file_size, "garbage", 7);
            size += 7;
        }
        memory_file_write(file, size);
        read_file(&alone, NULL);
        struct how how = how_of(turn);
        read_file(&other, &how);
        wrong += !is_same();
        decoded += other.device_blocks;
    }
    ok(wrong == 0 && decoded > 400, "other members, cuts, garbage (%u wrong)",
       wrong);
}

static void
test_damage(void)
{
    unsigned int wrong = 0;
    unsigned int failed = 0;

    for (unsigned int turn = 0; turn < 300; turn++) {
        if (!has_turn(3))
            continue;
        make_file(12, 2000, true);
        for (uint64_t n = 1 + noise() % 2; n > 0; n--)
            file[noise() % file_size] ^= (unsigned char)(1u << noise() % 8);
        memory_file_write(file, file_size);
        read_file(&alone, NULL);
        struct how how = how_of(turn);
        read_file(&other, &how);
        wrong += !is_same();
        failed += alone.result < 0;
    }
    ok(wrong == 0 && failed > 0, "damage: %u fail (%u wrong)", failed, wrong);
}

/* Each call fails, hangs, or a member is refused that is right. */
static void
test_faults(void)
{
    static const struct {
        enum standin_fault fault;
        const char *name;
    } faults[] = {{STANDIN_FAILS, "fails"},
                  {STANDIN_HANGS, "hangs"},
                  {STANDIN_REFUSES, "refuses"}};

    make_file(100, 20000, true);
    read_file(&alone, NULL);
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        unsigned int wrong = 0;
        unsigned int turn = 0;
        uint64_t before;
        standins.fired = 0;
        do {
            struct how how = how_of(++turn);
            how.fault = faults[f].fault;
            how.at = turn;
            how.timeout = how.fault == STANDIN_HANGS ? 0.05 : 60;
            before = standins.fired;
            read_file(&other, &how);
            wrong += !is_same();
        } while (standins.fired > before && turn < (LOOKS_FOR_RACES ? 20 : 60));
        ok(wrong == 0 && standins.fired > 10,
           "a device that %s, %llu times (%u wrong)", faults[f].name,
           (unsigned long long)standins.fired, wrong);
    }
    ok(standins.opened == 0, "all is closed");
}

/* A plan learns what the first blocks say. */
static void
test_survey(void)
{
    struct decodable decodable = {.block_bytes = 1000, .block_content = 5000};

    make_file(40, 5000, true);
    gzip_walk_survey(&decodable, memory_file.fd, 0, file_size, 1);
    ok(decodable.block_bytes == 1000 + file_size &&
           decodable.block_content == 5000 + content_at[blocks] &&
           decodable.long_files == 0,
       "a survey of all blocks");
    decodable = (struct decodable){.window = 0};
    gzip_walk_survey(&decodable, memory_file.fd, (off_t)block_at[20],
                     10 * (file_size - block_at[20]), 1);
    ok(decodable.block_content / 11 < content_at[blocks] - content_at[20] &&
           decodable.block_content / 9 > content_at[blocks] - content_at[20],
       "... of the first blocks of a file");
    hide_size(0);
    memory_file_write(file, file_size);
    decodable = (struct decodable){.window = 0};
    gzip_walk_survey(&decodable, memory_file.fd, 0, file_size, 1);
    ok(decodable.block_bytes == 0, "... and of a member that is no block");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    test_files();
    test_pauses();
    test_others();
    test_damage();
    test_faults();
    test_survey();
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/*
 * test_decoding_belts.c -- several zstd files that devices decode at a time
 *
 * Several readers decode files side by side, with drivers on the CPU that
 * stand in for devices.  Whatever a device does, each file has the same
 * content and the same message as without it.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../noise.h"
#include "../tap.h"
#include "../zstd_standin.h"
#include "input/decode/zstd/zstd_batch.h"
#include "input/decode/zstd/zstd_stream.h"
#include "input/device/decoding_devices.h"

#define WATCHDOG_SECONDS 300
#define CONTENT_MAX ((size_t)900000)
#define COUNT(table) (sizeof(table) / sizeof *(table))

#include "../zstd_samples.h"

#define BUDGET ((uint64_t)300 << 20)
#define MIB ((uint32_t)1 << 20)

enum {
    FILES = 12,
    READERS = 5, /* more than belts */
    HELPERS = 6,
    HELD = 6, /* leases of a reader, at most */
};

/* What is read of a file. */
struct reading {
    unsigned char data[CONTENT_MAX + 1];
    size_t size;
    char message[300];
};

static struct {
    int fd;
    char path[40];
} files[FILES];

static struct reading alone[FILES]; /* read without a device */

/* ---- files ---- */

static void
write_file(unsigned int i)
{
    files[i].fd = memfd_create("file", 0);
    if (files[i].fd < 0 ||
        pwrite(files[i].fd, packed, packed_size, 0) != (ssize_t)packed_size)
        abort();
    snprintf(files[i].path, sizeof files[i].path, "/proc/self/fd/%d",
             files[i].fd);
}

/* Add frames of some KIND, SIZE bytes in all. */
static void
add_frames(enum kind kind, size_t size, unsigned int count, bool has_checksum)
{
    for (unsigned int i = 0; i < count; i++) {
        const struct shape shape = {.level = 3,
                                    .has_checksum = has_checksum || i % 2 > 0};
        make(kind, size / count);
        pack(&shape);
    }
}

/* Files of one long frame, with a checksum or without; of many frames; with a
   wrong bit, a wrong checksum, a cut, and garbage. */
static void
make_files(void)
{
    for (unsigned int i = 0; i < FILES; i++) {
        size_t size = 200000 + noise() % (CONTENT_MAX - 200000);
        packed_size = 0;
        add_frames(i % 3 == 0 ? KIND_TEXT : KIND_MIXED, size,
                   i % 4 == 3 ? 20 : 1, i % 4 > 0);
        if (i == 5)
            packed[packed_size / 2] ^= 4;
        else if (i == 6)
            packed[packed_size - 1] ^= 1;
        else if (i == 7)
            packed_size -= 100;
        else if (i == 8)
            packed_size +=
                (size_t)snprintf((char *)packed + packed_size, 20, "garbage");
        write_file(i);
    }
}

/* ---- reading ---- */

struct reader {
    unsigned int *next; /* file, under LOCK */
    pthread_mutex_t *lock;
    struct decoding_devices *devices;
    struct budget *budget;
    struct progress *progress;
    struct reading *result; /* of FILES */

    uint64_t state; /* of random words */
    struct lease held[HELD];
    const unsigned char *copy[HELD]; /* of what they lease */
    unsigned int held_count;
    unsigned int held_most;
    unsigned int held_bad;
};

static uint64_t
word(struct reader *reader)
{
    reader->state ^= reader->state << 13;
    reader->state ^= reader->state >> 7;
    reader->state ^= reader->state << 17;
    return reader->state >> 20;
}

/* End the oldest lease: until then nothing that it leases has changed. */
static void
end_one(struct reader *reader)
{
    struct lease *lease = &reader->held[0];

    reader->held_bad += memcmp(lease->data, reader->copy[0], lease->bytes) != 0;
    lease_end(lease);
    reader->held_count--;
    memmove(&reader->held[0], &reader->held[1],
            reader->held_count * sizeof *lease);
    memmove(&reader->copy[0], &reader->copy[1],
            reader->held_count * sizeof *reader->copy);
}

/* Lease up to ROOM bytes, or read them.  Returns as decoder_read(). */
static ssize_t
take(struct reader *reader, struct decoder *decoder, struct reading *reading,
     size_t room)
{
    struct lease lease = {.data = NULL};

    if (room == 0)
        return 0;
    if (reader->held_most > 0 &&
        decoder_lease(decoder, reading->data, 0, room, &lease) < 0)
        return -1;
    if (lease.bytes == 0)
        return decoder_read(decoder, reading->data + reading->size, room);
    memcpy(reading->data + reading->size, lease.data, lease.bytes);
    if (reader->held_count == reader->held_most)
        end_one(reader);
    reader->held[reader->held_count] = lease;
    reader->copy[reader->held_count++] = reading->data + reading->size;
    return (ssize_t)lease.bytes;
}

/* As a reader of a run, wait for a belt of the device. */
static void
await_belt(struct decoder *decoder)
{
    if (!decoder_wants_remainder(decoder))
        return;
    while (decoder_take_remainder(decoder) == DECODER_REMAINDER_BUSY)
        decoder_wait_for_remainder(decoder);
}

static void
read_file(struct reader *reader, unsigned int i)
{
    static const struct zstd_ahead_sizes sizes = {
        .long_bytes = 20, .helper_bytes = 1, .remainder_bytes = 1};
    struct reading *reading = &reader->result[i];
    struct source source = {.path = files[i].path, .display_name = "x.zst"};
    struct decoder *spare = NULL;
    ssize_t got;

    reading->size = 0;
    if (source_open(&source, reader->progress, NULL) < 0)
        abort();
    struct decoder *decoder =
        decoder_open(&zstd_stream_type, &source, reader->budget, &spare);
    if (decoder == NULL)
        abort();
    zstd_stream_set_sizes(decoder, &sizes);
    if (reader->devices != NULL)
        await_belt(decoder);
    do {
        size_t room = sizeof reading->data - reading->size;
        size_t step = 1 + word(reader) % 60000;
        got = take(reader, decoder, reading, room < step ? room : step);
        if (got > 0)
            reading->size += (size_t)got;
    } while (got > 0);
    snprintf(reading->message, sizeof reading->message, "%s",
             got < 0 ? source.error.text : "");
    decoder_close(decoder);
    source_close(&source);
    error_clear(&source.error);
}

static void *
reader_main(void *argument)
{
    struct reader *reader = argument;
    unsigned int i;

    do {
        pthread_mutex_lock(reader->lock);
        i = (*reader->next)++;
        pthread_mutex_unlock(reader->lock);
        if (i < FILES)
            read_file(reader, i);
    } while (i < FILES);
    while (reader->held_count > 0)
        end_one(reader);
    return NULL;
}

/* How often the batches of each device have gone round on each belt. */
static uint64_t batches[DECODING_DEVICES][DECODING_BELTS];
static uint64_t device_frames;
static unsigned int held_bad;

/* What is opened. */
struct how {
    unsigned int devices; /* if 0, one */
    unsigned int belts;   /* of each */
    enum standin_fault fault;
    uint64_t at;
    unsigned int faulty; /* device */
};

static struct decoding_devices *
open_devices(const struct how *how)
{
    /* A call that is only slow must not seem to hang. */
    const double hang = IS_INSTRUMENTED ? 0.5 : 0.1;
    const struct decoding_devices_use use = {
        .content = MIB, .timeout = how->fault == STANDIN_HANGS ? hang : 60};
    struct decoding_driver *driver[DECODING_DEVICES];
    unsigned int count = how->devices > 0 ? how->devices : 1;
    struct decoding_sizes sizes = zstd_batch_least;
    struct error error = ERROR_NONE;

    sizes.content = MIB / 2;
    sizes.literals = MIB / 2;
    sizes.sequences = MIB / 4;
    sizes.packed *= 2;
    sizes.blocks = 30;
    sizes.history = 2 * MIB;
    sizes.slots = how->at % 2 == 0 ? DECODING_BATCHES : DECODING_BATCHES_LEAST;
    sizes.belts = how->belts;
    for (unsigned int i = 0; i < count; i++)
        driver[i] =
            standin_new(i == how->faulty ? how->fault : STANDIN_NONE, how->at);
    struct decoding_devices *devices =
        decoding_devices_open(driver, count, &sizes, &use, &error);
    if (devices == NULL)
        abort();
    (void)decoding_devices_await_start(devices, NULL);
    return devices;
}

static void
set_awake(bool is_awake)
{
    pthread_mutex_lock(&standins.lock);
    standins.is_awake = is_awake;
    pthread_cond_broadcast(&standins.awakes);
    pthread_mutex_unlock(&standins.lock);
}

/* Release a device of which a call has hung, and hangs no more. */
static void
release_device(struct decoding_device *device)
{
    for (int i = 0; i < DECODING_CALLS; i++)
        pthread_join(device->caller[i].thread, NULL);
    device->driver->type->close(device->driver);
    error_clear(&device->error);
    free(device);
}

static void
close_devices(struct decoding_devices *devices)
{
    for (unsigned int d = 0; d < devices->count; d++) {
        const struct decoding_device *device = devices->device[d];
        pthread_mutex_lock(&devices->lock);
        for (unsigned int i = 0; i < DECODING_BELTS; i++) {
            if (device->belt[i].is_taken)
                abort();
            batches[d][i] = device->belt[i].filled;
        }
        pthread_mutex_unlock(&devices->lock);
    }
    if (decoding_devices_close(devices))
        return;
    /* The program would end without this. */
    set_awake(true);
    for (unsigned int d = 0; d < devices->count; d++)
        release_device(devices->device[d]);
    set_awake(false);
    free(devices);
}

/* Read all files by READERS, who hold up to LEASES each, with DEVICE or
   without. */
static void
read_files(struct reading *result, struct decoding_devices *devices,
           unsigned int readers, unsigned int leases)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct reader reader[READERS];
    pthread_t thread[READERS];
    struct budget budget;
    struct progress progress;
    unsigned int next = 0;

    budget_open(&budget, BUDGET);
    progress_open(&progress);
    budget.devices = devices;
    if (devices != NULL)
        budget_return_helpers(&budget, HELPERS);
    for (unsigned int i = 0; i < readers; i++) {
        reader[i] = (struct reader){.next = &next,
                                    .lock = &lock,
                                    .devices = devices,
                                    .budget = &budget,
                                    .progress = &progress,
                                    .result = result,
                                    .state = noise() | 1,
                                    .held_most = leases};
        if (pthread_create(&thread[i], NULL, reader_main, &reader[i]) != 0)
            abort();
    }
    held_bad = 0;
    for (unsigned int i = 0; i < readers; i++) {
        pthread_join(thread[i], NULL);
        held_bad += reader[i].held_bad;
    }
    if (budget.left != BUDGET ||
        budget.helpers != (devices != NULL ? HELPERS : 0))
        abort();
    device_frames = atomic_load(&progress.device_frames);
    budget_close(&budget);
}

/* Read all files with a device.  Returns how many differ. */
static unsigned int
read_with(struct decoding_devices *devices, unsigned int readers,
          unsigned int leases)
{
    static struct reading result[FILES];
    unsigned int wrong = 0;

    read_files(result, devices, readers, leases);
    close_devices(devices);
    for (unsigned int i = 0; i < FILES; i++)
        /* What precedes an error has no meaning. */
        wrong += strcmp(result[i].message, alone[i].message) != 0 ||
                 (alone[i].message[0] == 0 &&
                  (result[i].size != alone[i].size ||
                   memcmp(result[i].data, alone[i].data, alone[i].size) != 0));
    return wrong + held_bad;
}

/* Wait until each of DEVICES has started, or has failed. */
static void
await_all(struct decoding_devices *devices)
{
    pthread_mutex_lock(&devices->lock);
    for (unsigned int i = 0; i < devices->count; i++) {
        struct decoding_device *device = devices->device[i];
        while (device->state == DECODING_DEVICE_STARTING ||
               device->state == DECODING_DEVICE_WAITING)
            decoding_belt_wait(&device->belt[0]);
    }
    pthread_mutex_unlock(&devices->lock);
}

/* ---- tests ---- */

static void
test_files(void)
{
    for (unsigned int belts = 1; belts <= 4; belts += LOOKS_FOR_RACES ? 3 : 1) {
        unsigned int wrong = 0;
        unsigned int few = 0;
        unsigned int idle = 0;
        for (unsigned int leases = 0; leases <= HELD;
             leases += IS_INSTRUMENTED ? HELD : 3) {
            wrong += read_with(
                open_devices(&(struct how){.belts = belts, .at = leases}),
                READERS, leases);
            few += device_frames < 60;
            for (unsigned int i = 0; i < belts; i++)
                idle += batches[0][i] == 0;
        }
        ok(wrong == 0 && few == 0 && idle == 0,
           "%u belts (%u wrong, %u not by the device, %u idle)", belts, wrong,
           few, idle);
    }
    unsigned int wrong =
        read_with(open_devices(&(struct how){.belts = DECODING_BELTS}), 2, 3);
    ok(wrong == 0 && batches[0][2] == 0, "more belts than readers");
}

/* Whatever goes wrong on one belt, all have lost the device. */
static void
test_faults(void)
{
    static const struct {
        enum standin_fault fault;
        const char *name;
    } faults[] = {{STANDIN_FAILS, "fails"},
                  {STANDIN_HANGS, "hangs"},
                  {STANDIN_REFUSES, "refuses"},
                  {STANDIN_LIES, "lies"}};
    const unsigned int most = LOOKS_FOR_RACES ? 6 : IS_INSTRUMENTED ? 8 : 20;

    for (size_t f = 0; f < COUNT(faults); f++) {
        /* What is wrong with content does not change what threads do. */
        if (LOOKS_FOR_RACES && faults[f].fault > STANDIN_HANGS)
            continue;
        unsigned int wrong = 0;
        standins.fired = 0;
        for (unsigned int at = 1; at < most; at++)
            wrong += read_with(
                open_devices(&(struct how){
                    .belts = 2 + at % 3, .fault = faults[f].fault, .at = at}),
                READERS, at % HELD);
        ok(wrong == 0 && standins.fired > most / 3,
           "a device that %s, %llu times (%u wrong)", faults[f].name,
           (unsigned long long)standins.fired, wrong);
    }
}

/* Several devices share the files. */
static void
test_devices(void)
{
    for (unsigned int count = 2; count <= 4; count += 2) {
        unsigned int wrong = 0;
        unsigned int few = 0;
        unsigned int idle = 0;
        for (unsigned int belts = 1; belts <= (IS_INSTRUMENTED ? 1 : 2);
             belts++) {
            struct decoding_devices *devices = open_devices(
                &(struct how){.devices = count, .belts = belts, .at = belts});
            await_all(devices);
            wrong += read_with(devices, READERS, belts);
            few += device_frames < 60;
            for (unsigned int i = 0; i < count; i++)
                idle += batches[i][0] == 0;
        }
        ok(wrong == 0 && few == 0 && idle == 0,
           "%u devices (%u wrong, %u not by devices, %u idle)", count, wrong,
           few, idle);
    }
}

/* Whatever goes wrong on a device, the others and the CPU do its work. */
static void
test_one_fails(enum standin_fault fault, const char *name)
{
    const unsigned int most = LOOKS_FOR_RACES ? 4 : IS_INSTRUMENTED ? 6 : 14;
    unsigned int wrong = 0;
    unsigned int few = 0;
    uint64_t later = 0; /* batches of the device that is left */

    standins.fired = 0;
    for (unsigned int at = 1; at < most; at++) {
        unsigned int faulty = at % 2;
        struct decoding_devices *devices =
            open_devices(&(struct how){.devices = 2,
                                       .belts = 1 + at % 3,
                                       .fault = fault,
                                       .at = at,
                                       .faulty = faulty});
        await_all(devices);
        wrong += read_with(devices, READERS, at % HELD);
        /* On a busy machine the other one may seem to hang, too. */
        few += fault == STANDIN_FAILS && device_frames < 20;
        for (unsigned int i = 0; i < DECODING_BELTS; i++)
            later += batches[!faulty][i];
    }
    ok(wrong == 0 && few == 0 && later > 0 && standins.fired > 0,
       "one of two devices %s, %llu times (%u wrong, %u not by the other one)",
       name, (unsigned long long)standins.fired, wrong, few);
}

static enum decoding_device_state
state_of(struct decoding_devices *devices, unsigned int i)
{
    pthread_mutex_lock(&devices->lock);
    enum decoding_device_state state = devices->device[i]->state;
    pthread_mutex_unlock(&devices->lock);
    return state;
}

/* They start one after the other. */
static void
test_turns(void)
{
    const struct decoding_devices_use use = {.content = MIB, .timeout = 60};
    const struct decoding_sizes sizes = zstd_batch_least;
    struct decoding_driver *driver[] = {standin_new(STANDIN_NONE, 0),
                                        standin_new(STANDIN_FAILS, 1),
                                        standin_new(STANDIN_NONE, 0)};
    struct error error = ERROR_NONE;
    struct decoding_belt *belt = NULL;

    standins.is_held = true;
    struct decoding_devices *devices =
        decoding_devices_open(driver, 3, &sizes, &use, &error);
    if (devices == NULL)
        abort();
    usleep(10000);
    ok(state_of(devices, 0) == DECODING_DEVICE_STARTING &&
           state_of(devices, 1) == DECODING_DEVICE_WAITING &&
           decoding_devices_are_starting(devices) &&
           decoding_devices_take(devices) == NULL,
       "a device waits for the one before");
    pthread_mutex_lock(&standins.lock);
    standins.is_held = false;
    pthread_cond_broadcast(&standins.awakes);
    pthread_mutex_unlock(&standins.lock);
    ok(decoding_devices_await_start(devices, NULL) &&
           decoding_devices_hold(devices, NULL, &belt),
       "... and the first one decodes meanwhile");
    await_all(devices);
    ok(state_of(devices, 1) == DECODING_DEVICE_FAILED &&
           state_of(devices, 2) == DECODING_DEVICE_READY,
       "a device that cannot start is passed over");
    struct decoding_belt *other = decoding_devices_take(devices);
    ok(other != NULL && other->device == devices->device[2] &&
           decoding_devices_take(devices) == NULL,
       "each belt has one owner");
    decoding_belt_give(belt);
    decoding_belt_give(other);
    close_devices(devices);
}

/* One that is held starts when it is allowed to, or when the first one fails.
 */
static void
test_holding(void)
{
    const struct decoding_devices_use use = {
        .content = MIB, .timeout = 60, .are_held = true};
    const struct decoding_sizes sizes = zstd_batch_least;
    struct error error = ERROR_NONE;

    for (int way = 0; way < 3; way++) {
        struct decoding_driver *driver[] = {
            standin_new(way == 0 ? STANDIN_FAILS : STANDIN_NONE, 1),
            standin_new(STANDIN_NONE, 0)};
        struct decoding_devices *devices =
            decoding_devices_open(driver, 2, &sizes, &use, &error);
        if (devices == NULL)
            abort();
        bool is_right = decoding_devices_await_start(devices, NULL);
        if (way > 0)
            is_right =
                is_right && state_of(devices, 1) == DECODING_DEVICE_WAITING;
        if (way == 1)
            decoding_devices_allow(devices, 1);
        if (way < 2) {
            await_all(devices);
            is_right =
                is_right && state_of(devices, 1) == DECODING_DEVICE_READY;
        }
        close_devices(devices);
        ok(is_right && standins.opened == 0, "a device that is held, way %d",
           way);
    }
}

/* While the device starts, some files are not left to it. */
static void
test_early(void)
{
    const struct decoding_devices_use use = {
        .content = MIB, .timeout = 60, .start = 60, .early = 2};
    const struct decoding_sizes sizes = zstd_batch_least;
    struct error error = ERROR_NONE;

    standins.is_held = true;
    struct decoding_devices *devices = decoding_devices_open(
        &(struct decoding_driver *){standin_new(STANDIN_NONE, 0)}, 1, &sizes,
        &use, &error);
    if (devices == NULL)
        abort();
    bool is_long = decoding_devices_pass_early(devices, (off_t)1 << 40);
    bool is_first = decoding_devices_pass_early(devices, 1000);
    bool is_second = decoding_devices_pass_early(devices, 1000);
    bool is_third = decoding_devices_pass_early(devices, 1000);
    ok(!is_long && is_first && is_second && !is_third,
       "two files are decoded early, but no long one");
    pthread_mutex_lock(&standins.lock);
    standins.is_held = false;
    pthread_cond_broadcast(&standins.awakes);
    pthread_mutex_unlock(&standins.lock);
    pthread_mutex_lock(&devices->lock);
    devices->early = 1;
    pthread_mutex_unlock(&devices->lock);
    ok(decoding_devices_await_start(devices, NULL) &&
           !decoding_devices_pass_early(devices, 1000),
       "... and none once the device has started");
    close_devices(devices);
}

/* Belts divide the memory that one belt would have. */
static void
test_sizes(void)
{
    struct decoding_sizes one, many, small;
    bool is_right = decoding_device_fit(&one, 1, UINT64_MAX) &&
                    decoding_device_fit(&many, DECODING_BELTS, UINT64_MAX);

    ok(is_right && one.belts == 1 && many.belts == DECODING_BELTS &&
           many.content == one.content / DECODING_BELTS &&
           decoding_device_bytes(&many) <=
               decoding_device_bytes(&one) +
                   DECODING_BELTS * DECODING_BATCHES * LEASE_FRONT_BYTES,
       "belts divide the memory");
    is_right = decoding_device_fit(&small, DECODING_BELTS,
                                   decoding_device_bytes(&one) / 4);
    ok(is_right && small.belts < DECODING_BELTS &&
           small.content == many.content,
       "less memory has fewer belts, not smaller batches");
    is_right = decoding_device_fit(&small, DECODING_BELTS,
                                   decoding_device_bytes(&one) / 50);
    ok(is_right && small.belts == 1, "... and at last one");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    make_files();
    read_files(alone, NULL, 1, 0);
    test_files();
    test_faults();
    test_devices();
    test_one_fails(STANDIN_FAILS, "fails");
    test_one_fails(STANDIN_HANGS, "hangs");
    test_turns();
    test_holding();
    test_early();
    test_sizes();
    ok(standins.opened == 0, "all is closed");
    return done_testing();
}

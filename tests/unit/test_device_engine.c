/* SPDX-License-Identifier: MIT */
/*
 * test_device_engine.c -- the protocol of device engines, on a device that is
 * as early or as late as possible
 *
 * The device runs a command when the engine waits for it, at once, or at any
 * time between.  A copy to the host spoils its target when it is submitted,
 * because it might start at once.  A released chunk is filled with other data,
 * as in the pipeline.  A command that fails on the device stops only the
 * commands that wait for its event.
 *
 * In every run the histogram must be exactly that of the completed chunks,
 * counted here record by record, or the engine must report a failure.  Each
 * operation fails once, each command fails once on the device, and each
 * operation hangs once until others have taken its chunks.
 *
 * The test failed, as it should, with: chunks completed before their checkpoint
 * was waited for, or one chunk too many, or the last one; the last good
 * checkpoint overwritten; a slot written, or a kernel run, too early; a copy of
 * the histogram that does not wait for the last kernel, or for the shadow; a
 * range that grows without its axes, or its counts, or with the wrong spec;
 * weights that are not carried, or not counted; the previous chunk counted
 * instead of a chunk in place; an ignored failure; a histogram that does not
 * add up, or was never cleared; memory released too early, or never; the status
 * of another chunk, or one that is not read yet; a status that is not cleared;
 * chunks of an early release that no checkpoint has, since the last is refused;
 * lists that are not drained before a checkpoint, or not emptied then, or first
 * of any size.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../made_spec.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/gpu/device/device_engine.h"
#include "engine/sequence_layout.h"
#include "kernels/binning/weighing.h"
#include "run/auto_range.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    COMMANDS_MAX = 8192,
    MEMORIES_MAX = 2048,
    OPERATIONS = 20,
    BLOCKS_MAX = 4,
    POOL_CHUNKS = 12,
    CHUNKS_MAX = 160,
    SPOILED = 0xee,
    /* There is one entry for each k-mer of 7 bases in the lists. */
    LIST_MEMORY_BYTES = 16384 * 4 * 8,
};

/* ---- what a run is ---- */

enum timing {
    LATE,  /* nothing runs before somebody waits for it */
    EARLY, /* everything at once */
    ANY,   /* any command, at any time */
    TIMINGS
};

/* What goes wrong at one operation or command, counted from 1. */
enum fault {
    NO_FAULT,
    REFUSED,   /* the operation returns -1 */
    FAILED,    /* the command fails when it runs */
    TOO_LATE,  /* the operation returns when the chunks are somebody else's */
    BAD_COUNT, /* a kernel loses a record */
    FAULTS
};

struct run {
    const char *name;
    const char *line;   /* what is counted */
    size_t chunk_bytes; /* a multiple of the record's size */
    size_t chunks;
    bool is_alone;
    bool is_in_place;
    bool has_shadow;
    bool has_pinning;      /* or else chunks move */
    bool is_growing;       /* each chunk has values further out */
    bool has_lists;        /* k-mers wait in lists */
    unsigned int refusals; /* one of so many chunks is refused; 0: none */
};

/* ---- the device ---- */

enum what {
    CLEAR,
    WRITE,
    READ,
    COPY,
    LAUNCH
};

struct command {
    enum what what;
    enum device_queue queue;
    size_t after[2]; /* numbers of commands; 0: none */
    uintptr_t memory;
    uintptr_t source;
    void *host;
    size_t size;
    size_t at; /* WRITE: where in MEMORY */
    enum device_kernel kernel;
    struct counting task;
    struct sequence_work work; /* of a batch of CHUNKS */
    size_t chunks;
    bool is_done;
    bool has_failed;
};

struct memory {
    unsigned char *bytes;
    size_t size;
    bool is_live;
    bool is_in_place;
};

struct fake {
    struct device_engine *device;
    const struct run *run;
    enum timing timing;
    enum fault fault;
    size_t fault_number;

    size_t operations; /* that may fail */
    size_t commands;   /* number n is command[n] */
    struct command command[COMMANDS_MAX];
    size_t memories;
    struct memory memory[MEMORIES_MAX];
    int outstanding; /* memories, host memories, events, what is pinned */
    uint64_t adds;   /* to cells since the last carry */
    bool is_finished;
    bool has_fired;
    const char *wrong; /* what the engine must not do */

    /* The pipeline's side. */
    struct pool pool;
    struct chunk *held[CHUNKS_MAX];
    size_t held_count;
    unsigned char *input; /* all of it */
    const struct spec *spec[CHUNKS_MAX];
    size_t submitted;
    size_t completed;
    bool is_lost; /* others have its chunks */
    const uint64_t *stands;
    uint64_t *stood; /* what is there */
};

/* What the engine frees when it is closed. */
struct fake_engine {
    struct device_engine device; /* first */
    struct fake *fake;
};

static struct fake *
fake_of(struct device_engine *device)
{
    return ((struct fake_engine *)device)->fake;
}

static void
note(struct fake *fake, bool is_right, const char *wrong)
{
    if (!is_right && fake->wrong == NULL)
        fake->wrong = wrong;
}

/* The counts of what is complete must stand until a call returns. */
static void
check_standing(struct fake *fake)
{
    note(fake,
         fake->stands == NULL ||
             memcmp(fake->stands, fake->stood, fake->device->table_bytes) == 0,
         "the last good counts are touched");
}

/* Others have the chunks that the engine holds, and fill them. */
static void
take_away(struct fake *fake)
{
    fake->is_lost = true;
    for (size_t i = 0; i < fake->held_count; i++) {
        struct chunk *chunk = fake->held[i];
        memset(chunk->data, 0x55, fake->pool.chunk_bytes);
        chunk->used = 0;
        chunk->spec = NULL;
    }
}

/* An operation that may fail starts.  Whether it does. */
static bool
fails(struct fake *fake, struct error *error)
{
    check_standing(fake);
    note(fake, !fake->is_finished, "an operation after the end");
    if (++fake->operations != fake->fault_number)
        return false;
    if (fake->fault == TOO_LATE)
        take_away(fake);
    fake->has_fired |= fake->fault == REFUSED || fake->fault == TOO_LATE;
    if (fake->fault != REFUSED)
        return false;
    error_set(error, EXIT_NO_DEVICE, "refused");
    return true;
}

/* ---- commands that run ---- */

static unsigned char *
bytes_of(struct fake *fake, uintptr_t memory)
{
    return fake->memory[memory].bytes;
}

/* Whether a kernel loses a record. */
static bool
loses_one(struct fake *fake)
{
    bool loses = fake->fault == BAD_COUNT &&
                 fake->commands >= fake->fault_number && !fake->has_fired;

    fake->has_fired |= loses;
    return loses;
}

static void
count_records(struct fake *fake, const struct command *command)
{
    const struct device_engine *device = fake->device;
    const struct spec *spec = device->engine.spec;
    const struct counting *task = &command->task;
    const struct binning_axis *axis =
        (const struct binning_axis *)bytes_of(fake, device->axes);
    const struct binning_tables tables = spec_tables(spec);
    uint64_t *value = (uint64_t *)bytes_of(fake, device->histogram);
    size_t size = (size_t)task->size;

    fake->adds += size / task->record_bytes;
    note(fake, !spec->has_weights || fake->adds <= WEIGHING_ADDS_MAX,
         "weights that wrap");
    if (loses_one(fake))
        size -= task->record_bytes;
    for (size_t at = 0; at < size; at += task->record_bytes) {
        const unsigned char *record = bytes_of(fake, command->memory) + at;
        uint64_t bits =
            binning_load(record + axis->offset, axis->type, axis->is_swapped);
        uint64_t cell =
            axis->base + axis->stride * binning_cell(axis, &tables, bits);
        value[cell]++;
        if (spec->has_weights)
            value[spec->cells + cell] += record[spec->weight.offset];
    }
}

static void
carry(struct fake *fake)
{
    const struct spec *spec = fake->device->engine.spec;
    uint64_t *value = (uint64_t *)bytes_of(fake, fake->device->histogram);

    fake->adds = 0;
    for (uint64_t cell = 0; cell < spec->cells; cell++)
        weighing_carry(value + spec->cells + cell,
                       weighing_digits(spec->weight.type), spec->cells);
}

/* The device refuses chunks that start so. */
#define REFUSED_BYTE '!'

static bool
is_refused(const unsigned char *chunk)
{
    return chunk[0] == REFUSED_BYTE;
}

/* Each byte is the code of a k-mer. */
static void
count_kmers(const struct device_engine *device, const unsigned char *chunk,
            size_t size, uint64_t *value)
{
    value[SEQUENCE_TOTAL_WINDOWS] += size;
    for (size_t i = 0; i < size; i++)
        value[device->work.first_kmer + chunk[i]]++;
}

/* One list has those of all. */
static void
list_kmers(struct fake *fake, const unsigned char *chunk, size_t size)
{
    const struct device_engine *device = fake->device;
    uint32_t *entry = (uint32_t *)bytes_of(fake, device->list_entries);
    uint32_t *listed = (uint32_t *)bytes_of(fake, device->list_sizes);
    uint64_t *value = (uint64_t *)bytes_of(fake, device->histogram);
    size_t room = (size_t)device->work.lists * device->work.list_room;

    value[SEQUENCE_TOTAL_WINDOWS] += size;
    note(fake, *listed + size <= room, "lists that are too full");
    for (size_t i = 0; i < size && *listed < room; i++)
        entry[(*listed)++] = chunk[i];
}

static void
drain(struct fake *fake)
{
    const struct device_engine *device = fake->device;
    const uint32_t *entry =
        (const uint32_t *)bytes_of(fake, device->list_entries);
    const uint32_t *listed =
        (const uint32_t *)bytes_of(fake, device->list_sizes);
    uint64_t *value = (uint64_t *)bytes_of(fake, device->histogram);

    size_t room = (size_t)device->work.lists * device->work.list_room;

    for (size_t i = 0; i < *listed && i < room; i++)
        value[device->work.first_kmer + entry[i]]++;
}

/*
 * Chunk I of a batch of sequences, whose parts are of no interest here: each
 * byte is a base and a read.  Some kernels say whether they refuse the chunk,
 * and the one that counts believes them.
 */
static void
count_chunk(struct fake *fake, const struct command *command, size_t i)
{
    const struct sequence_work *work = &command->work;
    const unsigned char *chunk =
        bytes_of(fake, command->memory) +
        (size_t)work->data_stride * (work->first_chunk + i);
    uint32_t *status = (uint32_t *)bytes_of(fake, fake->device->refusals) + i;
    uint64_t *value = (uint64_t *)bytes_of(fake, fake->device->histogram);
    size_t size = work->size[i];

    if (command->kernel == DEVICE_LINES)
        *status = 0;
    if (command->kernel == DEVICE_CHECK && is_refused(chunk))
        *status = 1;
    if (command->kernel == DEVICE_LISTS && *status == 0)
        list_kmers(fake, chunk, size);
    if (command->kernel == DEVICE_KMERS && *status == 0 && fake->run->has_lists)
        count_kmers(fake->device, chunk, size, value);
    if (command->kernel != DEVICE_FIELDS || *status != 0)
        return;
    value[SEQUENCE_TOTAL_READS] += size;
    value[SEQUENCE_TOTAL_BASES] += size;
    if (loses_one(fake))
        size--;
    for (size_t j = 0; j < size; j++)
        value[fake->device->work.first[SEQUENCE_OF_BASE] + chunk[j]]++;
}

static void
count_sequences(struct fake *fake, const struct command *command)
{
    if (command->kernel == DEVICE_DRAIN) {
        drain(fake);
        return;
    }
    for (size_t i = 0; i < command->chunks; i++)
        count_chunk(fake, command, i);
}

static void
perform(struct fake *fake, const struct command *command)
{
    switch (command->what) {
    case CLEAR:
        memset(bytes_of(fake, command->memory), 0, command->size);
        break;
    case WRITE:
        memcpy(bytes_of(fake, command->memory) + command->at, command->host,
               command->size);
        break;
    case READ:
        memcpy(command->host, bytes_of(fake, command->memory), command->size);
        break;
    case COPY:
        memcpy(bytes_of(fake, command->memory), bytes_of(fake, command->source),
               command->size);
        break;
    case LAUNCH:
        if (command->kernel >= DEVICE_LINES)
            count_sequences(fake, command);
        else if (command->kernel == DEVICE_COUNT)
            count_records(fake, command);
        else
            carry(fake);
        break;
    }
}

/* Run command NUMBER, and what it has to wait for. */
static void
execute(struct fake *fake, size_t number)
{
    struct command *last = &fake->command[number];

    for (size_t i = 1; i <= number; i++) {
        struct command *command = &fake->command[i];
        if (command->queue != last->queue || command->is_done)
            continue;
        for (size_t j = 0; j < COUNT(command->after); j++) {
            size_t other = command->after[j];
            if (other == 0)
                continue;
            if (other != i)
                execute(fake, other);
            command->has_failed |= fake->command[other].has_failed;
        }
        if (fake->fault == FAILED && fake->fault_number == i) {
            fake->has_fired = true;
            command->has_failed = true;
        }
        command->is_done = true;
        if (!command->has_failed)
            perform(fake, command);
        check_standing(fake);
    }
}

static void
go_on(struct fake *fake)
{
    if (fake->commands == 0)
        return;
    if (fake->timing == EARLY)
        execute(fake, fake->commands);
    else if (fake->timing == ANY && noise() % 3 == 0)
        execute(fake, (size_t)(noise() % fake->commands) + 1);
}

/* ---- the operations ---- */

/* Give a command.  Returns its number. */
static struct command *
give(struct fake *fake, const struct device_command *given, enum what what,
     uintptr_t memory, size_t size)
{
    if (fake->commands + 1 == COMMANDS_MAX)
        abort();
    struct command *command = &fake->command[++fake->commands];
    *command = (struct command){
        .what = what, .queue = given->queue, .memory = memory, .size = size};
    note(fake, fake->memory[memory].is_live, "memory that is not there");
    note(fake, size <= fake->memory[memory].size, "memory that is too small");
    for (size_t i = 0; i < COUNT(given->after); i++) {
        const struct device_event *event = given->after[i];
        if (event == NULL)
            continue;
        note(fake, event->handle != NULL, "an event that nobody makes");
        command->after[i] = (size_t)(uintptr_t)event->handle;
    }
    return command;
}

/* A command was given: its event is a new one, or it is waited for. */
static int
given(struct fake *fake, const struct device_command *given,
      struct error *error)
{
    size_t number = fake->commands;

    if (given->event != NULL) {
        fake->outstanding += given->event->handle == NULL;
        given->event->handle = (void *)(uintptr_t)number;
        given->event->queue = given->queue;
        go_on(fake);
        return 0;
    }
    execute(fake, number);
    if (!fake->command[number].has_failed)
        return 0;
    error_set(error, EXIT_NO_DEVICE, "a command failed");
    return -1;
}

static int
fake_open(struct device_engine *device, struct error *error)
{
    struct fake *fake = fake_of(device);

    if (fails(fake, error))
        return -1;
    device->platform = KERNEL_CUDA;
    device->shared_bytes = (size_t)64 << 20;
    device->is_in_place = fake->run->is_in_place;
    if (fake->run->has_lists)
        device->memory_bytes = LIST_MEMORY_BYTES;
    return 0;
}

static int
fake_open_kernels(struct device_engine *device, struct error *error)
{
    device->blocks_max = BLOCKS_MAX;
    return fails(fake_of(device), error) ? -1 : 0;
}

static int
fake_allocate(struct device_engine *device, uintptr_t *memory, size_t size,
              void *in_place, struct error *error)
{
    struct fake *fake = fake_of(device);

    if (fails(fake, error))
        return -1;
    if (fake->memories + 1 == MEMORIES_MAX)
        abort();
    *memory = ++fake->memories;
    fake->memory[*memory] = (struct memory){
        .bytes = in_place != NULL ? in_place : malloc(size),
        .size = size,
        .is_live = true,
        .is_in_place = in_place != NULL,
    };
    if (in_place == NULL)
        memset(bytes_of(fake, *memory), SPOILED, size);
    fake->outstanding++;
    return 0;
}

static int
fake_allocate_host(struct device_engine *device, struct host_memory *host,
                   size_t size, struct error *error)
{
    struct fake *fake = fake_of(device);

    if (fails(fake, error))
        return -1;
    host->address = malloc(size);
    fake->outstanding++;
    return 0;
}

static int
fake_pin(struct device_engine *device, void *data, size_t size,
         struct error *error)
{
    struct fake *fake = fake_of(device);

    (void)data;
    (void)size;
    if (fails(fake, error))
        return -1;
    fake->outstanding++;
    return 0;
}

static int
fake_clear(struct device_engine *device, const struct device_command *command,
           uintptr_t memory, size_t size, struct error *error)
{
    struct fake *fake = fake_of(device);

    if (fails(fake, error))
        return -1;
    give(fake, command, CLEAR, memory, size);
    return given(fake, command, error);
}

static int
fake_write(struct device_engine *device, const struct device_command *command,
           uintptr_t to, size_t at, const void *from, size_t size,
           struct error *error)
{
    struct fake *fake = fake_of(device);

    if (fails(fake, error))
        return -1;
    struct command *writing = give(fake, command, WRITE, to, size);
    note(fake, at + size <= fake->memory[to].size, "a write behind the memory");
    writing->host = (void *)(uintptr_t)from;
    writing->at = at;
    return given(fake, command, error);
}

static int
fake_read(struct device_engine *device, const struct device_command *command,
          void *to, uintptr_t from, size_t size, struct error *error)
{
    struct fake *fake = fake_of(device);

    if (fails(fake, error))
        return -1;
    give(fake, command, READ, from, size)->host = to;
    memset(to, SPOILED, size);
    check_standing(fake);
    return given(fake, command, error);
}

static int
fake_copy(struct device_engine *device, const struct device_command *command,
          uintptr_t to, uintptr_t from, size_t size, struct error *error)
{
    struct fake *fake = fake_of(device);

    if (fails(fake, error))
        return -1;
    give(fake, command, COPY, to, size)->source = from;
    return given(fake, command, error);
}

/* Where the last chunk of a batch of sequences ends in its memory. */
static size_t
launch_end(const struct device_launch *launch)
{
    const struct sequence_work *work = launch->work;
    size_t last = launch->chunks - 1;

    return launch->kernel == DEVICE_DRAIN
               ? 0
               : (size_t)work->data_stride * (work->first_chunk + last) +
                     work->size[last];
}

static int
fake_launch(struct device_engine *device, const struct device_command *command,
            const struct device_launch *launch, struct error *error)
{
    struct fake *fake = fake_of(device);
    const struct sequence_work *work = launch->work;

    if (fails(fake, error))
        return -1;
    note(fake,
         launch->blocks >= 1 && launch->chunks >= 1 &&
             launch->blocks * launch->chunks <= BLOCKS_MAX,
         "the number of blocks");
    struct command *launched =
        give(fake, command, LAUNCH, launch->slot->data,
             work != NULL ? launch_end(launch) : (size_t)launch->task->size);
    launched->kernel = launch->kernel;
    launched->chunks = launch->chunks;
    if (work != NULL)
        launched->work = *work;
    else
        launched->task = *launch->task;
    return given(fake, command, error);
}

static int
fake_flush(struct device_engine *device, enum device_queue queue,
           struct error *error)
{
    note(fake_of(device), queue < QUEUES, "a queue that is none");
    return fails(fake_of(device), error) ? -1 : 0;
}

static int
fake_wait(struct device_engine *device, const struct device_event *event,
          struct error *error)
{
    struct fake *fake = fake_of(device);
    size_t number = (size_t)(uintptr_t)event->handle;

    if (fails(fake, error))
        return -1;
    note(fake, number != 0 && event->use == EVENT_AWAITED,
         "an event not to wait for");
    if (number == 0)
        return 0;
    execute(fake, number);
    if (!fake->command[number].has_failed)
        return 0;
    error_set(error, EXIT_NO_DEVICE, "a command failed");
    return -1;
}

static bool
fake_finish(struct device_engine *device)
{
    struct fake *fake = fake_of(device);

    /* Whatever is left of an engine that was lost touches nothing. */
    for (size_t i = 1; i <= fake->commands; i++)
        execute(fake, i);
    fake->is_finished = true;
    return true;
}

static void
fake_close_event(struct device_engine *device, struct device_event *event)
{
    struct fake *fake = fake_of(device);

    note(fake, fake->is_finished, "an event goes too early");
    fake->outstanding -= event->handle != NULL;
    event->handle = NULL;
}

static void
fake_release(struct device_engine *device, uintptr_t *memory)
{
    struct fake *fake = fake_of(device);

    if (*memory == 0)
        return;
    note(fake,
         fake->memory[*memory].is_live &&
             (fake->is_finished || fake->memory[*memory].is_in_place),
         "memory goes too early, or twice");
    fake->memory[*memory].is_live = false;
    fake->outstanding--;
    *memory = 0;
}

static void
fake_release_host(struct device_engine *device, struct host_memory *host)
{
    struct fake *fake = fake_of(device);

    note(fake, fake->is_finished, "host memory goes too early");
    fake->outstanding -= host->address != NULL;
    free(host->address);
}

static void
fake_unpin(struct device_engine *device, void *data)
{
    (void)data;
    fake_of(device)->outstanding--;
}

static void
fake_close(struct device_engine *device)
{
    struct fake *fake = fake_of(device);

    note(fake, fake->is_finished, "closed before it is finished");
    note(fake, fake->outstanding == 0, "something is left");
}

/* ---- the pipeline ---- */

static unsigned char *
input_of(const struct fake *fake, size_t chunk)
{
    return fake->input + chunk * fake->run->chunk_bytes;
}

/* Fill the input: bytes of any value, or in each chunk larger numbers. */
static void
make_input(struct fake *fake)
{
    const struct run *run = fake->run;
    size_t size = run->chunks * run->chunk_bytes;

    fake->input = malloc(size);
    for (size_t i = 0; i < size; i++)
        fake->input[i] = (unsigned char)(noise() >> 40);
    for (size_t i = 0; run->refusals > 0 && i < size; i += run->chunk_bytes)
        fake->input[i] = noise() % run->refusals == 0 ? REFUSED_BYTE : 'A';
    for (size_t i = 0; run->is_growing && i < size; i += sizeof(int32_t)) {
        int32_t number = (int32_t)(noise() >> 35);
        size_t chunk = i / run->chunk_bytes;
        number >>= 24 - 24 * chunk / run->chunks;
        memcpy(fake->input + i, &number, sizeof number);
    }
}

/* Count the given number of first chunks, sequences, into EXPECTED. */
static void
count_bases(const struct fake *fake, size_t chunks, uint64_t *expected)
{
    size_t size = fake->run->chunk_bytes;
    uint64_t *base = expected + fake->device->work.first[SEQUENCE_OF_BASE];

    for (size_t chunk = 0; chunk < chunks; chunk++) {
        const unsigned char *data = input_of(fake, chunk);
        if (is_refused(data))
            continue;
        expected[SEQUENCE_TOTAL_READS] += size;
        expected[SEQUENCE_TOTAL_BASES] += size;
        for (size_t i = 0; i < size; i++)
            base[data[i]]++;
        if (fake->run->has_lists)
            count_kmers(fake->device, data, size, expected);
    }
}

/* Count the given number of first chunks into EXPECTED, with SPEC. */
static void
count_input(const struct fake *fake, size_t chunks, const struct spec *spec,
            uint64_t *expected)
{
    const struct binning_axis *axis = &spec->counted[0];
    const struct binning_tables tables = spec_tables(spec);
    size_t record_bytes = spec->record.bytes;

    for (size_t at = 0; at < chunks * fake->run->chunk_bytes;
         at += record_bytes) {
        const unsigned char *record = fake->input + at;
        uint64_t bits =
            binning_load(record + axis->offset, axis->type, axis->is_swapped);
        uint64_t cell =
            axis->base + axis->stride * binning_cell(axis, &tables, bits);
        expected[cell]++;
        if (spec->has_weights)
            expected[spec->cells + cell] += record[spec->weight.offset];
    }
}

/* Whether HISTOGRAM has exactly the given number of first chunks. */
static bool
is_exact(struct fake *fake, size_t chunks)
{
    const struct engine *engine = &fake->device->engine;
    const struct histogram *histogram = &engine->histogram;
    const struct spec *spec = engine->histogram_spec;
    uint64_t *expected = calloc(fake->device->table_bytes, 1);
    uint64_t cells = fake->device->checkpoints.cells;
    bool is_same = histogram->value != NULL || chunks == 0;

    if (spec->kind != SPEC_SAMPLES)
        count_bases(fake, chunks, expected);
    else
        count_input(fake, chunks, spec, expected);
    /* If all are refused, there need not be a histogram. */
    is_same |=
        spec->kind != SPEC_SAMPLES && expected[SEQUENCE_TOTAL_READS] == 0;
    for (uint64_t i = 0; is_same && histogram->value != NULL && i < cells;
         i++) {
        is_same = histogram->value[i] == expected[i];
        if (spec->has_weights && is_same) {
            const uint64_t *digit = histogram->value + spec->cells + i;
            is_same = digit[0] + (digit[spec->cells] << 32) ==
                      expected[spec->cells + i];
        }
    }
    free(expected);
    return is_same;
}

/* What the engine has made stands from now on. */
static void
keep(struct fake *fake)
{
    fake->stands = fake->device->engine.histogram.value;
    if (fake->stands != NULL)
        memcpy(fake->stood, fake->stands, fake->device->table_bytes);
}

/* A chunk that the engine does not hold, with the next of the input. */
static struct chunk *
fill_chunk(struct fake *fake, struct auto_range *ranging)
{
    struct chunk *chunk = NULL;

    for (size_t i = 0; i < fake->pool.chunk_count && chunk == NULL; i++) {
        if (fake->pool.chunks[i].state == CHUNK_EMPTY)
            chunk = &fake->pool.chunks[i];
    }
    if (chunk == NULL)
        return NULL;
    chunk->state = CHUNK_TAKEN;
    chunk->used = fake->run->chunk_bytes;
    memcpy(chunk->data, input_of(fake, fake->submitted), chunk->used);
    chunk->spec = auto_range_extend(ranging, chunk->data, chunk->used);
    fake->held[fake->held_count++] = chunk;
    return chunk;
}

/* Submit the next chunk, if there is room.  0: done; 1: no room; -1: failed. */
static int
submit_chunk(struct fake *fake, struct auto_range *ranging, struct error *error)
{
    struct engine *engine = &fake->device->engine;

    if (fake->submitted == fake->run->chunks ||
        fake->held_count == engine->depth)
        return 1;
    struct chunk *chunk = fill_chunk(fake, ranging);
    if (chunk == NULL)
        return 1;
    pool_replace(&fake->pool, chunk, &engine->spare);
    int result = engine->type->submit(engine, chunk, error);
    check_standing(fake);
    fake->submitted++;
    return result;
}

static int
complete_chunks(struct fake *fake, struct error *error)
{
    struct engine *engine = &fake->device->engine;
    size_t count = 0;

    int result = engine->type->complete(engine, &count, error);
    check_standing(fake);
    if (result < 0 || fake->is_lost)
        return result;
    note(fake, count >= 1 && count <= fake->held_count,
         "more chunks than there are");
    for (size_t i = 0; i < count && i < fake->held_count; i++) {
        const unsigned char *data = input_of(fake, fake->completed + i);
        note(fake,
             engine->refused == NULL || engine->refused[i] == is_refused(data),
             "the wrong chunks are refused");
        /* Others fill it at once. */
        memset(fake->held[i]->data, 0x55, fake->pool.chunk_bytes);
        fake->held[i]->used = 0;
        fake->held[i]->spec = NULL;
        fake->held[i]->state = CHUNK_EMPTY;
    }
    fake->held_count -= count;
    memmove(fake->held, fake->held + count,
            fake->held_count * sizeof *fake->held);
    fake->completed += count;
    /* Alone, it may release chunks early, but for the last it holds. */
    bool is_early = fake->run->is_alone && fake->device->checkpoints.is_large &&
                    fake->held_count > 0;
    note(fake, is_early || is_exact(fake, fake->completed),
         "other counts than those of the chunks completed");
    keep(fake);
    return 0;
}

/* Count the input, in any order of the two calls.  0, or -1: it failed. */
static int
count_all(struct fake *fake, struct auto_range *ranging, struct error *error)
{
    struct engine *engine = &fake->device->engine;
    int result = engine->type->open(engine, &fake->pool, error);

    fake->stood = malloc(fake->device->table_bytes);
    if (engine->spec->has_weights) {
        /* So many were added before. */
        fake->device->added = WEIGHING_ADDS_MAX - 100;
        fake->adds = fake->device->added;
    }
    while (result == 0 && !fake->is_lost &&
           fake->completed < fake->run->chunks) {
        bool waits = fake->held_count > 0 && noise() % 8 == 0;
        result = waits ? 1 : submit_chunk(fake, ranging, error);
        if (result == 1)
            result = complete_chunks(fake, error);
    }
    return result;
}

/* How often a fault was there, and what came of it. */
struct outcomes {
    size_t fired;
    size_t failed;
    size_t operations; /* of a run */
    size_t commands;
    const char *wrong; /* in any of them */
    size_t number;     /* of the fault in that one */
};

static void
count_with(const struct run *run, const struct spec *spec, enum timing timing,
           enum fault fault, size_t number, struct outcomes *outcomes)
{
    static const struct device_operations all = {
        .open = fake_open,
        .open_kernels = fake_open_kernels,
        .allocate = fake_allocate,
        .allocate_host = fake_allocate_host,
        .pin = fake_pin,
        .clear = fake_clear,
        .write = fake_write,
        .read = fake_read,
        .copy = fake_copy,
        .launch = fake_launch,
        .flush = fake_flush,
        .wait = fake_wait,
        .finish = fake_finish,
        .close_event = fake_close_event,
        .release = fake_release,
        .release_host = fake_release_host,
        .unpin = fake_unpin,
        .close = fake_close,
    };
    struct device_operations operations = all;
    struct fake *fake = calloc(1, sizeof *fake);
    struct fake_engine *engine = calloc(1, sizeof *engine);
    struct auto_range ranging;
    struct error error = ERROR_NONE;

    if (!run->has_shadow)
        operations.copy = NULL;
    if (!run->has_pinning)
        operations.pin = NULL;
    engine->fake = fake;
    fake->device = &engine->device;
    fake->run = run;
    fake->timing = timing;
    fake->fault = fault;
    fake->fault_number = number;
    make_input(fake);
    auto_range_open(&ranging, spec);
    device_engine_init(fake->device, &operations, device_job_of(spec),
                       auto_range_current(&ranging), STRATEGY_AUTO,
                       run->is_alone, 0);
    fake->device->may_replace = !run->has_pinning;
    pool_open(&fake->pool, POOL_CHUNKS, run->chunk_bytes, false, &error);

    int result = count_all(fake, &ranging, &error);
    note(fake, (result < 0) == (error.status != EXIT_DONE) || fake->is_lost,
         "a failure without a reason, or the other way round");
    note(fake, fault != NO_FAULT || result == 0, "a failure without a fault");
    note(fake,
         fault != REFUSED || !fake->has_fired || result < 0 ||
             fake->device->engine.shortage.status != EXIT_DONE,
         "a failure that is not noticed");
    outcomes->fired += fake->has_fired;
    outcomes->failed += result < 0;
    outcomes->operations = fake->operations;
    outcomes->commands = fake->commands;

    fake->stands = NULL;
    fake->device->engine.type->close(&fake->device->engine);
    if (fake->wrong != NULL && outcomes->wrong == NULL) {
        outcomes->wrong = fake->wrong;
        outcomes->number = number;
    }
    for (size_t i = 1; i <= fake->memories; i++) {
        if (!fake->memory[i].is_in_place)
            free(fake->memory[i].bytes);
    }
    pool_close(&fake->pool);
    auto_range_close(&ranging);
    error_clear(&error);
    free(fake->input);
    free(fake->stood);
    free(fake);
}

/* All faults of a run, as many as it has places for. */
static void
test_run(const struct run *run)
{
    static const char *const timing_names[TIMINGS] = {"late", "early", "any"};
    static const char *const fault_names[FAULTS] = {
        "healthy", "refused", "failed on the device", "too late", "bad count"};
    struct spec spec;

    made_spec(&spec, run->line);
    uint64_t bytes = spec.uses_tables
                         ? sequence_layout_cells(&spec) * sizeof(uint64_t)
                         : spec_table_bytes(&spec);
    bool is_large = bytes > (size_t)64 << 10;
    for (int i = 0; i < TIMINGS; i++) {
        enum timing timing = (enum timing)i;
        struct outcomes healthy = {0};

        count_with(run, &spec, timing, NO_FAULT, 0, &healthy);
        ok(healthy.wrong == NULL, "%s, %s: healthy: %s", run->name,
           timing_names[timing],
           healthy.wrong != NULL ? healthy.wrong : "exact");
        for (int j = REFUSED; j < FAULTS; j++) {
            enum fault fault = (enum fault)j;
            size_t places = fault == FAILED || fault == BAD_COUNT
                                ? healthy.commands
                                : healthy.operations;
            struct outcomes outcomes = {0};
            /* Only of a small one does each copy have to add up. */
            if (fault == BAD_COUNT && is_large)
                continue;
            const size_t times =
                (is_large ? 20U : 60U) / (IS_INSTRUMENTED ? 5U : 1U);
            size_t step = 2 * places / times;
            if (fault == FAILED && !is_large && !IS_INSTRUMENTED)
                step = 0;
            for (size_t n = 1; n <= places; n += 1 + noise() % (step + 1))
                count_with(run, &spec, timing, fault, n, &outcomes);
            ok(outcomes.wrong == NULL && outcomes.fired > 0,
               "%s, %s: %zu times %s, %zu runs failed: %s (%zu)", run->name,
               timing_names[timing], outcomes.fired, fault_names[fault],
               outcomes.failed,
               outcomes.wrong != NULL ? outcomes.wrong : "exact or failed",
               outcomes.number);
        }
    }
    spec_close(&spec);
}

/* clang-format off */
#define FEW ",x*252 --fields=1 --bins=9000" /* records in a chunk */
static const struct run runs[] = {
    {.name = "bytes", .line = "--dtype=u1", .chunk_bytes = 128, .chunks = 40,
     .has_shadow = true, .has_pinning = true},
    {.name = "bytes, alone", .line = "--dtype=u1", .chunk_bytes = 128,
     .chunks = 40, .is_alone = true, .has_shadow = true, .has_pinning = true},
    {.name = "one chunk", .line = "--dtype=u1", .chunk_bytes = 128,
     .chunks = 1, .has_pinning = true},
    {.name = "chunks that move", .line = "--dtype=u1", .chunk_bytes = 128,
     .chunks = 40},
    {.name = "in place", .line = "--dtype=u1", .chunk_bytes = 128,
     .chunks = 40, .is_in_place = true},
    {.name = "range", .line = "--dtype=i4 --bins=50 --range=auto",
     .chunk_bytes = 64, .chunks = 30, .has_shadow = true, .has_pinning = true,
     .is_growing = true},
    {.name = "range, in place", .line = "--dtype=i4 --bins=50 --range=auto",
     .chunk_bytes = 64, .chunks = 30, .is_in_place = true, .is_growing = true},
    {.name = "weights",
     .line = "--record=u1,u1 --fields=1 --weights=2 --bins=9 --range=0,256",
     .chunk_bytes = 64, .chunks = 30, .has_shadow = true, .has_pinning = true},
    {.name = "large", .line = "--record=u4" FEW " --range=0,4294967296",
     .chunk_bytes = 65536, .chunks = 40, .has_shadow = true,
     .has_pinning = true},
    {.name = "large, without a shadow",
     .line = "--record=u4" FEW " --range=0,4294967296", .chunk_bytes = 65536,
     .chunks = 40},
    {.name = "large, in place",
     .line = "--record=u4" FEW " --range=0,4294967296", .chunk_bytes = 65536,
     .chunks = 40, .is_in_place = true},
    {.name = "large, alone",
     .line = "--dtype=u4 --bins=9000 --range=0,4294967296", .chunk_bytes = 256,
     .chunks = 40, .is_alone = true, .has_shadow = true, .has_pinning = true},
    {.name = "large, alone, in place",
     .line = "--dtype=u4 --bins=9000 --range=0,4294967296", .chunk_bytes = 256,
     .chunks = 40, .is_alone = true, .is_in_place = true},
    {.name = "large range", .line = "--record=i4" FEW " --range=auto",
     .chunk_bytes = 65536, .chunks = 30, .has_shadow = true,
     .has_pinning = true, .is_growing = true},
    {.name = "sequences", .line = "--seq", .chunk_bytes = 64, .chunks = 14,
     .has_shadow = true, .has_pinning = true, .refusals = 3},
    {.name = "sequences, in place", .line = "--seq", .chunk_bytes = 64,
     .chunks = 14, .is_in_place = true, .refusals = 3},
    {.name = "large sequences", .line = "--kmers=7 -f kmer -f base",
     .chunk_bytes = 65536, .chunks = 12, .has_shadow = true,
     .has_pinning = true, .refusals = 3},
    {.name = "large sequences, alone", .line = "--kmers=7 -f kmer -f base",
     .chunk_bytes = 256, .chunks = 30, .is_alone = true, .has_shadow = true,
     .has_pinning = true, .refusals = 2},
    {.name = "lists", .line = "--kmers=7 -f kmer -f base",
     .chunk_bytes = 2048, .chunks = 23, .has_shadow = true,
     .has_pinning = true, .has_lists = true, .refusals = 3},
    {.name = "lists, alone, in place", .line = "--kmers=7 -f kmer -f base",
     .chunk_bytes = 4096, .chunks = 11, .is_alone = true, .is_in_place = true,
     .has_lists = true, .refusals = 4},
};
/* clang-format on */

int
main(void)
{
    for (size_t i = 0; i < COUNT(runs); i++)
        test_run(&runs[i]);
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/*
 * decoding.c -- files and pipes, compressed or not, as readers get them
 *
 * What comes out is compared with what the library alone makes of the same
 * bytes, and what several readers get of a file in parts with what one reader
 * gets.
 */

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "decoding.h"
#include "fuzz.h"
#include "input/read/claim.h"
#include "input/read/inputs.h"

#define CONTENT_MAX ((size_t)1 << 17) /* larger content is skipped */
#define AHEAD_CHUNKS 32               /* the limit of parts.c */
#define READERS 3
#define READS_MAX 512

static unsigned char content[CONTENT_MAX];

/* ---- records, in any order ---- */

/* The sum of a hash of each record. */
static uint64_t
digest(const unsigned char *data, size_t size, size_t record_bytes)
{
    uint64_t sum = 0;

    for (size_t at = 0; at < size; at += record_bytes) {
        uint64_t hash = 14695981039346656037u; /* FNV-1a */
        for (size_t i = 0; i < record_bytes; i++)
            hash = (hash ^ data[at + i]) * 1099511628211u;
        sum += hash ^ hash >> 29;
    }
    return sum;
}

/* ---- readers ---- */

/* A run: its choices, from the data, and its results. */
struct run {
    const struct decoding *decoding;
    char path[32];
    char *paths[1]; /* PATH */
    struct reading reading;
    size_t record_bytes;
    size_t capacity;
    bool drops;

    struct inputs inputs;
    struct budget budget;
    atomic_ullong bytes;
    atomic_ullong sum; /* digest() of them */
    atomic_bool is_ragged;
};

static void
open_run(struct run *run)
{
    struct error error = ERROR_NONE;

    run->paths[0] = run->path;
    run->bytes = 0;
    run->sum = 0;
    budget_open(&run->budget, DECODING_BUDGET);
    if (inputs_open(&run->inputs, run->paths, 1, &run->reading, &run->budget,
                    &error) < 0)
        abort();
    run->inputs.framing = framing_make_fixed(run->record_bytes, run->drops);
}

static void
close_run(struct run *run)
{
    fuzz_must(run->inputs.waiting == 0, "nobody waits");
    fuzz_must(run->budget.left == DECODING_BUDGET, "all memory is given back");
    fuzz_must(!run->is_ragged, "whole records at a time");
    inputs_close(&run->inputs);
    budget_close(&run->budget);
}

/* Read once; false: there is no more. */
static bool
read_once(struct run *run, struct input_reader *reader)
{
    unsigned char *buffer = malloc(run->capacity);

    if (buffer == NULL)
        abort();
    size_t got = inputs_read(&run->inputs, reader, buffer, run->capacity);
    if (got % run->record_bytes != 0 || got > run->capacity)
        run->is_ragged = true;
    else
        run->sum += digest(buffer, got, run->record_bytes);
    run->bytes += got;
    free(buffer);
    return got == run->capacity;
}

static void *
reader_main(void *argument)
{
    struct run *run = argument;
    struct input_reader reader = {0};

    while (read_once(run, &reader))
        continue;
    return NULL;
}

/* The row of the table of formats. */
static const struct decoders_format *
format_of(const struct decoding *decoding, enum decompress *how)
{
    const char *remark = NULL;

    *how = DECOMPRESS_ONLY;
    while (strcmp(decoders_word(*how, &remark), decoding->name) != 0)
        (*how)++;
    return decoders_demanded(*how);
}

/*
 * Whether one of several readers of the file would ever wait for another one:
 * far ahead of it, or for memory.  Then they must be threads.  Where reading
 * more at a time helps, that is done instead.
 */
static bool
may_wait(struct run *run, int fd, const uint8_t *data, size_t size)
{
    enum decompress how;
    const struct decoder_type *type = format_of(run->decoding, &how)->type;
    struct decoder_walk *walk =
        type->walk_open != NULL ? type->walk_open(fd, 0) : NULL;
    size_t furthest = 0;
    uint64_t most = 0;

    if (walk == NULL)
        return false;
    do {
        uint64_t need = 0;
        if (type->walk_is_at_part(walk) && walk->offset < (off_t)size)
            need = run->decoding->memory(data + walk->offset,
                                         size - (size_t)walk->offset);
        if (need > most)
            most = need;
        furthest = (size_t)walk->offset;
    } while (type->walk_step(walk) == 0);
    free(walk);
    if (furthest < CONTENT_MAX && run->capacity <= furthest / AHEAD_CHUNKS)
        run->capacity = (furthest / AHEAD_CHUNKS / run->record_bytes + 1) *
                        run->record_bytes;
    return furthest >= run->capacity * AHEAD_CHUNKS ||
           most > DECODING_BUDGET / READERS;
}

/* Several readers, each in its turn, which TURNS decides. */
static void
read_in_turns(struct run *run, uint64_t turns)
{
    struct input_reader reader[READERS] = {{0}};
    bool has_more[READERS] = {true, true, true};

    for (int left = READERS; left > 0;) {
        turns = turns * 6364136223846793005u + 1442695040888963407u;
        size_t i = (size_t)(turns >> 33) % READERS;
        if (!has_more[i])
            continue;
        has_more[i] = read_once(run, &reader[i]);
        left -= !has_more[i];
    }
}

static void
read_in_threads(struct run *run)
{
    pthread_t thread[READERS];

    for (int i = 0; i < READERS; i++) {
        if (pthread_create(&thread[i], NULL, reader_main, run) != 0)
            abort();
    }
    for (int i = 0; i < READERS; i++)
        pthread_join(thread[i], NULL);
}

/* Several readers must get what one reader got. */
static void
compare_readers(struct run *run, int fd, const uint8_t *data, size_t size,
                uint64_t turns)
{
    unsigned long long bytes = run->bytes;
    unsigned long long sum = run->sum;
    struct error wanted = inputs_error(&run->inputs, 0)->status == EXIT_DONE
                              ? ERROR_NONE
                              : *inputs_error(&run->inputs, 0);
    char *text = wanted.text != NULL ? strdup(wanted.text) : NULL;
    size_t dropped = run->inputs.slot[0].input->dropped_bytes;

    close_run(run);
    open_run(run);
    if (may_wait(run, fd, data, size))
        read_in_threads(run);
    else
        read_in_turns(run, turns);
    const struct error *error = inputs_error(&run->inputs, 0);
    fuzz_must(error->status == wanted.status, "several readers: the status");
    if (error->status == EXIT_DONE) {
        fuzz_must(run->bytes == bytes && run->sum == sum,
                  "several readers: the same records");
        fuzz_must(run->inputs.slot[0].input->dropped_bytes == dropped,
                  "several readers: the same rest");
    } else {
        fuzz_must(run->decoding->is_same_error(error->text, text),
                  "several readers: the message");
    }
    free(text);
}

/* ---- one reader ---- */

/* Whether the reader may have failed although the content is good. */
static bool
may_fail(const struct run *run, size_t size)
{
    const char *text = inputs_error(&run->inputs, 0)->text;
    uint64_t skip = run->reading.skip_bytes;
    uint64_t left = size > skip ? size - skip : 0;

    if (left > run->reading.read_bytes)
        left = run->reading.read_bytes;
    return skip > size || (!run->drops && left % run->record_bytes != 0) ||
           strstr(text, "--memory-limit") != NULL;
}

/* Compare with what is in WANTED, all of which is GOOD or not. */
static void
compare_content(struct run *run, enum decoding_outcome outcome,
                const unsigned char *wanted, size_t size)
{
    const struct error *error = inputs_error(&run->inputs, 0);
    uint64_t skip = run->reading.skip_bytes;
    uint64_t most = run->reading.read_bytes;

    if (error->status != EXIT_DONE) {
        fuzz_must(error->status == EXIT_DATA && *error->text != '\0',
                  "a message");
        fuzz_must(outcome != DECODING_GOOD || may_fail(run, size),
                  "good content is accepted");
        return;
    }
    if (outcome != DECODING_GOOD) {
        /* The bad bytes were not read. */
        fuzz_must(most != UINT64_MAX &&
                      run->bytes == most - most % run->record_bytes,
                  "bad content is refused");
        return;
    }
    fuzz_must(skip <= size, "too short for --skip-bytes");
    size -= (size_t)skip;
    if (size > most)
        size = (size_t)most;
    fuzz_must(run->drops || size % run->record_bytes == 0, "a record is cut");
    size -= size % run->record_bytes;
    fuzz_must(run->bytes == size, "so many bytes");
    fuzz_must(run->sum == digest(wanted + skip, size, run->record_bytes),
              "these bytes");
}

/* A pipe with SIZE bytes in it and no writer; to be closed. */
static int
write_pipe(const void *data, size_t size, char path[32])
{
    int fd[2];

    if (pipe(fd) < 0 || (size > 0 && write(fd[1], data, size) < (ssize_t)size))
        abort();
    close(fd[1]);
    snprintf(path, 32, "/proc/self/fd/%d", fd[0]);
    return fd[0];
}

void
decoding_check(const struct decoding *decoding, struct fuzz *choices,
               const uint8_t *data, size_t size)
{
    static const uint64_t lengths[] = {UINT64_MAX, 0, 1, 7, 100, 1000};
    struct run run = {.decoding = decoding,
                      .reading = {.read_bytes = UINT64_MAX}};
    const struct decoders_format *recognised = NULL;
    enum decompress how;
    const struct decoders_format *format = format_of(decoding, &how);

    uint64_t mode = fuzz_take(choices, 1);
    run.capacity = 1 + (size_t)fuzz_take(choices, 1);
    run.record_bytes = 1 + (size_t)fuzz_take(choices, 1) % 9;
    uint64_t part = fuzz_take(choices, 1);
    uint64_t turns = fuzz_take(choices, 1);
    if (size > PIPE_BUF)
        return;

    enum decoding_outcome outcome = DECODING_GOOD;
    const unsigned char *wanted = data;
    size_t wanted_size = size;
    run.reading.decompress = (enum decompress)(mode % 3);
    if (run.reading.decompress >= DECOMPRESS_ONLY)
        run.reading.decompress = how;
    if (run.reading.decompress == DECOMPRESS_AUTO)
        decoders_match(DECOMPRESS_AUTO, data, size, &recognised);
    if (recognised != NULL && recognised != format)
        return;
    /* The frame after a skippable one may be of zstd or of lz4. */
    if (recognised != NULL && magic_is_skippable(data, size) == MAGIC_YES)
        return;
    if (run.reading.decompress == how || recognised == format) {
        outcome =
            decoding->decode(data, size, content, CONTENT_MAX, &wanted_size);
        if (outcome == DECODING_LONG)
            return;
        wanted = content;
    }
    if (run.capacity < wanted_size / READS_MAX)
        run.capacity = wanted_size / READS_MAX;
    run.capacity += run.record_bytes - run.capacity % run.record_bytes;
    if (mode & 64) {
        run.reading.skip_bytes = part >> 4;
        run.reading.read_bytes = lengths[part % 6];
    }
    run.drops = (mode & 32) != 0;

    bool is_pipe = (mode & 128) != 0;
    int fd = is_pipe ? write_pipe(data, size, run.path)
                     : fuzz_write_file(data, size, run.path);
    open_run(&run);
    reader_main(&run);
    if (outcome != DECODING_UNSURE)
        compare_content(&run, outcome, wanted, wanted_size);
    if (is_pipe)
        close(fd);
    else
        compare_readers(&run, fd, data, size, turns);
    close_run(&run);
}

/*
 * fuzz_zstd.c -- files and pipes, compressed or not, as readers get them
 *
 * What comes out is compared with what libzstd alone makes of the same bytes,
 * and what several readers get of a file in parts with what one reader gets.
 */

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include <zstd.h>

#include "fuzz.h"
#include "input/fixed_framing.h"
#include "input/inputs.h"
#include "input/zstd_frame.h"
#include "input/zstd_walk.h"

#define CONTENT_MAX ((size_t)1 << 17) /* larger content is skipped */
#define WINDOW_LOG_MAX 24             /* the limit that the budget sets */
#define BUDGET_BYTES ((size_t)16 << 20)
#define DECODER_BYTES ((size_t)1 << 20) /* besides the window: zstd_stream.c */
#define PIECE_BYTES 7                   /* shorter than any frame */
#define AHEAD_CHUNKS 32                 /* the limit of parts.c */
#define READERS 3
#define READS_MAX 512

/* ---- the oracle: libzstd ---- */

static unsigned char content[CONTENT_MAX];
static size_t content_size;

enum outcome {
    OUTCOME_GOOD,
    OUTCOME_BAD,
    OUTCOME_LONG,
};

/*
 * Decode all of DATA into CONTENT.  Of a whole frame at once libzstd 1.5 would
 * refuse a compressed block of no bytes, of a stream it does not.
 */
static enum outcome
decode(const uint8_t *data, size_t size)
{
    static ZSTD_DCtx *decoder;
    ZSTD_inBuffer in = {data, 0, 0};
    ZSTD_outBuffer out = {content, CONTENT_MAX, 0};
    size_t hint = 0;

    content_size = 0;
    if (decoder == NULL) {
        decoder = ZSTD_createDCtx();
        if (decoder == NULL)
            abort();
        ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    }
    ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only);
    do {
        size_t before = in.pos + out.pos;
        /* libzstd may know formats that are older than the RFC's. */
        if (hint == 0 && !zstd_frame_is_magic(data + in.pos, size - in.pos))
            return OUTCOME_BAD;
        if (in.pos == in.size)
            in.size +=
                size - in.size < PIECE_BYTES ? size - in.size : PIECE_BYTES;
        hint = ZSTD_decompressStream(decoder, &out, &in);
        content_size = out.pos;
        if (ZSTD_isError(hint))
            return OUTCOME_BAD;
        if (out.pos == out.size)
            return OUTCOME_LONG;
        if (hint != 0 && in.pos + out.pos == before)
            return OUTCOME_BAD;
    } while (hint != 0 || in.pos < size);
    return OUTCOME_GOOD;
}

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
    char path[32];
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
    char *paths[] = {run->path};
    struct error error = ERROR_NONE;

    run->bytes = 0;
    run->sum = 0;
    budget_open(&run->budget, BUDGET_BYTES);
    if (inputs_open(&run->inputs, paths, 1, &run->reading, &run->budget,
                    &error) < 0)
        abort();
    run->inputs.framing = fixed_framing_make(run->record_bytes, run->drops);
}

static void
close_run(struct run *run)
{
    fuzz_must(run->inputs.waiting == 0, "nobody waits");
    fuzz_must(run->budget.left == BUDGET_BYTES, "all memory is given back");
    fuzz_must(!run->is_ragged, "whole records at a time");
    inputs_close(&run->inputs);
    budget_close(&run->budget);
}

/* Read once; false: there is no more. */
static bool
read_once(struct run *run, struct claim *claim)
{
    unsigned char *buffer = malloc(run->capacity);

    if (buffer == NULL)
        abort();
    size_t got = inputs_read(&run->inputs, claim, buffer, run->capacity);
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
    struct claim claim = {0};

    while (read_once(run, &claim))
        continue;
    return NULL;
}

/*
 * Whether one of several readers of the file would ever wait for another one:
 * far ahead of it, or for memory.  Then they must be threads.  Where reading
 * more at a time helps, that is done instead.
 */
static bool
may_wait(struct run *run, int fd, const uint8_t *data, size_t size)
{
    struct decoder_walk *walk = zstd_walk_open(fd, 0);
    size_t furthest = 0;
    uint64_t window = 0;

    if (walk == NULL)
        abort();
    do {
        struct zstd_frame frame;
        if (zstd_walk_is_at_frame(walk) && walk->offset < (off_t)size &&
            zstd_frame_read(&frame, data + walk->offset,
                            size - (size_t)walk->offset) == 0 &&
            frame.window_bytes > window)
            window = frame.window_bytes;
        furthest = (size_t)walk->offset;
    } while (zstd_walk_step(walk) == 0);
    free(walk);
    if (furthest < CONTENT_MAX && run->capacity <= furthest / AHEAD_CHUNKS)
        run->capacity = (furthest / AHEAD_CHUNKS / run->record_bytes + 1) *
                        run->record_bytes;
    return furthest >= run->capacity * AHEAD_CHUNKS ||
           window > BUDGET_BYTES / READERS - DECODER_BYTES;
}

/* Several readers, each in its turn, which TURNS decides. */
static void
read_in_turns(struct run *run, uint64_t turns)
{
    struct claim claim[READERS] = {{0}};
    bool has_more[READERS] = {true, true, true};

    for (int left = READERS; left > 0;) {
        turns = turns * 6364136223846793005u + 1442695040888963407u;
        size_t i = (size_t)(turns >> 33) % READERS;
        if (!has_more[i])
            continue;
        has_more[i] = read_once(run, &claim[i]);
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

/*
 * Whether two messages report the same error at the same byte.  libzstd's text
 * for a bad block depends on the room after the block.
 */
static bool
is_same_place(const char *a, const char *b)
{
    const char *detail = strrchr(a, ':');
    size_t length = strstr(a, ": corrupt zstd data") != NULL && detail != NULL
                        ? (size_t)(detail - a) + 1
                        : strlen(a) + 1;

    return strncmp(a, b, length) == 0;
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
    size_t dropped = run->inputs.input[0].dropped_bytes;

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
        fuzz_must(run->inputs.input[0].dropped_bytes == dropped,
                  "several readers: the same rest");
    } else {
        fuzz_must(is_same_place(error->text, text),
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
compare_content(struct run *run, enum outcome outcome,
                const unsigned char *wanted, size_t size)
{
    const struct error *error = inputs_error(&run->inputs, 0);
    uint64_t skip = run->reading.skip_bytes;
    uint64_t most = run->reading.read_bytes;

    if (error->status != EXIT_DONE) {
        fuzz_must(error->status == EXIT_DATA && *error->text != '\0',
                  "a message");
        fuzz_must(outcome != OUTCOME_GOOD || may_fail(run, size),
                  "good content is accepted");
        return;
    }
    if (outcome != OUTCOME_GOOD) {
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t lengths[] = {UINT64_MAX, 0, 1, 7, 100, 1000};
    struct fuzz fuzz = {data, size};
    struct run run = {.reading = {.read_bytes = UINT64_MAX}};

    uint64_t mode = fuzz_take(&fuzz, 1);
    run.capacity = 1 + (size_t)fuzz_take(&fuzz, 1);
    run.record_bytes = 1 + (size_t)fuzz_take(&fuzz, 1) % 9;
    uint64_t part = fuzz_take(&fuzz, 1);
    uint64_t turns = fuzz_take(&fuzz, 1);
    if (fuzz.size > PIPE_BUF)
        return 0;

    enum outcome outcome = OUTCOME_GOOD;
    const unsigned char *wanted = fuzz.data;
    size_t wanted_size = fuzz.size;
    /* auto, none or zstd, the first row of the table. */
    run.reading.decompress = (enum decompress)(mode % 3);
    if (run.reading.decompress >= DECOMPRESS_ONLY ||
        (run.reading.decompress == DECOMPRESS_AUTO &&
         zstd_frame_is_magic(fuzz.data, fuzz.size))) {
        outcome = decode(fuzz.data, fuzz.size);
        if (outcome == OUTCOME_LONG)
            return 0;
        wanted = content;
        wanted_size = content_size;
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
    int fd = is_pipe ? write_pipe(fuzz.data, fuzz.size, run.path)
                     : fuzz_write_file(fuzz.data, fuzz.size, run.path);
    open_run(&run);
    reader_main(&run);
    compare_content(&run, outcome, wanted, wanted_size);
    if (is_pipe)
        close(fd);
    else
        compare_readers(&run, fd, fuzz.data, fuzz.size, turns);
    close_run(&run);
    return 0;
}

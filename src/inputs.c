/* inputs.c -- all inputs of a run, shared out among the readers */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs.h"

/* A smaller file is not worth a second reader. */
#define SHARED_CHUNKS_MIN 2

/*
 * Files under /sys claim a page (up to 64 KiB) and hold less; that is not a
 * truncation, so nothing so small is read in ranges.
 */
#define SHARED_BYTES_MIN (128 << 10)

/* Add what the system says of the size of an input to the totals. */
static void
survey(struct inputs *inputs, const struct input *input)
{
    const char *path = input->source.path;
    struct stat status;

    if ((path == NULL ? fstat(STDIN_FILENO, &status) : stat(path, &status)) < 0)
        return; /* its reader will fail, and say so */
    if (!S_ISREG(status.st_mode)) {
        inputs->has_unknown_length = true;
        return;
    }
    off_t here = path == NULL ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    uint64_t bytes =
        status.st_size > here ? (uint64_t)(status.st_size - here) : 0;
    inputs->known_bytes +=
        bytes < inputs->reading.read_bytes ? bytes : inputs->reading.read_bytes;
}

int
inputs_open(struct inputs *inputs, char *const *paths, size_t count,
            const struct reading *reading, struct budget *budget,
            struct error *error)
{
    bool has_stdin = false;

    *inputs = (struct inputs){.count = count > 0 ? count : 1,
                              .reading = *reading,
                              .record_bytes = 1,
                              .budget = budget};
    inputs->input = calloc(inputs->count, sizeof *inputs->input);
    if (inputs->input == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = &inputs->input[i];
        bool is_stdin = count == 0 || strcmp(paths[i], "-") == 0;

        input->source = (struct source){
            .path = is_stdin ? NULL : paths[i],
            .display_name = is_stdin ? "standard input" : paths[i],
            .fd = -1,
        };
        input->is_repeated = is_stdin && has_stdin;
        has_stdin |= is_stdin;
        if (!input->is_repeated)
            survey(inputs, input);
    }
    pthread_mutex_init(&inputs->lock, NULL);
    pthread_cond_init(&inputs->opened, NULL);
    return 0;
}

/* Open INPUT and, if it is an image, see that it has the format of all. */
static int
open_one(const struct inputs *inputs, struct input *input)
{
    const struct image_format *wanted = &inputs->reading.format;
    struct source *source = &input->source;
    struct image_format format;

    if (input->is_open)
        return 0;
    if (source_open(source, &inputs->reading, inputs->budget) < 0)
        return -1;
    if (!inputs->reading.is_image)
        return 0;
    if (source_read_header(source, &format) < 0)
        return -1;
    if (format.channels == wanted->channels && format.maxval == wanted->maxval)
        return 0;
    error_set(&source->error, EXIT_DATA,
              "%s: channels: %u, up to %u; but of the first image %u, up to %u",
              source->display_name, format.channels, format.maxval,
              wanted->channels, wanted->maxval);
    return -1;
}

int
inputs_read_header(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = &inputs->input[i];
        struct source *source = &input->source;

        if (input->is_repeated)
            continue;
        input->is_open =
            source_open(source, &inputs->reading, inputs->budget) == 0 &&
            source_read_header(source, &inputs->reading.format) == 0;
        if (i == 0 && input->is_open)
            return 0;
        source_close(source);
    }
    return -1;
}

/* Open the next new input; under the lock, which is let go meanwhile. */
static struct input *
open_next(struct inputs *inputs)
{
    struct input *input = &inputs->input[inputs->next_new++];

    if (input->is_repeated)
        return NULL;

    inputs->opening++;
    pthread_mutex_unlock(&inputs->lock);
    int opened = open_one(inputs, input);
    pthread_mutex_lock(&inputs->lock);
    inputs->opening--;
    pthread_cond_broadcast(&inputs->opened);
    if (opened < 0) {
        source_close(&input->source);
        return NULL;
    }
    off_t size = input->source.size - input->source.first;
    input->next_range = input->source.first;
    input->ranges_end = input->source.size - size % (off_t)inputs->record_bytes;
    return input;
}

static bool
is_worth_sharing(const struct source *source, size_t chunk_bytes)
{
    off_t size = source->size - source->first;

    return source_has_ranges(source) && size >= SHARED_BYTES_MIN &&
           size >= (off_t)chunk_bytes * SHARED_CHUNKS_MIN;
}

/* Let all readers claim ranges of INPUT; under the lock. */
static void
share(struct inputs *inputs, struct input *input)
{
    input->is_shared = true;
    input->next_shared = inputs->shared;
    inputs->shared = input;
}

/* Hand out no more ranges of INPUT; under the lock. */
static void
stop_sharing(struct inputs *inputs, struct input *input)
{
    struct input **link = &inputs->shared;

    if (!input->is_shared)
        return;
    while (*link != input)
        link = &(*link)->next_shared;
    *link = input->next_shared;
    input->is_shared = false;
}

/*
 * Find something to read: a range of a shared file in *RANGE_OFFSET and
 * *RANGE_SIZE (at most CAPACITY), or (a *RANGE_SIZE of 0) a whole input.
 * NULL: nothing is left for this reader.
 */
static struct input *
claim_next(struct inputs *inputs, size_t capacity, size_t chunk_bytes,
           off_t *range_offset, size_t *range_size)
{
    struct input *input = NULL;

    *range_size = 0;
    pthread_mutex_lock(&inputs->lock);
    for (;;) {
        input = inputs->shared;
        if (input != NULL) {
            off_t left = input->ranges_end - input->next_range;
            *range_offset = input->next_range;
            *range_size = left < (off_t)capacity ? (size_t)left : capacity;
            input->next_range += (off_t)*range_size;
            if (input->next_range == input->ranges_end)
                stop_sharing(inputs, input);
            break;
        }
        if (inputs->next_new < inputs->count) {
            input = open_next(inputs);
            if (input == NULL)
                continue;
            if (!is_worth_sharing(&input->source, chunk_bytes))
                break;
            share(inputs, input);
            continue;
        }
        if (inputs->opening == 0)
            break;
        /* It may turn out to be a file to share. */
        pthread_cond_wait(&inputs->opened, &inputs->lock);
    }
    if (input != NULL)
        input->readers++;
    pthread_mutex_unlock(&inputs->lock);
    return input;
}

/* The reader has done its part of INPUT; FAILURE is what it met, if any. */
static void
leave(struct inputs *inputs, struct input *input, struct error *failure)
{
    pthread_mutex_lock(&inputs->lock);
    if (failure->status != EXIT_DONE) {
        error_move(&input->range_error, failure);
        stop_sharing(inputs, input);
    }
    if (--input->readers == 0 && !input->is_shared)
        source_close(&input->source);
    pthread_mutex_unlock(&inputs->lock);
}

/*
 * Read a range that claim_next() gave.  Returns its SIZE, or 0 after a
 * failure.  Who reads the last range keeps the input, for a record that is
 * cut off and for what was appended to the file in the meantime.
 */
static size_t
read_range(struct inputs *inputs, struct claim *claim, struct input *input,
           void *buffer, size_t size, off_t offset)
{
    struct source *source = &input->source;
    struct error failure = ERROR_NONE;
    bool is_last = offset + (off_t)size == input->ranges_end;

    int got = source_read_at(source, buffer, size, offset, &failure);
    if (got == 0 && is_last && source_seek(source, input->ranges_end) == 0)
        claim->input = input;
    else
        leave(inputs, input, &failure);
    return got == 0 ? size : 0;
}

/* INPUT has ended, EXCESS bytes after its last whole record. */
static void
end_records(const struct inputs *inputs, struct input *input, size_t excess)
{
    if (excess == 0)
        return;
    if (inputs->drop_partial)
        input->dropped_bytes = excess;
    else
        error_set(&input->source.error, EXIT_DATA,
                  "%s: ends with %zu byte%s of a record of %zu "
                  "(--partial=drop leaves them out)",
                  input->source.display_name, excess, excess == 1 ? "" : "s",
                  inputs->record_bytes);
}

size_t
inputs_read(struct inputs *inputs, struct claim *claim, void *buffer,
            size_t capacity)
{
    unsigned char *out = buffer;
    size_t done = 0;

    while (done < capacity) {
        if (claim->input == NULL) {
            off_t offset;
            size_t size;
            struct input *input =
                claim_next(inputs, capacity - done, capacity, &offset, &size);
            if (input == NULL)
                break;
            if (size > 0) {
                done +=
                    read_range(inputs, claim, input, out + done, size, offset);
                continue;
            }
            claim->input = input;
        }
        ssize_t got =
            source_read(&claim->input->source, out + done, capacity - done);
        size_t excess = got > 0 ? (size_t)got % inputs->record_bytes : 0;
        if (got > 0)
            done += (size_t)got - excess;
        if (done < capacity) {
            if (got >= 0)
                end_records(inputs, claim->input, excess);
            leave(inputs, claim->input, &(struct error){0});
            claim->input = NULL;
        }
    }
    return done;
}

const struct error *
inputs_error(const struct inputs *inputs, size_t i)
{
    const struct input *input = &inputs->input[i];

    return input->source.error.status != EXIT_DONE ? &input->source.error
                                                   : &input->range_error;
}

void
inputs_close(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        source_free(&inputs->input[i].source);
        error_clear(&inputs->input[i].range_error);
    }
    free(inputs->input);
    pthread_mutex_destroy(&inputs->lock);
    pthread_cond_destroy(&inputs->opened);
}

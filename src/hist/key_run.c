/* key_run.c -- sorted runs of entries in a temporary file */

#include <stdlib.h>

#include "hist/key_run.h"

#define BUFFER_BYTES ((size_t)1 << 18)

/* Keys between one that is fetched and one that is written. */
#define AHEAD 16

void
key_runs_open(struct key_runs *runs, enum key_run_order order, bool has_sums)
{
    *runs =
        (struct key_runs){.order = order, .sum_bytes = key_sum_bytes(has_sums)};
}

static int
fail_memory(struct error *error)
{
    error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

/* Make room for another run. */
static int
reserve_run(struct key_runs *runs, struct error *error)
{
    if (runs->count < runs->room)
        return 0;
    size_t room = 2 * runs->room + 16;
    struct key_run *run = realloc(runs->run, room * sizeof *run);
    if (run == NULL)
        return fail_memory(error);
    runs->run = run;
    runs->room = room;
    return 0;
}

int
key_runs_begin(struct key_runs *runs, struct error *error)
{
    if (runs->buffer == NULL)
        runs->buffer = malloc(BUFFER_BYTES);
    if (runs->buffer == NULL)
        return fail_memory(error);
    if (reserve_run(runs, error) < 0)
        return -1;
    if (runs->file.directory == NULL &&
        scratch_file_open(&runs->file, error) < 0)
        return -1;
    runs->used = 0;
    runs->run[runs->count++] =
        (struct key_run){runs->file.size, runs->file.size};
    return 0;
}

/* Write the bytes in the buffer. */
static int
flush(struct key_runs *runs, struct error *error)
{
    if (scratch_file_append(&runs->file, runs->buffer, runs->used, error) < 0)
        return -1;
    runs->used = 0;
    return 0;
}

static int
put_bytes(struct key_runs *runs, const void *bytes, size_t size,
          struct error *error)
{
    if (size > BUFFER_BYTES - runs->used && flush(runs, error) < 0)
        return -1;
    if (size > BUFFER_BYTES)
        return scratch_file_append(&runs->file, bytes, size, error);
    memcpy(runs->buffer + runs->used, bytes, size);
    runs->used += size;
    return 0;
}

int
key_runs_put(struct key_runs *runs, const struct key_amount *amount,
             const unsigned char *entry, struct error *error)
{
    size_t rest = key_entry_bytes(entry) - KEY_ENTRY_SIZE_AT;

    if (put_bytes(runs, &amount->sum, runs->sum_bytes, error) < 0 ||
        put_bytes(runs, &amount->count, sizeof amount->count, error) < 0)
        return -1;
    return put_bytes(runs, entry + KEY_ENTRY_SIZE_AT, rest, error);
}

int
key_runs_end(struct key_runs *runs, struct error *error)
{
    if (flush(runs, error) < 0)
        return -1;
    runs->run[runs->count - 1].end = runs->file.size;
    return 0;
}

int
key_runs_put_order(struct key_runs *runs, const struct key_order *order,
                   struct error *error)
{
    int result = key_runs_begin(runs, error);

    for (size_t i = 0; i < order->keys && result == 0; i++) {
        const unsigned char *entry = order->place[i].entry;
        struct key_amount amount = key_entry_amount(entry, runs->sum_bytes);
        if (i + AHEAD < order->keys)
            __builtin_prefetch(order->place[i + AHEAD].entry);
        result = key_runs_put(runs, &amount, entry, error);
    }
    return result == 0 ? key_runs_end(runs, error) : -1;
}

void
key_runs_close(struct key_runs *runs)
{
    scratch_file_close(&runs->file);
    free(runs->run);
    free(runs->buffer);
    *runs = (struct key_runs){0};
}

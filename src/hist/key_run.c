/* key_run.c -- sorted runs of entries in a temporary file */

#include <stdlib.h>

#include "hist/key_run.h"
#include "util/crew.h"

#define BUFFER_BYTES ((size_t)1 << 18)

/* For each thread that writes a part of a run of many keys. */
#define PART_KEYS 32768
#define PART_BUFFER_BYTES ((size_t)PART_KEYS * KEY_PUT_BYTES)

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
    runs->buffer_bytes = BUFFER_BYTES;
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
    if (size > runs->buffer_bytes - runs->used && flush(runs, error) < 0)
        return -1;
    if (size > runs->buffer_bytes)
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

/* ---- the run of an order, which threads write in parts ---- */

/* The keys of ORDER from FIRST on, before END. */
struct part {
    const struct key_order *order;
    size_t first;
    size_t end;
    uint64_t bytes;      /* that they take */
    struct key_runs put; /* a run of these bytes, in the same file */
    int result;
    struct error error;
};

static const unsigned char *
part_entry(const struct part *part, size_t i)
{
    if (i + AHEAD < part->end)
        __builtin_prefetch(part->order->place[i + AHEAD].entry);
    return part->order->place[i].entry;
}

static void
measure_part(void *task, unsigned int member)
{
    struct part *part = (struct part *)task + member;

    for (size_t i = part->first; i < part->end; i++)
        part->bytes +=
            part->put.sum_bytes + key_entry_bytes(part_entry(part, i));
}

static void
put_part(void *task, unsigned int member)
{
    struct part *part = (struct part *)task + member;
    struct key_runs *put = &part->put;

    for (size_t i = part->first; i < part->end && part->result == 0; i++) {
        const unsigned char *entry = part_entry(part, i);
        struct key_amount amount = key_entry_amount(entry, put->sum_bytes);
        part->result = key_runs_put(put, &amount, entry, &part->error);
    }
    if (part->result == 0)
        part->result = flush(put, &part->error);
}

/* Write PART, MEMBERS of them, which have buffers, to the end of RUNS. */
static int
put_parts(struct key_runs *runs, struct part *part, unsigned int members,
          struct error *error)
{
    int result = 0;

    /* One part needs no other's size. */
    if (members > 1)
        crew_run(members, measure_part, part);
    for (unsigned int m = 0; m < members; m++) {
        part[m].put.file = runs->file;
        runs->file.size += part[m].bytes;
    }
    crew_run(members, put_part, part);
    runs->file.size = part[members - 1].put.file.size;
    for (unsigned int m = 0; m < members; m++) {
        if (part[m].result < 0 && result == 0)
            error_move(error, &part[m].error);
        result |= part[m].result;
        error_clear(&part[m].error);
    }
    return result;
}

/* The parts that are worth it. */
static unsigned int
choose_members(size_t keys, unsigned int threads)
{
    size_t useful = keys / PART_KEYS;

    useful = useful < threads ? useful : threads;
    useful = useful < CREW_MAX ? useful : CREW_MAX;
    return useful > 1 ? (unsigned int)useful : 1;
}

/*
 * Returns buffers for *MEMBERS parts, or for less if there is no memory; NULL:
 * for one part, which needs none.
 */
static unsigned char *
take_buffers(struct key_memory *memory, unsigned int *members)
{
    enum key_result result = KEY_OK;

    for (; *members > 1; *members /= 2) {
        unsigned char *buffer =
            key_memory_take(memory, *members * PART_BUFFER_BYTES, &result);
        if (buffer != NULL)
            return buffer;
    }
    return NULL;
}

int
key_runs_put_order(struct key_runs *runs, const struct key_order *order,
                   unsigned int threads, struct error *error)
{
    unsigned int members = choose_members(order->keys, threads);
    unsigned char *buffer = take_buffers(order->memory, &members);
    struct part *part = calloc(members, sizeof *part);
    int result =
        part != NULL ? key_runs_begin(runs, error) : fail_memory(error);

    for (unsigned int m = 0; result == 0 && m < members; m++)
        part[m] = (struct part){
            .order = order,
            .first = order->keys * m / members,
            .end = order->keys * (m + 1) / members,
            .put = {.sum_bytes = runs->sum_bytes,
                    .buffer = buffer != NULL ? buffer + m * PART_BUFFER_BYTES
                                             : runs->buffer,
                    .buffer_bytes = PART_BUFFER_BYTES},
            .error = ERROR_NONE,
        };
    if (result == 0)
        result = put_parts(runs, part, members, error);
    if (result == 0)
        result = key_runs_end(runs, error);
    free(part);
    key_memory_give(order->memory, buffer, members * PART_BUFFER_BYTES);
    return result;
}

void
key_runs_close(struct key_runs *runs)
{
    scratch_file_close(&runs->file);
    free(runs->run);
    free(runs->buffer);
    *runs = (struct key_runs){0};
}

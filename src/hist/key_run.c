/* SPDX-License-Identifier: MIT */
/* key_run.c -- sorted runs of entries in a temporary file */

#include <stdlib.h>

#include "base/thread.h"
#include "hist/key_run.h"

#define BUFFER_BYTES ((size_t)1 << 18)

/* For each thread that writes a section of a run of many keys. */
#define SECTION_KEYS 32768
#define SECTION_BUFFER_BYTES ((size_t)SECTION_KEYS * KEY_PUT_BYTES)

/* Marks of a run at first: many runs are short. */
#define MARKS_MIN 8

/* Keys between the fetched key and the written key. */
#define AHEAD 16

void
key_runs_open(struct key_runs *runs, enum key_run_order order, bool has_sums)
{
    *runs =
        (struct key_runs){.order = order, .sum_bytes = key_sum_bytes(has_sums)};
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
        return error_fail_memory(error);
    runs->run = run;
    runs->room = room;
    return 0;
}

int
key_runs_start(struct key_runs *runs, struct error *error)
{
    if (runs->buffer == NULL)
        runs->buffer = malloc(BUFFER_BYTES);
    if (runs->buffer == NULL)
        return error_fail_memory(error);
    if (reserve_run(runs, error) < 0)
        return -1;
    if (runs->file.directory == NULL &&
        scratch_file_open(&runs->file, error) < 0)
        return -1;
    runs->buffer_bytes = BUFFER_BYTES;
    runs->used = 0;
    runs->run[runs->count++] =
        (struct key_run){runs->file.size, runs->file.size, NULL, 0};
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
    size_t tail = key_entry_bytes(entry) - KEY_ENTRY_SIZE_AT;

    if (put_bytes(runs, &amount->sum, runs->sum_bytes, error) < 0 ||
        put_bytes(runs, &amount->count, sizeof amount->count, error) < 0)
        return -1;
    return put_bytes(runs, entry + KEY_ENTRY_SIZE_AT, tail, error);
}

int
key_runs_end(struct key_runs *runs, struct error *error)
{
    if (flush(runs, error) < 0)
        return -1;
    runs->run[runs->count - 1].end = runs->file.size;
    return 0;
}

/* ---- entries that other threads write ---- */

/* Make room for another mark of RUN.  Returns false if there is no memory: a
   run may do without. */
static bool
reserve_mark(struct key_run *run)
{
    const size_t marks = run->marks;

    if (marks == KEY_RUN_MARKS) {
        run->marks /= 2;
        for (size_t m = 0; m < run->marks; m++)
            run->mark[m] = run->mark[2 * m];
        return true;
    }
    /* The array is full if the number of marks is a power of two. */
    if (marks != 0 && (marks < MARKS_MIN || (marks & (marks - 1)) != 0))
        return true;
    size_t room = marks != 0 ? 2 * marks : MARKS_MIN;
    uint64_t *mark = realloc(run->mark, room * sizeof *mark);
    if (mark != NULL)
        run->mark = mark;
    return mark != NULL;
}

/* Mark the entry of RUN that starts at AT, unless the last mark is near. */
static void
add_mark(struct key_run *run, uint64_t at)
{
    uint64_t distance = 0;

    if (run->marks > 1)
        distance =
            (run->mark[run->marks - 1] - run->mark[0]) / (run->marks - 1);
    /* The distances are not equal: some are a little less than the mean. */
    if (run->marks > 0 &&
        at - run->mark[run->marks - 1] < distance - distance / 4)
        return;
    if (reserve_mark(run))
        run->mark[run->marks++] = at;
}

struct scratch_file
key_runs_reserve(struct key_runs *runs, uint64_t bytes, const size_t *mark,
                 size_t marks)
{
    struct key_run *run = &runs->run[runs->count - 1];
    struct scratch_file file = runs->file;

    for (size_t m = 0; m < marks; m++)
        add_mark(run, file.size + mark[m]);
    runs->file.size += bytes;
    run->end = runs->file.size;
    return file;
}

/* ---- the run of an order, which threads write in sections ---- */

/* The keys of ORDER from mark FIRST on, before mark END. */
struct run_section {
    const struct key_order *order;
    unsigned int first;
    unsigned int end;
    uint64_t *mark;      /* of the run, or NULL */
    uint64_t bytes;      /* that the keys take */
    struct key_runs put; /* a run of these bytes, in the same file */
    int result;
    struct error error;
};

/* Returns the key of ORDER that MARK is at; at the last mark's end, KEYS. */
static size_t
marked_key(const struct key_order *order, unsigned int mark)
{
    return (size_t)((uint64_t)order->keys * mark / KEY_RUN_MARKS);
}

/* Returns the entry of key I of ORDER, and fetches an entry that follows. */
static const unsigned char *
entry_of(const struct key_order *order, size_t i)
{
    if (i + AHEAD < order->keys)
        __builtin_prefetch(order->place[i + AHEAD].entry);
    return order->place[i].entry;
}

/* Set the marks to where they are in the section. */
static void
measure_section(void *task, unsigned int member)
{
    struct run_section *section = (struct run_section *)task + member;
    const struct key_order *order = section->order;

    for (unsigned int m = section->first; m < section->end; m++) {
        size_t end = marked_key(order, m + 1);
        section->mark[m] = section->bytes;
        for (size_t i = marked_key(order, m); i < end; i++)
            section->bytes +=
                section->put.sum_bytes + key_entry_bytes(entry_of(order, i));
    }
}

static void
put_section(void *task, unsigned int member)
{
    struct run_section *section = (struct run_section *)task + member;
    struct key_runs *put = &section->put;
    size_t end = marked_key(section->order, section->end);

    for (size_t i = marked_key(section->order, section->first);
         i < end && section->result == 0; i++) {
        const unsigned char *entry = entry_of(section->order, i);
        struct key_amount amount = key_entry_amount(entry, put->sum_bytes);
        section->result = key_runs_put(put, &amount, entry, &section->error);
    }
    if (section->result == 0)
        section->result = flush(put, &section->error);
}

/* Write SECTION, MEMBERS of them, which have buffers, to the end of RUNS, and
   set MARK. */
static int
put_sections(struct key_runs *runs, struct run_section *section,
             unsigned int members, uint64_t *mark, struct error *error)
{
    int result = 0;

    /* One section needs no other's size. */
    if (mark != NULL)
        crew_run(members, measure_section, section);
    for (unsigned int m = 0; m < members; m++) {
        section[m].put.file = runs->file;
        for (unsigned int k = section[m].first;
             mark != NULL && k < section[m].end; k++)
            mark[k] += runs->file.size;
        runs->file.size += section[m].bytes;
    }
    crew_run(members, put_section, section);
    runs->file.size = section[members - 1].put.file.size;
    for (unsigned int m = 0; m < members; m++) {
        if (section[m].result < 0 && result == 0)
            error_move(error, &section[m].error);
        result |= section[m].result;
        error_clear(&section[m].error);
    }
    return result;
}

/* Returns how many sections are useful. */
static unsigned int
choose_members(size_t keys, unsigned int threads)
{
    size_t useful = keys / SECTION_KEYS;

    useful = useful < threads ? useful : threads;
    useful = useful < CREW_MAX ? useful : CREW_MAX;
    return useful > 1 ? (unsigned int)useful : 1;
}

/*
 * Returns buffers for *MEMBERS sections, or for fewer sections if memory is
 * short.  NULL: for one section, which needs no buffer.
 */
static unsigned char *
take_buffers(struct key_memory *memory, unsigned int *members)
{
    enum key_result result = KEY_OK;

    for (; *members > 1; *members /= 2) {
        unsigned char *buffer =
            key_memory_take(memory, *members * SECTION_BUFFER_BYTES, &result);
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
    struct run_section *section = calloc(members, sizeof *section);
    uint64_t *mark = members > 1 ? malloc(KEY_RUN_MARKS * sizeof *mark) : NULL;
    int result = -1;

    if (section == NULL || (members > 1 && mark == NULL))
        (void)error_fail_memory(error);
    else
        result = key_runs_start(runs, error);
    for (unsigned int m = 0; result == 0 && m < members; m++)
        section[m] = (struct run_section){
            .order = order,
            .first = KEY_RUN_MARKS * m / members,
            .end = KEY_RUN_MARKS * (m + 1) / members,
            .mark = mark,
            .put = {.sum_bytes = runs->sum_bytes,
                    .buffer = buffer != NULL ? buffer + m * SECTION_BUFFER_BYTES
                                             : runs->buffer,
                    .buffer_bytes = SECTION_BUFFER_BYTES},
            .error = ERROR_NONE,
        };
    if (result == 0)
        result = put_sections(runs, section, members, mark, error);
    if (result == 0)
        result = key_runs_end(runs, error);
    if (result == 0) {
        struct key_run *run = &runs->run[runs->count - 1];
        run->mark = mark;
        run->marks = mark != NULL ? KEY_RUN_MARKS : 0;
    } else {
        free(mark);
    }
    free(section);
    key_memory_give(order->memory, buffer, members * SECTION_BUFFER_BYTES);
    return result;
}

void
key_runs_drop(struct key_runs *runs, size_t count)
{
    for (size_t r = 0; r < count; r++)
        free(runs->run[r].mark);
    runs->count -= count;
    memmove(runs->run, runs->run + count, runs->count * sizeof *runs->run);
}

void
key_runs_close(struct key_runs *runs)
{
    scratch_file_close(&runs->file);
    for (size_t r = 0; r < runs->count; r++)
        free(runs->run[r].mark);
    free(runs->run);
    free(runs->buffer);
    *runs = (struct key_runs){0};
}

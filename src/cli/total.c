/* SPDX-License-Identifier: MIT */
/* total.c -- the counts of all inputs of --per-file, added up input by input */

#include <string.h>

#include "base/spool.h"
#include "cli/total.h"
#include "state/state_write.h"

/* Small blocks: the engines still have their memory. */
#define BLOCK_BYTES ((size_t)256 << 10)

/* The share of the memory limit for the sum at the end. */
#define MEMORY_SHARE 16

int
total_open(struct total *total, const char *what, const struct spec *spec,
           unsigned int threads, uint64_t memory_limit, struct error *error)
{
    *total = (struct total){
        .what = what,
        .crew = state_crew_new(threads, memory_limit, BLOCK_BYTES)};
    if (total->crew == NULL)
        return error_fail_memory(error);
    total->sum = state_sum_open(spec, total->crew,
                                (size_t)(memory_limit / MEMORY_SHARE), error);
    return total->sum != NULL ? 0 : -1;
}

int
total_check_names(char *const *paths, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(paths[i], TOTAL_NAME) != 0)
            continue;
        error_set(error, EXIT_USAGE,
                  "--total: the rows of all inputs have the name "
                  "'" TOTAL_NAME "': write ./" TOTAL_NAME " for the file");
        return -1;
    }
    return 0;
}

/* A state that is read back. */
struct reread {
    struct spool *spool;
    uint64_t at;
};

/* Supply the next bytes of CONTEXT, a struct reread.  Returns as struct
   state_reader says. */
static ssize_t
supply(void *context, void *to, size_t size, struct error *error)
{
    struct reread *reread = context;
    const char *bytes;
    size_t got;

    if (reread->at == reread->spool->size)
        return 0;
    if (spool_piece(reread->spool, reread->at, &bytes, &got, error) < 0)
        return -1;
    got = got < size ? got : size;
    memcpy(to, bytes, got);
    reread->at += got;
    return (ssize_t)got;
}

/* Add the state in SPOOL, which is ended.  Returns 0, or -1 with *ERROR set. */
static int
add_state(struct total *total, struct spool *spool, struct error *error)
{
    struct reread reread = {.spool = spool};
    struct state_reader reader;
    struct state_head head = {0};

    state_reader_open(&reader, total->crew, supply, &reread, total->what);
    int result = state_reader_head(&reader, &head, error);
    if (result > 0)
        result = state_sum_add(total->sum, &reader, &head, error);
    result = state_reader_close(&reader, result, error);
    state_head_close(&head);
    return result == 0 ? state_sum_settle(total->sum, error) : result;
}

int
total_add(struct total *total, const struct snapshot *counts, const char *last,
          struct error *error)
{
    char by[] = PACKAGE;
    const struct state_head head = {.by = by};
    struct spool spool;
    int result = spool_open(&spool, total->what, error);

    if (result == 0)
        result = last == NULL ? state_write(&spool.writer, &head, counts, error)
                              : state_write_with_key(&spool.writer, &head, last,
                                                     counts, error);
    if (result == 0)
        result = spool_end(&spool, error);
    if (result == 0)
        result = add_state(total, &spool, error);
    series_total_join(&total->series, &counts->series);
    spool_close(&spool);
    return result;
}

int
total_finish(struct total *total, struct snapshot *counts, struct error *error)
{
    int result = state_sum_finish(total->sum, counts, error);

    counts->series = total->series;
    return result;
}

void
total_close(struct total *total)
{
    state_sum_close(total->sum);
    state_crew_free(total->crew);
    *total = (struct total){0};
}

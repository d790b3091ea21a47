/*
 * shard.h -- which bytes of the inputs belong to one of several processes
 *
 * The stored bytes of all inputs in order, as if they were one file, are cut
 * into COUNT parts of equal length.  A shard has the records that begin in its
 * part.  All sizes must be known before, so all inputs are regular files.
 */

#ifndef GPUHIST_SHARD_H
#define GPUHIST_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shard {
    uint32_t number; /* from 1 to COUNT */
    uint32_t count;  /* 0: the process counts everything */
};

/* The bytes of an input that are in the part of a shard. */
struct shard_span {
    uint64_t begin;
    uint64_t end;   /* UINT64_MAX: all that follow */
    bool has_begin; /* that of the input is in the part, even if it is empty */
};

/*
 * Of TOTAL bytes of all inputs, those from AT on, SIZE bytes, are an input's.
 * Returns which of these SHARD has.
 */
struct shard_span shard_span(const struct shard *shard, uint64_t total,
                             uint64_t at, uint64_t size);

/* Returns the span of a process that counts everything. */
static inline struct shard_span
shard_span_all(void)
{
    return (struct shard_span){.end = UINT64_MAX, .has_begin = true};
}

/* Whether a record may begin in SPAN. */
static inline bool
shard_span_has_any(const struct shard_span *span)
{
    return span->has_begin || span->begin < span->end;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * shard.h -- the bytes of the inputs that one of several processes counts
 *
 * The stored bytes of all inputs in order, as if they were one file, are cut
 * into COUNT shares of equal length.  A shard has the records that start in its
 * share.  All sizes must be known in advance, so all inputs are regular files.
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
    uint64_t start;
    uint64_t end;   /* UINT64_MAX: to the end */
    bool has_start; /* the input's first byte is in the share, even if the share
                       is empty */
};

/* An input has SIZE of the TOTAL bytes of all inputs, from AT on.  Returns the
   span of these that SHARD has. */
struct shard_span shard_span(const struct shard *shard, uint64_t total,
                             uint64_t at, uint64_t size);

/* Returns the span of a process that counts everything. */
static inline struct shard_span
shard_span_all(void)
{
    return (struct shard_span){.end = UINT64_MAX, .has_start = true};
}

/* Whether a record may start in SPAN. */
static inline bool
shard_span_has_any(const struct shard_span *span)
{
    return span->has_start || span->start < span->end;
}

#endif

/* SPDX-License-Identifier: MIT */
/* shard.c -- the bytes of the inputs that one of several processes counts */

#include "input/content/shard.h"

/* Returns where part I, from 0, of the COUNT equal parts of TOTAL starts. */
static uint64_t
edge(uint64_t total, uint32_t count, uint32_t i)
{
    return total / count * i + total % count * i / count;
}

static uint64_t
clamp(uint64_t value, uint64_t least, uint64_t most)
{
    if (value < least)
        return least;
    return value > most ? most : value;
}

struct shard_span
shard_span(const struct shard *shard, uint64_t total, uint64_t at,
           uint64_t size)
{
    uint64_t start = edge(total, shard->count, shard->number - 1);
    uint64_t end = edge(total, shard->count, shard->number);
    bool is_last = shard->number == shard->count;
    struct shard_span span = {
        .start = clamp(start, at, at + size) - at,
        .end = clamp(end, at, at + size) - at,
        /* An empty input at the end starts after all shares. */
        .has_start = at >= start && (at < end || is_last),
    };

    if (span.end == size && (span.start < size || span.has_start))
        span.end = UINT64_MAX;
    return span;
}

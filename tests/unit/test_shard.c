/* SPDX-License-Identifier: MIT */
/* test_shard.c -- which bytes of the inputs belong to each shard */

#include <stddef.h>

#include "../noise.h"
#include "../tap.h"
#include "input/content/shard.h"

#define INPUTS_MAX 6
#define SHARDS_MAX 9

static uint64_t
length(const struct shard_span *span, uint64_t size)
{
    return (span->end < size ? span->end : size) - span->start;
}

/*
 * Cut inputs of SIZE bytes, COUNT of them, into SHARDS.  Returns what is wrong,
 * or NULL.
 */
static const char *
check(const uint64_t *size, size_t count, uint32_t shards)
{
    uint64_t part[SHARDS_MAX] = {0};
    uint64_t total = 0;
    uint64_t at = 0;

    for (size_t i = 0; i < count; i++)
        total += size[i];
    for (size_t i = 0; i < count; at += size[i++]) {
        unsigned int starts = 0;
        uint64_t done = 0;
        for (uint32_t s = 0; s < shards; s++) {
            const struct shard shard = {.number = s + 1, .count = shards};
            struct shard_span span = shard_span(&shard, total, at, size[i]);
            starts += span.has_start;
            if (span.has_start && span.start != 0)
                return "a begin is not the first byte";
            if (!shard_span_has_any(&span))
                continue;
            if (span.start != done)
                return "there is a gap";
            done += length(&span, size[i]);
            part[s] += length(&span, size[i]);
            if (done == size[i] && span.end != UINT64_MAX)
                return "a last span ends";
        }
        if (starts != 1 || done != size[i])
            return "an input is not counted once";
    }
    for (uint32_t s = 0; s < shards; s++) {
        if (part[s] - total / shards > 1)
            return "parts are not equal";
    }
    return NULL;
}

static void
test_partition(void)
{
    const char *wrong = NULL;

    for (int i = 0; i < 20000 && wrong == NULL; i++) {
        uint64_t size[INPUTS_MAX];
        size_t count = noise() % (INPUTS_MAX + 1);
        uint32_t shards = 1 + (uint32_t)(noise() % SHARDS_MAX);
        /* Many are empty, and some are longer than any file. */
        unsigned int shift = 4 + (unsigned int)(noise() % 60);
        for (size_t k = 0; k < count; k++)
            size[k] = noise() % 3 == 0 ? 0 : noise() >> shift;
        wrong = check(size, count, shards);
    }
    ok(wrong == NULL, "all bytes and begins are in one shard%s%s",
       wrong != NULL ? ": " : "", wrong != NULL ? wrong : "");
}

static void
test_many(void)
{
    const uint64_t size = (uint64_t)INT64_MAX;
    struct shard shard = {.number = UINT32_MAX, .count = UINT32_MAX};
    struct shard_span last = shard_span(&shard, size, 0, size);

    shard.number--;
    struct shard_span before = shard_span(&shard, size, 0, size);
    ok(before.end == last.start && length(&last, size) - size / UINT32_MAX <= 1,
       "as many shards as possible");
}

int
main(void)
{
    test_partition();
    test_many();
    return done_testing();
}

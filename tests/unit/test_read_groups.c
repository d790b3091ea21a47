/* SPDX-License-Identifier: MIT */
/*
 * test_read_groups.c -- qualities of long reads by position, counted one by one
 *
 * The tables of the groups are small at first, so that they grow several times,
 * or until half of the memory is used.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../made_spec.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/sequences/read_groups.h"

#define GROUPS 3
#define POSITIONS 20000
#define QUALITIES 40
#define PHRED 33
#define READS 300

/* Of the tables: at first, and if they may not grow beyond. */
#define BYTES_FIRST ((size_t)40 << 10)
#define BYTES_LITTLE ((size_t)512 << 10)
#define BYTES_PLENTY ((size_t)64 << 20)

/* The axes of the spec. */
enum {
    AXIS_POSITION,
    AXIS_QUALITY,
    AXIS_LENGTH,
    AXES
};

typedef uint64_t counts[GROUPS][POSITIONS][QUALITIES];

static unsigned char run[POSITIONS];

/* Take all elements out, and add them to SEEN.  Returns how many were wrong. */
static size_t
take_out(struct read_groups *groups, counts seen)
{
    struct read_groups_batch batch;
    size_t wrong = 0;

    while (read_groups_next(groups, &batch)) {
        for (size_t e = 0; e < batch.elements; e++) {
            const struct text_slice *slice = batch.slice + e * AXES;
            uint64_t position = text_slice_bits(slice[AXIS_POSITION]);
            uint64_t quality = text_slice_bits(slice[AXIS_QUALITY]);
            uint64_t group = text_slice_bits(slice[AXIS_LENGTH]);
            if (position - 1 < POSITIONS && quality < QUALITIES &&
                group < GROUPS)
                seen[group][position - 1][quality] += (uint64_t)batch.count[e];
            else
                wrong++;
        }
    }
    return wrong;
}

/* Count a read of SIZE qualities in GROUP, and take the elements out to SEEN
   when there is no room.  Returns how often that was. */
static size_t
add_read(struct read_groups *groups, size_t group, uint32_t size, counts seen,
         size_t *wrong)
{
    const struct text_slice field[AXES] = {
        [AXIS_POSITION] = {0, size},
        [AXIS_QUALITY] = {0, size},
        [AXIS_LENGTH] = text_slice_of_bits(group),
    };
    uint32_t first = 0;
    size_t times = 0;

    while (!read_groups_add(groups, run, run, field, &first)) {
        *wrong += take_out(groups, seen);
        times++;
    }
    *wrong += first != size;
    return times;
}

/* Fill the run with a read, add it to WANTED, and count it. */
static size_t
add_any(struct read_groups *groups, size_t r, counts wanted, counts seen,
        size_t *wrong)
{
    const size_t group = noise() % GROUPS;
    /* The first read has all qualities: a new one needs empty tables. */
    const size_t size = r == 0       ? QUALITIES
                        : r % 4 == 0 ? POSITIONS - noise() % 100
                                     : noise() % 3000 + 1;

    for (size_t i = 0; i < size; i++) {
        const size_t quality = r == 0 ? i : noise() % QUALITIES;
        run[i] = (unsigned char)(quality + PHRED);
        wanted[group][i][quality]++;
    }
    return add_read(groups, group, (uint32_t)size, seen, wrong);
}

/* Count reads in tables with LIMIT bytes of memory.  GROWS: they have room for
   all reads. */
static void
test_growth(const struct spec *spec, size_t limit, bool grows)
{
    counts *wanted = calloc(1, sizeof *wanted);
    counts *seen = calloc(1, sizeof *seen);
    const size_t others = limit / 8 * 3; /* used by others */
    struct key_memory memory;
    size_t times = 0;
    size_t wrong = 0;
    size_t most = 0;

    key_memory_open(&memory, limit);
    (void)key_memory_reserve(&memory, others);
    struct read_groups *groups = read_groups_new(spec, 0, BYTES_FIRST, &memory);
    for (size_t r = 0; r < READS; r++) {
        times += add_any(groups, r, *wanted, *seen, &wrong);
        const size_t used = atomic_load(&memory.used);
        most = used > most ? used : most;
    }
    wrong += take_out(groups, *seen);
    ok(wrong == 0 && memcmp(seen, wanted, sizeof *seen) == 0,
       "%zu bytes: all counts are right", limit);
    ok((times == 0) == grows, "%zu bytes: taken out %zu times early", limit,
       times);
    ok(most > others && most <= limit / 2,
       "%zu bytes: at most half is used (%zu)", limit, most);
    read_groups_close(groups);
    key_memory_unreserve(&memory, others);
    ok(atomic_load(&memory.used) == 0, "%zu bytes: all are given back", limit);
    key_memory_close(&memory);
    free(wanted);
    free(seen);
}

int
main(void)
{
    struct spec spec;

    made_spec(&spec, "--seq --joint -f position,quality,length");
    ok(spec.text_fields.count == AXES && read_groups_have_runs(&spec, 0),
       "the histogram has runs");
    test_growth(&spec, BYTES_PLENTY, true);
    test_growth(&spec, BYTES_LITTLE, false);
    spec_close(&spec);
    return done_testing();
}

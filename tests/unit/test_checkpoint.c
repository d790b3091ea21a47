/* SPDX-License-Identifier: MIT */
/*
 * test_checkpoint.c -- the histogram has exactly the chunks reported complete
 *
 * The simulated device completes a copy only when the engine waits for it.
 */

#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "engine/gpu/device/checkpoint.h"

#define CHUNK_BYTES 4096
#define SMALL_BYTES 65536
#define LARGE_BYTES 65544
#define STEPS 5000

/* A histogram of one cell, in which all is. */
static struct counted_histogram counted;
static const struct spec spec = {
    .histogram = &counted, .is_joint = true, .cells = 1, .planes = 1};

struct fake {
    struct engine engine;
    struct checkpoints checkpoints;
    uint64_t value[CHECKPOINTS_MAX];
    uint64_t sum[STEPS + 1]; /* of the records in this many chunks */
    uint64_t chunks;         /* submitted */
    uint64_t safe;           /* completed */
    bool is_right;
};

static void
open_fake(struct fake *fake, size_t table_bytes, bool is_alone)
{
    *fake = (struct fake){.engine = {.spec = &spec, .name = "device"},
                          .is_right = true};
    checkpoint_plan(&fake->checkpoints, &fake->engine, table_bytes, CHUNK_BYTES,
                    is_alone);
    fake->checkpoints.cells = spec.cells;
    fake->checkpoints.planes = spec.planes;
    fake->checkpoints.adds_up = spec_adds_up;
    for (size_t i = 0; i < CHECKPOINTS_MAX; i++)
        fake->checkpoints.all[i].value = &fake->value[i];
}

/* Start a checkpoint; nothing is written over the last good one. */
static void
start(struct fake *fake)
{
    size_t i = checkpoint_start(&fake->checkpoints, &spec);

    fake->is_right &= i < fake->checkpoints.count &&
                      fake->engine.histogram.value != &fake->value[i];
    fake->value[i] = 999; /* as if half of it were copied */
}

/* Submit a chunk, if the engine may have another.  Whether that was so. */
static bool
submit(struct fake *fake, uint64_t records)
{
    if (fake->chunks - fake->safe == fake->engine.depth)
        return false;
    fake->sum[fake->chunks + 1] = fake->sum[fake->chunks] + records;
    fake->chunks++;
    if (checkpoint_submit(&fake->checkpoints, records))
        start(fake);
    return true;
}

/* Complete what may be.  Returns how many chunks. */
static size_t
complete(struct fake *fake)
{
    struct checkpoints *checkpoints = &fake->checkpoints;
    struct error error = ERROR_NONE;
    size_t count = 0;

    if (!checkpoint_is_under_way(checkpoints))
        start(fake);
    struct checkpoint *checkpoint =
        &checkpoints->all[checkpoints->made % checkpoints->count];
    *checkpoint->value = fake->sum[checkpoint->chunks];
    bool is_done = checkpoint_end(checkpoints, &count, &error) == 0;
    error_clear(&error);
    fake->safe += count;
    fake->is_right &= is_done && count > 0 && fake->safe <= fake->chunks &&
                      *fake->engine.histogram.value == fake->sum[fake->safe];
    return count;
}

/* As the pipeline does, in any order. */
static void
test_any_order(const char *name, size_t table_bytes)
{
    struct fake *fake = calloc(1, sizeof *fake);

    if (fake == NULL)
        abort();
    open_fake(fake, table_bytes, false);
    size_t most = 0;
    while (fake->chunks < STEPS) {
        uint64_t n = noise();
        if (n % 16 != 0 && submit(fake, n >> 8 & 63))
            continue;
        if (fake->safe < fake->chunks) {
            size_t count = complete(fake);
            most = count > most ? count : most;
        }
    }
    while (fake->safe < fake->chunks)
        complete(fake);
    ok(fake->is_right, "%s: what is safe is what was counted", name);
    /* As many large ones as the plan takes into account. */
    ok(fake->checkpoints.count == (table_bytes <= SMALL_BYTES ? 9 : 2) &&
           fake->engine.batch ==
               (table_bytes <= SMALL_BYTES ? 1 : fake->engine.depth),
       "%s: %zu checkpoints", name, fake->checkpoints.count);
    ok(most <= fake->engine.depth, "%s: %zu chunks at a time, of %zu", name,
       most, fake->engine.depth);
    free(fake);
}

/*
 * After how many chunks it is copied where there is always another one.  With a
 * device that IS_SLOW the engine holds as many as it may; what was due while
 * the last copy was under way is one chunk late.
 */
static void
test_interval(const char *name, size_t table_bytes, bool is_slow, size_t wanted)
{
    struct fake *fake = calloc(1, sizeof *fake);

    if (fake == NULL)
        abort();
    open_fake(fake, table_bytes, false);
    bool is_even = true;
    while (fake->chunks < STEPS) {
        bool is_full = !submit(fake, 1);
        if (!is_full &&
            (is_slow || !checkpoint_is_under_way(&fake->checkpoints)))
            continue;
        size_t count = complete(fake);
        is_even &=
            count == wanted || (is_slow && wanted > 1 && count == wanted + 1);
    }
    ok(fake->is_right && is_even, "%s: copied after %zu chunks%s", name, wanted,
       is_slow ? ", about" : "");
    free(fake);
}

/* Alone, a large one: all but the last are released, and that is the end. */
static void
test_alone(void)
{
    struct fake fake;
    struct checkpoints *checkpoints = &fake.checkpoints;

    open_fake(&fake, LARGE_BYTES, true);
    bool releases = true;
    for (int i = 0; i < 100; i++) {
        releases &= submit(&fake, 3);
        size_t released = checkpoint_release(checkpoints, false);
        releases &= checkpoint_may_release(checkpoints) && released == (i > 0);
        fake.safe += released;
        releases &= !checkpoint_is_under_way(checkpoints);
    }
    ok(releases, "alone: released, and never copied");
    ok(fake.engine.batch == 2, "alone: the last one waits for another");
    ok(complete(&fake) == 1 && fake.is_right &&
           *fake.engine.histogram.value == 300,
       "alone: copied at the end");

    submit(&fake, 0);
    fake.safe += checkpoint_release(checkpoints, true);
    ok(fake.safe == fake.chunks,
       "alone: the last one is refused, and all others are copied");
    submit(&fake, 3);
    submit(&fake, 0);
    fake.safe += checkpoint_release(checkpoints, false);
    ok(checkpoint_release(checkpoints, true) == 0 && complete(&fake) == 1 &&
           fake.is_right && *fake.engine.histogram.value == 303,
       "alone: the last one is refused, and one before it is not copied");

    open_fake(&fake, SMALL_BYTES, true);
    submit(&fake, 3);
    submit(&fake, 3);
    ok(!checkpoint_may_release(checkpoints) && complete(&fake) == 1,
       "alone: a small one is copied after each");
}

/* A device that loses a record. */
static void
test_lost(const char *name, size_t table_bytes, bool is_noticed)
{
    struct fake fake;
    struct checkpoints *checkpoints = &fake.checkpoints;
    struct error error = ERROR_NONE;
    size_t count = 0;

    open_fake(&fake, table_bytes, false);
    submit(&fake, 5);
    complete(&fake);
    const uint64_t *last = fake.engine.histogram.value;
    submit(&fake, 5);
    if (!checkpoint_is_under_way(checkpoints))
        start(&fake);
    *checkpoints->all[checkpoints->made % checkpoints->count].value = 9;
    int result = checkpoint_end(checkpoints, &count, &error);
    ok((result < 0) == is_noticed &&
           (error.status == EXIT_NO_DEVICE) == is_noticed,
       "%s: a device that loses count is %s", name,
       is_noticed ? "noticed" : "not");
    ok(!is_noticed || (fake.engine.histogram.value == last && *last == 5),
       "... and the last good one stands");
    error_clear(&error);
}

int
main(void)
{
    test_any_order("small", SMALL_BYTES);
    test_any_order("large", LARGE_BYTES);
    test_any_order("huge", (size_t)1 << 20);
    /* 8 bytes of input for each of the copies, and half of that at a time. */
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        test_interval("small", SMALL_BYTES, is_slow, 1);
        test_interval("large", LARGE_BYTES, is_slow, 64);
        test_interval("huge", (size_t)1 << 20, is_slow, 1024);
    }
    test_alone();
    test_lost("small", SMALL_BYTES, true);
    test_lost("large", LARGE_BYTES, false);
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/* progress.c -- progress counters of a run, and their line of text */

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "sync/progress.h"

/* From here on the time left is given in days. */
#define HOURS_MAX 100

void
progress_open(struct progress *progress)
{
    progress->start = clock_now();
    atomic_init(&progress->phase, PROGRESS_STARTING);
    atomic_init(&progress->expected_bytes, PROGRESS_UNKNOWN);
    progress_restart(progress);
}

void
progress_restart(struct progress *progress)
{
    atomic_store(&progress->read_bytes, 0);
    atomic_store(&progress->zero_bytes, 0);
    atomic_store(&progress->expected_zeros, 0);
    atomic_store(&progress->helped_frames, 0);
    atomic_store(&progress->helped_bytes, 0);
    atomic_store(&progress->refused_frames, 0);
    atomic_store(&progress->device_frames, 0);
    atomic_store(&progress->device_bytes, 0);
    atomic_store(&progress->helped_blocks, 0);
    atomic_store(&progress->helped_block_bytes, 0);
    atomic_store(&progress->device_blocks, 0);
    atomic_store(&progress->device_block_bytes, 0);
    atomic_store(&progress->sketched_bytes, 0);
    atomic_store(&progress->started_frames, 0);
    atomic_store(&progress->started_bytes, 0);
    atomic_store(&progress->host_threads, 0);
    atomic_store(&progress->gpus_starting, 0);
    atomic_store(&progress->gpus_counting, 0);
}

void
progress_add(struct progress *progress, uint64_t bytes)
{
    if (progress != NULL && bytes > 0)
        atomic_fetch_add_explicit(&progress->read_bytes, bytes,
                                  memory_order_relaxed);
}

void
progress_expect_zeros(struct progress *progress, uint64_t bytes)
{
    if (progress != NULL && bytes > 0)
        atomic_fetch_add_explicit(&progress->expected_zeros, bytes,
                                  memory_order_relaxed);
}

void
progress_add_zeros(struct progress *progress, uint64_t bytes)
{
    if (progress != NULL && bytes > 0)
        atomic_fetch_add_explicit(&progress->zero_bytes, bytes,
                                  memory_order_relaxed);
}

void
progress_add_helped(struct progress *progress, uint64_t bytes)
{
    if (progress == NULL)
        return;
    atomic_fetch_add(&progress->helped_frames, 1);
    atomic_fetch_add(&progress->helped_bytes, bytes);
}

void
progress_add_helped_blocks(struct progress *progress, uint64_t blocks,
                           uint64_t bytes)
{
    if (progress == NULL)
        return;
    atomic_fetch_add(&progress->helped_blocks, blocks);
    atomic_fetch_add(&progress->helped_block_bytes, bytes);
}

void
progress_add_device(struct progress *progress, uint64_t bytes, uint64_t started)
{
    if (progress == NULL)
        return;
    atomic_fetch_add(&progress->device_frames, 1);
    atomic_fetch_add(&progress->device_bytes, bytes - started);
    if (started == 0)
        return;
    atomic_fetch_add(&progress->started_frames, 1);
    atomic_fetch_add(&progress->started_bytes, started);
}

void
progress_add_device_block(struct progress *progress, uint64_t bytes)
{
    if (progress == NULL)
        return;
    atomic_fetch_add(&progress->device_blocks, 1);
    atomic_fetch_add(&progress->device_block_bytes, bytes);
}

void
progress_add_sketched(struct progress *progress, uint64_t bytes)
{
    if (progress != NULL && bytes > 0)
        atomic_fetch_add(&progress->sketched_bytes, bytes);
}

void
progress_add_refused(struct progress *progress)
{
    if (progress != NULL)
        atomic_fetch_add(&progress->refused_frames, 1);
}

struct progress_snapshot
progress_look(struct progress *progress)
{
    return (struct progress_snapshot){
        .phase = (enum progress_phase)atomic_load(&progress->phase),
        .seconds = clock_now() - progress->start,
        .read_bytes = atomic_load(&progress->read_bytes),
        .expected_bytes = atomic_load(&progress->expected_bytes),
        .zero_bytes = atomic_load(&progress->zero_bytes),
        .expected_zeros = atomic_load(&progress->expected_zeros),
        .host_threads = atomic_load(&progress->host_threads),
        .gpus_starting = atomic_load(&progress->gpus_starting),
        .gpus_counting = atomic_load(&progress->gpus_counting),
    };
}

/* ---- text ---- */

/* Append the printf() arguments to TEXT, cut to the room there is. */
static void __attribute__((format(printf, 2, 3)))
add(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + used, PROGRESS_TEXT_BYTES - used, format, args);
    va_end(args);
}

/* Append NUMBER with three digits and the unit of UNITS that fits it. */
static void
add_amount(char *text, double number, double step, const char *const *units)
{
    size_t i = 0;

    /* 999.5 would be printed as 1000. */
    while (number >= step - 0.5 && units[i + 1] != NULL) {
        number /= step;
        i++;
    }
    int decimals = i == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
    add(text, "%.*f %s", decimals, number, units[i]);
}

/* Append "; 4 CPU threads" or, if it is not the first item, ", 1 GPU". */
static void
add_count(char *text, int count, const char *noun, const char *plural,
          const char *what, const char **separator)
{
    if (count <= 0)
        return;
    add(text, "%s%d %s%s%s", *separator, count, noun, count == 1 ? "" : plural,
        what);
    *separator = ", ";
}

/* Append ", 1:02:03 left": the time for the missing bytes at the rate of the
   BYTES read so far. */
static void
add_time_left(char *text, double bytes, double expected, double seconds)
{
    double left = ceil((expected - bytes) / bytes * seconds);
    unsigned int whole = left < HOURS_MAX * 3600 ? (unsigned int)left : 0;

    if (left >= HOURS_MAX * 3600)
        add(text, ", %.0f days left", left / 86400);
    else if (whole >= 3600)
        add(text, ", %u:%02u:%02u left", whole / 3600, whole / 60 % 60,
            whole % 60);
    else
        add(text, ", %u:%02u left", whole / 60, whole % 60);
}

void
progress_text(const struct progress_snapshot *snapshot, char *text)
{
    static const char *const sizes[] = {"bytes", "KiB", "MiB", "GiB",
                                        "TiB",   "PiB", "EiB", NULL};
    static const char *const rates[] = {"B/s",  "kB/s", "MB/s", "GB/s",
                                        "TB/s", "PB/s", NULL};
    uint64_t bytes = snapshot->read_bytes;
    uint64_t expected = snapshot->expected_bytes;
    double done = (double)bytes + (double)snapshot->zero_bytes;
    double all = (double)expected + (double)snapshot->expected_zeros;
    const char *separator = "; ";

    text[0] = '\0';
    add(text, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
    if (bytes >= 1024) {
        add(text, " (");
        add_amount(text, (double)bytes, 1024, sizes);
        add(text, ")");
    }
    add(text, " read in %.1f s", snapshot->seconds);
    if (snapshot->seconds > 0) {
        add(text, ", ");
        add_amount(text, (double)bytes / snapshot->seconds, 1000, rates);
    }
    /* Files that grow and parts of compressed files may read more than
       expected. */
    if (expected != PROGRESS_UNKNOWN && expected > 0)
        add(text, ", %d %%", done < all ? (int)(done / all * 100) : 100);
    if (snapshot->phase == PROGRESS_COUNTING && expected != PROGRESS_UNKNOWN &&
        done > 0 && done < all && snapshot->seconds > 0)
        add_time_left(text, done, all, snapshot->seconds);
    if (snapshot->phase == PROGRESS_STARTING) {
        add(text, "; starting");
    } else if (snapshot->phase == PROGRESS_PRINTING) {
        add(text, "; printing");
    } else {
        add_count(text, snapshot->host_threads, "CPU thread", "s", "",
                  &separator);
        add_count(text, snapshot->gpus_counting, "GPU", "s", "", &separator);
        add_count(text, snapshot->gpus_starting, "GPU", "s", " starting",
                  &separator);
    }
}

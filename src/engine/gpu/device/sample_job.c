/* SPDX-License-Identifier: MIT */
/* sample_job.c -- a device counts samples */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/gpu/device/device_engine.h"
#include "engine/gpu/device/kernel.h"
#include "hist/rebin.h"
#include "kernels/binning/weighing.h"

static void
shape(const struct device_engine *device, uint64_t *cells, unsigned int *planes)
{
    *cells = device->engine.spec->cells;
    *planes = device->engine.spec->planes;
}

/* ---- opening ---- */

static int
choose(struct device_engine *device, struct error *error)
{
    const char *why =
        kernel_choose(&device->kernel, device->engine.spec, device->platform,
                      device->wanted, device->shared_bytes);

    device->kernels = 1u << DEVICE_COUNT;
    if (device->engine.spec->has_weights)
        device->kernels |= 1u << DEVICE_CARRY;
    if (why == NULL) {
        snprintf(device->how, sizeof device->how, "%s (%s)",
                 kernel_strategy_name(device->kernel.strategy),
                 device->kernel.function);
        return 0;
    }
    error_set(error, EXIT_NO_DEVICE,
              "%s: --tune=strategy=%s is not possible: %s", device->engine.name,
              kernel_strategy_name(device->wanted), why);
    return -1;
}

/* Copy the tables of LOOKUP axes, or the table of OpenCL's count_floats. */
static int
upload_lookup(struct device_engine *device, struct error *error)
{
    const struct spec *spec = device->engine.spec;
    size_t count;

    if (!device->kernel.has_floats)
        return device_upload(device, &device->lookup, spec->lookup,
                             spec->lookup_count * sizeof *spec->lookup, error);
    uint32_t *words = kernel_floats_table(&spec->counted[0], &count);
    if (words == NULL)
        return error_fail_memory(error);
    int result = device_upload(device, &device->lookup, words,
                               count * sizeof *words, error);
    free(words);
    return result;
}

/* Copy the tables of the spec to the device. */
static int
open_tables(struct device_engine *device, struct error *error)
{
    const struct spec *spec = device->engine.spec;

    if (spec->has_weights &&
        device_open_event(device, &device->carried, EVENT_LOOSE, error) < 0)
        return -1;
    if (device_upload(device, &device->axes, spec->counted,
                      spec->axis_count * sizeof *spec->counted, error) < 0 ||
        device_upload(device, &device->edges, spec->edges.edge,
                      spec->edges.count * sizeof *spec->edges.edge, error) < 0)
        return -1;
    return upload_lookup(device, error);
}

/* ---- counting ---- */

/* Carry before the weights of RECORDS more records could overflow. */
static int
carry(struct device_engine *device, const struct device_slot *slot,
      const struct counting *task, uint64_t records, struct error *error)
{
    const struct device_launch carrying = {.kernel = DEVICE_CARRY,
                                           .blocks = device->blocks_max,
                                           .chunks = 1,
                                           .slot = slot,
                                           .task = task};

    if (device->added + records > WEIGHING_ADDS_MAX) {
        if (device_launch(device, &carrying, NULL, &device->carried, error) < 0)
            return -1;
        device->added = 0;
    }
    device->added += records;
    return 0;
}

static int
count(struct device_engine *device, struct device_slot *slot, size_t chunks,
      struct error *error)
{
    const struct spec *spec = device->engine.spec;
    size_t size = slot->size;
    struct counting task = kernel_task(spec, size);
    size_t blocks = kernel_blocks(&device->kernel, size);
    const struct device_launch counting = {
        .kernel = DEVICE_COUNT,
        .blocks = blocks < device->blocks_max ? blocks : device->blocks_max,
        .chunks = chunks,
        .slot = slot,
        .task = &task};

    assert(chunks == 1);
    if (spec->has_weights &&
        carry(device, slot, &task, size / spec->record.bytes, error) < 0)
        return -1;
    return device_launch(device, &counting, device_slot_filled(device, slot),
                         &slot->counted, error);
}

/* Let the chunks from now on be counted by SPEC. */
static int
change_spec(struct device_engine *device, const struct spec *spec,
            struct error *error)
{
    if (device_write_now(device, device->axes, spec->counted,
                         spec->axis_count * sizeof *spec->counted, error) < 0)
        return -1;
    device->spec = spec;
    return 0;
}

/* Change the histogram to the axes of the chunk's spec; rare, so on the CPU. */
static int
change(struct device_engine *device, const struct spec *spec,
       struct error *error)
{
    struct histogram *moved = &device->moved;
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, NULL};

    if (moved->value == NULL &&
        histogram_open(moved, spec->cells, spec->planes) < 0)
        return error_fail_memory(error);
    if (device->operations->read(device, &command, moved->value,
                                 device->histogram, device->table_bytes,
                                 error) < 0)
        return -1;
    if (rebin_histogram(device->spec, spec, moved) < 0)
        return error_fail_memory(error);
    if (device_write_now(device, device->histogram, moved->value,
                         device->table_bytes, error) < 0)
        return -1;
    return change_spec(device, spec, error);
}

static int
start_over(struct device_engine *device, const struct spec *spec,
           struct error *error)
{
    device->added = 0;
    return change_spec(device, spec, error);
}

static uint64_t
records(const struct spec *spec, size_t size)
{
    return size / spec->record.bytes;
}

const struct device_job sample_job = {
    .shape = shape,
    .choose = choose,
    .open = open_tables,
    .count = count,
    .change = change,
    .start_over = start_over,
    .records = records,
    .adds_up = spec_adds_up,
};

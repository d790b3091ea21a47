/* SPDX-License-Identifier: MIT */
/*
 * test_kernel.c -- which kernel is chosen for a spec
 *
 * The shared memory that a kernel gets, or OpenCL's local memory, is worked out
 * here from its file's description, in bytes.
 */

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "cli/option_parse.h"
#include "engine/gpu/device/kernel.h"
#include "hist/lattice.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define WORDS_MAX 16
#define UNLIMITED (SIZE_MAX / 2)

/* What blocks can have: compute capability 5.0, 7.5, 8.6 and 9.0. */
static const size_t limits[] = {49152, 65536, 101376, 232448};

static const char no_room[] = "the device has too little shared memory";
static const char no_weights[] = "it cannot add up weights";

/* Make a spec of a command line without the program's name. */
static void
make_spec(struct spec *spec, const char *line)
{
    char text[256];
    char *argv[WORDS_MAX] = {text};
    int argc = 0;
    struct options options;
    struct error error = ERROR_NONE;

    snprintf(text, sizeof text, "gpuhist %s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    int result = option_parse(&options, argc, argv, &error);
    /* As on the machines that have GPUs. */
    if (options.spec.endian == ORDER_MACHINE)
        options.spec.endian = ORDER_LITTLE;
    if (result < 0 || spec_make(spec, &options.spec, NULL,
                                options.plan.memory_limit, &error) < 0) {
        printf("Bail out! %s: %s\n", line, error.text);
        exit(99);
    }
}

/* ---- each strategy, on any device ---- */

/* The kernels' names for LINE, or why there is none. */
static const struct {
    const char *line;
    const char *lane;
    const char *shared;
    const char *packed;
    const char *global;
} forced[] = {
#define LANE "count_records_lane"
#define SHARED "count_records_shared"
#define PACKED "count_records_packed"
#define GLOBAL "count_records_global"
#define ONE_LANE "count_samples_lane"
#define ONE_SHARED "count_samples_shared"
#define ONE_PACKED "count_samples_packed"
#define ONE_GLOBAL "count_samples_global"
    {"", "count_bytes", ONE_SHARED, ONE_PACKED, ONE_GLOBAL},
    {"--dtype=u1 --bins=4 --range=0,256", "count_bytes", ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=i1", "count_bytes", ONE_SHARED, ONE_PACKED, ONE_GLOBAL},
    {"--record=u1,x", "count_bytes_2", ONE_SHARED, ONE_PACKED, ONE_GLOBAL},
    {"--record=u1,i1", "count_bytes_2", SHARED, PACKED, GLOBAL},
    {"--record=u1,u1 --fields=2", "count_bytes_2", ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--record=u1*3", "count_bytes_3", SHARED, PACKED, GLOBAL},
    {"--record=u1,u2 --fields=1", "count_bytes_3", ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--record=u1,u2", LANE, SHARED, PACKED, GLOBAL},
    {"--record=u1*4 --bins=4 --range=0,256", "count_bytes_4", SHARED, PACKED,
     GLOBAL},
    {"--record=u1*4 --fields=4,2", "count_bytes_4", SHARED, PACKED, GLOBAL},
    {"--record=u1*5", LANE, SHARED, PACKED, GLOBAL},
    {"--record=u1*5 --fields=1", ONE_LANE, ONE_SHARED, ONE_PACKED, ONE_GLOBAL},
    {"--dtype=u2", ONE_LANE, ONE_SHARED, "count_words", ONE_GLOBAL},
    {"--dtype=>i2", ONE_LANE, ONE_SHARED, "count_words", ONE_GLOBAL},
    {"--dtype=f2 --bins=9 --range=0,1", ONE_LANE, ONE_SHARED, "count_words",
     ONE_GLOBAL},
    /* An element that is not aligned. */
    {"--record=u1,u4 --fields=2 --mod=9", LANE, SHARED, PACKED, GLOBAL},
    {"--record=u4,u1 --fields=1 --mod=9", LANE, SHARED, PACKED, GLOBAL},
    {"--record=u1,x*3,u4 --fields=2 --mod=9", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--record=x,u2", LANE, SHARED, PACKED, GLOBAL},
    {"--dtype=f4 --bins=13 --range=0,1", "count_floats", ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f4 --bins=14 --range=0,1", "count_floats", ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f4 --bins=4093 --range=0,1", "count_floats", ONE_SHARED,
     ONE_PACKED, ONE_GLOBAL},
    {"--dtype=f4 --bins=4094 --range=0,1", ONE_LANE, "count_floats", ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f4 --bins=14 --range=0,1 --numpy", "count_floats", ONE_SHARED,
     ONE_PACKED, ONE_GLOBAL},
    {"--dtype=f4 --bins=14 --range=0,1 --closed=right", "count_floats",
     ONE_SHARED, ONE_PACKED, ONE_GLOBAL},
    {"--dtype=>f4 --bins=14 --range=0,1", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--record=f4,f4 --bins=14 --range=0,1", LANE, SHARED, PACKED, GLOBAL},
    {"--record=f4,f4 --fields=1 --bins=14 --range=0,1", ONE_LANE, ONE_SHARED,
     ONE_PACKED, ONE_GLOBAL},
    /* A position in float is too coarse: many bins, or far from 0. */
    {"--dtype=f4 --bins=340000 --range=0,1", ONE_LANE, "count_floats",
     ONE_PACKED, ONE_GLOBAL},
    {"--dtype=f4 --bins=360000 --range=0,1", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f4 --bins=100 --range=1e6,1000001", ONE_LANE, ONE_SHARED,
     ONE_PACKED, ONE_GLOBAL},
    {"--dtype=f4 --bins=100 --range=0,1e38", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f4 --bins=100 --range=0,1e-38", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f4 --edges=0,1,2", ONE_LANE, ONE_SHARED, ONE_PACKED, ONE_GLOBAL},
    {"--dtype=f4 --edges=0,1,2,3", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f8 --edges=0,1,2,3", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=i4 --edges=0,1,2,3", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--record=f4,f4 --edges=0,1,2", LANE, SHARED, PACKED, GLOBAL},
    {"--dtype=f4 --log --range=1,1024", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=f8 --bins=13 --range=0,1", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=u4 --bins=14 --range=0,99", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--dtype=u4 --bins=15 --range=0,99", ONE_LANE, ONE_SHARED, ONE_PACKED,
     ONE_GLOBAL},
    {"--record=u1,u1 --joint --bins=2 --range=0,9", LANE, SHARED, PACKED,
     GLOBAL},
    {"--record=u1,u1 --joint --bins=3 --range=0,9", LANE, SHARED, PACKED,
     GLOBAL},
    {"--record=u1,u1 --joint", LANE, SHARED, PACKED, GLOBAL},
    {"--record=u1,u1 --weights=2 --bins=3 --range=0,9", no_weights,
     "add_weights_shared", no_weights, "add_weights_global"},
    {"--record=f4,f4 --weights=2 --bins=3 --range=0,9", no_weights,
     "add_weights_shared", no_weights, "add_weights_global"},
    {"--record=u2,f8 --weights=2", no_weights, "add_weights_shared", no_weights,
     "add_weights_global"},
    {"--dtype=u1 --weights=1 --fields=1", no_weights, "add_weights_shared",
     no_weights, "add_weights_global"},
};

static bool
is_one_of(const char *function, const char *a, const char *b)
{
    return strcmp(function, a) == 0 || strcmp(function, b) == 0;
}

/* The tree of edges of FUNCTION, for a power of two that exceeds the edges. */
static size_t
tree_bytes(const char *function, const struct spec *spec)
{
    const struct binning_axis *axis = &spec->counted[0];
    size_t nodes = 1;

    if (axis->kind != BINNING_EDGES || strncmp(function, "count_samples", 13))
        return 0;
    while (nodes <= axis->bins + 1)
        nodes *= 2;
    return nodes * (axis->type == SAMPLE_F4 ? 4 : 8);
}

/* The dynamic shared memory that FUNCTION needs. */
static size_t
needed_bytes(const char *function, const struct spec *spec)
{
    size_t cells = (size_t)spec->cells;
    size_t planes = spec->planes;
    size_t slots = 1;
    size_t columns = 32;

    if (strncmp(function, "count_bytes", 11) == 0)
        return 32768;
    if (strcmp(function, "count_words") == 0)
        return 131072;
    if (strcmp(function, "count_floats") == 0) {
        /* The most columns, and thresholds, that fit into 48 KiB; or one. */
        while (columns > 1 && cells * 4 + cells * columns * 4 > 49152)
            columns /= 2;
        return cells * 4 + cells * columns * 4;
    }
    if (is_one_of(function, LANE, ONE_LANE))
        return cells * 128 + tree_bytes(function, spec);
    if (is_one_of(function, SHARED, ONE_SHARED))
        return cells * 4 + tree_bytes(function, spec);
    if (is_one_of(function, PACKED, ONE_PACKED))
        return cells % 2 == 0 ? cells * 2 : cells * 2 + 2;
    if (strcmp(function, "add_weights_shared") == 0)
        return cells * planes * 8;
    if (strcmp(function, "add_weights_global") == 0) {
        /* A power of two that fits into 48 KiB, though twice that does not. */
        while (slots * (4 + 8 * planes) <= 49152)
            slots *= 2;
        return slots / 2 * (4 + 8 * planes);
    }
    return 0;
}

static bool
same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void
test_forced(const struct spec *spec, const char *line, enum strategy strategy,
            const char *wanted)
{
    const char *name = kernel_strategy_name(strategy);
    bool is_refused = wanted == no_weights || wanted == no_room;
    struct kernel kernel;

    const char *why =
        kernel_choose(&kernel, spec, KERNEL_CUDA, strategy, UNLIMITED);
    if (is_refused) {
        ok(same_text(why, wanted), "%s: %s: %s", line, name, wanted);
        return;
    }
    bool is_right = why == NULL && kernel.strategy == strategy &&
                    same_text(kernel.function, wanted);
    ok(is_right, "%s: %s: %s", line, name, wanted);
    if (!is_right)
        return;
    size_t bytes = needed_bytes(wanted, spec);
    ok(kernel.shared_bytes == bytes, "... with %zu bytes, needs %zu",
       kernel.shared_bytes, bytes);
    why = kernel_choose(&kernel, spec, KERNEL_CUDA, strategy, bytes);
    ok(why == NULL, "... has room in just that");
    if (bytes > 0) {
        why = kernel_choose(&kernel, spec, KERNEL_CUDA, strategy, bytes - 1);
        /* Strategy shared has a kernel without thresholds. */
        if (strategy == STRATEGY_SHARED && strcmp(wanted, "count_floats") == 0)
            ok(why == NULL && same_text(kernel.function, ONE_SHARED),
               "... but in less it is " ONE_SHARED);
        else
            ok(same_text(why, no_room), "... but not in less");
    }
}

/* ---- the best one for a device ---- */

static const struct {
    const char *line;
    const char *best[COUNT(limits)];
} best[] = {
    {"", {"count_bytes", "count_bytes", "count_bytes", "count_bytes"}},
    {"--dtype=u2", {ONE_GLOBAL, ONE_GLOBAL, ONE_GLOBAL, "count_words"}},
    {"--dtype=f4 --bins=13 --range=0,1",
     {"count_floats", "count_floats", "count_floats", "count_floats"}},
    {"--dtype=f4 --bins=369 --range=0,1",
     {"count_floats", "count_floats", "count_floats", "count_floats"}},
    {"--dtype=f4 --bins=370 --range=0,1",
     {"count_floats", "count_floats", "count_floats", "count_floats"}},
    {"--dtype=f4 --bins=6141 --range=0,1",
     {"count_floats", "count_floats", "count_floats", "count_floats"}},
    {"--dtype=f4 --bins=6142 --range=0,1",
     {ONE_SHARED, "count_floats", "count_floats", "count_floats"}},
    {"--dtype=f4 --bins=8190 --range=0,1",
     {ONE_SHARED, ONE_SHARED, "count_floats", "count_floats"}},
    {"--dtype=f4 --bins=12670 --range=0,1",
     {ONE_PACKED, ONE_SHARED, ONE_SHARED, "count_floats"}},
    {"--dtype=f4 --bins=29053 --range=0,1",
     {ONE_GLOBAL, ONE_PACKED, ONE_PACKED, "count_floats"}},
    {"--dtype=f4 --bins=29054 --range=0,1",
     {ONE_GLOBAL, ONE_PACKED, ONE_PACKED, ONE_SHARED}},
    {"--record=u1*4",
     {"count_bytes_4", "count_bytes_4", "count_bytes_4", "count_bytes_4"}},
    {"--dtype=f8 --bins=381 --range=0,1",
     {ONE_LANE, ONE_LANE, ONE_LANE, ONE_LANE}},
    {"--dtype=f8 --bins=382 --range=0,1",
     {ONE_SHARED, ONE_LANE, ONE_LANE, ONE_LANE}},
    {"--dtype=f8 --bins=510 --range=0,1",
     {ONE_SHARED, ONE_SHARED, ONE_LANE, ONE_LANE}},
    {"--dtype=f8 --bins=790 --range=0,1",
     {ONE_SHARED, ONE_SHARED, ONE_SHARED, ONE_LANE}},
    {"--dtype=f8 --bins=1813 --range=0,1",
     {ONE_SHARED, ONE_SHARED, ONE_SHARED, ONE_LANE}},
    {"--dtype=f8 --bins=1814 --range=0,1",
     {ONE_SHARED, ONE_SHARED, ONE_SHARED, ONE_SHARED}},
    {"--dtype=f8 --bins=12285 --range=0,1",
     {ONE_SHARED, ONE_SHARED, ONE_SHARED, ONE_SHARED}},
    {"--dtype=f8 --bins=12286 --range=0,1",
     {ONE_PACKED, ONE_SHARED, ONE_SHARED, ONE_SHARED}},
    {"--dtype=f8 --bins=24573 --range=0,1",
     {ONE_PACKED, ONE_PACKED, ONE_SHARED, ONE_SHARED}},
    {"--dtype=f8 --bins=24574 --range=0,1",
     {ONE_GLOBAL, ONE_PACKED, ONE_SHARED, ONE_SHARED}},
    {"--dtype=f8 --bins=50685 --range=0,1",
     {ONE_GLOBAL, ONE_GLOBAL, ONE_PACKED, ONE_SHARED}},
    {"--dtype=f8 --bins=50686 --range=0,1",
     {ONE_GLOBAL, ONE_GLOBAL, ONE_GLOBAL, ONE_SHARED}},
    {"--dtype=f8 --bins=58110 --range=0,1",
     {ONE_GLOBAL, ONE_GLOBAL, ONE_GLOBAL, ONE_PACKED}},
    {"--dtype=f8 --bins=116221 --range=0,1",
     {ONE_GLOBAL, ONE_GLOBAL, ONE_GLOBAL, ONE_PACKED}},
    {"--dtype=f8 --bins=116222 --range=0,1",
     {ONE_GLOBAL, ONE_GLOBAL, ONE_GLOBAL, ONE_GLOBAL}},
    {"--record=u1,u1 --joint", {GLOBAL, GLOBAL, GLOBAL, PACKED}},
    {"--record=u2,u2", {GLOBAL, GLOBAL, GLOBAL, GLOBAL}},
    {"--record=u1,u1 --weights=2",
     {"add_weights_shared", "add_weights_shared", "add_weights_shared",
      "add_weights_shared"}},
    /* 71 planes */
    {"--record=u1,f8 --weights=2",
     {"add_weights_global", "add_weights_global", "add_weights_global",
      "add_weights_shared"}},
    {"--record=u2,f4 --weights=2",
     {"add_weights_global", "add_weights_global", "add_weights_global",
      "add_weights_global"}},
};

static void
test_best(size_t i)
{
    struct spec spec;
    struct kernel kernel;
    struct kernel same;

    make_spec(&spec, best[i].line);
    for (size_t j = 0; j < COUNT(limits); j++) {
        const char *why = kernel_choose(&kernel, &spec, KERNEL_CUDA,
                                        STRATEGY_AUTO, limits[j]);
        ok(why == NULL && same_text(kernel.function, best[i].best[j]) &&
               kernel.shared_bytes <= limits[j],
           "%s: %zu bytes: %s", best[i].line, limits[j], best[i].best[j]);
        /* The strategy that it names is one to ask for. */
        why = kernel_choose(&same, &spec, KERNEL_CUDA, kernel.strategy,
                            limits[j]);
        ok(why == NULL && same_text(same.function, kernel.function) &&
               same.shared_bytes == kernel.shared_bytes,
           "... is %s", kernel_strategy_name(kernel.strategy));
    }
    spec_close(&spec);
}

/* ---- OpenCL ---- */

static const char no_local[] = "the device has too little local memory";
static const char no_lanes[] = "a processor has lanes for bytes only";
static const char no_kernel[] = "there is no such OpenCL kernel";

#define RECORDS "count_records"
#define FLOATS "count_floats"
#define WEIGHTS "add_weights"

/*
 * How LINE is counted with lanes, on a GPU and on a processor, and how with
 * other strategies; and whether that takes doubles.
 */
static const struct {
    const char *line;
    const char *lane[2];
    const char *other;
    bool needs_doubles;
} opencl_forced[] = {
    {"", {"count_bytes", "count_bytes"}, RECORDS, false},
    {"--dtype=i1 --bins=4 --range=0,9",
     {"count_bytes", "count_bytes"},
     RECORDS,
     false},
    {"--record=u1,x", {RECORDS, no_lanes}, RECORDS, false},
    {"--dtype=u2", {RECORDS, no_lanes}, RECORDS, false},
    {"--dtype=f2 --bins=13 --range=0,1", {RECORDS, no_lanes}, RECORDS, false},
    {"--dtype=u4 --mod=9", {RECORDS, no_lanes}, RECORDS, false},
    {"--dtype=u4 --bins=9 --range=0,9e9", {RECORDS, no_lanes}, RECORDS, true},
    {"--dtype=f4 --bins=13 --range=0,1", {FLOATS, no_lanes}, FLOATS, false},
    {"--dtype=f4 --bins=13 --range=0,1 --numpy",
     {FLOATS, no_lanes},
     FLOATS,
     false},
    {"--dtype=>f4 --bins=13 --range=0,1", {RECORDS, no_lanes}, RECORDS, true},
    {"--dtype=f4 --bins=100 --range=1e6,1000001",
     {RECORDS, no_lanes},
     RECORDS,
     true},
    {"--dtype=f4 --edges=0,1,2", {RECORDS, no_lanes}, RECORDS, true},
    {"--dtype=f8 --bins=13 --range=0,1", {RECORDS, no_lanes}, RECORDS, true},
    {"--record=u1,u1 --joint --bins=2 --range=0,9",
     {RECORDS, no_lanes},
     RECORDS,
     false},
    {"--record=u1,u1 --weights=2", {no_weights, no_weights}, WEIGHTS, false},
    {"--record=u1,f8 --weights=2", {no_weights, no_weights}, WEIGHTS, false},
    {"--record=f4,f8 --weights=2 --bins=13 --range=0,1",
     {no_weights, no_weights},
     WEIGHTS,
     true},
};

/* The local memory that a group needs. */
static size_t
local_bytes(const struct spec *spec, enum strategy strategy, bool is_processor)
{
    size_t cells = (size_t)spec->cells;
    size_t slot_bytes = 4 + 8 * spec->planes;
    size_t slots = 1;

    if (strategy == STRATEGY_LANE)
        return cells * (is_processor ? 4 : 32) * 4;
    if (strategy == STRATEGY_SHARED)
        return spec->has_weights ? cells * spec->planes * 8 : cells * 4;
    if (!spec->has_weights)
        return 16384;
    /* A power of two that fits into 24 KiB, though twice that does not. */
    while (slots * slot_bytes <= 24576)
        slots *= 2;
    return slots / 2 * slot_bytes;
}

static enum kernel_platform
opencl_platform(bool is_processor)
{
    return is_processor ? KERNEL_OPENCL_PROCESSOR : KERNEL_OPENCL;
}

/* The kernel is called WANTED, which may be why there is none. */
static void
test_opencl_forced(const struct spec *spec, const char *line,
                   enum strategy strategy, bool is_processor,
                   const char *wanted, bool needs_doubles)
{
    const char *name = kernel_strategy_name(strategy);
    size_t bytes = local_bytes(spec, strategy, is_processor);
    struct kernel kernel;

    const char *why = kernel_choose(
        &kernel, spec, opencl_platform(is_processor), strategy, bytes);
    if (wanted == no_lanes || wanted == no_weights || wanted == no_kernel) {
        ok(same_text(why, wanted), "'%s': %s: %s", line, name, wanted);
        return;
    }
    ok(why == NULL && kernel.strategy == strategy &&
           same_text(kernel.function, wanted) && kernel.shared_bytes == bytes &&
           kernel.has_floats == same_text(wanted, FLOATS) &&
           kernel.needs_doubles == needs_doubles,
       "'%s': %s%s: %s in %zu bytes", line, name,
       is_processor ? " on a processor" : "", wanted, bytes);
    why = kernel_choose(&kernel, spec, opencl_platform(is_processor), strategy,
                        bytes - 1);
    ok(same_text(why, no_local), "... and not in less");
}

static void
test_opencl_strategies(size_t i)
{
    const char *line = opencl_forced[i].line;
    struct spec spec;

    make_spec(&spec, line);
    for (int j = 0; j < 2; j++) {
        bool is_processor = j == 1;
        const char *other = opencl_forced[i].other;
        bool doubles = opencl_forced[i].needs_doubles;
        test_opencl_forced(&spec, line, STRATEGY_LANE, is_processor,
                           opencl_forced[i].lane[j], doubles);
        test_opencl_forced(&spec, line, STRATEGY_SHARED, is_processor, other,
                           doubles);
        test_opencl_forced(&spec, line, STRATEGY_GLOBAL, is_processor, other,
                           doubles);
        test_opencl_forced(&spec, line, STRATEGY_PACKED, is_processor,
                           no_kernel, doubles);
    }
    spec_close(&spec);
}

/* The strategy for LINE with this many bytes for a group, or -1. */
static const struct {
    const char *line;
    size_t bytes;
    int on_gpu;
    int on_processor;
} opencl_best[] = {
    {"", 32768, STRATEGY_LANE, STRATEGY_LANE},
    {"", 32767, STRATEGY_SHARED, STRATEGY_LANE},
    {"", 4095, STRATEGY_SHARED, STRATEGY_SHARED},
    {"", 1023, -1, -1},
    {"--dtype=u2", 65536, STRATEGY_GLOBAL, STRATEGY_GLOBAL},
    {"--dtype=u2", 16384, STRATEGY_GLOBAL, STRATEGY_GLOBAL},
    {"--dtype=u2", 16383, -1, -1},
    {"--dtype=u2", 262144, STRATEGY_SHARED, STRATEGY_SHARED},
    {"--dtype=f8 --bins=253 --range=0,1", 32768, STRATEGY_LANE,
     STRATEGY_SHARED},
    {"--dtype=f8 --bins=254 --range=0,1", 32768, STRATEGY_SHARED,
     STRATEGY_SHARED},
    {"--dtype=f8 --bins=8189 --range=0,1", 32768, STRATEGY_SHARED,
     STRATEGY_SHARED},
    {"--dtype=f8 --bins=8190 --range=0,1", 32768, STRATEGY_GLOBAL,
     STRATEGY_GLOBAL},
    {"--record=u1,u1 --weights=2", 32768, STRATEGY_SHARED, STRATEGY_SHARED},
    /* 71 planes */
    {"--record=u1,f8 --weights=2", 65536, STRATEGY_GLOBAL, STRATEGY_GLOBAL},
};

static void
test_opencl_best(size_t i, bool is_processor)
{
    int wanted =
        is_processor ? opencl_best[i].on_processor : opencl_best[i].on_gpu;
    struct spec spec;
    struct kernel kernel;

    make_spec(&spec, opencl_best[i].line);
    const char *why =
        kernel_choose(&kernel, &spec, opencl_platform(is_processor),
                      STRATEGY_AUTO, opencl_best[i].bytes);
    bool is_right =
        wanted < 0 ? same_text(why, no_local)
                   : why == NULL && kernel.strategy == (enum strategy)wanted &&
                         kernel.shared_bytes <= opencl_best[i].bytes;
    ok(is_right, "'%s': %zu bytes of a %s: %s", opencl_best[i].line,
       opencl_best[i].bytes, is_processor ? "processor" : "GPU",
       wanted < 0 ? "none" : kernel_strategy_name((enum strategy)wanted));
    spec_close(&spec);
}

/* ---- how many blocks ---- */

static void
test_blocks(void)
{
    static const char *const lines[] = {"", "--dtype=u2",
                                        "--dtype=f8 --bins=1000 --range=0,1"};

    for (size_t i = 0; i < COUNT(lines); i++) {
        struct spec spec;
        struct kernel kernel;

        make_spec(&spec, lines[i]);
        kernel_choose(&kernel, &spec, KERNEL_CUDA, STRATEGY_AUTO, limits[3]);
        bool is_one = kernel_blocks(&kernel, 1) == 1;
        bool grows = true;
        size_t last = 1;
        for (size_t size = 1; size <= (size_t)1 << 30; size *= 2) {
            size_t blocks = kernel_blocks(&kernel, size);
            grows &= blocks >= last && blocks <= size;
            last = blocks;
        }
        ok(is_one && grows && last > 1000, "'%s': more blocks for more input",
           lines[i]);
        spec_close(&spec);
    }
}

/* An axis that has a good range now may outgrow what floats tell apart. */
static void
test_growing(void)
{
    const struct extent extent = {0, 1};
    struct kernel kernel;
    struct spec spec;

    make_spec(&spec, "--dtype=f4 --bins=14 --range=auto");
    lattice_set(&spec.counted[0], &extent);
    kernel_choose(&kernel, &spec, KERNEL_CUDA, STRATEGY_AUTO, UNLIMITED);
    ok(strcmp(kernel.function, ONE_LANE) == 0, "--range=auto: %s",
       kernel.function);
    spec_close(&spec);
}

int
main(void)
{
    for (size_t i = 0; i < COUNT(forced); i++) {
        const char *line = forced[i].line;
        struct spec spec;

        make_spec(&spec, line);
        test_forced(&spec, line, STRATEGY_LANE, forced[i].lane);
        test_forced(&spec, line, STRATEGY_SHARED, forced[i].shared);
        test_forced(&spec, line, STRATEGY_PACKED, forced[i].packed);
        test_forced(&spec, line, STRATEGY_GLOBAL, forced[i].global);
        spec_close(&spec);
    }
    for (size_t i = 0; i < COUNT(best); i++)
        test_best(i);
    for (size_t i = 0; i < COUNT(opencl_forced); i++)
        test_opencl_strategies(i);
    for (size_t i = 0; i < COUNT(opencl_best); i++) {
        test_opencl_best(i, false);
        test_opencl_best(i, true);
    }
    test_blocks();
    test_growing();
    return done_testing();
}

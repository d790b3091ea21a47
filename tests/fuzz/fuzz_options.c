/* SPDX-License-Identifier: MIT */
/*
 * fuzz_options.c -- command lines, and the specs and plans made of them
 *
 * Each line is understood or refused as wrong usage, with a message; then so
 * are the axes that it asks for.  A plan is made for them, too.
 */

#include "axis_check.h"
#include "cli/option_parse.h"
#include "hist/spec.h"
#include "run/plan.h"

#define MEMORY_BYTES ((uint64_t)1 << 20)
#define MACHINE_BYTES ((uint64_t)1 << 34)

static void
check_options(const struct options *options, int argc)
{
    fuzz_must(options->provenance.path_count < (size_t)argc,
              "paths from the line");
    for (size_t i = 0; i < options->provenance.path_count; i++)
        fuzz_must(options->provenance.paths[i] != NULL, "a path");
    fuzz_must(options->plan.gpu_count >= 1 &&
                  options->plan.gpu_count <= PLAN_GPUS_MAX,
              "some GPUs");
    fuzz_must(options->plan.strategy < STRATEGY_COUNT &&
                  *kernel_strategy_name(options->plan.strategy) != '\0',
              "a strategy with a name");
    fuzz_must(options->plan.memory_limit > 0, "some memory");
}

/* Whether a file would have to be read. */
static bool
needs_file(const struct options *options)
{
    for (size_t i = 0; i < options->spec.axis.edges.count; i++) {
        if (*options->spec.axis.edges.text[i] == '@')
            return true;
    }
    return false;
}

static void
check_axes(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count && i < 4; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (axis_is_key(axis)) {
            fuzz_must(axis->bins == 0, "no keys yet");
            continue;
        }
        fuzz_must(spec->field[i] < (spec->kind == SPEC_SAMPLES
                                        ? spec->record.count
                                        : spec->text_fields.count),
                  "a field");
        fuzz_must(axis->bins >= 1, "some bins");
        if (axis->is_auto)
            continue;
        if (axis->kind != BINNING_DIRECT)
            axis_check_edges(axis, &spec->edges);
        axis_check_around(axis, &spec->edges, 0);
        axis_check_around(axis, &spec->edges, axis->bins);
    }
    /* Of text there are none before it is counted. */
    fuzz_must(spec->cells >= (spec->kind == SPEC_SAMPLES) &&
                  spec->cells <= AXIS_BINS_MAX &&
                  spec->shown_cells <= AXIS_BINS_MAX && spec->planes >= 1,
              "so many cells");
    fuzz_must(spec->lookup_count * sizeof *spec->lookup <= MEMORY_BYTES,
              "tables within --memory-limit");
}

static void
check_plan(const struct options *options, const struct spec *spec)
{
    struct plan_facts facts = {
        .input_count = options->provenance.path_count > 0
                           ? options->provenance.path_count
                           : 1,
        .known_bytes = options->skip_bytes,
        .has_unknown_length = options->verbose,
        .cpus = 16,
        .memory_bytes = MACHINE_BYTES,
        .has_gpu_code = !options->quiet && spec->kind == SPEC_SAMPLES,
        .has_keys = spec->kind != SPEC_SAMPLES,
        .host_cost = 1,
        .feed_cost = 1,
        .record_bytes = spec->record.bytes,
        .table_bytes = spec_table_bytes(spec),
        .other_bytes = spec_other_bytes(spec),
        .may_share_table = !spec->has_weights && !spec->grows,
    };
    struct error error = ERROR_NONE;
    struct plan plan;

    if (plan_make(&plan, &options->plan, &facts, &error) < 0) {
        fuzz_must(error.status != EXIT_DONE && *error.text != '\0',
                  "a message about the plan");
        error_clear(&error);
        return;
    }
    fuzz_must(plan.chunk_bytes >= facts.record_bytes &&
                  plan.chunk_bytes % facts.record_bytes == 0,
              "chunks of whole records");
    fuzz_must(plan.readers >= 1 && plan.readers < plan.chunk_count,
              "fewer readers than chunks");
    fuzz_must(plan.host_threads > 0 || plan.gpu_count > 0, "some engine");
    uint64_t chunks =
        plan.chunk_count + plan.decoder_chunks * (plan.decoders - plan.readers);
    fuzz_must(chunks * plan.chunk_bytes + plan.decoder_bytes +
                      facts.other_bytes <=
                  options->plan.memory_limit,
              "within --memory-limit");
}

static void
check_spec(struct options *options)
{
    static const struct image_format image = {3, 1, 255};
    struct error error = ERROR_NONE;
    struct spec spec;

    if (spec_make(&spec, &options->spec, options->image ? &image : NULL,
                  options->plan.memory_limit, &error) < 0) {
        fuzz_must(error.status == EXIT_USAGE && *error.text != '\0',
                  "a message about the axes");
    } else {
        check_axes(&spec);
        check_plan(options, &spec);
    }
    spec_close(&spec);
    error_clear(&error);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    struct fuzz_line line;
    struct options options;
    struct error error = ERROR_NONE;

    fuzz_take_line(&fuzz, &line, FUZZ_WORDS_MAX, false);
    if (option_parse(&options, line.argc, line.argv, &error) < 0) {
        fuzz_must(error.status == EXIT_USAGE && *error.text != '\0',
                  "a message about usage");
    } else {
        check_options(&options, line.argc);
        if (options.plan.memory_limit > MEMORY_BYTES)
            options.plan.memory_limit = MEMORY_BYTES;
        if (options.action == ACTION_COUNT && !needs_file(&options))
            check_spec(&options);
    }
    error_clear(&error);
    fuzz_free_line(&line);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* explain.c -- the text of --explain and of the lists of devices, strategies */

#include <inttypes.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/visible.h"
#include "base/writer.h"
#include "cli/explain.h"
#include "engine/device_text.h"
#include "engine/gpu/device/kernel.h"
#include "engine/text_dictionary.h"
#include "hist/axis.h"
#include "hist/axis_rule.h"
#include "run/gpu_decoding.h"
#include "text/text_type.h"

/* ---- what is counted ---- */

/* So many names of fields are printed. */
#define NAMES_MAX 8

/* Print the fields of the axes from FIRST to before END with JOIN between. */
static void
put_fields(FILE *out, const struct spec *spec, size_t first, size_t end,
           const char *join)
{
    size_t shown = end - first > NAMES_MAX ? first + NAMES_MAX : end;

    for (size_t i = first; i < shown; i++) {
        char field[SPEC_FIELD_BYTES];
        const char *name = spec_field_text(spec, i, field);
        bool is_number = ascii_is_digit(*name);
        bool is_group =
            is_number && spec->kind == SPEC_FIELDS &&
            text_type_of(spec->text.kind)->names == TEXT_NAMES_GROUPS;
        fprintf(out, "%s%s%s", i > first ? join : "",
                is_group    ? "group "
                : is_number ? "field "
                            : "",
                name);
    }
    if (shown < end)
        fprintf(out, " and %zu more", end - shown);
}

/* Print words for the records of SPEC. */
static void
put_records(FILE *out, const struct spec *spec)
{
    const struct text_type *type = text_type_of(spec->text.kind);
    char shown[VISIBLE_BYTE_BYTES];

    if (spec->kind == SPEC_SAMPLES && spec->record.count == 1) {
        fprintf(out, "values of type %s", axis_type_name(&spec->shown[0]));
        return;
    }
    if (spec->kind == SPEC_SAMPLES) {
        fprintf(out, "records of %zu bytes", (size_t)spec->record.bytes);
        return;
    }
    fputs(type->records, out);
    /* CSV says so itself; the other is the comma. */
    if (type->has_delimiter && type->values == TEXT_VALUES_PLAIN)
        fprintf(out, " %s",
                visible_byte(shown, (unsigned char)spec->text.delimiter));
}

static void
put_counted(FILE *out, const struct spec *spec)
{
    bool is_whole = spec->kind == SPEC_SAMPLES
                        ? spec->record.count == 1
                        : text_type_of(spec->text.kind)->whole != NULL;
    size_t groups = spec->group_count;
    char weight[SPEC_FIELD_BYTES];

    if (spec->has_weights)
        fprintf(out, "gpuhist: explain: adds up %s for each ",
                spec_weight_text(spec, weight));
    else
        fputs("gpuhist: explain: counts ", out);
    if (!is_whole && spec->axis_count > groups) {
        put_fields(out, spec, groups, spec->axis_count,
                   spec->is_joint ? " with " : ", ");
        fputs(groups > 0 ? " for each " : " of ", out);
    }
    if (groups > 0) {
        put_fields(out, spec, 0, groups, " and ");
        fputs(" of ", out);
    }
    put_records(out, spec);
    fputs(spec->conditions.count > 0 ? " that fulfil --where\n" : "\n", out);
}

void
explain_start(const struct spec *spec)
{
    struct writer writer;
    FILE *out = writer_open_stream(&writer, STDERR_FILENO);

    if (out == NULL)
        return;
    put_counted(out, spec);
    /* A failure to write is ignored, as for messages. */
    (void)writer_close_stream(&writer, out);
}

/* ---- axes ---- */

static const char *
axis_side(const struct binning_axis *axis)
{
    switch ((enum binning_closed)axis->closed) {
    case BINNING_RIGHT:
        return "(lo,hi]";
    case BINNING_NUMPY:
        return "[lo,hi), the last one [lo,hi]";
    default:
        return "[lo,hi)";
    }
}

/* Whether the range of axis I is found only after counting. */
static bool
is_open(const struct spec *spec, size_t i)
{
    return spec->shown[i].is_auto && !spec_grows(spec, i);
}

/* Returns words for what counts axis I, which has no bins. */
static const char *
words_of(const struct spec *spec, size_t i)
{
    if (spec->histogram[spec_histogram_of(spec, i)].kind == COUNTED_SUMS)
        return "exact sums, and no table of the numbers";
    return axis_bins(&spec->shown[i]) == AXIS_NUMBERS ? "a bin for each number"
                                                      : "a bin for each key";
}

void
explain_axes(FILE *out, const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        char field[SPEC_FIELD_BYTES];

        if (!axis_has_bins(&spec->shown[i])) {
            fprintf(out, "gpuhist: explain: field %s: %s\n",
                    spec_field_text(spec, i, field), words_of(spec, i));
            continue;
        }
        /* The counted axis has the range that an axis has grown to. */
        const struct binning_axis *axis =
            spec_grows(spec, i) ? &spec->counted[i] : &spec->shown[i];
        char lo[NUMBER_TEXT_BYTES];
        char hi[NUMBER_TEXT_BYTES];

        fprintf(out, "gpuhist: explain: field %s (%s): %" PRIu64 " bin%s, %s%s",
                spec_field_text(spec, i, field), axis_type_name(axis),
                axis->bins, axis->bins == 1 ? "" : "s",
                axis_rule_of(axis)->words,
                axis->is_auto ? ", on a lattice" : "");
        if (axis_bins(axis) == AXIS_INTEGERS) {
            axis_value_text(axis, 0, lo);
            axis_value_text(axis, axis->bins - 1, hi);
            fprintf(out, ", from %s to %s\n", lo, hi);
            continue;
        }
        if (!is_open(spec, i)) {
            axis_edge_text(axis, &spec->edges, 0, lo);
            axis_edge_text(axis, &spec->edges, axis->bins, hi);
            fprintf(out, ", from %s to %s", lo, hi);
        }
        fprintf(out, ", %s%s\n", axis_side(axis),
                axis->is_trimmed ? ", shown from the first to the last that "
                                   "occurs"
                                 : "");
    }
}

void
explain_left_out(FILE *out, const struct spec *spec, uint64_t left_out)
{
    if (spec->conditions.count > 0)
        fprintf(out, "gpuhist: explain: %s left out by --where: %" PRIu64 "\n",
                !spec_chooses_elements(spec)
                    ? "records"
                    : sequence_unit_name(spec->histogram[0].unit),
                left_out);
}

/* ---- plan and engines ---- */

/* Say why no GPU counts SPEC by PLAN, unless the user wants none. */
static void
put_why_never(FILE *out, const struct plan *plan, const struct spec *spec)
{
    const char *why = NULL;

    if (plan->device != DEVICE_AUTO)
        return;
    if (spec->uses_tables)
        why = device_text_why_not(spec);
    if (why != NULL)
        fprintf(out, ", this is counted by the CPU only: %s", why);
}

/* Say how many of the GPUs that the user lists PLAN uses, and why. */
static void
put_listed(FILE *out, const struct plan *plan)
{
    if (plan->gpus_listed < 2)
        return;
    fprintf(out, ", %zu of the %zu listed", plan->gpu_count, plan->gpus_listed);
    for (size_t i = 1; i < plan->gpu_count; i++) {
        if (plan->gpu_mark[i] > 0)
            fprintf(out, ", cuda:%d after %" PRIu64 " bytes", plan->gpu[i],
                    plan->gpu_mark[i]);
    }
    if (plan->gpu_count == plan->gpus_listed)
        return;
    if (plan->gpu_more < UINT64_MAX)
        fprintf(out, "; another one pays from %" PRIu64 " bytes on",
                plan->gpu_more);
    else
        fputs("; the processors cannot feed another one", out);
}

/* Print lines about PLAN, to count SPEC: readers, chunks, when a GPU starts. */
static void
put_plan(FILE *out, const struct plan *plan, const struct spec *spec)
{
    fprintf(out, "gpuhist: explain: readers: %u\n", plan->readers);
    fprintf(out, "gpuhist: explain: chunks: %zu of %zu bytes",
            plan->chunk_count, plan->chunk_bytes);
    if (plan->held_chunks > 0)
        fprintf(out, ", %zu more for each GPU", plan->held_chunks);
    fputc('\n', out);
    if (plan->gpu_count == 0) {
        fputs("gpuhist: explain: gpu: never", out);
        put_why_never(out, plan, spec);
        fputc('\n', out);
    } else if (plan->gpu_after == 0) {
        fputs("gpuhist: explain: gpu: from the start", out);
        put_listed(out, plan);
        fputc('\n', out);
    } else
        fprintf(out, "gpuhist: explain: gpu: after %" PRIu64 " bytes%s\n",
                plan->gpu_after,
                plan->gpu_is_adaptive ? ", or as soon as it will save time"
                                      : "");
}

/* Say how much CONSUMER, a device that knows keys, has left to the CPU. */
static void
put_leftovers(FILE *out, const struct consumer *consumer)
{
    const struct engine *engine = consumer->engine;
    const struct histogram *counted = &consumer->counted;
    uint64_t records = 0;

    if (histogram_is_open(counted))
        records = counted->value[TEXT_TOTAL_RECORDS];
    fprintf(out,
            "gpuhist: explain: %s: knows %" PRIu32 " keys; of %" PRIu64
            " records in its chunks, the CPU counted %" PRIu64,
            engine->name, engine->dictionary->keys, records,
            consumer->leftovers);
    if (consumer->left > 0)
        fprintf(out, "; it left %" PRIu64 " chunks to the CPU, with new keys",
                consumer->left);
    if (consumer->skipped > 0)
        fprintf(out, "; and %" PRIu64 " unseen, since keys hardly repeat",
                consumer->skipped);
    fputc('\n', out);
}

/* Say that WHO has decoded so many BLOCKS of BGZF, if any. */
static void
put_blocks(FILE *out, const char *who, uint64_t blocks, uint64_t bytes)
{
    if (blocks > 0)
        fprintf(out,
                "gpuhist: explain: BGZF: %" PRIu64
                " block%s decoded by %s; %" PRIu64 " bytes of content\n",
                blocks, blocks == 1 ? "" : "s", who, bytes);
}

/* The frames of zstd, and blocks of BGZF, decoded by helpers or a device. */
static void
explain_helpers(FILE *out, struct progress *progress)
{
    uint64_t frames = atomic_load(&progress->helped_frames);
    uint64_t refused = atomic_load(&progress->refused_frames);
    uint64_t device = atomic_load(&progress->device_frames);
    uint64_t started = atomic_load(&progress->started_frames);
    uint64_t sketched = atomic_load(&progress->sketched_bytes);

    if (device > 0)
        fprintf(out,
                "gpuhist: explain: zstd: %" PRIu64
                " frame%s decoded by a GPU; %" PRIu64 " bytes of content\n",
                device, device == 1 ? "" : "s",
                (uint64_t)atomic_load(&progress->device_bytes));
    put_blocks(out, "a GPU", atomic_load(&progress->device_blocks),
               atomic_load(&progress->device_block_bytes));
    if (sketched > 0)
        fprintf(out,
                "gpuhist: explain: BGZF: a GPU found the records in %" PRIu64
                " bytes of FASTQ\n",
                sketched);
    put_blocks(out, "several threads", atomic_load(&progress->helped_blocks),
               atomic_load(&progress->helped_block_bytes));
    if (started > 0)
        fprintf(out,
                "gpuhist: explain: zstd: %" PRIu64
                " of these begun by several threads, before the GPU was free; "
                "%" PRIu64 " more bytes of content\n",
                started, (uint64_t)atomic_load(&progress->started_bytes));
    if (frames > 0)
        fprintf(out,
                "gpuhist: explain: zstd: %" PRIu64
                " frame%s decoded by several threads; %" PRIu64
                " bytes of content\n",
                frames, frames == 1 ? "" : "s",
                (uint64_t)atomic_load(&progress->helped_bytes));
    if (refused > 0)
        fprintf(out,
                "gpuhist: explain: zstd: %" PRIu64
                " frame%s decoded again by libzstd\n",
                refused, refused == 1 ? "" : "s");
}

/* What each device has decoded, if there are several. */
static void
explain_decoders(FILE *out, const struct budget *budget)
{
    const struct decoding_device *device;

    if (gpu_decoding_device(budget, 1) == NULL)
        return;
    for (size_t i = 0; (device = gpu_decoding_device(budget, i)) != NULL; i++) {
        uint64_t bytes = gpu_decoding_bytes(device);
        /* The name of a device that starts may be changing. */
        if (bytes > 0)
            fprintf(out,
                    "gpuhist: explain: %s: decoded %" PRIu64
                    " bytes of content\n",
                    device->driver->name, bytes);
    }
}

/* Threads of the CPU that count, whose engines are alike. */
struct hosts {
    const struct engine *one; /* NULL: none */
    uint64_t bytes;
    unsigned int count;
    unsigned int most;
};

/* Print a line for each device of PIPELINE: its strategy, the bytes counted,
   the time taken; and add the threads of the CPU to HOSTS. */
static void
put_devices(FILE *out, const struct pipeline *pipeline, struct hosts *hosts)
{
    for (size_t i = 0; i < pipeline->consumers.count; i++) {
        const struct consumer *consumer = &pipeline->consumers.consumer[i];
        if (consumer->is_starting) {
            fputs("gpuhist: explain: gpu: still starting when the input "
                  "ended\n",
                  out);
            continue;
        }
        const struct engine *engine = consumer->engine;
        if (consumer->state == CONSUMER_FAILED && !consumer->was_open) {
            fprintf(out, "gpuhist: explain: %s: not usable\n", engine->name);
            continue;
        }
        if (engine->type->kind == CONSUMER_HOST) {
            hosts->one = engine;
            hosts->bytes += consumer->bytes;
            continue;
        }
        fprintf(out,
                "gpuhist: explain: %s: %s; opened in %.3f s, counted %" PRIu64
                " bytes in %.3f s\n",
                engine->name, engine->strategy, consumer->open_seconds,
                consumer->bytes, consumer->count_seconds);
        if (engine->dictionary != NULL)
            put_leftovers(out, consumer);
    }
    hosts->count += pipeline->consumers.host_count;
    hosts->most += pipeline->plan->host_threads;
}

/* Print what each engine of TRACKS has counted; the CPU's threads share a
   line. */
static void
put_engines(FILE *out, const struct tracks *tracks)
{
    struct hosts hosts = {.one = NULL};

    for (size_t i = 0; i < tracks->count; i++)
        put_devices(out, tracks_pipeline(tracks, i), &hosts);
    if (hosts.one != NULL)
        fprintf(out,
                "gpuhist: explain: %s: %s, %u of up to %u threads; counted "
                "%" PRIu64 " bytes\n",
                hosts.one->name, hosts.one->strategy, hosts.count, hosts.most,
                hosts.bytes);
    explain_helpers(out, tracks->inputs->reading.progress);
    explain_decoders(out, tracks->inputs->budget);
    uint64_t bytes;
    uint64_t runs = tracks_spills(tracks, &bytes);
    if (runs > 0)
        fprintf(out,
                "gpuhist: explain: keys beyond --memory-limit: %" PRIu64
                " runs in temporary files, %" PRIu64 " bytes\n",
                runs, bytes);
}

void
explain_run(const struct tracks *tracks, const struct snapshot *counts,
            uint64_t left_out)
{
    const struct pipeline *pipeline = tracks->pipeline;
    struct writer writer;
    FILE *out = writer_open_stream(&writer, STDERR_FILENO);

    if (out == NULL)
        return;
    explain_axes(out, counts->spec);
    explain_left_out(out, counts->spec, left_out);
    if (tracks->count > 1)
        fprintf(out,
                "gpuhist: explain: tracks: %u inputs at a time, each with:\n",
                tracks->count);
    put_plan(out, pipeline->plan, pipeline->consumers.spec);
    put_engines(out, tracks);
    (void)writer_close_stream(&writer, out);
}

/* ---- lists ---- */

void
explain_devices(FILE *out, unsigned int cpus, const struct devices *devices)
{
    fprintf(out, "cpu\t%u threads\n", cpus);
    for (int i = 0; i < devices->cuda_count; i++) {
        const struct cuda_device *device = &devices->cuda[i];
        fprintf(out, "cuda:%d\t%s\t%zu MiB\tsm_%d%d\n", device->ordinal,
                device->name, device->memory_bytes >> 20, device->major,
                device->minor);
    }
    for (int i = 0; i < devices->opencl_count; i++) {
        const struct cl_device *device = &devices->opencl[i];
        fprintf(out, "opencl:%d\t%s\t%" PRIu64 " MiB\t%s (%s)\n",
                device->ordinal, device->name, device->memory_bytes >> 20,
                device->platform,
                device->is_gpu         ? "GPU"
                : device->is_processor ? "CPU"
                                       : "accelerator");
    }
}

/* Print the line of STRATEGY; WHY says why it is impossible, or is NULL. */
static void
put_strategy(FILE *out, const char *name, const struct kernel *kernel,
             enum strategy strategy, const char *why, bool is_best)
{
    fprintf(out, "%s\t%s\t", name, kernel_strategy_name(strategy));
    if (kernel->function != NULL)
        fprintf(out, "%s\t%zu\t", kernel->function, kernel->shared_bytes);
    else
        fputs("-\t-\t", out);
    if (why != NULL)
        fprintf(out, "no: %s\n", why);
    else
        fputs(is_best ? "auto\n" : "yes\n", out);
}

/* Print the lines of one device; NAME is NULL without a device. */
static void
put_strategies(FILE *out, const struct spec *spec,
               enum kernel_platform platform, const char *name,
               size_t shared_bytes)
{
    struct kernel best;
    struct kernel kernel;

    kernel_choose(&best, spec, platform, STRATEGY_AUTO, shared_bytes);
    for (int i = STRATEGY_AUTO + 1; i < STRATEGY_COUNT; i++) {
        enum strategy strategy = (enum strategy)i;
        const char *why =
            kernel_choose(&kernel, spec, platform, strategy, shared_bytes);
        put_strategy(out, name != NULL ? name : "-", &kernel, strategy, why,
                     name != NULL && strategy == best.strategy);
    }
}

void
explain_strategies(FILE *out, const struct spec *spec,
                   const struct devices *devices)
{
    char name[32];

    if (devices->cuda_count == 0 && devices->opencl_count == 0)
        put_strategies(out, spec, KERNEL_CUDA, NULL, SIZE_MAX);
    for (int i = 0; i < devices->cuda_count; i++) {
        const struct cuda_device *device = &devices->cuda[i];
        snprintf(name, sizeof name, "cuda:%d", device->ordinal);
        put_strategies(out, spec, KERNEL_CUDA, name, device->shared_bytes);
    }
    for (int i = 0; i < devices->opencl_count; i++) {
        const struct cl_device *device = &devices->opencl[i];
        snprintf(name, sizeof name, "opencl:%d", device->ordinal);
        put_strategies(out, spec,
                       device->is_processor ? KERNEL_OPENCL_PROCESSOR
                                            : KERNEL_OPENCL,
                       name, device->local_bytes);
    }
}

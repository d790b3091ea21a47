/* SPDX-License-Identifier: MIT */
/* wanted_plan.c -- the plan of a pass, by options, spec and inputs */

#include "cli/wanted_plan.h"
#include "base/interval.h"
#include "base/machine.h"
#include "engine/cpu/cells/record_cost.h"
#include "engine/cpu/fields/field_engine.h"
#include "engine/device_text.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/engine_opencl.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"
#include "input/read/survey.h"
#include "report/report.h"

/* Whether GPUs of this build can count SPEC. */
static bool
has_gpu_code(const struct options *options, const struct spec *spec)
{
    bool has_opencl = engine_opencl_is_built();

    if (spec->uses_tables) {
        has_opencl &= spec->kind == SPEC_SEQUENCES;
        if (device_text_why_not(spec) != NULL ||
            interval_is_set(&options->plan.every))
            return false;
    }
    return has_opencl || engine_cuda_is_built();
}

/* The bytes of memory that snapshots, or the total of all inputs, take. */
static uint64_t
sums_bytes(const struct spec *spec, const struct options *options)
{
    /* The sum and an addend; with --reset also BEFORE.  The total of inputs. */
    uint64_t tables = options->total                           ? 1
                      : !interval_is_set(&options->plan.every) ? 0
                      : options->reset                         ? 3
                                                               : 2;

    return tables * spec_table_bytes(spec);
}

int
wanted_plan_make(struct plan *plan, const struct options *options,
                 const struct spec *spec, const struct inputs *inputs,
                 struct error *error)
{
    uint32_t gpu_keys = text_layout_keys(
        spec, plan_gpu_limit(&options->plan, machine_memory()));
    struct plan_facts facts = {
        /* Without inputs, one empty input. */
        .input_count = inputs->count > 0 ? inputs->count : 1,
        .known_bytes = inputs->known_bytes,
        .largest_bytes = inputs->largest_bytes,
        .has_unknown_length = inputs->has_unknown_length,
        .streams = survey_streams(inputs),
        .may_repeat = inputs->may_repeat,
        .may_have_tracks = inputs_may_have_tracks(inputs),
        .cpus = machine_cpus(),
        .memory_bytes = machine_memory(),
        .has_gpu_code = has_gpu_code(options, spec),
        .host_cost = record_cost(spec),
        .feed_cost = record_feed_cost(spec),
        .record_bytes = spec->record.bytes,
        .table_bytes = spec_table_bytes(spec),
        .gpu_bytes =
            (sequence_layout_cells(spec) + text_layout_cells(spec, gpu_keys)) *
            sizeof(uint64_t),
        .gpu_keys = gpu_keys,
        .gpu_key_bytes = text_layout_host_bytes(gpu_keys),
        .kmer_bytes = spec_kmer_bytes(spec),
        .other_bytes = spec_other_bytes(spec) +
                       report_bytes(spec, &options->report) +
                       sums_bytes(spec, options),
        .buffer_bytes = spec->uses_tables ? field_engine_bytes(spec) : 0,
        .may_share_table = !spec->has_weights && !spec->grows,
        .has_keys = spec->uses_tables,
        .needs_order = framing_needs_order(&inputs->framing),
        .has_ranges = framing_cuts_anywhere(&inputs->framing),
    };

    bool is_demanded = options->plan.gpu_decode == GPU_DECODE_ALWAYS;
    if (options->plan.gpu_decode != GPU_DECODE_NEVER &&
        (options->plan.device == DEVICE_AUTO ||
         options->plan.device == DEVICE_CUDA) &&
        (facts.known_bytes >= PLAN_DECODING_BYTES_MIN || is_demanded) &&
        engine_cuda_is_built()) {
        facts.decodable =
            survey_inputs(inputs, is_demanded ? 0 : PLAN_DECODING_FILE_MIN,
                          PLAN_DECODING_FRAME_MIN);
        if (decodable_bytes(&facts.decodable) > 0 && !engine_cuda_is_there())
            facts.decodable = (struct decodable){0};
    }
    if (options->plan.device == DEVICE_CUDA && options->plan.gpu_count > 1 &&
        facts.known_bytes >= PLAN_SEVERAL_BYTES_MIN)
        facts.plain_bytes = survey_plain(inputs, PLAN_SEVERAL_FILE_MIN);
    return plan_make(plan, &options->plan, &facts, error);
}

/* run_plan.c -- plan a run by the options and the inputs */

#include "cli/run_plan.h"
#include "base/machine.h"
#include "cli/driver_end.h"
#include "cli/snapshots.h"
#include "engine/cpu/cells/record_cost.h"
#include "engine/cpu/fields/field_engine.h"
#include "engine/device_text.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/engine_opencl.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"
#include "input/read/zstd_survey.h"
#include "report/report.h"

/* Whether GPUs of this build can count SPEC. */
static bool
has_gpu_code(const struct options *options, const struct spec *spec)
{
    bool has_opencl = engine_opencl_is_built();

    if (spec->uses_tables) {
        has_opencl &= spec_is_sequences(spec);
        if (device_text_why_not(spec) != NULL ||
            interval_is_set(&options->plan.every))
            return false;
    }
    return has_opencl || engine_cuda_is_built();
}

/* Make the PLAN of a run with OPTIONS.  Returns 0, or -1 with *ERROR set. */
static int
make(struct plan *plan, const struct options *options, const struct spec *spec,
     const struct inputs *inputs, struct error *error)
{
    uint32_t gpu_keys = text_layout_keys(
        spec, plan_gpu_limit(&options->plan, machine_memory()));
    struct plan_facts facts = {
        /* One that is empty, if there is none. */
        .input_count = inputs->count > 0 ? inputs->count : 1,
        .known_bytes = inputs->known_bytes,
        .largest_bytes = inputs->largest_bytes,
        .has_unknown_length = inputs->has_unknown_length,
        .may_repeat = inputs->may_repeat,
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
                       snapshots_bytes(spec, options),
        .buffer_bytes = spec->uses_tables ? field_engine_bytes(spec) : 0,
        .may_share_table = !spec->has_weights && !spec_is_growing(spec),
        .has_keys = spec->uses_tables,
    };

    if (options->plan.gpu_decode != GPU_DECODE_NEVER &&
        (options->plan.device == DEVICE_AUTO ||
         options->plan.device == DEVICE_CUDA) &&
        facts.largest_bytes >= PLAN_ZSTD_BYTES_MIN && engine_cuda_is_built()) {
        facts.zstd = zstd_survey(inputs, PLAN_ZSTD_BYTES_MIN);
        if (zstd_survey_bytes(&facts.zstd) > 0 && !engine_cuda_is_there())
            facts.zstd = (struct zstd_survey){0};
    }
    return plan_make(plan, &options->plan, &facts, error);
}

int
run_plan_make(struct plan *plan, const struct options *options,
              const struct spec *spec, const struct inputs *inputs,
              struct error *error)
{
    bool is_optional = options->plan.device == DEVICE_AUTO &&
                       options->plan.gpu_decode != GPU_DECODE_ALWAYS;
    /* Even to look whether there is a driver may end the process. */
    bool may_restart = is_optional && driver_end_allow_restart(options, inputs);

    if (make(plan, options, spec, inputs, error) < 0)
        return -1;
    if (plan->gpu_count == 0 && plan->decoding == GPU_DECODE_NEVER)
        driver_end_forbid_restart();
    plan->cuda.is_probed = is_optional && !may_restart;
    return 0;
}

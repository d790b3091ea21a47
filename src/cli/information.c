/* SPDX-License-Identifier: MIT */
/* information.c -- -h, --help, --version, lists of devices and strategies */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/library_path.h"
#include "base/machine.h"
#include "base/output.h"
#include "base/writer.h"
#include "cli/driver_end.h"
#include "cli/explain.h"
#include "cli/help.h"
#include "cli/information.h"
#include "cli/option_table.h"
#include "engine/gpu/cuda/cu_api.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/cl_api.h"
#include "engine/gpu/opencl/engine_opencl.h"
#include "input/archive/members.h"
#include "input/decode/decoders.h"
#include "text/regex/regex.h"

/* ---- devices ---- */

/*
 * The number of devices of a kind: COUNT, or 0 if COUNT is -1.  In this case -v
 * prints WHY.  WHY is cleared.
 */
static int
devices_found(int count, struct error *why, struct messages *messages)
{
    if (count >= 0)
        return count;
    if (messages->is_verbose)
        messages_put(messages, "no GPU: ", why->text);
    error_clear(why);
    return 0;
}

/*
 * Find the devices that --device allows, for free_devices(); -v prints why a
 * kind has none.
 */
static void
find_devices(const struct options *options, struct devices *devices,
             struct messages *messages)
{
    struct error missing = ERROR_NONE;

    *devices = (struct devices){0};
    if (options->plan.device == DEVICE_CPU)
        return;
    driver_end_bound(options->plan.gpu_timeout, EXIT_NO_DEVICE,
                     "a GPU's driver did not answer within "
                     "--tune=gpu-timeout");
    if (options->plan.device != DEVICE_OPENCL)
        devices->cuda_count = devices_found(
            engine_cuda_list(&devices->cuda, &missing), &missing, messages);
    if (options->plan.device != DEVICE_CUDA)
        devices->opencl_count = devices_found(
            cl_devices_list(&devices->opencl, &missing), &missing, messages);
}

static void
free_devices(struct devices *devices)
{
    free(devices->cuda);
    free(devices->opencl);
}

/* ---- the version ---- */

/* Print the engine of GPUs NAME, and where its LIBRARY is, which is not loaded:
   a driver could hang. */
static void
put_engine(FILE *out, const char *name, bool is_built, const char *library)
{
    char *path = is_built ? library_path(library, LIBRARY_PATH_CACHE) : NULL;

    if (!is_built)
        fprintf(out, "%s (not built in)", name);
    else if (path != NULL)
        fprintf(out, "%s (%s)", name, path);
    else
        fprintf(out, "%s (no %s here)", name, library);
    free(path);
}

static void
put_version(FILE *out)
{
    fputs("gpuhist " VERSION "\n" PACKAGE_URL "\n", out);
    decoders_put(out);
    members_put(out);
    regex_put(out);
    fputs("GPUs: ", out);
    put_engine(out, "CUDA", engine_cuda_is_built(), CU_LIBRARY);
    fputs(", ", out);
    put_engine(out, "OpenCL", engine_opencl_is_built(), CL_LIBRARY);
    putc('\n', out);
}

enum exit_status
information_put(const struct options *options, const struct spec *spec,
                struct messages *messages)
{
    struct error error = ERROR_NONE;
    struct devices devices = {0};
    struct writer writer;
    FILE *out = writer_open_stream(&writer, STDOUT_FILENO);

    if (out == NULL) {
        (void)error_fail_memory(&error);
        return messages_put_error(messages, &error);
    }
    if (options->action == ACTION_HELP) {
        help_put(out, options->topic);
    } else if (options->action == ACTION_USAGE) {
        help_put_usage(out);
    } else if (options->action == ACTION_VERSION) {
        put_version(out);
    } else {
        find_devices(options, &devices, messages);
        if (options->action == ACTION_LIST_DEVICES)
            explain_devices(out, machine_cpus(), &devices);
        else
            explain_strategies(out, spec, &devices);
        free_devices(&devices);
    }
    int result = writer_close_stream(&writer, out) < 0
                     ? output_fail_standard(STDOUT_FILENO, &error)
                     : output_close_stdout(&error);
    return result < 0 ? messages_put_error(messages, &error) : EXIT_DONE;
}

/* SPDX-License-Identifier: MIT */
/* gpu_probe.h -- whether a driver has a GPU, tested in another process */

#ifndef GPUHIST_GPU_PROBE_H
#define GPUHIST_GPU_PROBE_H

#include "base/error.h"

/*
 * Look for a GPU of CUDA, or of OpenCL, in another process.  A driver may
 * change signal handlers, crash or end the process; then only the other process
 * suffers.  The library of OpenCL loads all installed platforms, even platforms
 * with processors only.  Returns 0 if a GPU is found, or -1 with *ERROR set.
 */
int gpu_probe_cuda(struct error *error);
int gpu_probe_opencl(struct error *error);

/*
 * Run this program again with --list-devices -v and DEVICE, an option, in
 * ENVIRONMENT.  Call TAKE with CONTEXT and each line of standard output and
 * standard error.  Returns 0, or an error number.
 */
int gpu_probe_list(char *device, char *const environment[],
                   void (*take)(void *context, const char *line),
                   void *context);

#endif

/* gpu_probe.h -- whether a driver has a GPU, tested in another process */

#ifndef GPUHIST_GPU_PROBE_H
#define GPUHIST_GPU_PROBE_H

#include "base/error.h"

/*
 * Look for a GPU of CUDA, or of OpenCL, in another process.  A driver that
 * changes signal handlers, crashes or ends the process then does so in that
 * one.  The library of OpenCL loads all installed platforms, also those that
 * offer only processors.  Returns 0 if there is a GPU, or -1 with *ERROR set.
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

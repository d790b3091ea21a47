/* cl_probe.h -- whether OpenCL has a GPU, tested in another process */

#ifndef GPUHIST_CL_PROBE_H
#define GPUHIST_CL_PROBE_H

#include "util/error.h"

/*
 * Look for a GPU in another process.  The OpenCL library loads all installed
 * platforms.  A platform that changes signal handlers or crashes then does so
 * in that process, even if it offers only processors.  Returns 0 if there is a
 * GPU, or -1 with *ERROR set.
 */
int cl_probe_gpu(struct error *error);

#endif

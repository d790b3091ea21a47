/* cl_probe.h -- whether OpenCL has a GPU, as seen from another process */

#ifndef GPUHIST_CL_PROBE_H
#define GPUHIST_CL_PROBE_H

#include "util/error.h"

/*
 * Look for a GPU in a process of its own.  The OpenCL library loads every
 * platform that is installed: one that offers processors only, changes the
 * handlers of signals, or crashes, does so there.  Returns 0 if there is a GPU,
 * or -1 with *ERROR set.
 */
int cl_probe_gpu(struct error *error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * cu_visible.h -- the GPUs that the CUDA driver starts
 *
 * cuInit() starts all GPUs that CUDA_VISIBLE_DEVICES lists; without the
 * variable, all GPUs.  Each GPU takes about a quarter of a second.  This module
 * narrows the list to the GPUs of a run.  Ordinals stay the ordinals of
 * --list-devices; only this module knows the driver's numbers.
 *
 * A run may use fewer GPUs than the user lists.  The others must exist, too: if
 * the kernel does not say that they do, the driver must start them.
 *
 * An instance of MIG is a part of a GPU.  Drivers may show a single instance to
 * a process, and then no other device.  A list without the instance could show
 * another device under the same number.  So a list that names an instance stays
 * unchanged; so does any list if a GPU of the machine has instances.
 */

#ifndef GPUHIST_CU_VISIBLE_H
#define GPUHIST_CU_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

#define CU_VISIBLE_MAX 64     /* GPUs in a narrowed list */
#define CU_VISIBLE_BYTES 2048 /* a longer list is not narrowed */

/* The kernel lists the instances of MIG for this process here. */
#define CU_CAPABILITIES "/proc/driver/nvidia/capabilities"

/* The kernel lists the GPUs of the machine here, a folder for each; the files
   of the devices start so. */
#define CU_GPUS "/proc/driver/nvidia/gpus"
#define CU_DEVICE "/dev/nvidia"

/* All 0: the list is not narrowed. */
struct cu_visible {
    bool is_narrowed;
    int shown[CU_VISIBLE_MAX]; /* the ordinals in the list, in this order */
    size_t shown_count;
    int unused[CU_VISIBLE_MAX]; /* the driver must show these, too */
    size_t unused_count;
    bool was_set;                  /* the variable, before ... */
    char before[CU_VISIBLE_BYTES]; /* ... to this value */
};

/* How the driver starts. */
struct cu_start {
    const struct cu_visible *visible; /* outlives all engines */
    bool is_probed; /* started first in another process, which may crash */
};

/*
 * Narrow the variable to the COUNT GPUs with these ORDINALS, at most
 * CU_VISIBLE_MAX.  Does nothing if the driver might then show another GPU, or a
 * hidden GPU.  CAPABILITIES is CU_CAPABILITIES, except in tests.  Call this
 * before the driver is loaded and before the first thread starts.
 */
void cu_visible_narrow(struct cu_visible *visible, const char *capabilities,
                       const int *ordinals, size_t count);

/*
 * Of the COUNT ordinals of cu_visible_narrow(), only the first USED are opened:
 * narrow the list to these if the kernel lists all.  GPUS is CU_GPUS and DEVICE
 * is CU_DEVICE, except in tests.  Call this before the driver is loaded and
 * while no other thread looks at the environment.
 */
void cu_visible_limit(struct cu_visible *visible, const char *gpus,
                      const char *device, const int *ordinals, size_t count,
                      size_t used);

/* Returns the driver's number of the GPU with this ORDINAL. */
int cu_visible_number(const struct cu_visible *visible, int ordinal);

/*
 * Returns the ordinal of a GPU that is not opened and that a driver that shows
 * COUNT GPUs lacks, or -1.
 */
int cu_visible_missing(const struct cu_visible *visible, int count);

/*
 * Returns the number of GPUs before narrowing, or -1: unknown.  Another process
 * asks the driver.
 */
int cu_visible_count(const struct cu_visible *visible);

#endif

/* device_job.h -- what devices can count */

#ifndef GPUHIST_DEVICE_JOB_H
#define GPUHIST_DEVICE_JOB_H

#include "engine/gpu/device/device_engine.h"

/* Samples: all specs without tables of keys (sample_job.c). */
extern const struct device_job sample_job;

/* The fields and k-mers of sequences (sequence_job.c). */
extern const struct device_job sequence_job;

/* The keys of other text (text_job.c). */
extern const struct device_job text_job;

/* Returns the job of SPEC, which devices can count. */
static inline const struct device_job *
device_job_of(const struct spec *spec)
{
    if (!spec->uses_tables)
        return &sample_job;
    return spec->kind == SPEC_SEQUENCES ? &sequence_job : &text_job;
}

#endif

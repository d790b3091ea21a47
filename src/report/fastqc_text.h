/* SPDX-License-Identifier: MIT */
/* fastqc_text.h -- the parts of a report as FastQC spells them */

#ifndef GPUHIST_FASTQC_TEXT_H
#define GPUHIST_FASTQC_TEXT_H

#include <stdint.h>

#include "base/writer.h"

/* What FastQC thinks of a module. */
enum fastqc_verdict {
    FASTQC_PASS,
    FASTQC_WARN,
    FASTQC_FAIL,
};

/* Returns the verdict on VALUE, which should not be above WARN, let alone above
   FAIL.  NaN passes. */
enum fastqc_verdict fastqc_verdict_above(double value, double warn,
                                         double fail);

/* Put the first line of a module, and its last one. */
void fastqc_put_start(struct writer *out, const char *name,
                      enum fastqc_verdict verdict);
void fastqc_put_end(struct writer *out);

/* Put VALUE as Java does: 1.0, 0.05, 1.0E-4, 1.2345678E7, NaN. */
void fastqc_put_double(struct writer *out, double value);

/* Put "FIRST-LAST", or FIRST alone if LAST is FIRST. */
void fastqc_put_range(struct writer *out, uint64_t first, uint64_t last);

#endif

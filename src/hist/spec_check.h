/* SPDX-License-Identifier: MIT */
/* spec_check.h -- what cannot be counted together */

#ifndef GPUHIST_SPEC_CHECK_H
#define GPUHIST_SPEC_CHECK_H

#include "base/error.h"
#include "hist/spec.h"

/*
 * Check that each histogram of SPEC, of text, whose fields are known and whose
 * axes are not, has elements of one list or of one unit of sequences, and that
 * these have the weights and the fields of conditions.  Returns 0, or -1 with
 * *ERROR set.
 */
int spec_check_text(const struct spec *spec, const struct spec_options *options,
                    struct error *error);

/* Check that a spectrum counts keys alone, if SPEC has one.  Returns 0, or -1
   with *ERROR set. */
int spec_check_spectrum(const struct spec *spec, struct error *error);

#endif

/* SPDX-License-Identifier: MIT */
/* device_text.c -- whether devices count text and sequences */

#include "engine/device_text.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"

/* As device_text_why_not(), of sequences. */
static const char *
why_not_sequences(const struct spec *spec)
{
    if (spec->text.least_quality > 0)
        return "bases with --min-quality";
    if (sequence_layout_cells(spec) == 0)
        return "these fields of sequences";
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        /* A device has a cell for each code, and adds to such a table. */
        if (spec->histogram[i].kind == COUNTED_KMERS &&
            spec->histogram[i].is_listed)
            return "k-mers that occur";
    }
    return NULL;
}

const char *
device_text_why_not(const struct spec *spec)
{
    if (spec->kind == SPEC_SAMPLES)
        return "numbers without bins";
    if (spec->conditions.count > 0)
        return "records that meet conditions";
    return spec->kind == SPEC_SEQUENCES ? why_not_sequences(spec)
                                        : text_layout_why_not(spec);
}

/* subject.h -- what pictures are drawn of, and how */

#ifndef GPUHIST_SUBJECT_H
#define GPUHIST_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ranking.h"
#include "hist/histogram.h"
#include "hist/spec.h"

/* What pictures are drawn of.  SPEC must outlive the pictures. */
struct scene_subject {
    const struct spec *spec;
    const struct histogram *histogram; /* of the shown axes: spec_fold() */
    enum flow flow;
    bool is_log;        /* amounts are drawn on a logarithmic scale */
    bool is_image;      /* fields are channels */
    bool is_incomplete; /* a part of the input is missing */

    /* Of keys: which have a bar, and their order. */
    uint64_t top;       /* the most keys; 0: as many as fit */
    uint64_t min_count; /* of a key with a bar; 0: none */
    bool no_other;      /* no bar for the rest */
    enum sort sort;     /* SORT_DEFAULT: by value if all keys have a bar or are
                           times, or of a spectrum without TOP */
};

#endif

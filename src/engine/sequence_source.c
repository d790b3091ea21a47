/* SPDX-License-Identifier: MIT */
/*
 * sequence_source.c -- the dense table that counts for a histogram of sequences
 */

#include "engine/sequence_source.h"

/* The fields that a table may combine. */
enum {
    HAS_BASE = 1,
    HAS_POSITION = 2,
    HAS_QUALITY = 4,
    HAS_LENGTH = 8,
    HAS_GC = 16,
};

/* The fields of histogram I, or 0: it has others. */
static unsigned int
fields_of(const struct spec *spec, size_t i)
{
    unsigned int fields = 0;

    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        size_t axis = spec_axis_of(spec, i, d);
        switch (spec->text_fields.field[axis].part) {
        case TEXT_PART_BASE:
            fields |= HAS_BASE;
            break;
        case TEXT_PART_POSITION:
            fields |= HAS_POSITION;
            break;
        case TEXT_PART_QUALITY:
            fields |= HAS_QUALITY;
            break;
        case TEXT_PART_LENGTH:
            fields |= HAS_LENGTH;
            break;
        case TEXT_PART_GC:
            fields |= HAS_GC;
            break;
        default:
            return 0;
        }
    }
    return fields;
}

/* The table of FIELDS. */
static enum sequence_source
source_of(unsigned int fields)
{
    switch (fields) {
    case HAS_LENGTH:
    case HAS_POSITION:
        return SEQUENCE_OF_LENGTH;
    case HAS_GC:
    case HAS_GC | HAS_LENGTH:
        return SEQUENCE_OF_GC;
    case HAS_BASE:
        return SEQUENCE_OF_BASE;
    case HAS_QUALITY:
        return SEQUENCE_OF_QUALITY;
    case HAS_BASE | HAS_QUALITY:
        return SEQUENCE_OF_BASE_QUALITY;
    case HAS_POSITION | HAS_BASE:
        return SEQUENCE_OF_POSITION_BASE;
    case HAS_POSITION | HAS_QUALITY:
        return SEQUENCE_OF_POSITION_QUALITY;
    case HAS_POSITION | HAS_BASE | HAS_QUALITY:
        return SEQUENCE_OF_ALL;
    default:
        return SEQUENCE_NO_TABLE;
    }
}

enum sequence_source
sequence_source_choose(const struct spec *spec, size_t histogram)
{
    unsigned int fields = fields_of(spec, histogram);
    unsigned int chosen = fields;

    /* A table is of all bases, without weights. */
    if (spec_chooses_elements(spec) || spec->has_weights)
        return SEQUENCE_NO_TABLE;
    /* That of the bases alone has any letter, and costs little. */
    for (size_t i = 0; fields != 0 && i < spec_histograms(spec); i++) {
        unsigned int more = fields_of(spec, i);
        bool has_all = (more & fields) == fields && (more & chosen) == chosen;
        if (has_all && fields != HAS_BASE && fields != HAS_POSITION &&
            fields != HAS_LENGTH && source_of(more) != SEQUENCE_NO_TABLE)
            chosen = more;
    }
    return source_of(chosen);
}

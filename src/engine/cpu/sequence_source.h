/* sequence_source.h -- which dense table counts for a histogram of sequences */

#ifndef GPUHIST_SEQUENCE_SOURCE_H
#define GPUHIST_SEQUENCE_SOURCE_H

#include "hist/spec.h"

enum sequence_source {
    SEQUENCE_NO_TABLE,
    SEQUENCE_OF_LENGTH, /* lengths; also the source of positions alone */
    SEQUENCE_OF_GC,     /* GC and length */
    SEQUENCE_OF_BASE,
    SEQUENCE_OF_QUALITY,
    SEQUENCE_OF_BASE_QUALITY,

    /* Their rows are positions. */
    SEQUENCE_OF_POSITION_BASE,
    SEQUENCE_OF_POSITION_QUALITY,
    SEQUENCE_OF_ALL, /* position, base and quality */
    SEQUENCE_SOURCES
};

/*
 * Returns the table of the fields of this histogram, or one with more fields
 * that another histogram needs; SEQUENCE_NO_TABLE: none has all of them.
 */
enum sequence_source sequence_source_choose(const struct spec *spec,
                                            size_t histogram);

#endif

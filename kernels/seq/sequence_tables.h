/* SPDX-License-Identifier: MIT */
/*
 * sequence_tables.h -- dense tables of the fields of sequences: the only
 * definition
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * A table has rows of cells.  Rows of SEQUENCE_OF_LENGTH are lengths; rows of
 * the tables with positions are positions, from 0 on.  The table of GC is a
 * triangle with one cell a row.  All other tables have one row.
 */

#ifndef GPUHIST_SEQUENCE_TABLES_H
#define GPUHIST_SEQUENCE_TABLES_H

#include "kernels/seq/sequence.h"

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

/* The bases with a code in tables of several fields, and the code of a byte
   without one. */
#define SEQUENCE_LETTERS "ACGTN"
#define SEQUENCE_CODES 8
#define SEQUENCE_NO_CODE (SEQUENCE_CODES - 1)

/* The bytes of qualities in tables of several fields. */
#define SEQUENCE_QUALITY_FIRST 32
#define SEQUENCE_QUALITIES 96

/* The width of a row with both.  It is 25 lines of the cache: with 24, the same
   cell of all rows would compete for an eighth of the cache. */
#define SEQUENCE_BOTH (SEQUENCE_QUALITIES * SEQUENCE_CODES + 32)

/* The longest read in the table of GC, which is a triangle. */
#define SEQUENCE_GC_LENGTH 511

/* The code of the base BYTE in tables of several fields. */
DEVICE_FN binning_u32
sequence_letter_code(binning_u32 byte, binning_u32 keeps_case)
{
    binning_u32 letter = keeps_case ? byte : sequence_upper(byte);

    return letter == 'N'   ? 4u
           : letter == 'A' ? 0u
           : letter == 'C' ? 1u
           : letter == 'G' ? 2u
           : letter == 'T' ? 3u
                           : (binning_u32)SEQUENCE_NO_CODE;
}

/* The cells of a row of the table SOURCE. */
DEVICE_FN binning_u32
sequence_table_width(binning_u32 source)
{
    switch (source) {
    case SEQUENCE_OF_BASE:
    case SEQUENCE_OF_QUALITY:
        return 256;
    case SEQUENCE_OF_BASE_QUALITY:
    case SEQUENCE_OF_ALL:
        return SEQUENCE_BOTH;
    case SEQUENCE_OF_POSITION_BASE:
        return SEQUENCE_CODES;
    case SEQUENCE_OF_POSITION_QUALITY:
        return SEQUENCE_QUALITIES;
    default:
        return 1;
    }
}

/* The cell of reads of LENGTH bases, GC of which are G or C. */
DEVICE_FN binning_u32
sequence_gc_cell(binning_u32 length, binning_u32 gc)
{
    return length * (length + 1) / 2 + gc;
}

/*
 * The cell, in its row, of the base BYTE with this CODE and the byte QUALITY in
 * the table SOURCE, other than LENGTH and GC.  CODE is not SEQUENCE_NO_CODE and
 * QUALITY is one of SEQUENCE_QUALITIES where the table has them.
 */
DEVICE_FN binning_u32
sequence_base_cell(binning_u32 source, binning_u32 byte, binning_u32 code,
                   binning_u32 quality)
{
    switch (source) {
    case SEQUENCE_OF_BASE:
        return byte;
    case SEQUENCE_OF_QUALITY:
        return quality;
    case SEQUENCE_OF_POSITION_BASE:
        return code;
    case SEQUENCE_OF_POSITION_QUALITY:
        return quality - SEQUENCE_QUALITY_FIRST;
    default:
        return (quality - SEQUENCE_QUALITY_FIRST) * SEQUENCE_CODES + code;
    }
}

#endif

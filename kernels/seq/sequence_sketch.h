/* SPDX-License-Identifier: MIT */
/*
 * sequence_sketch.h -- what a device tells about the lines of some content
 *
 * This file is written in the common subset of C11 and CUDA C++.
 *
 * Nearly all records of FASTQ have four lines.  Who divides content between
 * records need not look at such records, if a device says how many lines end in
 * a span of content, and that each record in it is a proper one.  A device
 * cannot know in which line a span starts, so it says this of four cases: the
 * first record of the span starts after its line end number 0, 1, 2 or 3.
 */

#ifndef GPUHIST_SEQUENCE_SKETCH_H
#define GPUHIST_SEQUENCE_SKETCH_H

#include "kernels/seq/sequence.h"

/* The lines of a record. */
#define SEQUENCE_SKETCH_LINES 4u

/*
 * A span of content.  In LINES are the number of line ends, and above it, at
 * SEQUENCE_SKETCH_FITS, a bit for each case: number I is set if each record of
 * the span that starts after line end number I + 4 * N, from 0 on, and has
 * four lines in the span, is a sequence_is_four_lines().
 */
struct sequence_sketch {
    binning_u32 bytes;
    binning_u32 lines;
};

#define SEQUENCE_SKETCH_FITS 28

/* The sketches of spans that follow each other. */
struct sequence_sketches {
    const struct sequence_sketch *sketch; /* COUNT of them */
    binning_u32 count;
    binning_u32 at; /* where the first span starts in some data */
};

/* The bytes of the line from AT to END, without a carriage return there. */
DEVICE_FN binning_u32
sequence_line_bytes(DEVICE_GLOBAL const unsigned char *data, binning_u32 at,
                    binning_u32 end)
{
    return end - at - (end > at && data[end - 1] == '\r');
}

/*
 * Whether the lines from AT on, with ENDS, are a record of FASTQ with a line of
 * bases and one of quality.  The record may still have errors among its bytes.
 */
DEVICE_FN int
sequence_is_four_lines(DEVICE_GLOBAL const unsigned char *data, binning_u32 at,
                       const binning_u32 ends[SEQUENCE_SKETCH_LINES])
{
    const binning_u32 bases = ends[0] + 1;
    const binning_u32 plus = ends[1] + 1;
    const binning_u32 quality = ends[2] + 1;

    return data[at] == '@' && !sequence_is_start(data[bases]) &&
           data[bases] != '+' && data[plus] == '+' &&
           sequence_line_bytes(data, bases, ends[1]) ==
               sequence_line_bytes(data, quality, ends[3]);
}

#endif

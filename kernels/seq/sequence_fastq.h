/* SPDX-License-Identifier: MIT */
/*
 * sequence_fastq.h -- find the lines and the bases of a chunk of FASTQ, and
 * refuse what devices do not count
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * A chunk that is not refused has records of four lines: '@' and any bytes;
 * bases; '+' and any bytes; as many bytes of quality as bases, the last of them
 * no carriage return. sequence_find() finds the same records: the first byte of
 * a line of bases does not end the sequence; the first line of quality is as
 * long as the sequence, so it is the last line; and the next record starts
 * after that line.
 */

#ifndef GPUHIST_SEQUENCE_FASTQ_H
#define GPUHIST_SEQUENCE_FASTQ_H

#include "kernels/seq/sequence_block.h"

/* What the wanted tables need to be true of a chunk. */
DEVICE_FN int
sequence_needs_codes(const struct sequence_work *work)
{
    int needs = 0;

    DEVICE_UNROLL
    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++)
        needs |= sequence_work_has(work, s) && sequence_source_has_codes(s);
    return needs;
}

DEVICE_FN int
sequence_needs_qualities(const struct sequence_work *work)
{
    int needs = 0;

    DEVICE_UNROLL
    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++)
        needs |= sequence_work_has(work, s) && sequence_source_has_qualities(s);
    return needs;
}

DEVICE_FN int
sequence_needs_rows(const struct sequence_work *work)
{
    int needs = 0;

    DEVICE_UNROLL
    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++)
        needs |= sequence_work_has(work, s) && sequence_work_rows(s) > 1;
    return needs;
}

/* The number of line ends in COUNT vectors from FIRST on, every STEP-th. */
DEVICE_FN binning_u32
sequence_count_ends(const struct sequence_task *task, binning_u32 first,
                    binning_u32 count, binning_u32 step)
{
    binning_u32 vectors = sequence_vectors(task->size);
    binning_u32 sum = 0;

    DEVICE_ROLLED
    for (binning_u32 i = 0; i < count; i++) {
        binning_u32 vector = first + i * step;
        struct sequence_bytes bytes;

        if (vector >= vectors)
            break;
        bytes = sequence_load(task, vector);
        sum += DEVICE_POPCOUNT(sequence_mask_equal(&bytes, '\n'));
    }
    return sum;
}

/* Count the line ends of each tile. */
DEVICE_FN void
sequence_fastq_lines(const struct sequence_task *task)
{
    binning_u32 tiles = sequence_tiles(task->size);

    for (binning_u32 tile = DEVICE_BLOCK; tile < tiles; tile += DEVICE_BLOCKS) {
        binning_u32 first = tile * SEQUENCE_TILE_VECTORS + DEVICE_THREAD;
        binning_u32 sum = sequence_block_sum(
            task, sequence_count_ends(task, first, sequence_vectors_each(),
                                      DEVICE_THREADS));

        if (DEVICE_THREAD == 0)
            sequence_tile_counts(task)[tile] = sum;
    }
}

/* ---- bases and qualities ---- */

/* Which bytes of a vector are bases and qualities, if the record has the right
   form. */
struct sequence_parts {
    binning_u32 bases;
    binning_u32 qualities;
};

/* Line LINE ends at AT.  Ends without room are refused later. */
DEVICE_FN void
sequence_mark_end(const struct sequence_task *task, binning_u32 line,
                  binning_u32 at)
{
    if (line < sequence_lines_max(task->size))
        sequence_ends(task)[line] = at;
}

/*
 * Write the line ends in VECTOR with these BYTES, which starts in line *LINE,
 * and add their number to *LINE.  Returns the parts of the vector.
 */
DEVICE_FN struct sequence_parts
sequence_mark_ends(const struct sequence_task *task, binning_u32 vector,
                   const struct sequence_bytes *bytes, binning_u32 *line)
{
    binning_u32 at = vector * SEQUENCE_VECTOR;
    binning_u32 left = task->size - at;
    binning_u32 ends = sequence_mask_equal(bytes, '\n');
    binning_u32 pending =
        left < SEQUENCE_VECTOR ? (1u << left) - 1 : (1u << SEQUENCE_VECTOR) - 1;
    struct sequence_parts parts = {0, 0};

    DEVICE_ROLLED
    for (;;) {
        binning_u32 end = ends & (0 - ends);
        binning_u32 before = pending & (end - 1); /* all, without an end */

        if (*line % 4 == 1)
            parts.bases |= before;
        else if (*line % 4 == 3)
            parts.qualities |= before;
        if (end == 0)
            break;
        sequence_mark_end(task, *line, at + DEVICE_POPCOUNT(end - 1));
        ++*line;
        pending &= ~(end | (end - 1));
        ends ^= end;
    }
    /* The last line may have no '\n'. */
    if (left <= SEQUENCE_VECTOR && pending != 0)
        sequence_mark_end(task, *line, task->size);
    return parts;
}

/* Returns why BASES of VECTOR with these BYTES are refused. */
DEVICE_FN binning_u32
sequence_mark_bases(const struct sequence_task *task, binning_u32 vector,
                    const struct sequence_bytes *bytes, binning_u32 bases)
{
    int needs_codes = sequence_needs_codes(&task->work);
    struct sequence_bytes folded = sequence_fold_cases(bytes);
    binning_u32 reasons = 0;
    binning_u32 others;

    if (needs_codes && task->work.keeps_case)
        folded = *bytes;
    others = bases &
             ~(sequence_mask_acgt(&folded) | sequence_mask_equal(&folded, 'N'));
    DEVICE_ROLLED
    while (others != 0) {
        binning_u32 i = DEVICE_POPCOUNT((others & (0 - others)) - 1);
        binning_u32 byte = task->data[vector * SEQUENCE_VECTOR + i];

        if (!sequence_is_base(byte))
            reasons |= SEQUENCE_REFUSED_BASE;
        if (needs_codes && sequence_letter_code(byte, task->work.keeps_case) ==
                               SEQUENCE_NO_CODE)
            reasons |= SEQUENCE_REFUSED_CODE;
        others &= others - 1;
    }
    return reasons;
}

/* Write the classes of the bytes of VECTOR, which starts in line *LINE, to the
   scratch memory, and add its lines to *LINE.  Returns why the chunk is
   refused. */
DEVICE_FN binning_u32
sequence_mark_vector(const struct sequence_task *task, binning_u32 vector,
                     binning_u32 *line)
{
    struct sequence_bytes bytes = sequence_load(task, vector);
    struct sequence_parts parts =
        sequence_mark_ends(task, vector, &bytes, line);
    binning_u32 reasons = 0;

    sequence_masks(task)[vector] = (unsigned short)parts.bases;
    if (parts.bases != 0)
        reasons |= sequence_mark_bases(task, vector, &bytes, parts.bases);
    if (sequence_needs_qualities(&task->work) &&
        (parts.qualities & ~sequence_mask_qualities(&bytes)) != 0)
        reasons |= SEQUENCE_REFUSED_QUALITY;
    return reasons;
}

/* Write the line ends and the masks of bases. */
DEVICE_FN void
sequence_fastq_classify(const struct sequence_task *task)
{
    DEVICE_GLOBAL const binning_u32 *count = sequence_tile_counts(task);
    binning_u32 tiles = sequence_tiles(task->size);
    binning_u32 vectors = sequence_vectors(task->size);
    binning_u32 each = sequence_vectors_each();
    binning_u32 before = 0; /* the line ends of tiles that are added up */
    binning_u32 added = 0;  /* so many */
    binning_u32 reasons = 0;

    for (binning_u32 tile = DEVICE_BLOCK; tile < tiles; tile += DEVICE_BLOCKS) {
        binning_u32 first = tile * SEQUENCE_TILE_VECTORS + DEVICE_THREAD * each;
        binning_u32 sum = 0;
        binning_u32 line;

        DEVICE_ROLLED
        for (binning_u32 i = added + DEVICE_THREAD; i < tile;
             i += DEVICE_THREADS)
            sum += count[i];
        before += sequence_block_sum(task, sum);
        added = tile;
        sum = sequence_count_ends(task, first, each, 1);
        line = before + sequence_block_before(task, sum);
        DEVICE_ROLLED
        for (binning_u32 i = 0; i < each && first + i < vectors; i++)
            reasons |= sequence_mark_vector(task, first + i, &line);
    }
    sequence_refuse(task, reasons);
}

/* ---- records ---- */

/* Returns why the record from START on with the four line ends at END is
   refused.  Reads nothing after the data, whatever the values of END are. */
DEVICE_FN binning_u32
sequence_check_record(const struct sequence_task *task, binning_u32 start,
                      DEVICE_GLOBAL const binning_u32 *end)
{
    DEVICE_GLOBAL const unsigned char *data = task->data;

    if (start > end[0] || end[0] >= end[1] || end[1] >= end[2] ||
        end[2] >= end[3] || end[3] > task->size)
        return SEQUENCE_REFUSED_FORM;
    if (data[start] != '@' || data[end[1] + 1] != '+' ||
        end[1] - end[0] != end[3] - end[2] ||
        (end[3] - end[2] > 1 && data[end[3] - 1] == '\r'))
        return SEQUENCE_REFUSED_FORM;
    return sequence_needs_rows(&task->work) && end[1] - end[0] > SEQUENCE_ROWS
               ? (binning_u32)SEQUENCE_REFUSED_LENGTH
               : 0;
}

/* Check the lines of each record. */
DEVICE_FN void
sequence_fastq_check(const struct sequence_task *task)
{
    DEVICE_GLOBAL const binning_u32 *end = sequence_ends(task);
    binning_u32 lines = sequence_block_lines(task);
    binning_u32 most = sequence_lines_max(task->size);
    binning_u32 reasons = 0;

    if (lines % 4 != 0 || lines > most)
        reasons = SEQUENCE_REFUSED_LINES;
    for (binning_u32 r = sequence_thread(); r < lines / 4 && lines <= most;
         r += sequence_threads())
        reasons |= sequence_check_record(task, r > 0 ? end[4 * r - 1] + 1 : 0,
                                         end + 4 * r);
    sequence_refuse(task, reasons);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * sequence_windows.h -- the windows of K bases that start in a vector
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * A window ends in the next vector, or in a later vector of FASTA, where other
 * bytes lie between the bases of a record.
 */

#ifndef GPUHIST_SEQUENCE_WINDOWS_H
#define GPUHIST_SEQUENCE_WINDOWS_H

#include "kernels/seq/sequence_block.h"

/* Masks have a bit for each byte, the first byte in the lowest bit. */
struct sequence_codes {
    binning_u64 codes;  /* of 32 bytes, two bits each, the first at the top */
    binning_u32 starts; /* where windows start, below bit 16 ... */
    binning_u32 whole;  /* ... and k-mers */
};

/* ---- FASTQ ---- */

DEVICE_FN struct sequence_codes
sequence_fastq_codes(const struct sequence_task *task, binning_u32 vector)
{
    DEVICE_GLOBAL const unsigned short *mask = sequence_masks(task);
    binning_u32 next = mask[vector + 1];
    binning_u32 bases = mask[vector] | next << SEQUENCE_VECTOR;
    struct sequence_codes found = {0, 0, 0};
    struct sequence_bytes bytes;

    found.starts = sequence_runs(bases, task->work.k) & 0xffffu;
    if (found.starts == 0)
        return found;
    bytes = sequence_load(task, vector);
    bytes = sequence_fold_cases(&bytes);
    found.codes = (binning_u64)sequence_pack(&bytes) << 32;
    found.whole = sequence_mask_acgt(&bytes);
    if (next != 0) {
        bytes = sequence_load(task, vector + 1);
        bytes = sequence_fold_cases(&bytes);
        found.codes |= sequence_pack(&bytes);
        found.whole |= sequence_mask_acgt(&bytes) << SEQUENCE_VECTOR;
    }
    found.whole = sequence_runs(found.whole & bases, task->work.k) & 0xffffu;
    return found;
}

/* ---- FASTA ---- */

/* Some bytes of a vector. */
struct sequence_stretch {
    binning_u32 codes; /* two bits each, the first at the top */
    binning_u32 bases; /* masks */
    binning_u32 whole; /* A, C, G, T */
    binning_u32 count;
};

/* Remove the first run of bytes in DROPPED, a mask that is not 0, from STRETCH;
   the run has less than 16 bytes.  Returns the places of the other bits of
   DROPPED. */
DEVICE_FN binning_u32
sequence_stretch_drop(struct sequence_stretch *stretch, binning_u32 dropped)
{
    binning_u32 first = dropped & (0 - dropped);
    binning_u32 run = dropped & ~(dropped + first);
    binning_u32 length = DEVICE_POPCOUNT(run);
    binning_u32 before = first - 1;
    binning_u32 after = 0xffffffffu >> 2 * DEVICE_POPCOUNT(before);

    stretch->codes =
        (stretch->codes & ~after) | (stretch->codes << 2 * length & after);
    stretch->bases =
        (stretch->bases & before) | (stretch->bases >> length & ~before);
    stretch->whole =
        (stretch->whole & before) | (stretch->whole >> length & ~before);
    return (dropped ^ run) >> length;
}

/* The bases of VECTOR with this MASK, and each '>' between them: no window has
   bases before and after a '>'. */
DEVICE_FN struct sequence_stretch
sequence_stretch_of(const struct sequence_task *task, binning_u32 vector,
                    binning_u32 mask)
{
    struct sequence_bytes bytes = sequence_load(task, vector);
    struct sequence_stretch stretch = {0, mask, 0, SEQUENCE_VECTOR};
    binning_u32 dropped = 0;

    if (mask != 0xffffu)
        dropped = ~(mask | sequence_mask_equal(&bytes, '>')) & 0xffffu;
    stretch.count -= DEVICE_POPCOUNT(dropped);
    if (stretch.count == 0)
        return stretch;
    bytes = sequence_fold_cases(&bytes);
    stretch.codes = sequence_pack(&bytes);
    stretch.whole = sequence_mask_acgt(&bytes);
    DEVICE_ROLLED
    while (dropped != 0)
        dropped = sequence_stretch_drop(&stretch, dropped);
    return stretch;
}

DEVICE_FN struct sequence_codes
sequence_fasta_codes(const struct sequence_task *task, binning_u32 vector)
{
    DEVICE_GLOBAL const unsigned short *mask = sequence_masks(task);
    binning_u32 vectors = sequence_vectors(task->size);
    binning_u32 k = task->work.k;
    struct sequence_codes found = {0, 0, 0};
    binning_u32 bases = 0;
    binning_u32 count = 0;
    binning_u32 wanted = 1;
    binning_u32 own = 0; /* the bases of VECTOR */

    if (mask[vector] == 0)
        return found;
    /* Up to K - 1 bytes after the vector, or the end of the record. */
    DEVICE_ROLLED
    for (binning_u32 v = vector;
         v < vectors && count < wanted &&
         (v == vector || (bases >> (count - 1) & 1) != 0);
         v++) {
        struct sequence_stretch stretch = sequence_stretch_of(task, v, mask[v]);

        found.codes |= (binning_u64)stretch.codes << 32 >> 2 * count;
        found.whole |= stretch.whole << count;
        bases |= stretch.bases << count;
        count += stretch.count;
        if (v == vector) {
            own = bases;
            wanted = count + k - 1;
        }
    }
    found.starts = sequence_runs(bases, k) & own;
    found.whole = sequence_runs(found.whole, k) & own;
    return found;
}

#endif

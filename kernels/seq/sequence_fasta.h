/* SPDX-License-Identifier: MIT */
/*
 * sequence_fasta.h -- find the names and the bases of a chunk of FASTA, and
 * refuse what devices do not count
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * A line is a name if its first byte is '>'. All other lines consist of bases
 * and blanks; before the first name, only empty lines may stand.
 * sequence_find() finds the same records: a chunk is refused if any other byte
 * starts a record or is an error.
 *
 * So the meaning of a byte depends only on the last line, other than empty
 * lines, that starts at or before the byte.  Each tile has a word: 4 times the
 * number of names that start in the tile, plus the kind of the last line that
 * starts there.
 */

#ifndef GPUHIST_SEQUENCE_FASTA_H
#define GPUHIST_SEQUENCE_FASTA_H

#include "kernels/seq/sequence_block.h"

enum sequence_kind {
    SEQUENCE_KIND_NONE, /* no line starts */
    SEQUENCE_KIND_BASES,
    SEQUENCE_KIND_NAME,
    SEQUENCE_KINDS = 4 /* in a word of a tile */
};

/* ---- the lines that start in a vector ---- */

struct sequence_starts {
    binning_u32 names; /* masks */
    binning_u32 others;
};

/* The kind of the last line of STARTS; KIND if STARTS is 0. */
DEVICE_FN binning_u32
sequence_starts_last(const struct sequence_starts *starts, binning_u32 kind)
{
    if ((starts->names | starts->others) == 0)
        return kind;
    return starts->names > starts->others ? SEQUENCE_KIND_NAME
                                          : SEQUENCE_KIND_BASES;
}

/* The mask of the bytes of VECTOR within the data. */
DEVICE_FN binning_u32
sequence_mask_inside(const struct sequence_task *task, binning_u32 vector)
{
    binning_u32 left = task->size - vector * SEQUENCE_VECTOR;

    return left < SEQUENCE_VECTOR ? (1u << left) - 1
                                  : (1u << SEQUENCE_VECTOR) - 1;
}

/* The starts of lines with at least one byte in VECTOR with these BYTES, in
   which lines end at ENDS. */
DEVICE_FN struct sequence_starts
sequence_starts_of(const struct sequence_task *task, binning_u32 vector,
                   const struct sequence_bytes *bytes, binning_u32 ends)
{
    binning_u32 at = vector * SEQUENCE_VECTOR;
    binning_u32 first = vector == 0 || task->data[at - 1] == '\n';
    struct sequence_starts starts;

    starts.others =
        (ends << 1 | first) & ~ends & sequence_mask_inside(task, vector);
    starts.names = starts.others & sequence_mask_equal(bytes, '>');
    starts.others ^= starts.names;
    return starts;
}

/* ---- what threads of a block have before them ---- */

/* The shared memory has a bit for each thread in which a line starts, then a
   bit for each thread whose last line is a name. */
#define SEQUENCE_KIND_WORDS (SEQUENCE_TILE_VECTORS / 32)

/* Share the KIND of the last line of this thread. */
DEVICE_FN void
sequence_kinds_share(const struct sequence_task *task, binning_u32 kind)
{
    DEVICE_SHARED binning_u32 *word = task->shared + DEVICE_THREAD / 32;
    binning_u32 bit = 1u << DEVICE_THREAD % 32;

    for (binning_u32 i = DEVICE_THREAD; i < 2 * SEQUENCE_KIND_WORDS;
         i += DEVICE_THREADS)
        task->shared[i] = 0;
    DEVICE_BARRIER();
    if (kind != SEQUENCE_KIND_NONE)
        DEVICE_ADD(word, bit);
    if (kind == SEQUENCE_KIND_NAME)
        DEVICE_ADD(word + SEQUENCE_KIND_WORDS, bit);
    DEVICE_BARRIER();
}

/* The kind of the last line that the threads before THREAD have shared; KIND if
   they have shared none.  A barrier follows. */
DEVICE_FN binning_u32
sequence_kinds_before(const struct sequence_task *task, binning_u32 thread,
                      binning_u32 kind)
{
    binning_u32 word = thread / 32;
    binning_u32 mask = (1u << thread % 32) - 1;
    struct sequence_starts starts;

    DEVICE_ROLLED
    for (;; word--, mask = 0xffffffffu) {
        starts.names = task->shared[SEQUENCE_KIND_WORDS + word] & mask;
        starts.others = task->shared[word] & mask & ~starts.names;
        if (word == 0 || (starts.names | starts.others) != 0)
            break;
    }
    return sequence_starts_last(&starts, kind);
}

/* ---- tiles ---- */

/* The word of the COUNT vectors from FIRST on. */
DEVICE_FN binning_u32
sequence_fasta_word(const struct sequence_task *task, binning_u32 first,
                    binning_u32 count)
{
    binning_u32 vectors = sequence_vectors(task->size);
    binning_u32 names = 0;
    binning_u32 kind = SEQUENCE_KIND_NONE;

    DEVICE_ROLLED
    for (binning_u32 v = first; v < first + count && v < vectors; v++) {
        struct sequence_bytes bytes = sequence_load(task, v);
        struct sequence_starts starts = sequence_starts_of(
            task, v, &bytes, sequence_mask_equal(&bytes, '\n'));

        names += DEVICE_POPCOUNT(starts.names);
        kind = sequence_starts_last(&starts, kind);
    }
    return names * SEQUENCE_KINDS + kind;
}

/* Write the word of each tile. */
DEVICE_FN void
sequence_fasta_lines(const struct sequence_task *task)
{
    binning_u32 tiles = sequence_tiles(task->size);
    binning_u32 each = sequence_vectors_each();

    for (binning_u32 tile = DEVICE_BLOCK; tile < tiles; tile += DEVICE_BLOCKS) {
        binning_u32 first = tile * SEQUENCE_TILE_VECTORS + DEVICE_THREAD * each;
        binning_u32 word = sequence_fasta_word(task, first, each);
        binning_u32 names = sequence_block_sum(task, word / SEQUENCE_KINDS);

        sequence_kinds_share(task, word % SEQUENCE_KINDS);
        if (DEVICE_THREAD == 0)
            sequence_tile_counts(task)[tile] =
                names * SEQUENCE_KINDS +
                sequence_kinds_before(task, DEVICE_THREADS, SEQUENCE_KIND_NONE);
        DEVICE_BARRIER();
    }
}

/* The kind of the last line that starts before tile END; KIND is the kind
   before tile START. */
DEVICE_FN binning_u32
sequence_fasta_kind(const struct sequence_task *task, binning_u32 start,
                    binning_u32 end, binning_u32 kind)
{
    DEVICE_GLOBAL const binning_u32 *word = sequence_tile_counts(task);

    DEVICE_ROLLED
    for (; start < end; start += DEVICE_THREADS) {
        binning_u32 tile = start + DEVICE_THREAD;

        sequence_kinds_share(task, tile < end ? word[tile] % SEQUENCE_KINDS
                                              : SEQUENCE_KIND_NONE);
        kind = sequence_kinds_before(task, DEVICE_THREADS, kind);
        DEVICE_BARRIER();
    }
    return kind;
}

/* ---- bases ---- */

/* The mask of the bytes in names, in a vector with STARTS and ENDS that starts
   in a line of KIND. */
DEVICE_FN binning_u32
sequence_mask_names(const struct sequence_starts *starts, binning_u32 ends,
                    binning_u32 kind)
{
    binning_u32 others = ~ends & 0xffffu;
    binning_u32 from = starts->names;

    if (kind == SEQUENCE_KIND_NAME && (starts->others & 1) == 0)
        from |= 1;
    /* The sum carries from each start to the end of its line, and the
       difference back. */
    return ((others + from) & ~others) - from;
}

/* Remove blanks from *BASES, the bytes of VECTOR that should be bases.  Returns
   why the bytes are refused. */
DEVICE_FN binning_u32
sequence_fasta_bases(const struct sequence_task *task, binning_u32 vector,
                     const struct sequence_bytes *bytes, binning_u32 *bases)
{
    struct sequence_bytes folded = sequence_fold_cases(bytes);
    binning_u32 reasons = 0;
    binning_u32 others = *bases & ~(sequence_mask_acgt(&folded) |
                                    sequence_mask_equal(&folded, 'N'));

    DEVICE_ROLLED
    for (; others != 0; others &= others - 1) {
        binning_u32 bit = others & (0 - others);
        binning_u32 byte =
            task->data[vector * SEQUENCE_VECTOR + DEVICE_POPCOUNT(bit - 1)];

        if (sequence_is_blank(byte))
            *bases ^= bit;
        else if (!sequence_is_base(byte))
            reasons = SEQUENCE_REFUSED_BASE;
    }
    return reasons;
}

/* Write the mask of the bases of VECTOR, which starts in a line of *KIND; set
   *KIND to the kind of the last line of VECTOR.  Returns why the chunk is
   refused. */
DEVICE_FN binning_u32
sequence_fasta_vector(const struct sequence_task *task, binning_u32 vector,
                      binning_u32 *kind)
{
    struct sequence_bytes bytes = sequence_load(task, vector);
    binning_u32 ends = sequence_mask_equal(&bytes, '\n');
    struct sequence_starts starts =
        sequence_starts_of(task, vector, &bytes, ends);
    binning_u32 first = starts.others & (0 - starts.others);
    binning_u32 bases = sequence_mask_inside(task, vector) & ~ends &
                        ~sequence_mask_names(&starts, ends, *kind);
    binning_u32 reasons = sequence_fasta_bases(task, vector, &bytes, &bases);

    /* A line before the first name. */
    if (*kind == SEQUENCE_KIND_NONE && first != 0 &&
        (starts.names & (first - 1)) == 0)
        reasons |= SEQUENCE_REFUSED_FORM;
    sequence_masks(task)[vector] = (unsigned short)bases;
    *kind = sequence_starts_last(&starts, *kind);
    return reasons;
}

/* Write the masks of bases.  Only bases alone and k-mers are counted. */
DEVICE_FN void
sequence_fasta_classify(const struct sequence_task *task)
{
    binning_u32 tiles = sequence_tiles(task->size);
    binning_u32 vectors = sequence_vectors(task->size);
    binning_u32 each = sequence_vectors_each();
    binning_u32 before = SEQUENCE_KIND_NONE;
    binning_u32 known = 0; /* BEFORE is that before this tile */
    binning_u32 reasons = (task->work.sources & ~(1u << SEQUENCE_OF_BASE)) != 0
                              ? (binning_u32)SEQUENCE_REFUSED_FORM
                              : 0;

    for (binning_u32 tile = DEVICE_BLOCK; tile < tiles; tile += DEVICE_BLOCKS) {
        binning_u32 first = tile * SEQUENCE_TILE_VECTORS + DEVICE_THREAD * each;
        binning_u32 kind;

        before = sequence_fasta_kind(task, known, tile, before);
        known = tile;
        sequence_kinds_share(task, sequence_fasta_word(task, first, each) %
                                       SEQUENCE_KINDS);
        kind = sequence_kinds_before(task, DEVICE_THREAD, before);
        DEVICE_BARRIER();
        DEVICE_ROLLED
        for (binning_u32 v = first; v < first + each && v < vectors; v++)
            reasons |= sequence_fasta_vector(task, v, &kind);
    }
    sequence_refuse(task, reasons);
}

#endif

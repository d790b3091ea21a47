/* SPDX-License-Identifier: MIT */
/*
 * sequence_work.h -- how a device counts chunks of FASTA or FASTQ
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * A chunk consists of whole records; its first byte tells the format.  A device
 * counts FASTQ if each record has four lines without blanks in its bases and is
 * not long (below), and of FASTA the bases alone and k-mers.  A device refuses
 * any other chunk: it counts nothing of the chunk, and the CPU counts the
 * chunk.  The records are those of sequence_find().
 *
 * A launch and its last blocks take as long as a small chunk, so each kernel
 * runs for a batch of chunks, with as many blocks for each chunk.  No block
 * works on two chunks.  These kernels run for each batch, one after the other:
 *
 *     sequence_lines     counts the line ends of each tile, or finds its names
 *     sequence_classify  writes which bytes are bases, and of FASTQ the offset
 *                        of each line end; refuses bytes that it must not count
 *     sequence_check     refuses records of FASTQ of another form, one by one
 *     sequence_fields    counts the fields, unless the chunk is refused
 *     sequence_kmers     counts the k-mers, unless the chunk is refused
 *     sequence_lists     ... or puts them into lists (sequence_lists.h)
 *
 * After several batches, and before the histogram is read, sequence_drain
 * counts the entries of the lists.
 *
 * A histogram has the cells of SEQUENCE_TOTALS, then the tables of fields
 * (sequence_tables.h) that are wanted, then a cell for each code of a k-mer.
 */

#ifndef GPUHIST_SEQUENCE_WORK_H
#define GPUHIST_SEQUENCE_WORK_H

#include "kernels/seq/kmer.h"
#include "kernels/seq/sequence_tables.h"

/* The first cells of a histogram. */
enum sequence_total {
    SEQUENCE_TOTAL_READS,
    SEQUENCE_TOTAL_BASES,
    SEQUENCE_TOTAL_WINDOWS, /* of k-mers, with the broken ones */
    SEQUENCE_TOTAL_BROKEN,
    SEQUENCE_TOTALS
};

/* Rows of tables with positions and lengths: a longer read is refused. */
#define SEQUENCE_ROWS (SEQUENCE_GC_LENGTH + 1)

/* A block looks at tiles of vectors of 16 bytes. */
#define SEQUENCE_VECTOR 16
#define SEQUENCE_TILE_VECTORS 1024
#define SEQUENCE_TILE (SEQUENCE_TILE_VECTORS * SEQUENCE_VECTOR)

/* A chunk of FASTQ with more than one line in this many bytes is refused. */
#define SEQUENCE_LINE_BYTES 8

/* The longest K that devices count: tables have no room for longer k-mers. */
#define SEQUENCE_K_MAX 15

/* Adjacent cells in the same list of k-mers: 128 bytes of cells. */
#define SEQUENCE_LIST_RUN 16

/* The most lists.  Entries of more lists would be written one by one. */
#define SEQUENCE_LISTS_MAX 1024

/* The most chunks of a batch. */
#define SEQUENCE_BATCH_MAX 8

/*
 * The parameter of all kernels, passed by value.  Addresses in device memory
 * are numbers, so that C and CUDA C++ have the same layout.  OpenCL has no such
 * numbers; its kernels take pointers as separate parameters.
 */
struct sequence_work {
    binning_u64 data;      /* 16-byte aligned */
    binning_u64 histogram; /* u64[cells]; the kernels add to it */
    binning_u64 scratch;   /* u32[] */
    binning_u64 status;    /* u32[chunks of the batch]; not 0: refused */

    /* Chunk I of the batch starts DATA_STRIDE * (FIRST_CHUNK + I) bytes after
       DATA, less than 2^32; a multiple of 16.  Its scratch memory starts
       SCRATCH_STRIDE * I words after SCRATCH. */
    binning_u32 first_chunk;
    binning_u32 data_stride;
    binning_u32 scratch_stride; /* sequence_scratch_words(the largest size) */
    binning_u32 size[SEQUENCE_BATCH_MAX]; /* of each, bytes: 1 to 2^30 */
    binning_u32 keeps_case;

    /* Fields. */
    binning_u32 sources; /* bit S is set: the table of source S is wanted */
    binning_u32 first[SEQUENCE_SOURCES]; /* the first cell of each */

    /* K-mers. */
    binning_u32 k; /* 0: none */
    binning_u32 is_canonical;
    binning_u32 first_kmer; /* the cell of code 0 */

    /* Words of the block's shared memory, for counters of the kernel. */
    binning_u32 shared_words;

    /* Lists of k-mers: their entries, u32[lists * list_room], up to 2^30; and
       the sizes of the lists, u32[lists], which may exceed their room. */
    binning_u64 list_entries;
    binning_u64 list_sizes;
    binning_u32 lists;       /* 0, or a power of two */
    binning_u32 list_shift;  /* a list has 2^LIST_SHIFT cells, 2^4 or more */
    binning_u32 list_room;   /* entries */
    binning_u32 drain_cells; /* of a list at a time: a power of two, which
                                SHARED_WORDS have room for */
};

DEVICE_FN binning_u32
sequence_work_has(const struct sequence_work *work, binning_u32 source)
{
    return work->sources >> source & 1u;
}

/* Rows of the table SOURCE on a device. */
DEVICE_FN binning_u32
sequence_work_rows(binning_u32 source)
{
    return source == SEQUENCE_OF_GC
               ? sequence_gc_cell(SEQUENCE_GC_LENGTH + 1, 0)
           : source == SEQUENCE_OF_LENGTH || source >= SEQUENCE_OF_POSITION_BASE
               ? (binning_u32)SEQUENCE_ROWS
               : 1u;
}

/* Cells of the table SOURCE on a device. */
DEVICE_FN binning_u32
sequence_work_cells(binning_u32 source)
{
    return sequence_work_rows(source) * sequence_table_width(source);
}

/* Whether SOURCE has the codes of bases; else any base has a cell. */
DEVICE_FN int
sequence_source_has_codes(binning_u32 source)
{
    return source == SEQUENCE_OF_BASE_QUALITY ||
           source == SEQUENCE_OF_POSITION_BASE || source == SEQUENCE_OF_ALL;
}

/* Whether SOURCE has the qualities from SEQUENCE_QUALITY_FIRST on. */
DEVICE_FN int
sequence_source_has_qualities(binning_u32 source)
{
    return source == SEQUENCE_OF_BASE_QUALITY ||
           source == SEQUENCE_OF_POSITION_QUALITY || source == SEQUENCE_OF_ALL;
}

/* Divide the cells of k-mers into lists, as many as blocks with SHARED_WORDS
   can sort by; only LIST_ROOM is left. */
DEVICE_FN void
sequence_work_divide(struct sequence_work *work)
{
    work->lists = 1;
    work->list_shift = 2 * work->k;
    while (work->lists < SEQUENCE_LISTS_MAX &&
           (1u << (work->list_shift - 1)) >= SEQUENCE_LIST_RUN &&
           work->lists * 32 <= work->shared_words) {
        work->lists *= 2;
        work->list_shift--;
    }
    work->drain_cells = 1u << work->list_shift;
    while (work->drain_cells > work->shared_words)
        work->drain_cells /= 2;
}

/* ---- the scratch memory of a chunk of SIZE bytes, in words of 32 bits ---- */

DEVICE_FN binning_u32
sequence_vectors(binning_u32 size)
{
    return (size + SEQUENCE_VECTOR - 1) / SEQUENCE_VECTOR;
}

DEVICE_FN binning_u32
sequence_tiles(binning_u32 size)
{
    return (size + SEQUENCE_TILE - 1) / SEQUENCE_TILE;
}

/* The most line ends that are kept. */
DEVICE_FN binning_u32
sequence_lines_max(binning_u32 size)
{
    return size / SEQUENCE_LINE_BYTES + 4;
}

/*
 * First the masks of the bytes that are bases: 16 bits for each vector, and two
 * words of 0.
 */
DEVICE_FN binning_u32
sequence_masks_words(binning_u32 size)
{
    return (sequence_vectors(size) + 1) / 2 + 2;
}

/* Then a word for each tile, of FASTQ the number of its line ends ... */
DEVICE_FN binning_u32
sequence_tiles_at(binning_u32 size)
{
    return sequence_masks_words(size);
}

/* ... and whether the chunk is one of FASTA ... */
DEVICE_FN binning_u32
sequence_format_at(binning_u32 size)
{
    return sequence_tiles_at(size) + sequence_tiles(size);
}

/* ... and the offset of each line end, in order. */
DEVICE_FN binning_u32
sequence_ends_at(binning_u32 size)
{
    return sequence_format_at(size) + 1;
}

DEVICE_FN binning_u32
sequence_scratch_words(binning_u32 size)
{
    return sequence_ends_at(size) + sequence_lines_max(size);
}

#endif

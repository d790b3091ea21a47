/* SPDX-License-Identifier: MIT */
/*
 * zstd_work.h -- how a device decodes blocks of zstd frames to their content
 *
 * This file is written in the common subset of C11 and CUDA C++.
 *
 * The host finds the parts of each block (zstd_block_look()) and sends batches:
 * the packed bytes, and a task for each block.  The blocks of all batches are
 * consecutive in the file; a batch may have blocks of several frames.  These
 * kernels run for each batch:
 *
 *     zstd_entropy  decodes literals and sequences of all blocks, side by side;
 *                   it needs no other batch, so it may run while the others do
 *                   for the batch before, if its results have other memory
 *
 * and then, one after the other, after those for the batch before:
 *
 *     zstd_prepare    copies the window, which is in front of the content, from
 *                   the batch before, and clears what the others set
 *     zstd_join     says where the content of each block starts, and which
 *                   offsets it starts with: both follow from all blocks before
 *     zstd_place    puts bytes where they belong, but those that are copies of
 *                   earlier blocks of the batch: of these it says of which byte
 *     zstd_resolve  copies them
 *     zstd_sum      computes the checksums of frames; the next batch does not
 *                   need it
 *
 * The grid of zstd_entropy has two blocks for each task, the grid of zstd_place
 * one, the grid of zstd_sum one for each ZSTD_SUM_BLOCKS; zstd_join has one
 * block; the other grids have any number.  Shared memory is static.
 *
 * Any block that a device accepts libzstd accepts, too, with the same content.
 * If the device refuses a block, the batch has no content, and later batches
 * are useless.  The host compares checksums, and computes the checksums of long
 * frames, and of frames in several batches.
 */

#ifndef GPUHIST_ZSTD_WORK_H
#define GPUHIST_ZSTD_WORK_H

#include "kernels/zstd/zstd_block.h"

/* The most bytes of content of a batch together with its window, and more than
   the offsets of a device. */
#define ZSTD_POSITIONS_MAX 0x40000000u

/* The most blocks of a batch. */
#define ZSTD_TASKS_MAX 4096u

/* The threads of a block of CUDA, and those of zstd_entropy and zstd_sum. */
#define ZSTD_THREADS 256
#define ZSTD_ENTROPY_THREADS 64
#define ZSTD_SUM_THREADS 32

/* The tasks of a block of zstd_sum; most do not start a frame. */
#define ZSTD_SUM_BLOCKS (ZSTD_SUM_THREADS / 4)

/* Readable bytes before and after packed bytes, and literals. */
#define ZSTD_WORK_MARGIN 64

/* Literals of blocks start at multiples of this. */
#define ZSTD_WORK_ALIGNMENT 16u

/* Of a table's description: the block needs none. */
#define ZSTD_NOWHERE 0xffffffffu

struct zstd_place {
    binning_u32 at;    /* in the packed bytes; or ZSTD_NOWHERE */
    binning_u32 bytes; /* as in struct zstd_description: 0 of PREDEFINED */
    binning_u32 mode;
};

/* A block.  See struct zstd_block; AT is an offset in the packed bytes. */
struct zstd_task {
    binning_u32 type;     /* STORED, ONE_BYTE or COMPRESSED literals */
    binning_u32 literals; /* at most CONTENT_MAX */
    binning_u32 streams;
    binning_u32 data_at;
    binning_u32 data_bytes;
    binning_u32 bits_at;
    binning_u32 bits_bytes;
    binning_u32 sequences;
    struct zstd_place table[ZSTD_DESCRIPTIONS];

    /* Where to put what is decoded: literals, if they are COMPRESSED, at a
       multiple of ZSTD_WORK_ALIGNMENT; and sequences, for which there is
       ZSTD_SEQUENCES_ROOM() if there are any. */
    binning_u32 literals_at;
    binning_u32 sequences_at;

    /* Of its frame. */
    binning_u32 starts_frame; /* 1: the first block; or 0 */
    binning_u32 content_max;  /* of a block: zstd_frame_block_max() */
    binning_u32 window;       /* bytes, at most zstd_work.history */

    /* All blocks of the frame that starts here, if the device computes its
       checksum; or 0. */
    binning_u32 summed_blocks;
};

/* The device's findings about a block. */
struct zstd_found {
    binning_u32 is_wrong; /* its sequences are ... */
    binning_u32 has_wrong_literals;
    binning_u32 sequences; /* as written */
    binning_u32 content;   /* bytes */
    /* After zstd_join: */
    binning_u32 at;   /* of the content, in its memory */
    binning_u32 made; /* content of its frame before, or 2^30 */
    /* at its start; before: at its end, as zstd_offsets_open() starts */
    struct zstd_offsets offsets;
    /* After zstd_place: */
    binning_u32 is_open; /* some bytes are missing */
};

/* How far zstd_resolve is. */
struct zstd_progress {
    binning_u32 is_open; /* blocks of the batch are */
    binning_u32 started; /* pieces of work ... */
    binning_u32 done;    /* ... in any order */
};

/* State for the next batch.  Before the first batch all is 0, except for the
   offsets if the first block does not start a frame. */
struct zstd_left {
    binning_u32 is_refused; /* the batch has no content */
    binning_u32 content;    /* bytes of the batch */
    binning_u32 made;       /* as in struct zstd_found, after its last block */
    struct zstd_offsets offsets;
};

/*
 * The parameter of all kernels, passed by value.  Addresses in device memory
 * are numbers, so that C and CUDA C++ have the same layout.  All are multiples
 * of 16.
 */
struct zstd_work {
    binning_u64 packed;    /* with ZSTD_WORK_MARGIN before and after */
    binning_u64 tasks;     /* struct zstd_task[BLOCKS] */
    binning_u64 found;     /* struct zstd_found[BLOCKS] */
    binning_u64 literals;  /* with ZSTD_WORK_MARGIN before and after */
    binning_u64 sequences; /* struct zstd_sequence[] */
    binning_u64 sources;   /* u32[HISTORY + ROOM]: see zstd_kernel.h; the
                                first HISTORY need not exist */
    binning_u64 content;   /* HISTORY bytes, then ROOM */
    /* of the batch before: likewise, in other memory */
    binning_u64 before;
    binning_u64 left;        /* struct zstd_left: of this batch ... */
    binning_u64 left_before; /* ... and of the batch before */
    binning_u64 progress;    /* struct zstd_progress */
    binning_u64 sums;        /* u64[BLOCKS] */

    binning_u32 blocks;  /* 1 to ZSTD_TASKS_MAX */
    binning_u32 history; /* bytes, a multiple of 16, and not 0: of the largest
                            window */
    binning_u32 room;    /* bytes: at least the sum of CONTENT_MAX of all
                            blocks; HISTORY + ROOM <= ZSTD_POSITIONS_MAX */
};

#endif

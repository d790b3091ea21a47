/* SPDX-License-Identifier: MIT */
/*
 * inflate_work.h -- how a device decodes members of gzip files to their content
 *
 * All files inflate_*.h are written in the common subset of C11 and CUDA C++.
 *
 * A member of a BGZF file has at most 64 KiB of content and states its own
 * size, so the host finds the deflate data (RFC 1951) of all members without
 * decoding, and the size and the CRC-32 of their content in their trailers.  It
 * sends batches: the packed bytes, and a task for each member.  These kernels
 * run for each batch:
 *
 *     inflate_decode  decodes the content of all members, side by side
 *     inflate_sum     compares the CRC-32 of the content of each member
 *     inflate_sketch  sketches its lines, if the host wants that
 *
 * The grids of inflate_decode and inflate_sketch have a thread block for each
 * member; the grid of inflate_sum one for each INFLATE_SUM_MEMBERS.  Shared
 * memory is static.
 *
 * Of any member that a device accepts, zlib makes the same content.  Members
 * are refused one by one: the host decodes a refused member again, by a library
 * whose word is final.  The content of a refused member has no meaning.
 */

#ifndef GPUHIST_INFLATE_WORK_H
#define GPUHIST_INFLATE_WORK_H

#include "kernels/binning/binning.h"

/* The most bytes of content of a member, and of its deflate data. */
#define INFLATE_CONTENT_MAX 65536u
#define INFLATE_PACKED_MAX 65536u

/* The threads of a block of CUDA, at most; and those of the other kernels. */
#define INFLATE_THREADS 32
#define INFLATE_SUM_THREADS 256
#define INFLATE_SKETCH_THREADS 128

/* The members of a thread block of inflate_sum. */
#define INFLATE_SUM_MEMBERS (INFLATE_SUM_THREADS / 32)

/* Why a member is refused: the bits of its word. */
enum inflate_refusal {
    INFLATE_REFUSED_DATA = 1, /* not deflate data, or not by this decoder */
    INFLATE_REFUSED_SIZE = 2, /* the size of the data, or of the content */
    INFLATE_REFUSED_SUM = 4,
};

/* A member. */
struct inflate_task {
    binning_u32 at;         /* of the deflate data, in the packed bytes */
    binning_u32 bytes;      /* of these, up to INFLATE_PACKED_MAX */
    binning_u32 content_at; /* where to put the content */
    binning_u32 content;    /* bytes of it, up to INFLATE_CONTENT_MAX */
    binning_u32 sum;        /* its CRC-32 */
};

/*
 * The parameter of all kernels, passed by value.  Addresses in device memory
 * are numbers, so that C and CUDA C++ have the same layout.  All are multiples
 * of 32.
 */
struct inflate_work {
    binning_u64 packed;   /* whole words are read: up to 3 bytes beyond the
                             data of a task */
    binning_u64 tasks;    /* struct inflate_task[MEMBERS] */
    binning_u64 content;  /* the tasks have different parts of it */
    binning_u64 refused;  /* u32[MEMBERS]: refusals, or 0 */
    binning_u64 sketches; /* struct sequence_sketch[MEMBERS] */
    binning_u32 members;
};

#endif

/* SPDX-License-Identifier: MIT */
/* conflict_model.h -- conflicts between the lanes of a warp in shared memory */

#ifndef GPUHIST_CONFLICT_MODEL_H
#define GPUHIST_CONFLICT_MODEL_H

#include <stddef.h>
#include <stdint.h>

/*
 * The layout of a block's counters: the index of the 32-bit word that a lane
 * adds to for value v.
 */
enum conflict_layout {
    CONFLICT_LANE,   /* bytes: 32 v + lane */
    CONFLICT_COPIES, /* bytes: 16 v + lane % 16 */
    CONFLICT_BLOCK,  /* bytes: v */
    CONFLICT_WARP,   /* bytes: 256 warp + v */
    CONFLICT_PACKED, /* 16-bit samples: v / 2, two counters in a word */
    CONFLICT_SPREAD, /* as PACKED, with bits 8 to 12 mixed in: words.cuh */
    CONFLICT_LAYOUTS,
};

/* The loads of the lanes of a warp. */
enum conflict_load {
    CONFLICT_VECTOR, /* 16 bytes each; the samples are added in turn */
    CONFLICT_SAMPLE, /* one sample each */
    CONFLICT_LOADS,
};

/*
 * The bytes that a warp loads with one load of 16-byte vectors.  conflict_add()
 * takes a multiple of this, except in its last call.
 */
#define CONFLICT_TILE 512

/*
 * The accesses of a layout and load.  An access is one atomic add by the active
 * lanes of a warp.  Its degree is the largest number of different words in one
 * of 32 banks of 4 bytes: the number of passes if the hardware merges adds to
 * one address.  Its crowd is the largest number of lanes that add to one word:
 * these wait for each other if the hardware does not merge.
 */
struct conflict_tally {
    enum conflict_layout layout;
    enum conflict_load load;

    /* The caller sets the following to 0. */
    uint64_t accesses;
    uint64_t degrees;     /* sum over all accesses */
    uint64_t crowds;      /* sum over all accesses */
    uint64_t bank_free;   /* accesses with degree 1 */
    uint64_t wholly_free; /* accesses with degree 1 and crowd 1 */
    unsigned int degree_max;
    unsigned int crowd_max;
};

/*
 * Add to TALLY the accesses that gpuhist's kernels make for the SIZE bytes at
 * BYTES: bytes.cuh and words.cuh for vectors, records.cuh for samples.  Half a
 * sample at the end is ignored, and also the rare adds that keep packed
 * counters from wrapping.
 */
void conflict_add(struct conflict_tally *tally, const unsigned char *bytes,
                  size_t size);

#endif

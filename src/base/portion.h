/* SPDX-License-Identifier: MIT */
/*
 * portion.h -- the content of a histogram: one input, or a range of an input
 *
 * A portion is recognised by its stored bytes, not by its name.  The bytes are
 * hashed in leaves, each with its offset as the seed, and the digest of the
 * portion is the sum of the hashes.  So readers may hash the leaves in any
 * order.
 *
 * If a file grows after it was counted, the file starts with the old portion.
 * To detect this, a portion that starts at 0 has marks: 16 bits of the sum of
 * each segment.  The first segment has 8 bytes; each octave of offsets has
 * eight segments.  A segment is a leaf, or consists of leaves of
 * PORTION_LEAF_BYTES.
 */

#ifndef GPUHIST_PORTION_H
#define GPUHIST_PORTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"

/* The longest leaf. */
#define PORTION_LEAF_BYTES ((uint64_t)8 << 10)

/* The leaves that start before this offset make the hash of a file's head. */
#define PORTION_HEAD_BYTES ((uint64_t)4 << 10)

/* Offsets are below 2^63. */
#define PORTION_MARKS_MAX 482

/* All 0: nothing yet. */
struct portion {
    char *name;     /* the path as given, or "-"; owned */
    uint64_t size;  /* of the whole file; of a pipe: the bytes that were read */
    uint64_t start; /* the bytes that belong to the portion ... */
    uint64_t end;
    uint64_t shard; /* counted by the shard SHARD of SHARDS, from 1 on ... */
    uint64_t shards;
    uint64_t run;         /* ... of this run: a hash of its inputs' sizes */
    bool is_empty;        /* there was nothing to count */
    uint64_t head;        /* hash of the file's first bytes; 0: not known */
    struct digest digest; /* of the bytes from START to END */
    uint16_t *mark;       /* MARKS of them; owned */
    size_t marks;
};

/* Returns the number of the segment that has byte OFFSET, below 2^63. */
size_t portion_segment(uint64_t offset);

/* Returns the start of segment I. */
uint64_t portion_segment_start(size_t i);

/* Returns the start of the leaf with byte OFFSET, and sets *END to its end. */
uint64_t portion_leaf(uint64_t offset, uint64_t *end);

/* PORTION may be all 0, and is all 0 afterwards. */
void portion_close(struct portion *portion);

#endif

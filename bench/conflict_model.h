/* conflict_model.h -- what the lanes of a warp meet in shared memory */

#ifndef GPUHIST_CONFLICT_MODEL_H
#define GPUHIST_CONFLICT_MODEL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Where a block keeps the counter of value v for a lane, as the number of a
 * 32-bit word.
 */
enum conflict_layout {
    CONFLICT_LANE,   /* bytes: 32 v + lane */
    CONFLICT_COPIES, /* bytes: 16 v + lane % 16 */
    CONFLICT_BLOCK,  /* bytes: v */
    CONFLICT_WARP,   /* bytes: 256 warp + v */
    CONFLICT_PACKED, /* 16-bit samples: v / 2, two counters in a word */
    CONFLICT_SPREAD, /* so, but with bits 8 to 12 mixed in: words.cuh */
    CONFLICT_LAYOUTS,
};

/* What the lanes of a warp load. */
enum conflict_load {
    CONFLICT_VECTOR, /* 16 bytes each, whose samples they add in turn */
    CONFLICT_SAMPLE, /* one sample each */
    CONFLICT_LOADS,
};

/*
 * Data are counted in pieces of so many bytes, what a warp takes with one load
 * of 16-byte vectors, or of a multiple of that; only the last may be shorter.
 */
#define CONFLICT_TILE 512

/*
 * An access is one atomic add by all lanes of a warp that take part in it.  Its
 * degree is the most different words that lie in one of 32 banks of 4 bytes:
 * so many passes it takes where the hardware merges adds to one address.  Its
 * crowd is the most lanes that add to one word: where it does not, they wait
 * for each other.
 */
struct conflict_tally {
    enum conflict_layout layout;
    enum conflict_load load;

    /* Start with zeros. */
    uint64_t accesses;
    uint64_t degrees;     /* the sum of all */
    uint64_t crowds;      /* likewise */
    uint64_t bank_free;   /* accesses whose degree is 1 */
    uint64_t wholly_free; /* and whose crowd is 1, too */
    unsigned int degree_max;
    unsigned int crowd_max;
};

/*
 * Add the accesses that gpuhist's kernels (bytes.cuh and words.cuh for
 * vectors, records.cuh for samples) make for SIZE bytes.  Half a sample at the
 * end is left out, as are the rare adds that keep packed counters from
 * wrapping.
 */
void conflict_add(struct conflict_tally *tally, const unsigned char *bytes,
                  size_t size);

#endif

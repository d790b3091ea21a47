/* SPDX-License-Identifier: MIT */
/*
 * conflict_model.c -- conflicts between the lanes of a warp in shared memory
 *
 * Adjacent threads load adjacent vectors or samples, and the size of a block is
 * a multiple of a warp's.  So each warp takes 32 consecutive vectors or
 * samples, for any number of blocks.
 */

#include <stdbool.h>
#include <string.h>

#include "conflict_model.h"

enum {
    LANES = 32,
    BANKS = 32,
    COPIES = 16,
    VECTOR_BYTES = 16,
    WORDS_MAX = 32768, /* words of the largest layout */
};

_Static_assert(CONFLICT_TILE == LANES * VECTOR_BYTES, "a load of a warp");

/* Add an access: LANES lanes, at most 32, and lane i adds to words[i]. */
static void
add_access(struct conflict_tally *tally, const unsigned int *words,
           unsigned int lanes)
{
    static unsigned char crowd[WORDS_MAX]; /* all 0 between calls */
    unsigned char degree[BANKS] = {0};
    unsigned int degree_max = 0;
    unsigned int crowd_max = 0;

    if (lanes == 0)
        return;
    for (unsigned int i = 0; i < lanes; i++) {
        unsigned int bank = words[i] % BANKS;
        if (++crowd[words[i]] == 1 && ++degree[bank] > degree_max)
            degree_max = degree[bank];
        if (crowd[words[i]] > crowd_max)
            crowd_max = crowd[words[i]];
    }
    for (unsigned int i = 0; i < lanes; i++)
        crowd[words[i]] = 0;

    tally->accesses++;
    tally->degrees += degree_max;
    tally->crowds += crowd_max;
    tally->bank_free += degree_max == 1;
    tally->wholly_free += degree_max == 1 && crowd_max == 1;
    if (degree_max > tally->degree_max)
        tally->degree_max = degree_max;
    if (crowd_max > tally->crowd_max)
        tally->crowd_max = crowd_max;
}

/* The index of the word that LANE adds to for VALUE. */
static unsigned int
find_word(enum conflict_layout layout, unsigned int value, unsigned int lane)
{
    switch (layout) {
    case CONFLICT_LANE:
        return value * LANES + lane;
    case CONFLICT_COPIES:
        return value * COPIES + lane % COPIES;
    case CONFLICT_PACKED:
        return value / 2;
    case CONFLICT_SPREAD:
        return value / 2 ^ (value >> 8 & 31);
    default: /* the table of each warp also starts at bank 0 */
        return value;
    }
}

static unsigned int
sample_bytes(const struct conflict_tally *tally)
{
    return tally->layout == CONFLICT_PACKED || tally->layout == CONFLICT_SPREAD
               ? 2
               : 1;
}

static unsigned int
load_sample(const unsigned char *sample, unsigned int size)
{
    return size == 1 ? sample[0] : sample[0] | (unsigned int)sample[1] << 8;
}

/* Add COUNT consecutive samples, at most 32, one for each lane. */
static void
add_samples(struct conflict_tally *tally, const unsigned char *samples,
            unsigned int count)
{
    unsigned int size = sample_bytes(tally);
    unsigned int words[LANES];

    for (unsigned int lane = 0; lane < count; lane++)
        words[lane] = find_word(tally->layout,
                                load_sample(samples + lane * size, size), lane);
    add_access(tally, words, count);
}

/* Whether all 16-bit samples of VECTOR are equal: words.cuh adds 8 at once. */
static bool
is_run(const unsigned char *vector)
{
    return memcmp(vector, vector + 2, VECTOR_BYTES - 2) == 0;
}

/* Add COUNT consecutive vectors, at most 32, one for each lane. */
static void
add_vectors(struct conflict_tally *tally, const unsigned char *vectors,
            unsigned int count)
{
    unsigned int size = sample_bytes(tally);
    const unsigned char *vector[LANES]; /* of lanes without a run */
    unsigned int words[LANES];
    unsigned int others = 0;
    unsigned int runs = 0;

    for (unsigned int lane = 0; lane < count; lane++) {
        const unsigned char *own = vectors + (size_t)lane * VECTOR_BYTES;
        if (size == 2 && is_run(own)) {
            words[runs++] =
                find_word(tally->layout, load_sample(own, size), lane);
        } else {
            vector[others++] = own;
        }
    }
    /* The warp diverges: lanes with runs add once, then the others add. */
    add_access(tally, words, runs);
    for (unsigned int offset = 0; offset < VECTOR_BYTES; offset += size) {
        /* I is the lane; if some lanes have runs, the lane does not matter. */
        for (unsigned int i = 0; i < others; i++)
            words[i] = find_word(tally->layout,
                                 load_sample(vector[i] + offset, size), i);
        add_access(tally, words, others);
    }
}

void
conflict_add(struct conflict_tally *tally, const unsigned char *bytes,
             size_t size)
{
    unsigned int sample = sample_bytes(tally);
    unsigned int unit = tally->load == CONFLICT_VECTOR ? VECTOR_BYTES : sample;
    size_t tile = (size_t)LANES * unit;

    while (size >= unit) {
        size_t taken = size < tile ? size - size % unit : tile;
        if (tally->load == CONFLICT_VECTOR)
            add_vectors(tally, bytes, (unsigned int)(taken / unit));
        else
            add_samples(tally, bytes, (unsigned int)(taken / unit));
        bytes += taken;
        size -= taken;
    }
    /* The rest, less than a vector: a sample for each of the first lanes. */
    add_samples(tally, bytes, (unsigned int)(size / sample));
}

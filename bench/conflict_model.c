/*
 * conflict_model.c -- what the lanes of a warp meet in shared memory
 *
 * Threads that are neighbours load neighbours, and a block's size is a multiple
 * of a warp's: so it does not matter how many blocks there are, each warp takes
 * 32 vectors or samples that lie one behind the other.
 */

#include <stdbool.h>
#include <string.h>

#include "conflict_model.h"

enum {
    LANES = 32,
    BANKS = 32,
    COPIES = 16,
    VECTOR_BYTES = 16,
    WORDS_MAX = 32768, /* of all layouts */
};

_Static_assert(CONFLICT_TILE == LANES * VECTOR_BYTES, "a load of a warp");

/* The access of so many lanes, at most 32, each to its word. */
static void
add_access(struct conflict_tally *tally, const unsigned int *words,
           unsigned int lanes)
{
    static unsigned char crowd[WORDS_MAX]; /* zeros between calls */
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

/* The word of the counter that LANE adds to for VALUE. */
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
    default: /* a table for each warp begins at bank 0, too */
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

/* One sample for each lane, COUNT at most 32, one behind the other. */
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

/* Whether all 16-bit samples of a vector are equal: words.cuh adds 8 then. */
static bool
is_run(const unsigned char *vector)
{
    return memcmp(vector, vector + 2, VECTOR_BYTES - 2) == 0;
}

/* One vector for each lane, COUNT at most 32. */
static void
add_vectors(struct conflict_tally *tally, const unsigned char *vectors,
            unsigned int count)
{
    unsigned int size = sample_bytes(tally);
    const unsigned char *vector[LANES]; /* of those that have no run */
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
    /* The warp parts: one add for those, then all adds of the others. */
    add_access(tally, words, runs);
    for (unsigned int offset = 0; offset < VECTOR_BYTES; offset += size) {
        /* I is the lane, unless some have runs: then it does not matter. */
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
    /* Less than a vector: a sample for each of the first lanes. */
    add_samples(tally, bytes, (unsigned int)(size / sample));
}

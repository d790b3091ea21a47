/* SPDX-License-Identifier: MIT */
/*
 * inflate_kernel.h -- shared by the kernels for deflate data
 *
 * Thread blocks are as in sequence_block.h: a file that includes this one
 * defines the same names, and
 *
 *     INFLATE_LOAD(words, i)        a word of device memory, little-endian
 *     INFLATE_REVERSE(word)         the bits of a word in the opposite order
 *     INFLATE_SHIFT(low, high, at)  the 32 bits of both words from number AT,
 *                                   mod 32, on
 *     INFLATE_BELOW(word, bits)     the lowest bits of a word: BITS, mod 32
 *     INFLATE_RIGHT(word, bits)     a word shifted right by BITS, mod 32
 */

#ifndef GPUHIST_INFLATE_KERNEL_H
#define GPUHIST_INFLATE_KERNEL_H

#ifndef __cplusplus
#    include <stdbool.h>
#endif

#include "kernels/inflate/inflate_work.h"
#include "kernels/seq/sequence_block.h"
#include "kernels/seq/sequence_sketch.h"

/*
 * Lanes decode parts of the data side by side: each has LANE_WORDS words of the
 * data, an odd number, so that lanes that advance together use different banks
 * of the shared memory.  A thread has one lane or several.
 */
#define INFLATE_LANES 32u
#ifndef INFLATE_LANE_WORDS
#    define INFLATE_LANE_WORDS 13u
#endif
#define INFLATE_LANE_BITS (32 * INFLATE_LANE_WORDS)

/* The last bits of a lane's part, from which the start of the next part is
   guessed: all of them. */
#define INFLATE_GUESS_BITS INFLATE_LANE_BITS

/* Words of data in shared memory: of all lanes; and what a symbol at the end of
   the last lane's part may need: 15 + 5 + 15 + 13 bits. */
#define INFLATE_WINDOW_WORDS (INFLATE_LANES * INFLATE_LANE_WORDS + 4)

/* Symbols of a round, and bytes of content of a round: at least what one lane
   may have, and the longest match. */
#define INFLATE_TOKENS 2048u
#define INFLATE_ROUND_BYTES 8192u
#define INFLATE_MATCH_MAX 258u

/* Words with a bit for each byte of a round, which starts anywhere in a word.
 */
#define INFLATE_ROUND_WORDS (INFLATE_ROUND_BYTES / 32 + 1)

/* Bits of the index of a table. */
#define INFLATE_LITERAL_INDEX 10
#define INFLATE_DISTANCE_INDEX 8
#define INFLATE_LENGTHS_INDEX 7

/* Codes of literals and lengths, of distances, and of lengths of codes; and
   their most bits. */
#define INFLATE_LITERALS 288u
#define INFLATE_DISTANCES 32u
#define INFLATE_LENGTHS 19u
#define INFLATE_CODE_BITS 15

/* What codes are of.  Those of lengths of codes have the memory of those of
   distances, which are made later. */
enum inflate_kind {
    INFLATE_OF_LITERALS,
    INFLATE_OF_DISTANCES,
    INFLATE_KINDS,
    INFLATE_OF_LENGTHS = INFLATE_KINDS
};

/* A set of codes.  Codes are compared with their first bit highest, as numbers
   of CODE_BITS bits. */
struct inflate_code {
    binning_u32 limit[INFLATE_CODE_BITS + 1]; /* above all codes of a length */
    binning_u32 first[INFLATE_CODE_BITS + 1]; /* place of the symbol of the
                                                 first code, less that code */
};

/* How a lane ends. */
enum inflate_stop {
    INFLATE_NEXT, /* where the part of the next lane starts, or after that */
    INFLATE_END,  /* after the end of the block */
    INFLATE_FULL, /* the content of a round has no room for more */
    INFLATE_WRONG
};

/* What a lane finds in its part.  Places are numbers of bits in the window. */
struct inflate_lane {
    binning_u32 start;
    binning_u32 end;
    binning_u32 tokens; /* and STOP << 16 */
    binning_u32 bytes;  /* of content */
};

/* Some lanes whose content is made together. */
struct inflate_round {
    binning_u32 bytes;
    binning_u32 stop; /* of the last one */
    binning_u32 end;
    binning_u32 next_lane; /* after it */
};

/* What it takes to make codes. */
struct inflate_making {
    unsigned char length[INFLATE_LITERALS + INFLATE_DISTANCES];
    /* Codes of each length that a thread has; then, of those before it. */
    unsigned short count[INFLATE_CODE_BITS + 1][INFLATE_THREADS];
};

/* The shared memory of a thread block. */
struct inflate_shared {
    binning_u32 literal[1u << INFLATE_LITERAL_INDEX];
    binning_u32 distance[1u << INFLATE_DISTANCE_INDEX];
    struct inflate_code code[INFLATE_KINDS];
    /* In the order of codes: literals, then distances. */
    unsigned short symbol[INFLATE_LITERALS + INFLATE_DISTANCES];
    binning_u32 window[INFLATE_WINDOW_WORDS];
    struct inflate_lane lane[INFLATE_LANES];
    binning_u32 next[INFLATE_LANES]; /* start, once more lanes are known */
    /* Of two turns each: whether a lane should start elsewhere; and a bit for
       each lane that does not reach the next part. */
    binning_u32 has_changed[2];
    binning_u32 stops[2];

    /* Of a round; see inflate_place.h. */
    binning_u32 starts[INFLATE_ROUND_WORDS];
    unsigned short before[INFLATE_ROUND_WORDS];
    binning_u32 sum[INFLATE_THREADS];
    union {
        binning_u32 token[INFLATE_TOKENS];
        struct inflate_making making;
    } of;

    /* The place in the data, and the state there. */
    binning_u32 bit;  /* number, from the first word on */
    binning_u32 made; /* bytes of content */
    binning_u32 refusal;
    binning_u32 is_last; /* block */
    binning_u32 type;
    binning_u32 stored;               /* bytes */
    binning_u32 codes[INFLATE_KINDS]; /* how many */
    binning_u32 used;                 /* part of a set of codes */
    struct inflate_round round;
};

#define INFLATE_DECODE_WORDS (sizeof(struct inflate_shared) / 4)

/* The parameters of a kernel, with its memory. */
struct inflate_batch {
    struct inflate_work work;
    const unsigned char *packed;
    const struct inflate_task *tasks;
    unsigned char *content;
    binning_u32 *refused;
    struct sequence_sketch *sketches;
    DEVICE_SHARED binning_u32 *shared;
};

/* The data of a member: words, of which the first one starts up to 3 bytes
   before the data. */
struct inflate_data {
    const binning_u32 *words;
    binning_u32 count; /* of words */
    binning_u32 start; /* number of the first bit */
    binning_u32 end;
};

DEVICE_FN struct inflate_data
inflate_data_of(const struct inflate_batch *batch,
                const struct inflate_task *task)
{
    const binning_u32 lead = task->at % 4;
    const struct inflate_data data = {
        (const binning_u32 *)(batch->packed + (task->at - lead)),
        (lead + task->bytes + 3) / 4, 8 * lead, 8 * (lead + task->bytes)};

    return data;
}

/*
 * Load the window from word FIRST on; words after the data are 0.  A barrier
 * follows.
 */
DEVICE_FN void
inflate_window_load(DEVICE_SHARED struct inflate_shared *shared,
                    const struct inflate_data *data, binning_u32 first)
{
    DEVICE_UNROLL
    for (binning_u32 i = DEVICE_THREAD; i < INFLATE_WINDOW_WORDS;
         i += DEVICE_THREADS)
        shared->window[i] =
            first + i < data->count ? INFLATE_LOAD(data->words, first + i) : 0;
}

/* The 32 bits from number BIT of the window on. */
DEVICE_FN binning_u32
inflate_peek(DEVICE_SHARED const struct inflate_shared *shared, binning_u32 bit)
{
    const binning_u32 i = bit / 32;

    return INFLATE_SHIFT(shared->window[i], shared->window[i + 1], bit);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * inflate_sum.h -- a kernel that compares the CRC-32 of the content of members
 *
 * A member has a warp, whose lanes take turns at the words of its content: each
 * adds up its own words, as if the words of the others were 0.  All words with
 * all states of a CRC are linear, so the sum of the member is the sum of the
 * lanes' sums, each moved to where the content ends.  (As zlib does for several
 * words at a time; after Kadatch, Jenkins: Everything we know about CRC but
 * afraid to forget, 2010.)
 */

#ifndef GPUHIST_INFLATE_SUM_H
#define GPUHIST_INFLATE_SUM_H

#include "kernels/inflate/inflate_kernel.h"

#define INFLATE_SUM_POLYNOMIAL 0xedb88320u
#define INFLATE_SUM_LANES 32u

/* Words that a lane loads together. */
#define INFLATE_SUM_LOADS 4u

/* Content with less bytes is added up byte by byte. */
#define INFLATE_SUM_LEAST 8u

/* What a CRC becomes after more zeros: by one of its four bytes. */
struct inflate_sum_table {
    binning_u32 of[4][256];
};

/* The shared memory of a thread block. */
struct inflate_sum_shared {
    struct inflate_sum_table after_word;
    struct inflate_sum_table after_lanes; /* a word of each lane */
    binning_u32 bit[32];                  /* what a bit of a CRC becomes */
    binning_u32 sum[INFLATE_SUM_THREADS];
};

#define INFLATE_SUM_WORDS (sizeof(struct inflate_sum_shared) / 4)

/* Move SUM on by the zeros of TABLE. */
DEVICE_FN binning_u32
inflate_sum_move(DEVICE_SHARED const struct inflate_sum_table *table,
                 binning_u32 sum)
{
    return table->of[0][sum & 0xff] ^ table->of[1][sum >> 8 & 0xff] ^
           table->of[2][sum >> 16 & 0xff] ^ table->of[3][sum >> 24];
}

/* Add BYTE to SUM. */
DEVICE_FN binning_u32
inflate_sum_byte(DEVICE_SHARED const struct inflate_sum_shared *shared,
                 binning_u32 sum, binning_u32 byte)
{
    /* The highest byte of a word has no other one behind it. */
    return shared->after_word.of[3][(sum ^ byte) & 0xff] ^ sum >> 8;
}

/* Fill TABLE from what bits become. */
DEVICE_FN void
inflate_sum_fill(DEVICE_SHARED struct inflate_sum_shared *shared,
                 DEVICE_SHARED struct inflate_sum_table *table)
{
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < 4 * 256; i += DEVICE_THREADS) {
        binning_u32 sum = 0;
        for (binning_u32 b = 0; b < 8; b++)
            if ((i >> b & 1) != 0)
                sum ^= shared->bit[i / 256 * 8 + b];
        table->of[i / 256][i % 256] = sum;
    }
}

/* Make both tables.  All threads call this function; a barrier is at its end.
 */
DEVICE_FN void
inflate_sum_make(DEVICE_SHARED struct inflate_sum_shared *shared)
{
    for (binning_u32 i = DEVICE_THREAD; i < 32; i += DEVICE_THREADS) {
        binning_u32 sum = 1u << i;
        DEVICE_ROLLED
        for (int zero = 0; zero < 32; zero++)
            sum = sum >> 1 ^ ((sum & 1) != 0 ? INFLATE_SUM_POLYNOMIAL : 0);
        shared->bit[i] = sum;
    }
    DEVICE_BARRIER();
    inflate_sum_fill(shared, &shared->after_word);
    DEVICE_BARRIER();
    for (binning_u32 i = DEVICE_THREAD; i < 32; i += DEVICE_THREADS) {
        binning_u32 sum = 1u << i;
        DEVICE_ROLLED
        for (binning_u32 lane = 0; lane < INFLATE_SUM_LANES; lane++)
            sum = inflate_sum_move(&shared->after_word, sum);
        shared->bit[i] = sum;
    }
    DEVICE_BARRIER();
    inflate_sum_fill(shared, &shared->after_lanes);
    DEVICE_BARRIER();
}

/* Content: whole words, of which the first LEAD bytes are not of it; then up to
   3 bytes. */
struct inflate_sum_content {
    const binning_u32 *words;
    binning_u32 lead;
    binning_u32 count;
    binning_u32 size;
};

DEVICE_FN struct inflate_sum_content
inflate_sum_content_of(const struct inflate_batch *batch,
                       const struct inflate_task *task)
{
    const binning_u32 lead = task->content_at % 4;
    const struct inflate_sum_content content = {
        (const binning_u32 *)(batch->content + (task->content_at - lead)), lead,
        (lead + task->content) / 4, task->content};

    return content;
}

/* Word number I as it is added up: the bits before the content are 0, and the
   first 32 bits of the content are inverted. */
DEVICE_FN binning_u32
inflate_sum_word(const struct inflate_sum_content *content, binning_u32 i)
{
    const binning_u32 shift = 8 * content->lead;
    binning_u32 word;

    if (i >= content->count)
        return 0;
    word = INFLATE_LOAD(content->words, i);
    if (i == 0)
        word = ~word & 0xffffffffu << shift;
    if (i == 1 && shift != 0)
        word ^= 0xffffffffu >> (32 - shift);
    return word;
}

/* Add up the words of LANE, up to the last one, whose end the sum is for. */
DEVICE_FN binning_u32
inflate_sum_lane(DEVICE_SHARED const struct inflate_sum_shared *shared,
                 const struct inflate_sum_content *content, binning_u32 lane)
{
    const binning_u32 turn = INFLATE_SUM_LANES * INFLATE_SUM_LOADS;
    const binning_u32 turns = (content->count + turn - 1) / turn;
    /* Zeros before the content make all turns whole ones. */
    binning_u32 i = content->count - turns * turn + lane;
    binning_u32 sum = 0;

    DEVICE_ROLLED
    for (binning_u32 t = 0; t < turns; t++) {
        binning_u32 word[INFLATE_SUM_LOADS];
        DEVICE_UNROLL
        for (binning_u32 k = 0; k < INFLATE_SUM_LOADS; k++)
            word[k] = inflate_sum_word(content, i + k * INFLATE_SUM_LANES);
        DEVICE_UNROLL
        for (binning_u32 k = 0; k < INFLATE_SUM_LOADS; k++)
            sum = inflate_sum_move(&shared->after_lanes, sum) ^ word[k];
        i += turn;
    }
    return sum;
}

/* Returns the CRC-32 of CONTENT, from the SUMS of its lanes. */
DEVICE_FN binning_u32
inflate_sum_end(DEVICE_SHARED const struct inflate_sum_shared *shared,
                const struct inflate_sum_content *content,
                DEVICE_SHARED const binning_u32 *sums)
{
    const unsigned char *bytes = (const unsigned char *)content->words;
    const bool is_long = content->size >= INFLATE_SUM_LEAST;
    const binning_u32 end = content->lead + content->size;
    binning_u32 at = content->lead;
    binning_u32 sum = 0xffffffffu;

    if (is_long) {
        sum = 0;
        at = 4 * content->count;
        DEVICE_ROLLED
        for (binning_u32 lane = 0; lane < INFLATE_SUM_LANES; lane++)
            sum = inflate_sum_move(&shared->after_word, sum ^ sums[lane]);
    }
    DEVICE_ROLLED
    for (; at < end; at++)
        sum = inflate_sum_byte(shared, sum, bytes[at]);
    return ~sum;
}

/* Compare the sums of all members. */
DEVICE_FN void
inflate_sum_all(const struct inflate_batch *batch)
{
    DEVICE_SHARED struct inflate_sum_shared *shared =
        (DEVICE_SHARED struct inflate_sum_shared *)batch->shared;
    const binning_u32 members = batch->work.members;

    inflate_sum_make(shared);
    DEVICE_ROLLED
    for (binning_u32 first = DEVICE_BLOCK * INFLATE_SUM_MEMBERS;
         first < members; first += DEVICE_BLOCKS * INFLATE_SUM_MEMBERS) {
        for (binning_u32 i = DEVICE_THREAD; i < INFLATE_SUM_THREADS;
             i += DEVICE_THREADS) {
            const binning_u32 m = first + i / INFLATE_SUM_LANES;
            shared->sum[i] = 0;
            if (m >= members || batch->refused[m] != 0)
                continue;
            const struct inflate_sum_content content =
                inflate_sum_content_of(batch, &batch->tasks[m]);
            shared->sum[i] =
                inflate_sum_lane(shared, &content, i % INFLATE_SUM_LANES);
        }
        DEVICE_BARRIER();
        for (binning_u32 i = DEVICE_THREAD; i < INFLATE_SUM_MEMBERS;
             i += DEVICE_THREADS) {
            const binning_u32 m = first + i;
            if (m >= members || batch->refused[m] != 0)
                continue;
            const struct inflate_sum_content content =
                inflate_sum_content_of(batch, &batch->tasks[m]);
            if (inflate_sum_end(shared, &content,
                                &shared->sum[i * INFLATE_SUM_LANES]) !=
                batch->tasks[m].sum)
                batch->refused[m] = INFLATE_REFUSED_SUM;
        }
        DEVICE_BARRIER();
    }
}

#endif

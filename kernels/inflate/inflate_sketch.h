/* SPDX-License-Identifier: MIT */
/*
 * inflate_sketch.h -- a kernel that sketches the lines in the content of
 * members
 *
 * A thread block takes a member: a bit for each line end, the line ends in
 * their order, and then the records that may start after each of them.  See
 * sequence_sketch.h for what it writes.
 */

#ifndef GPUHIST_INFLATE_SKETCH_H
#define GPUHIST_INFLATE_SKETCH_H

#include "kernels/inflate/inflate_sum.h"

/* Words with a bit for each byte of the content, which starts anywhere in a
   word.  A lane has an odd number of them, so that lanes that advance together
   use different banks of the shared memory. */
#define INFLATE_SKETCH_LANES INFLATE_SKETCH_THREADS
#define INFLATE_SKETCH_EACH 17u
#define INFLATE_SKETCH_BITS (INFLATE_SKETCH_LANES * INFLATE_SKETCH_EACH)

/* With more lines, no record fits. */
#define INFLATE_SKETCH_ENDS 4096u

/* The shared memory of a thread block. */
struct inflate_sketch_shared {
    binning_u32 bits[INFLATE_SKETCH_BITS];
    binning_u32 count[INFLATE_SKETCH_LANES]; /* of line ends */
    binning_u32 misfits;                     /* a bit for each case */
    unsigned short end[INFLATE_SKETCH_ENDS];
};

#define INFLATE_SKETCH_WORDS (sizeof(struct inflate_sketch_shared) / 4)

/* A bit for each of the four bytes of WORD that is a line end. */
DEVICE_FN binning_u32
inflate_sketch_match(binning_u32 word)
{
    const binning_u32 low = 0x7f7f7f7fu;
    const binning_u32 other = word ^ 0x0a0a0a0au;
    /* The highest bit of each byte that is 0. */
    const binning_u32 zero = ~(((other & low) + low) | other | low);

    return (zero >> 7) * 0x10204080u >> 28;
}

/* The four bytes of CONTENT in word number I; those after it are 0. */
DEVICE_FN binning_u32
inflate_sketch_load(const struct inflate_sum_content *content, binning_u32 i)
{
    const unsigned char *bytes = (const unsigned char *)content->words;
    binning_u32 word = 0;

    if (i < content->count)
        return INFLATE_LOAD(content->words, i);
    DEVICE_ROLLED
    for (binning_u32 at = content->lead + content->size; at > 4 * i; at--)
        word = word << 8 | bytes[at - 1];
    return word;
}

/* The bits of bytes 32 * I to 32 * I + 31 of CONTENT, of which the first ones
   are not of it. */
DEVICE_FN binning_u32
inflate_sketch_bits(const struct inflate_sum_content *content, binning_u32 i)
{
    binning_u32 bits = 0;

    DEVICE_UNROLL
    for (binning_u32 w = 0; w < 8; w++)
        bits |= inflate_sketch_match(inflate_sketch_load(content, 8 * i + w))
                << 4 * w;
    return i == 0 ? bits & 0xffffffffu << content->lead : bits;
}

/* Make the bits of CONTENT.  A barrier follows. */
DEVICE_FN void
inflate_sketch_find(DEVICE_SHARED struct inflate_sketch_shared *shared,
                    const struct inflate_sum_content *content)
{
    if (DEVICE_THREAD == 0)
        shared->misfits = 0;
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < INFLATE_SKETCH_BITS;
         i += DEVICE_THREADS)
        shared->bits[i] = 32 * i < content->lead + content->size
                              ? inflate_sketch_bits(content, i)
                              : 0;
}

/* Count the line ends of all lanes.  A barrier follows. */
DEVICE_FN void
inflate_sketch_count(DEVICE_SHARED struct inflate_sketch_shared *shared)
{
    for (binning_u32 lane = DEVICE_THREAD; lane < INFLATE_SKETCH_LANES;
         lane += DEVICE_THREADS) {
        binning_u32 count = 0;
        DEVICE_ROLLED
        for (binning_u32 i = 0; i < INFLATE_SKETCH_EACH; i++)
            count +=
                DEVICE_POPCOUNT(shared->bits[lane * INFLATE_SKETCH_EACH + i]);
        shared->count[lane] = count;
    }
}

/* The line ends of the lanes before LANE. */
DEVICE_FN binning_u32
inflate_sketch_before(DEVICE_SHARED const struct inflate_sketch_shared *shared,
                      binning_u32 lane)
{
    binning_u32 count = 0;

    DEVICE_ROLLED
    for (binning_u32 i = 0; i < lane; i++)
        count += shared->count[i];
    return count;
}

/* List the line ends of all lanes: where they are in the content, whose first
   byte has bit number LEAD.  A barrier follows. */
DEVICE_FN void
inflate_sketch_list(DEVICE_SHARED struct inflate_sketch_shared *shared,
                    binning_u32 lead)
{
    for (binning_u32 lane = DEVICE_THREAD; lane < INFLATE_SKETCH_LANES;
         lane += DEVICE_THREADS) {
        binning_u32 next = inflate_sketch_before(shared, lane);
        DEVICE_ROLLED
        for (binning_u32 i = lane * INFLATE_SKETCH_EACH;
             i < (lane + 1) * INFLATE_SKETCH_EACH; i++) {
            binning_u32 bits = shared->bits[i];
            DEVICE_ROLLED
            for (; bits != 0 && next < INFLATE_SKETCH_ENDS; next++) {
                const binning_u32 bit = DEVICE_POPCOUNT((bits & -bits) - 1);
                shared->end[next] = (unsigned short)(32 * i + bit - lead);
                bits &= bits - 1;
            }
        }
    }
}

/* Look at the records after each of the line ends, LINES, of DATA.  A barrier
   follows. */
DEVICE_FN void
inflate_sketch_check(DEVICE_SHARED struct inflate_sketch_shared *shared,
                     const unsigned char *data, binning_u32 lines)
{
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i + SEQUENCE_SKETCH_LINES < lines;
         i += DEVICE_THREADS) {
        const binning_u32 ends[SEQUENCE_SKETCH_LINES] = {
            shared->end[i + 1], shared->end[i + 2], shared->end[i + 3],
            shared->end[i + 4]};
        if (!sequence_is_four_lines(data, shared->end[i] + 1u, ends))
            DEVICE_ADD_BITS(&shared->misfits, 1u << i % SEQUENCE_SKETCH_LINES);
    }
}

/* Sketch the content of TASK.  Returns LINES of the sketch, for thread 0.  All
   threads call this function; a barrier is at its end. */
DEVICE_FN binning_u32
inflate_sketch_member(const struct inflate_batch *batch,
                      const struct inflate_task *task)
{
    DEVICE_SHARED struct inflate_sketch_shared *shared =
        (DEVICE_SHARED struct inflate_sketch_shared *)batch->shared;
    const struct inflate_sum_content content =
        inflate_sum_content_of(batch, task);

    inflate_sketch_find(shared, &content);
    DEVICE_BARRIER();
    inflate_sketch_count(shared);
    DEVICE_BARRIER();
    const binning_u32 lines =
        inflate_sketch_before(shared, INFLATE_SKETCH_LANES);
    inflate_sketch_list(shared, content.lead);
    DEVICE_BARRIER();
    const bool is_listed = lines <= INFLATE_SKETCH_ENDS;
    if (is_listed)
        inflate_sketch_check(shared, batch->content + task->content_at, lines);
    DEVICE_BARRIER();
    const binning_u32 misfits = is_listed ? shared->misfits : 0xfu;
    DEVICE_BARRIER();
    return lines | (~misfits & 0xfu) << SEQUENCE_SKETCH_FITS;
}

/* Sketch all members; of those that are refused, nothing fits. */
DEVICE_FN void
inflate_sketch_all(const struct inflate_batch *batch)
{
    DEVICE_ROLLED
    for (binning_u32 m = DEVICE_BLOCK; m < batch->work.members;
         m += DEVICE_BLOCKS) {
        const struct inflate_task *task = &batch->tasks[m];
        binning_u32 lines = 0;
        if (batch->refused[m] == 0)
            lines = inflate_sketch_member(batch, task);
        if (DEVICE_THREAD == 0) {
            batch->sketches[m].bytes = task->content;
            batch->sketches[m].lines = lines;
        }
    }
}

#endif

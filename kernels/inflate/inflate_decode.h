/* SPDX-License-Identifier: MIT */
/*
 * inflate_decode.h -- a kernel that decodes members, each by a thread block
 *
 * A deflate block is decoded window by window: lanes find the symbols in some
 * KiB of the data (inflate_lanes.h); then, in rounds, all threads make the
 * content of some of these lanes (inflate_place.h).
 */

#ifndef GPUHIST_INFLATE_DECODE_H
#define GPUHIST_INFLATE_DECODE_H

#include "kernels/inflate/inflate_header.h"
#include "kernels/inflate/inflate_place.h"

/* Where the content of a member is.  Rounds start at multiples of 32 in device
   memory, so that threads write whole sectors. */
struct inflate_content {
    unsigned char *bytes;
    binning_u32 lead; /* BYTES's place, mod 32 */
    binning_u32 size;
};

/* Copy the bytes of a stored block.  All threads call this function. */
DEVICE_FN void
inflate_stored(DEVICE_SHARED struct inflate_shared *shared,
               const struct inflate_data *data,
               const struct inflate_content *content)
{
    const binning_u32 bytes = shared->stored;
    const binning_u32 made = shared->made;
    const binning_u32 bit = shared->bit;
    const unsigned char *from = (const unsigned char *)data->words + bit / 8;
    unsigned char *to = content->bytes + made;
    const bool is_right = bit <= data->end && bytes <= (data->end - bit) / 8 &&
                          bytes <= content->size - made;

    DEVICE_BARRIER();
    if (is_right)
        for (binning_u32 i = DEVICE_THREAD; i < bytes; i += DEVICE_THREADS)
            to[i] = from[i];
    if (DEVICE_THREAD == 0) {
        shared->bit = bit + 8 * bytes;
        shared->made = made + bytes;
        if (!is_right)
            shared->refusal = INFLATE_REFUSED_SIZE;
    }
    DEVICE_BARRIER();
}

/* Make the content of some lanes, from number LANE on, of a window that starts
   at word FIRST.  All threads call this function. */
DEVICE_FN struct inflate_round
inflate_round(DEVICE_SHARED struct inflate_shared *shared,
              const struct inflate_content *content, binning_u32 first,
              binning_u32 lane)
{
    const binning_u32 made = shared->made;
    const binning_u32 begin = (content->lead + made) % 32;

    for (binning_u32 i = DEVICE_THREAD; i < INFLATE_ROUND_WORDS;
         i += DEVICE_THREADS)
        shared->starts[i] = 0;
    DEVICE_BARRIER();
    inflate_lanes_write(shared, lane, begin, content->size - made);
    DEVICE_BARRIER();
    struct inflate_round round = shared->round;
    if (shared->refusal != 0)
        round.stop = INFLATE_WRONG;
    if (round.stop == INFLATE_WRONG)
        return round;
    inflate_place(shared, content->bytes + made - begin, begin,
                  begin + round.bytes);
    if (DEVICE_THREAD == 0) {
        shared->made = made + round.bytes;
        shared->bit = 32 * first + round.end;
    }
    DEVICE_BARRIER();
    return round;
}

/* Decode some of a block, of which all codes are known: a window.  Returns how
   it ends.  All threads call this function. */
DEVICE_FN enum inflate_stop
inflate_window(DEVICE_SHARED struct inflate_shared *shared,
               const struct inflate_data *data,
               const struct inflate_content *content)
{
    const binning_u32 first = shared->bit / 32;
    const binning_u32 bit = shared->bit % 32;
    struct inflate_round round = {0, INFLATE_NEXT, 0, 0};

    inflate_window_load(shared, data, first);
    DEVICE_BARRIER();
    inflate_lanes_decode(shared, bit);
    DEVICE_ROLLED
    while (round.stop == INFLATE_NEXT && round.next_lane < INFLATE_LANES)
        round = inflate_round(shared, content, first, round.next_lane);
    return (enum inflate_stop)round.stop;
}

/* Decode the blocks of a member.  Returns the refusal.  All threads call this
   function. */
DEVICE_FN binning_u32
inflate_member(DEVICE_SHARED struct inflate_shared *shared,
               const struct inflate_data *data,
               const struct inflate_content *content)
{
    enum inflate_stop stop = INFLATE_END;

    if (DEVICE_THREAD == 0) {
        shared->bit = data->start;
        shared->made = 0;
        shared->refusal = 0;
        shared->is_last = 0;
    }
    DEVICE_BARRIER();
    DEVICE_ROLLED
    while (stop != INFLATE_END || shared->is_last == 0) {
        if (stop == INFLATE_END) {
            inflate_header(shared, data);
            if (shared->refusal != 0)
                return shared->refusal;
            if (shared->type == INFLATE_STORED) {
                inflate_stored(shared, data, content);
                if (shared->refusal != 0)
                    return shared->refusal;
                continue;
            }
        }
        if (shared->bit > data->end)
            return INFLATE_REFUSED_DATA;
        stop = inflate_window(shared, data, content);
        if (stop == INFLATE_WRONG)
            return shared->refusal | INFLATE_REFUSED_DATA;
    }
    return (shared->bit + 7) / 8 * 8 != data->end ||
                   shared->made != content->size
               ? INFLATE_REFUSED_SIZE
               : 0;
}

/* Decode all members. */
DEVICE_FN void
inflate_decode_all(const struct inflate_batch *batch)
{
    DEVICE_SHARED struct inflate_shared *shared =
        (DEVICE_SHARED struct inflate_shared *)batch->shared;

    DEVICE_ROLLED
    for (binning_u32 m = DEVICE_BLOCK; m < batch->work.members;
         m += DEVICE_BLOCKS) {
        const struct inflate_task *task = &batch->tasks[m];
        const struct inflate_data data = inflate_data_of(batch, task);
        const struct inflate_content content = {
            batch->content + task->content_at, task->content_at % 32,
            task->content};
        const binning_u32 refusal = inflate_member(shared, &data, &content);
        if (DEVICE_THREAD == 0)
            batch->refused[m] = refusal;
        DEVICE_BARRIER();
    }
}

#endif

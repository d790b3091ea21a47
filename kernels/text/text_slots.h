/* SPDX-License-Identifier: MIT */
/*
 * text_slots.h -- find a key of the window in the dictionary
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 * Hashes are those of hash_bytes(): the host fills the dictionary.
 */

#ifndef GPUHIST_TEXT_SLOTS_H
#define GPUHIST_TEXT_SLOTS_H

#include "kernels/text/text_window.h"

/* Of the 8 bytes in BITS, which end a key or are before its last 8 * AFTER
   bytes, those that belong to a key of SIZE bytes. */
DEVICE_FN binning_u64
text_slots_keep(binning_u64 bits, binning_u32 size, binning_u32 after)
{
    binning_u32 kept = size > 8 * after ? size - 8 * after : 0;

    return kept >= 8   ? bits
           : kept == 0 ? 0
                       : bits >> (64 - 8 * kept) << (64 - 8 * kept);
}

/* As hash_short_words(), of the SIZE bytes at AT of the window. */
DEVICE_FN void
text_slots_words(const struct text_task *task, binning_u32 at, binning_u32 size,
                 binning_u64 word[HASH_WORDS])
{
    binning_u32 end = at + TEXT_MARGIN + size;

    word[0] = text_slots_keep(text_window_load_8(task, end - 24), size, 2);
    word[1] = text_slots_keep(text_window_load_8(task, end - 16), size, 1);
    word[2] = text_slots_keep(text_window_load_8(task, end - 8), size, 0);
    word[0] |= size + 1;
}

/* As hash_bytes(), of the SIZE bytes at AT of the window: more than
   HASH_SHORT_MAX. */
DEVICE_FN binning_u64
text_slots_hash(const struct text_task *task, binning_u32 at, binning_u32 size)
{
    const struct hash_key *key = &task->work.hash_key;
    binning_u64 word[HASH_WORDS];
    binning_u64 seed = hash_mix(size ^ key->word[1], key->word[0] ^ HASH_EULER);

    at += TEXT_MARGIN;
    DEVICE_ROLLED
    for (; size > 8 * HASH_WORDS; at += 16, size -= 16)
        seed = hash_mix(text_window_load_8(task, at) ^ seed,
                        text_window_load_8(task, at + 8) ^ key->word[1]);
    at = at + size - 8 * HASH_WORDS;
    word[0] = text_window_load_8(task, at);
    word[1] = text_window_load_8(task, at + 8);
    word[2] = text_window_load_8(task, at + 16);
    return hash_finish(key, seed, word);
}

/* Whether the SIZE bytes at AT of the window are those from START on of the
   arena. */
DEVICE_FN int
text_slots_is_same(const struct text_task *task, binning_u32 at,
                   binning_u32 size, binning_u64 start)
{
    DEVICE_GLOBAL const binning_u64 *word = task->arena + start / 8;

    DEVICE_ROLLED
    for (binning_u32 i = 0; i < size; i += 8) {
        binning_u64 bits = text_window_load_8(task, at + TEXT_MARGIN + i);
        if (size - i < 8)
            bits &= ((binning_u64)1 << 8 * (size - i)) - 1;
        if (bits != *word++)
            return 0;
    }
    return 1;
}

/* Returns the cell of the key of SIZE bytes at AT of the window; 0 if the
   dictionary does not have it. */
DEVICE_FN binning_u32
text_slots_find(const struct text_task *task, binning_u32 at, binning_u32 size)
{
    int is_long = size > HASH_SHORT_MAX;
    binning_u64 word[HASH_WORDS];
    binning_u64 hash;

    if (size > TEXT_KEY_MAX)
        return 0;
    if (is_long) {
        hash = text_slots_hash(task, at, size);
        word[0] = TEXT_SLOT_LONG | (binning_u64)size << 8;
        word[1] = hash;
        word[2] = 0;
    } else {
        text_slots_words(task, at, size, word);
        hash = hash_short(&task->work.hash_key, word);
    }
    DEVICE_ROLLED
    for (binning_u32 p = 0; p < TEXT_PROBES; p++) {
        struct text_slot slot =
            TEXT_LOAD_SLOT(&task->slots[(hash + p) & task->work.slot_mask]);
        if (slot.cell == 0)
            return 0;
        if (slot.word[0] == word[0] && slot.word[1] == word[1] &&
            (is_long ? text_slots_is_same(task, at, size, slot.word[2])
                     : slot.word[2] == word[2]))
            return slot.cell;
    }
    return 0;
}

#endif

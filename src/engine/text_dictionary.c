/* SPDX-License-Identifier: MIT */
/* text_dictionary.c -- the keys that a device knows */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text_dictionary.h"

#define WORD sizeof(uint64_t)

/* With two, some of 10^6 keys find all their TEXT_PROBES slots taken. */
#define SLOTS_PER_KEY 4

size_t
text_dictionary_slots(uint32_t keys_max)
{
    size_t slots = 2;

    while (slots < SLOTS_PER_KEY * (size_t)keys_max)
        slots *= 2;
    return slots;
}

int
text_dictionary_open(struct text_dictionary *dictionary,
                     struct hash_key hash_key, uint32_t keys_max,
                     size_t arena_bytes)
{
    size_t slots = text_dictionary_slots(keys_max);

    assert(arena_bytes % WORD == 0 && slots - 1 <= UINT32_MAX);
    *dictionary = (struct text_dictionary){
        .hash_key = hash_key,
        .slot_mask = (uint32_t)(slots - 1),
        .keys_max = keys_max,
        .arena_bytes = arena_bytes,
        /* Most of this memory is never touched. */
        .known = calloc(slots, sizeof *dictionary->known),
        .place = calloc(keys_max, sizeof *dictionary->place),
        .arena = calloc(arena_bytes / WORD, WORD),
        .learned = calloc(keys_max, sizeof *dictionary->learned),
    };
    return dictionary->known != NULL && dictionary->place != NULL &&
                   dictionary->arena != NULL && dictionary->learned != NULL
               ? 0
               : -1;
}

void
text_dictionary_close(struct text_dictionary *dictionary)
{
    free(dictionary->known);
    free(dictionary->place);
    free(dictionary->arena);
    free(dictionary->learned);
}

const unsigned char *
text_dictionary_key(const struct text_dictionary *dictionary, uint32_t cell,
                    uint32_t *size)
{
    uint64_t place = dictionary->place[cell - TEXT_TOTALS];

    *size = (uint32_t)place;
    return dictionary->arena + (place >> 32) * WORD;
}

/* Returns the slot for a new key, or NULL: it is known, or there is none. */
static struct text_known *
find_slot(const struct text_dictionary *dictionary, uint64_t hash)
{
    for (uint64_t p = 0; p < TEXT_PROBES; p++) {
        struct text_known *known =
            &dictionary->known[(hash + p) & dictionary->slot_mask];
        if (known->cell == 0)
            return known;
        if (known->tag == (uint32_t)(hash >> 32))
            return NULL;
    }
    return NULL;
}

/* Add the bytes to the arena.  Returns the number of their first word. */
static size_t
keep(struct text_dictionary *dictionary, const unsigned char *bytes,
     uint32_t size)
{
    size_t start = dictionary->arena_used;

    memcpy(dictionary->arena + start, bytes, size);
    dictionary->arena_used += (size + WORD - 1) / WORD * WORD;
    return start / WORD;
}

/* As text_dictionary_learn(), with the HASH of the key. */
static bool
learn(struct text_dictionary *dictionary, uint64_t hash,
      const unsigned char *key, uint32_t size)
{
    if (text_dictionary_is_full(dictionary) ||
        dictionary->arena_bytes - dictionary->arena_used < size + WORD)
        return false;
    struct text_known *known = find_slot(dictionary, hash);
    if (known == NULL)
        return false;

    size_t start = keep(dictionary, key, size);
    struct text_slot *slot = &dictionary->learned[dictionary->keys];
    *slot = (struct text_slot){
        .cell = TEXT_TOTALS + dictionary->keys,
        .place = (uint32_t)(known - dictionary->known),
    };
    if (size <= HASH_SHORT_MAX) {
        hash_short_words(key, size, slot->word);
    } else {
        slot->word[0] = TEXT_SLOT_LONG | (uint64_t)size << 8;
        slot->word[1] = hash;
        slot->word[2] = start * WORD;
    }
    dictionary->place[dictionary->keys++] = (uint64_t)start << 32 | size;
    *known = (struct text_known){slot->cell, (uint32_t)(hash >> 32)};
    return true;
}

/* The keys that are looked for at the same time: so many cache misses. */
#define AHEAD 32

size_t
text_dictionary_learn(struct text_dictionary *dictionary,
                      const struct text_key *key, size_t count)
{
    size_t learned = 0;

    for (size_t first = 0; first < count; first += AHEAD) {
        const struct text_key *next = key + first;
        size_t some = count - first < AHEAD ? count - first : AHEAD;
        uint64_t hash[AHEAD];

        for (size_t i = 0; i < some; i++) {
            hash[i] = 0;
            if (next[i].size > TEXT_KEY_MAX)
                continue;
            hash[i] =
                hash_bytes(&dictionary->hash_key, next[i].bytes, next[i].size);
            __builtin_prefetch(
                &dictionary->known[hash[i] & dictionary->slot_mask], 1);
        }
        for (size_t i = 0; i < some; i++) {
            if (next[i].size <= TEXT_KEY_MAX)
                learned +=
                    learn(dictionary, hash[i], next[i].bytes, next[i].size);
        }
    }
    return learned;
}

void
text_dictionary_sent(struct text_dictionary *dictionary, uint32_t keys)
{
    dictionary->sent += keys;
    dictionary->arena_sent = dictionary->arena_used;
}

/* text_dictionary.c -- the keys that a device knows */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/text_dictionary.h"

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
        .cell = calloc(slots, sizeof *dictionary->cell),
        .place = calloc(keys_max, sizeof *dictionary->place),
        .arena = calloc(arena_bytes / WORD, WORD),
        .learned = calloc(keys_max, sizeof *dictionary->learned),
    };
    return dictionary->cell != NULL && dictionary->place != NULL &&
                   dictionary->arena != NULL && dictionary->learned != NULL
               ? 0
               : -1;
}

void
text_dictionary_close(struct text_dictionary *dictionary)
{
    free(dictionary->cell);
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

static bool
is_key_of(const struct text_dictionary *dictionary, uint32_t cell,
          const unsigned char *bytes, uint32_t size)
{
    uint32_t own;
    const unsigned char *key = text_dictionary_key(dictionary, cell, &own);

    return own == size && memcmp(key, bytes, size) == 0;
}

/* Returns the slot for a new key, or NULL: it is known, or there is none. */
static uint32_t *
find_slot(const struct text_dictionary *dictionary, uint64_t hash,
          const unsigned char *bytes, uint32_t size)
{
    for (uint64_t p = 0; p < TEXT_PROBES; p++) {
        uint32_t *cell = &dictionary->cell[(hash + p) & dictionary->slot_mask];
        if (*cell == 0)
            return cell;
        if (is_key_of(dictionary, *cell, bytes, size))
            return NULL;
    }
    return NULL;
}

/* Add the bytes to the arena.  Returns the number of their first word. */
static size_t
keep(struct text_dictionary *dictionary, const unsigned char *bytes,
     uint32_t size)
{
    size_t begin = dictionary->arena_used;

    memcpy(dictionary->arena + begin, bytes, size);
    dictionary->arena_used += (size + WORD - 1) / WORD * WORD;
    return begin / WORD;
}

bool
text_dictionary_learn(struct text_dictionary *dictionary,
                      const unsigned char *bytes, uint32_t size)
{
    /* Keys of 0 bytes would have no place in the arena. */
    static const unsigned char none[1];
    const unsigned char *key = size == 0 ? none : bytes;

    if (size > TEXT_KEY_MAX || text_dictionary_is_full(dictionary) ||
        dictionary->arena_bytes - dictionary->arena_used < size + WORD)
        return false;
    uint64_t hash = hash_bytes(&dictionary->hash_key, key, size);
    uint32_t *cell = find_slot(dictionary, hash, key, size);
    if (cell == NULL)
        return false;

    size_t begin = keep(dictionary, key, size);
    struct text_slot *slot = &dictionary->learned[dictionary->keys];
    *slot = (struct text_slot){
        .cell = TEXT_TOTALS + dictionary->keys,
        .place = (uint32_t)(cell - dictionary->cell),
    };
    if (size <= HASH_SHORT_MAX) {
        hash_short_words(key, size, slot->word);
    } else {
        slot->word[0] = TEXT_SLOT_LONG | (uint64_t)size << 8;
        slot->word[1] = hash;
        slot->word[2] = begin * WORD;
    }
    dictionary->place[dictionary->keys++] = (uint64_t)begin << 32 | size;
    *cell = slot->cell;
    return true;
}

void
text_dictionary_sent(struct text_dictionary *dictionary, uint32_t keys)
{
    dictionary->sent += keys;
    dictionary->arena_sent = dictionary->arena_used;
}

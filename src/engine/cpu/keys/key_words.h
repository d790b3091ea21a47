/*
 * key_words.h -- what the cache of frequent keys has of a key, as three words
 */

#ifndef GPUHIST_KEY_WORDS_H
#define GPUHIST_KEY_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/text/hash.h"

/*
 * The words of a short key in the cache are those of hash.h.  Those of a longer
 * key are this mark with its size, its hash, and 0; its entry has the bytes.
 */
#define LONG_MARK 255
#define LONG_SIZE_SHIFT 8

#define ZEROS_8 0, 0, 0, 0, 0, 0, 0, 0
#define ONES_8 255, 255, 255, 255, 255, 255, 255, 255

/* The mask for a key of N bytes begins at byte N: its last N bytes are ones. */
static const unsigned char key_words_window[] = {ZEROS_8, ZEROS_8, ZEROS_8,
                                                 ONES_8,  ONES_8,  ONES_8};

/* Set WORD to what the cache has of a key. */
static inline void
key_words_make(const unsigned char *key, uint32_t size, uint64_t hash,
               uint64_t word[HASH_WORDS])
{
    if (size <= HASH_SHORT_MAX) {
        hash_short_words(key, size, word);
        return;
    }
    word[0] = LONG_MARK | (uint64_t)size << LONG_SIZE_SHIFT;
    word[1] = hash;
    word[2] = 0;
}

/* Returns the hash of the key that has WORD. */
static inline uint64_t
key_words_hash(const struct hash_key *hash_key, const uint64_t word[HASH_WORDS])
{
    if ((word[0] & LONG_MARK) == LONG_MARK)
        return word[1];
    return hash_short(hash_key, word);
}

/* Whether key_words_load() can load a key: it is short, and the bytes before it
   are in the chunk. */
static inline bool
key_words_can_load(size_t at, uint32_t size)
{
    return size <= HASH_SHORT_MAX && at + size >= 8 * HASH_WORDS;
}

/* Set WORD to the words of such a key, which is at DATA + AT. */
static inline void
key_words_load(const unsigned char *data, size_t at, uint32_t size,
               uint64_t word[HASH_WORDS])
{
    const unsigned char *end = data + at + size;

    /* The mask removes the bytes before the key. */
    word[0] =
        (hash_load(end - 24) & hash_load(key_words_window + size)) | (size + 1);
    word[1] = hash_load(end - 16) & hash_load(key_words_window + size + 8);
    word[2] = hash_load(end - 8) & hash_load(key_words_window + size + 16);
}

#endif

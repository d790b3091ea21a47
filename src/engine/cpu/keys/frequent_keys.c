/* SPDX-License-Identifier: MIT */
/* frequent_keys.c -- the cache of frequent keys of one thread */

#include <string.h>

#include "engine/cpu/keys/frequent_keys.h"

/* Use MEMORY, all 0 then, for 2^SETS_LOG sets. */
static void
use(struct frequent_keys *frequent, void *memory, unsigned int sets_log,
    bool has_weights)
{
    size_t sets = (size_t)1 << sets_log;

    memset(memory, 0, frequent_keys_bytes(sets_log, has_weights));
    frequent->sets_log = sets_log;
    frequent->shift = 64 - sets_log;
    frequent->set = memory;
    frequent->entry = (void *)(frequent->set + sets);
    frequent->weight = has_weights ? (void *)(frequent->entry + sets) : NULL;
}

void
frequent_keys_open(struct frequent_keys *frequent, void *memory,
                   const struct hash_key *key, bool has_weights, size_t most)
{
    unsigned int log = FREQUENT_LOG_MIN;

    while (log < FREQUENT_LOG_MAX &&
           frequent_keys_bytes(log + FREQUENT_LOG_STEP, has_weights) <= most)
        log += FREQUENT_LOG_STEP;
    *frequent = (struct frequent_keys){
        .sets_log_max = log,
        .least = memory,
    };
    key_secret_make(&frequent->secret, key);
    use(frequent, memory, FREQUENT_LOG_MIN, has_weights);
}

/* Move way W of set FROM of OLD to FREQUENT. */
static void
move_way(struct frequent_keys *frequent, const struct frequent_keys *old,
         size_t from, size_t w)
{
    const uint64_t *word = old->set[from].word[w];
    const uint64_t made[HASH_WORDS] = {word[0], word[1],
                                       key_words_are_long(word) ? 0 : word[2]};
    size_t to = frequent_keys_set(frequent, made);
    size_t way = frequent->set[to].word[0][0] != 0;

    memcpy(frequent->set[to].word[way], word,
           sizeof frequent->set[to].word[way]);
    frequent->set[to].tally[way] = old->set[from].tally[w];
    frequent->entry[to][way] = old->entry[from][w];
    if (frequent->weight != NULL)
        frequent->weight[to][way] = old->weight[from][w];
}

/* Give back the memory of the sets. */
static void
release(struct frequent_keys *frequent, struct key_memory *memory)
{
    if (frequent->set != frequent->least)
        key_memory_give(
            memory, frequent->set,
            frequent_keys_bytes(frequent->sets_log, frequent->weight != NULL));
}

void
frequent_keys_grow(struct frequent_keys *frequent, struct key_memory *memory)
{
    struct frequent_keys old = *frequent;
    bool has_weights = frequent->weight != NULL;
    unsigned int log = frequent->sets_log + FREQUENT_LOG_STEP;
    enum key_result ignored;

    if (log > frequent->sets_log_max)
        return;
    void *more = key_memory_take(memory, frequent_keys_bytes(log, has_weights),
                                 &ignored);
    if (more == NULL)
        return;
    use(frequent, more, log, has_weights);
    for (size_t s = 0; s < frequent_keys_sets(&old); s++) {
        for (size_t w = 0; w < FREQUENT_WAYS; w++) {
            if (old.set[s].word[w][0] != 0)
                move_way(frequent, &old, s, w);
        }
    }
    release(&old, memory);
}

void
frequent_keys_shrink(struct frequent_keys *frequent, struct key_memory *memory)
{
    bool has_weights = frequent->weight != NULL;

    release(frequent, memory);
    use(frequent, frequent->least, FREQUENT_LOG_MIN, has_weights);
}

/*
 * kmer_merge.c -- the codes of all sorted partitions, in order
 *
 * A tree of losers, as in key_merge.c.
 */

#include "engine/cpu/kmer_merge.h"

/* Whether the next code of source A is before that of B.  An exhausted source
   is after all others.  The codes of two sources are never the same. */
static inline bool
is_before(const struct kmer_merge *merge, size_t a, size_t b)
{
    const struct kmer_source *left = &merge->source[a];
    const struct kmer_source *right = &merge->source[b];

    if (left->at == left->end)
        return false;
    return right->at == right->end || left->at->code < right->at->code;
}

/* The winner of the sources below NODE, whose losers are set. */
static size_t
play(struct kmer_merge *merge, size_t node)
{
    if (node >= merge->sources)
        return node - merge->sources;
    size_t a = play(merge, 2 * node);
    size_t b = play(merge, 2 * node + 1);
    bool is_first = is_before(merge, a, b);
    merge->loser[node] = (uint16_t)(is_first ? b : a);
    return is_first ? a : b;
}

/* The first of the COUNT sorted slots whose code is CODE or more. */
static const struct code_slot *
find_from(const struct code_slot *slot, size_t count, uint64_t code)
{
    while (count > 0) {
        size_t half = count / 2;
        if (slot[half].code < code) {
            slot += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return slot;
}

void
kmer_merge_open(struct kmer_merge *merge, const struct kmer_counts *counts,
                uint64_t first, uint64_t last)
{
    merge->sources = kmer_counts_partitions(counts);
    merge->slots = 0;
    for (size_t p = 0; p < merge->sources; p++) {
        const struct code_table *table = &counts->partition[p].table;
        struct kmer_source *source = &merge->source[p];
        *source = (struct kmer_source){NULL, NULL};
        if (table->codes == 0)
            continue;
        const struct code_slot *end = table->slot + table->codes;
        source->at = find_from(table->slot, table->codes, first);
        source->end =
            last == UINT64_MAX
                ? end
                : find_from(source->at, (size_t)(end - source->at), last + 1);
        merge->slots += (uint64_t)(source->end - source->at);
    }
    merge->loser[0] = (uint16_t)play(merge, 1);
}

bool
kmer_merge_next(struct kmer_merge *merge)
{
    size_t winner = merge->loser[0];
    struct kmer_source *source = &merge->source[winner];

    if (merge->slots == 0)
        return false;
    merge->slots--;
    merge->code = source->at->code;
    merge->count = source->at->count;
    source->at++;
    for (size_t node = (winner + merge->sources) / 2; node > 0; node /= 2) {
        size_t other = merge->loser[node];
        if (is_before(merge, other, winner)) {
            merge->loser[node] = (uint16_t)winner;
            winner = other;
        }
    }
    merge->loser[0] = (uint16_t)winner;
    return true;
}

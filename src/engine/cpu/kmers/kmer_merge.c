/*
 * kmer_merge.c -- the codes of all sorted partitions, and of the wide table, in
 * order
 *
 * A tree of losers, as in key_merge.c.
 */

#include "engine/cpu/kmers/kmer_merge.h"

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
                uint64_t first, uint64_t last, bool has_wide)
{
    merge->sources = kmer_counts_partitions(counts);
    merge->slots = 0;
    merge->low = NULL;
    merge->cell = merge->end = 0;
    if (has_wide && counts->path == KMER_WIDE) {
        uint64_t cells = kmer_counts_cells(counts);
        merge->low = counts->table.low;
        merge->cell = first;
        merge->end = last < cells ? last + 1 : cells;
    }
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

uint64_t
kmer_merge_codes(const struct kmer_merge *merge)
{
    uint64_t codes = merge->slots;

    for (uint64_t c = merge->cell; c < merge->end; c++)
        codes += merge->low[c] != 0;
    return codes;
}

/* Go to the next cell below END that is not 0.  Returns whether there is one.
 */
static bool
next_cell(struct kmer_merge *merge, uint64_t end)
{
    uint64_t cell = merge->cell;
    uint64_t eight;

    while (end - cell >= sizeof eight) {
        memcpy(&eight, merge->low + cell, sizeof eight);
        if (eight != 0)
            break;
        cell += sizeof eight;
    }
    while (cell < end && merge->low[cell] == 0)
        cell++;
    merge->cell = cell;
    if (cell == end)
        return false;
    merge->cell++;
    merge->code = cell;
    merge->count = merge->low[cell];
    return true;
}

bool
kmer_merge_next(struct kmer_merge *merge)
{
    size_t winner = merge->loser[0];
    struct kmer_source *source = &merge->source[winner];
    bool has_slot = merge->slots > 0;

    if (next_cell(merge, has_slot && merge->low != NULL ? source->at->code
                                                        : merge->end))
        return true;
    if (!has_slot)
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

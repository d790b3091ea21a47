/* SPDX-License-Identifier: MIT */
/*
 * kmer_merge.c -- the codes of all sorted partitions, and of the wide table, in
 * order
 *
 * A tree of losers, as in key_merge.c.
 */

#include "engine/cpu/kmers/kmer_merge.h"

/* Whether the next code of source A is before that of B.  An exhausted source
   is after all others.  The codes of two sources are never the same. */
FOR_WORDS bool
is_before(const struct kmer_merge *merge, size_t a, size_t b,
          const unsigned int words)
{
    const struct kmer_source *left = &merge->source[a];
    const struct kmer_source *right = &merge->source[b];

    if (left->at == left->end)
        return false;
    return right->at == right->end ||
           kmer_code_is_less(code_read(left->at, words),
                             code_read(right->at, words));
}

/* The winner of the sources below NODE, whose losers are set. */
static size_t
play(struct kmer_merge *merge, size_t node)
{
    if (node >= merge->sources)
        return node - merge->sources;
    size_t a = play(merge, 2 * node);
    size_t b = play(merge, 2 * node + 1);
    bool is_first = is_before(merge, a, b, merge->words);
    merge->loser[node] = (uint16_t)(is_first ? b : a);
    return is_first ? a : b;
}

void
kmer_merge_open(struct kmer_merge *merge, const struct kmer_counts *counts,
                struct kmer_code first, struct kmer_code last)
{
    const size_t step = code_slot_words(counts->words);

    merge->sources = kmer_counts_partitions(counts);
    merge->words = counts->words;
    merge->slots = 0;
    merge->low = NULL;
    merge->cell = merge->end = 0;
    if (counts->path == KMER_WIDE) {
        uint64_t cells = kmer_counts_cells(counts);
        merge->low = counts->table.low;
        merge->cell = first.low;
        merge->end =
            kmer_code_is_less(last, code_of(cells)) ? last.low + 1 : cells;
    }
    for (size_t p = 0; p < merge->sources; p++) {
        const struct code_table *table = &counts->partition[p].table;
        struct kmer_source *source = &merge->source[p];
        *source = (struct kmer_source){NULL, NULL};
        if (table->codes == 0)
            continue;
        size_t start =
            code_slots_below(table->slot, table->codes, first, counts->words);
        size_t end = !code_is_same(last, CODE_LAST)
                         ? code_slots_below(table->slot, table->codes,
                                            code_after(last), counts->words)
                         : table->codes;
        source->at = table->slot + start * step;
        source->end = table->slot + end * step;
        merge->slots += end - start;
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
    merge->code = code_of(cell);
    merge->count = merge->low[cell];
    return true;
}

/* Go to the next code of the winner, and let the sources play again. */
FOR_WORDS void
next_slot(struct kmer_merge *merge, size_t winner, const unsigned int words)
{
    struct kmer_source *source = &merge->source[winner];

    merge->slots--;
    merge->code = code_read(source->at, words);
    merge->count = source->at[words];
    source->at += code_slot_words(words);
    for (size_t node = (winner + merge->sources) / 2; node > 0; node /= 2) {
        size_t other = merge->loser[node];
        if (is_before(merge, other, winner, words)) {
            merge->loser[node] = (uint16_t)winner;
            winner = other;
        }
    }
    merge->loser[0] = (uint16_t)winner;
}

bool
kmer_merge_next(struct kmer_merge *merge)
{
    size_t winner = merge->loser[0];
    bool has_slot = merge->slots > 0;

    if (next_cell(merge, has_slot && merge->low != NULL
                             ? code_read(merge->source[winner].at, 1).low
                             : merge->end))
        return true;
    if (!has_slot)
        return false;
    if (merge->words == 1)
        next_slot(merge, winner, 1);
    else
        next_slot(merge, winner, 2);
    return true;
}

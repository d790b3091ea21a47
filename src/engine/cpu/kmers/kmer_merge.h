/* SPDX-License-Identifier: MIT */
/*
 * kmer_merge.h -- the codes of all sorted partitions, and of the wide table, in
 * order, and the entries of keys that they become
 *
 *     kmer_merge_open(&merge, &counts, first, last);
 *     while (kmer_merge_next(&merge))
 *         ... merge.code and merge.count ...
 */

#ifndef GPUHIST_KMER_MERGE_H
#define GPUHIST_KMER_MERGE_H

#include <string.h>

#include "engine/cpu/kmers/kmer_counts.h"
#include "hist/key_table.h"

/* The codes of a partition that are not merged yet. */
struct kmer_source {
    const uint64_t *at; /* slots */
    const uint64_t *end;
};

struct kmer_merge {
    struct kmer_source source[KMER_PARTITIONS_MAX];
    uint16_t loser[KMER_PARTITIONS_MAX]; /* the tree: node 0 has the winner */
    size_t sources;
    unsigned int words; /* of a code */
    uint64_t slots;     /* that are not merged yet */

    const uint8_t *low; /* the cells of the wide table; NULL: none, and ... */
    uint64_t cell;      /* ... the first one that is not merged yet, and ... */
    uint64_t end;       /* ... the one after the last */

    /* The current code. */
    struct kmer_code code;
    uint64_t count;
};

/*
 * Start to merge the codes from FIRST to LAST, both included, of the partitions
 * of COUNTS, which are sorted, and of the wide table, if there is one.  The
 * partitions have absorbed their cells.
 */
void kmer_merge_open(struct kmer_merge *merge, const struct kmer_counts *counts,
                     struct kmer_code first, struct kmer_code last);

/* Returns how many codes there are, from the next one on. */
uint64_t kmer_merge_codes(const struct kmer_merge *merge);

/* Go to the next code.  Returns false at the end. */
bool kmer_merge_next(struct kmer_merge *merge);

/* ---- entries ---- */

/* The bytes of the entry of a k-mer, with its count. */
#define KMER_ENTRY_BYTES(k) (KEY_ENTRY_SIZE_AT + 1 + (k))

/* Write the entry (hist/key_table.h) of the k-mer with CODE to ENTRY. */
static inline void
kmer_entry_write(unsigned char *entry, unsigned int k, struct kmer_code code,
                 uint64_t count)
{
    memcpy(entry, &count, sizeof count);
    entry += KEY_ENTRY_SIZE_AT;
    *entry++ = (unsigned char)k;
    kmer_write(code, k, entry);
}

#endif

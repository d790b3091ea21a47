/* SPDX-License-Identifier: MIT */
/*
 * kmer_few.h -- the first k-mers of a run, as a list of their codes
 *
 * A cell for each of the 4^K codes takes time to clear, to read and to print,
 * however few windows there are.  The first codes are kept in a list that all
 * threads share.  When the list has no room, the codes in it are counted in the
 * cells, and so are all others until the counts start over.
 */

#ifndef GPUHIST_KMER_FEW_H
#define GPUHIST_KMER_FEW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "hist/code_table.h"

struct kmer_few {
    struct key_memory *memory; /* NULL: not open */
    atomic_bool is_over;       /* codes are counted in cells */
    pthread_mutex_t lock;
    /* All below: under the lock. */
    uint32_t *code;
    size_t count;          /* of the codes in the list */
    size_t room;           /* that the list has */
    size_t most;           /* that it may have */
    unsigned int bits;     /* of a code */
    unsigned int folded_k; /* not 0: the codes are folded ones of K bases */
};

/* Prepare a list for codes below CELLS, in MEMORY, which outlives FEW. */
void kmer_few_open(struct kmer_few *few, uint64_t cells,
                   struct key_memory *memory);

/* Also of FEW that is all 0. */
void kmer_few_close(struct kmer_few *few);

/* Whether all codes so far are in the list.  Of FEW that is not open: false. */
static inline bool
kmer_few_is_all(const struct kmer_few *few)
{
    return few->memory != NULL && !atomic_load(&few->is_over);
}

/*
 * Append COUNT codes at CODE.  Returns false if there is no room: then the few
 * are over, and none is appended.
 */
bool kmer_few_add(struct kmer_few *few, const uint32_t *code, size_t count);

/*
 * The few are over: returns the codes in the list, *COUNT of them, and empties
 * it; NULL if there are none.  The caller counts them and then calls
 * kmer_few_give().
 */
uint32_t *kmer_few_take(struct kmer_few *few, size_t *count, size_t *room);

/* Release CODE of kmer_few_take(), which had ROOM. */
void kmer_few_give(struct kmer_few *few, uint32_t *code, size_t room);

/* Forget all codes: the next ones are the first again. */
void kmer_few_restart(struct kmer_few *few);

/*
 * Make *SLOT, in the memory of FEW, the slots (code_table.h) of the distinct
 * codes in the list, *CODES of them, of one word, sorted, with their counts.
 * The caller gives it back: *BYTES.  No thread may be adding.
 */
enum key_result kmer_few_sort(const struct kmer_few *few, uint64_t **slot,
                              size_t *codes, size_t *bytes);

#endif

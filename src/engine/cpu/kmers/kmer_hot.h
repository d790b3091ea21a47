/*
 * kmer_hot.h -- k-mers that a thread counts on its own, because they are
 * frequent in its lists: all threads would wait for the lock of their table
 */

#ifndef GPUHIST_KMER_HOT_H
#define GPUHIST_KMER_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hot codes of a list. */
#define KMER_HOT_WAYS 2

struct kmer_hot {
    uint64_t code;
    uint64_t count; /* that its table does not have; 0: none */
};

/*
 * Returns where CODE is counted among the KMER_HOT_WAYS codes at HOT, or an
 * unused one, or NULL: there is no room.
 */
struct kmer_hot *kmer_hot_find(struct kmer_hot *hot, uint64_t code);

/*
 * Whether a code is frequent among the COUNT codes of LIST: sets *CODE to it.
 * The codes of a list have 16 or 64 bits.
 */
bool kmer_hot_is_in(const uint64_t *list, size_t count, uint64_t *code);
bool kmer_hot_is_in_short(const uint16_t *list, size_t count, uint64_t *code);

/* Remove CODE from the COUNT codes of LIST.  Returns how many are left. */
size_t kmer_hot_remove(uint64_t *list, size_t count, uint64_t code);
size_t kmer_hot_remove_short(uint16_t *list, size_t count, uint64_t code);

#endif

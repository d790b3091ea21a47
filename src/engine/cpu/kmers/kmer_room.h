/* kmer_room.h -- room for codes in the partitions, and adding to them */

#ifndef GPUHIST_KMER_ROOM_H
#define GPUHIST_KMER_ROOM_H

#include "engine/cpu/kmers/kmer_counts.h"

/*
 * The partitions have no room: open the wide table, or write a run.  Returns
 * KEY_OK once there is room, or might be, since another thread was alone
 * before.  The thread is inside the safepoint, and holds no lock.
 */
enum key_result kmer_room_make(struct kmer_counts *counts);

/*
 * Add WEIGHT to what is counted outside of the wide table, in the cells or the
 * partitions, of COUNT codes, which have these DISTANCES in SLICE.  The thread
 * is outside of the safepoint, and holds no lock.
 */
enum key_result kmer_room_add(struct kmer_counts *counts, size_t slice,
                              const uint16_t *distance, size_t count,
                              uint64_t weight);

#endif

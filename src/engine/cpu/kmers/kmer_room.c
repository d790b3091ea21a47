/* kmer_room.c -- room for codes in the partitions, and adding to them */

#include "engine/cpu/kmers/kmer_room.h"
#include "engine/cpu/kmers/kmer_run.h"

/* Whether any partition has codes.  This thread is alone. */
static bool
has_codes(const struct kmer_counts *counts)
{
    size_t codes = 0;

    for (size_t p = 0; p < kmer_counts_partitions(counts); p++)
        codes += counts->partition[p].table.codes;
    return codes > 0;
}

enum key_result
kmer_room_make(struct kmer_counts *counts)
{
    enum key_result result = KEY_OK;

    if (!safepoint_stop(&counts->safepoint))
        return KEY_OK;
    if (!kmer_counts_widen(counts)) {
        /* Without codes, the table of a few does not fit. */
        if (!has_codes(counts))
            result = KEY_LIMIT;
        else if (counts->failure.status != EXIT_DONE)
            result = KEY_FAILED;
        else
            result = kmer_run_write(counts, false);
    }
    safepoint_resume(&counts->safepoint);
    return result;
}

/* Add COUNT to that of CODE in its partition.  The thread is inside the
   safepoint. */
static enum key_result
add_code(struct kmer_counts *counts, uint64_t code, uint64_t count)
{
    uint64_t hash = code_hash(&counts->hash_key, code);
    struct kmer_partition *partition =
        &counts->partition[hash >> (64 - counts->partitions_log)];
    enum key_result result;

    do {
        safepoint_pass(&counts->safepoint);
        pthread_mutex_lock(&partition->lock);
        result =
            code_table_count(&partition->table, &counts->hash_key, code, count);
        pthread_mutex_unlock(&partition->lock);
    } while (result == KEY_LIMIT &&
             (result = kmer_room_make(counts)) == KEY_OK);
    return result;
}

enum key_result
kmer_room_add(struct kmer_counts *counts, size_t slice,
              const uint16_t *distance, size_t count, uint64_t weight)
{
    uint64_t first = (uint64_t)slice << KMER_TABLE_SHIFT;
    enum key_result result = KEY_OK;

    if (count == 0)
        return KEY_OK;
    if (kmer_counts_has_cells(counts)) {
        pthread_mutex_lock(&counts->table.slice[slice].lock);
        for (size_t i = 0; i < count; i++)
            counts->cells.value[first + distance[i]] += weight;
        pthread_mutex_unlock(&counts->table.slice[slice].lock);
        return KEY_OK;
    }
    safepoint_enter(&counts->safepoint);
    for (size_t i = 0; i < count && result == KEY_OK; i++)
        result = add_code(counts, first + distance[i], weight);
    safepoint_leave(&counts->safepoint);
    return result;
}

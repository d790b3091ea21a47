/* kmer_counter.c -- the k-mers that one thread counts */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/kmer_counter.h"
#include "engine/cpu/kmer_run.h"
#include "util/pages.h"

/* Codes that are made before they are counted: with the lists, they fit into
   the second-level cache. */
#define BATCH 4096

/* Cells whose counts have wrapped, which a thread keeps. */
#define CARRIES 4096
#define CARRY 256

/* Codes of a full list that are compared, and how many must be the same. */
#define SAMPLES 8
#define SAMPLES_HOT 3

/* Hot codes of a partition. */
#define HOT_WAYS 2

struct hot_code {
    uint64_t code;
    uint64_t count; /* that its table does not have; 0: none */
};

struct kmer_counter {
    struct kmer_counts *counts;
    struct kmer_codes codes; /* of COUNTS */
    struct kmer_counter *next;
    uint64_t broken; /* windows */

    /* Codes that are not counted yet. */
    size_t used;
    union {
        uint32_t cell[BATCH + KMER_CODES_SLACK]; /* but KMER_SPARSE */
        uint64_t code[BATCH + KMER_CODES_SLACK];
    } batch;

    /* KMER_SMALL: */
    uint8_t *low;
    size_t carries;
    uint32_t carry[CARRIES];

    struct shared_counter *shared; /* KMER_WIDE */

    /* KMER_SPARSE: */
    uint64_t *list; /* of each partition */
    size_t list_bytes;
    uint16_t listed[KMER_PARTITIONS_MAX]; /* codes in each list */
    struct hot_code hot[KMER_PARTITIONS_MAX][HOT_WAYS];
};

/* ---- opening and closing ---- */

uint64_t
kmer_counter_bytes(void)
{
    return sizeof(struct kmer_counter);
}

/* Open what the way of COUNTS needs.  Returns whether there is memory. */
static bool
open_way(struct kmer_counter *counter)
{
    struct kmer_counts *counts = counter->counts;

    switch (counts->way) {
    case KMER_SMALL:
        counter->low = calloc(kmer_counts_cells(counts), 1);
        return counter->low != NULL;
    case KMER_WIDE:
        counter->shared = shared_counter_new(&counts->table);
        return counter->shared != NULL;
    case KMER_SPARSE:
        break;
    }
    counter->list_bytes = kmer_counts_partitions(counts) * counts->list_codes *
                          sizeof *counter->list;
    counter->list = pages_take(counter->list_bytes);
    return counter->list != NULL;
}

struct kmer_counter *
kmer_counter_new(struct kmer_counts *counts)
{
    struct kmer_counter *counter = calloc(1, sizeof *counter);

    if (counter == NULL)
        return NULL;
    counter->counts = counts;
    counter->codes = counts->codes;
    if (!open_way(counter)) {
        free(counter);
        return NULL;
    }
    pthread_mutex_lock(&counts->lock);
    counter->next = counts->first;
    counts->first = counter;
    pthread_mutex_unlock(&counts->lock);
    return counter;
}

void
kmer_counter_close(struct kmer_counter *counter)
{
    struct kmer_counts *counts = counter->counts;
    struct kmer_counter **link = &counts->first;

    pthread_mutex_lock(&counts->lock);
    while (*link != counter)
        link = &(*link)->next;
    *link = counter->next;
    counts->broken += counter->broken;
    pthread_mutex_unlock(&counts->lock);
    if (counter->shared != NULL)
        shared_counter_close(counter->shared);
    if (counter->list != NULL)
        pages_give(counter->list, counter->list_bytes);
    free(counter->low);
    free(counter);
}

/* ---- small tables ---- */

/* Add the carries to the histogram. */
static void
add_carries(struct kmer_counter *counter)
{
    struct kmer_counts *counts = counter->counts;
    uint64_t *value = counts->table.histogram.value;

    pthread_mutex_lock(&counts->cells_lock);
    for (size_t i = 0; i < counter->carries; i++)
        value[counter->carry[i]] += CARRY;
    pthread_mutex_unlock(&counts->cells_lock);
    counter->carries = 0;
}

static void
add_small(struct kmer_counter *counter, const uint32_t *cell, size_t count)
{
    uint8_t *low = counter->low;

    for (size_t i = 0; i < count; i++) {
        if (++low[cell[i]] != 0)
            continue;
        counter->carry[counter->carries++] = cell[i];
        if (counter->carries == CARRIES)
            add_carries(counter);
    }
}

/* Add all counts to the histogram.  No thread is counting. */
static void
settle_small(struct kmer_counter *counter)
{
    struct histogram *histogram = &counter->counts->table.histogram;

    add_carries(counter);
    for (uint64_t c = 0; c < histogram->cells; c++)
        histogram->value[c] += counter->low[c];
    memset(counter->low, 0, histogram->cells);
}

/* ---- sparse tables ---- */

/* Write all tables as a run, and empty them.  This thread is alone. */
static enum key_result
spill(struct kmer_counts *counts)
{
    return counts->failure.status != EXIT_DONE ? KEY_FAILED
                                               : kmer_run_write(counts);
}

/* Whether any partition has codes.  This thread is alone. */
static bool
has_codes(const struct kmer_counts *counts)
{
    size_t codes = 0;

    for (size_t p = 0; p < kmer_counts_partitions(counts); p++)
        codes += counts->partition[p].table.codes;
    return codes > 0;
}

static inline uint64_t *
list_of(const struct kmer_counter *counter, size_t p)
{
    return counter->list + p * counter->counts->list_codes;
}

/* Add the hot codes of partition P to its table, which is locked.  After a
   failure, those that are not added are still hot. */
static enum key_result
add_hot(struct kmer_counter *counter, size_t p)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result = KEY_OK;

    for (size_t w = 0; w < HOT_WAYS && result == KEY_OK; w++) {
        struct hot_code *hot = &counter->hot[p][w];
        if (hot->count == 0)
            continue;
        result = code_table_count(&counts->partition[p].table,
                                  &counts->hash_key, hot->code, hot->count);
        if (result == KEY_OK)
            hot->count = 0;
    }
    return result;
}

/* Add the hot codes and the list of partition P to its table.  After KEY_LIMIT,
   what is not added stays where it is. */
static enum key_result
add_list(struct kmer_counter *counter, size_t p)
{
    struct kmer_counts *counts = counter->counts;
    struct kmer_partition *partition = &counts->partition[p];
    uint64_t *list = list_of(counter, p);
    size_t added = 0;

    pthread_mutex_lock(&partition->lock);
    enum key_result result = add_hot(counter, p);
    if (result == KEY_OK)
        result = code_table_add(&partition->table, &counts->hash_key, list,
                                counter->listed[p], &added);
    pthread_mutex_unlock(&partition->lock);
    counter->listed[p] = (uint16_t)(counter->listed[p] - added);
    memmove(list, list + added, counter->listed[p] * sizeof *list);
    return result;
}

/* Add the list of partition P, and spill if there is no room. */
static enum key_result
drain(struct kmer_counter *counter, size_t p)
{
    struct kmer_counts *counts = counter->counts;

    safepoint_pass(&counts->safepoint);
    enum key_result result = add_list(counter, p);
    while (result == KEY_LIMIT) {
        /* Another thread may have spilled. */
        if (!safepoint_stop(&counts->safepoint)) {
            result = add_list(counter, p);
            continue;
        }
        /* Without codes, the table of a few does not fit. */
        bool is_useful = has_codes(counts);
        result = is_useful ? spill(counts) : KEY_LIMIT;
        if (result == KEY_OK)
            result = add_list(counter, p);
        safepoint_resume(&counts->safepoint);
        if (!is_useful)
            break;
    }
    return result;
}

/* How many of SAMPLES codes of the LIST of COUNT codes are *CODE, which is set
   to the most frequent one. */
static unsigned int
sample_list(const uint64_t *list, size_t count, uint64_t *code)
{
    unsigned int most = 0;

    for (size_t s = 0; s < SAMPLES; s++) {
        uint64_t own = list[s * count / SAMPLES];
        unsigned int same = 0;
        for (size_t t = 0; t < SAMPLES; t++)
            same += list[t * count / SAMPLES] == own;
        if (same > most) {
            most = same;
            *code = own;
        }
    }
    return most;
}

/* Returns where CODE is counted among the hot codes of partition P, or NULL:
   there is no room. */
static struct hot_code *
find_hot(struct kmer_counter *counter, size_t p, uint64_t code)
{
    struct hot_code *unused = NULL;

    for (size_t w = 0; w < HOT_WAYS; w++) {
        struct hot_code *hot = &counter->hot[p][w];
        if (hot->count == 0)
            unused = hot;
        else if (hot->code == code)
            return hot;
    }
    return unused;
}

/*
 * If a code is frequent in the full list of partition P, count it as a hot one
 * instead: all threads would wait for the lock of its table.  Returns whether
 * the list has room again.
 */
static bool
collapse(struct kmer_counter *counter, size_t p)
{
    uint64_t *list = list_of(counter, p);
    size_t count = counter->listed[p];
    struct hot_code *hot = NULL;
    uint64_t code = 0;
    size_t kept = 0;

    if (sample_list(list, count, &code) >= SAMPLES_HOT)
        hot = find_hot(counter, p, code);
    if (hot == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t own = list[i];
        list[kept] = own;
        kept += own != code;
    }
    hot->code = code;
    hot->count += count - kept;
    counter->listed[p] = (uint16_t)kept;
    return kept <= count / 2;
}

static enum key_result
add_sparse(struct kmer_counter *counter, const uint64_t *code, size_t count)
{
    const struct kmer_counts *counts = counter->counts;
    /* Copies, which no store changes. */
    const struct hash_key key = counts->hash_key;
    const unsigned int shift = 64 - counts->partitions_log;
    const size_t list_codes = counts->list_codes;
    uint64_t *const lists = counter->list;
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < count && result == KEY_OK; i++) {
        size_t p = (size_t)(code_hash(&key, code[i]) >> shift);
        size_t place = counter->listed[p];
        lists[p * list_codes + place] = code[i];
        counter->listed[p] = (uint16_t)(place + 1);
        if (place + 1 == list_codes && !collapse(counter, p))
            result = drain(counter, p);
    }
    return result;
}

/* Whether COUNTER has codes that the table of partition P does not have. */
static bool
has_own(const struct kmer_counter *counter, size_t p)
{
    bool has = counter->listed[p] > 0;

    for (size_t w = 0; w < HOT_WAYS; w++)
        has |= counter->hot[p][w].count > 0;
    return has;
}

static enum key_result
settle_sparse(struct kmer_counter *counter)
{
    enum key_result result = KEY_OK;

    for (size_t p = 0;
         p < kmer_counts_partitions(counter->counts) && result == KEY_OK; p++) {
        if (has_own(counter, p))
            result = drain(counter, p);
    }
    return result;
}

/* ---- sequences ---- */

/* Count the codes of the batch. */
static enum key_result
flush(struct kmer_counter *counter)
{
    enum key_result result = KEY_OK;
    size_t count = counter->used;

    counter->used = 0;
    switch (counter->counts->way) {
    case KMER_SMALL:
        add_small(counter, counter->batch.cell, count);
        break;
    case KMER_WIDE:
        shared_counter_add(counter->shared, 0, counter->batch.cell, count);
        break;
    case KMER_SPARSE:
        safepoint_enter(&counter->counts->safepoint);
        result = add_sparse(counter, counter->batch.code, count);
        safepoint_leave(&counter->counts->safepoint);
        /* Full lists have no room. */
        if (result != KEY_OK) {
            memset(counter->listed, 0, sizeof counter->listed);
            memset(counter->hot, 0, sizeof counter->hot);
        }
        break;
    }
    return result;
}

enum key_result
kmer_counter_add(struct kmer_counter *counter, const unsigned char *base,
                 size_t length)
{
    size_t windows = (size_t)kmer_windows(length, counter->codes.k);
    bool is_sparse = counter->counts->way == KMER_SPARSE;
    enum key_result result = KEY_OK;
    size_t some;

    for (; windows > 0 && result == KEY_OK; windows -= some, base += some) {
        some = BATCH - counter->used;
        some = some < windows ? some : windows;
        size_t whole =
            is_sparse ? kmer_codes_long(&counter->codes, base, some,
                                        counter->batch.code + counter->used)
                      : kmer_codes_short(&counter->codes, base, some,
                                         counter->batch.cell + counter->used);
        counter->broken += some - whole;
        counter->used += whole;
        /* Few windows at a time would cost as much as many. */
        if (counter->used > BATCH - BATCH / 8)
            result = flush(counter);
    }
    return result;
}

/* ---- all threads ---- */

/* Add what COUNTER has in lists to the tables.  The lock is taken. */
static enum key_result
settle(struct kmer_counter *counter)
{
    enum key_result result = flush(counter);

    if (result != KEY_OK)
        return result;
    switch (counter->counts->way) {
    case KMER_SMALL:
        settle_small(counter);
        break;
    case KMER_WIDE: /* shared_counts_settle() does it */
        break;
    case KMER_SPARSE:
        safepoint_enter(&counter->counts->safepoint);
        result = settle_sparse(counter);
        safepoint_leave(&counter->counts->safepoint);
        break;
    }
    counter->counts->broken += counter->broken;
    counter->broken = 0;
    return result;
}

enum key_result
kmer_counter_settle_all(struct kmer_counts *counts, uint64_t *broken)
{
    enum key_result result = KEY_OK;

    pthread_mutex_lock(&counts->lock);
    for (struct kmer_counter *counter = counts->first;
         counter != NULL && result == KEY_OK; counter = counter->next)
        result = settle(counter);
    *broken = counts->broken;
    pthread_mutex_unlock(&counts->lock);
    if (counts->way == KMER_WIDE)
        shared_counts_settle(&counts->table);
    return result;
}

/* SPDX-License-Identifier: MIT */
/* kmer_counter.c -- the k-mers that one thread counts */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/thread.h"
#include "engine/cpu/cells/cell_counts.h"
#include "engine/cpu/kmers/kmer_counter.h"
#include "engine/cpu/kmers/kmer_spill.h"

/* Codes that are made before counting: with the lists, they fit into the
   second-level cache. */
#define BATCH 4096

/* With so many cells, which the second-level cache has no room for, a cell is
   fetched while this many others are counted. */
#define FETCHED_MIN ((uint64_t)2 << 20)
#define AHEAD 128

/* Cells whose counts have wrapped, which a thread keeps. */
#define CARRIES 4096

/* Slices that are settled in the time that starting a thread takes. */
#define PARTS_WORTH_A_THREAD 4

/* Frequent codes of a list. */
#define FREQUENT_WAYS 2

/* Codes of a list that are compared, and how many must be the same. */
#define SAMPLES 8
#define SAMPLES_FREQUENT 3

/* A code that a thread counts alone, because it is frequent in the lists: all
   threads would wait for the lock of its table. */
struct frequent_code {
    struct kmer_code code;
    uint64_t count; /* not in the table yet; 0: an unused place */
};

struct kmer_counter {
    struct thread_link link; /* in the list of COUNTS */
    struct kmer_counts *counts;
    struct kmer_codes codes; /* of COUNTS */
    uint64_t broken;         /* windows */

    /* Codes that are not counted yet: in CELL, unless they are long. */
    size_t used;
    uint32_t cell[BATCH + KMER_CODES_SLACK];
    uint64_t code[(BATCH + KMER_CODES_SLACK) * CODE_WORDS_MAX];

    /* KMER_SMALL: */
    uint8_t *low;
    size_t carries;
    uint32_t carry[CARRIES];

    /* KMER_WIDE; if that was KMER_SPARSE, they are opened later: */
    struct kmer_lists lists;
    uint16_t wrapped[KMER_TABLE_LIST]; /* cells of a slice */
    struct frequent_code frequent_cell[KMER_PARTITIONS_MAX][FREQUENT_WAYS];

    /* KMER_SPARSE: */
    uint64_t *list; /* of each partition */
    size_t list_bytes;
    uint16_t listed[KMER_PARTITIONS_MAX]; /* codes in each list */
    struct frequent_code frequent[KMER_PARTITIONS_MAX][FREQUENT_WAYS];
};

/* Whether the codes of COUNTER are in CELL. */
static inline bool
is_short(const struct kmer_counter *counter)
{
    return counter->codes.k <= KMER_SHORT_MAX;
}

/* ---- opening and closing ---- */

uint64_t
kmer_counter_bytes(unsigned int k, bool has_cells)
{
    return sizeof(struct kmer_counter) +
           (has_cells ? kmer_counts_thread_bytes(k) : 0);
}

/* Open what COUNTS needs.  Returns whether there is memory. */
static bool
open_path(struct kmer_counter *counter)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result = KEY_OK;

    if (kmer_counts_has_cells(counts) && counts->path == KMER_SMALL) {
        counter->low = key_memory_take_zeros(
            &counts->memory, (size_t)kmer_counts_low_cells(counts), &result);
        return counter->low != NULL;
    }
    if (kmer_counts_has_cells(counts))
        return kmer_table_lists_open(&counter->lists, &counts->table) == 0;
    counter->list_bytes = kmer_counts_partitions(counts) * counts->list_codes *
                          counts->words * sizeof *counter->list;
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
    if (!open_path(counter)) {
        free(counter);
        return NULL;
    }
    thread_list_add(&counts->counters, &counter->link);
    return counter;
}

void
kmer_counter_close(struct kmer_counter *counter)
{
    struct kmer_counts *counts = counter->counts;

    thread_list_remove(&counts->counters, &counter->link);
    pthread_mutex_lock(&counts->counters.lock);
    counts->broken += counter->broken;
    pthread_mutex_unlock(&counts->counters.lock);
    kmer_table_lists_close(&counter->lists);
    if (counter->list != NULL)
        pages_give(counter->list, counter->list_bytes);
    if (counter->low != NULL)
        key_memory_give(&counts->memory, counter->low,
                        (size_t)kmer_counts_low_cells(counts));
    free(counter);
}

/* ---- frequent codes ---- */

/*
 * Returns where CODE is counted among the FREQUENT_WAYS codes at FREQUENT, or
 * an unused one, or NULL: there is no room.
 */
static struct frequent_code *
find_frequent_place(struct frequent_code *place, struct kmer_code code)
{
    struct frequent_code *unused = NULL;

    for (size_t w = 0; w < FREQUENT_WAYS; w++) {
        if (place[w].count == 0)
            unused = &place[w];
        else if (code_is_same(place[w].code, code))
            return &place[w];
    }
    return unused;
}

/*
 * Returns which one of the codes with the low words SAMPLE is frequent, or
 * SAMPLES: none.
 */
static size_t
frequent_of(const uint64_t sample[SAMPLES])
{
    size_t found = SAMPLES;
    unsigned int most = SAMPLES_FREQUENT - 1;

    for (size_t s = 0; s < SAMPLES; s++) {
        unsigned int same = 0;
        for (size_t t = 0; t < SAMPLES; t++)
            same += sample[t] == sample[s];
        if (same > most) {
            most = same;
            found = s;
        }
    }
    return found;
}

/*
 * Whether a code is frequent among the COUNT codes of LIST: sets *CODE to it.
 * The codes of a list have 16 bits, or WORDS words.
 */
static bool
has_frequent(const uint64_t *list, size_t count, unsigned int words,
             struct kmer_code *code)
{
    uint64_t sample[SAMPLES];

    for (size_t s = 0; s < SAMPLES; s++)
        sample[s] = list[(s * count / SAMPLES + 1) * words - 1];
    size_t found = frequent_of(sample);
    if (found == SAMPLES)
        return false;
    *code = code_read(list + found * count / SAMPLES * words, words);
    return true;
}

static bool
has_frequent_short(const uint16_t *list, size_t count, uint64_t *code)
{
    uint64_t sample[SAMPLES];

    for (size_t s = 0; s < SAMPLES; s++)
        sample[s] = list[s * count / SAMPLES];
    size_t found = frequent_of(sample);
    if (found < SAMPLES)
        *code = sample[found];
    return found < SAMPLES;
}

/* Remove CODE from the COUNT codes of LIST.  Returns how many are left. */
static size_t
remove_code(uint64_t *list, size_t count, unsigned int words,
            struct kmer_code code)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        struct kmer_code own = code_read(list + i * words, words);
        code_write(list + kept * words, own, words);
        kept += !code_is_same(own, code);
    }
    return kept;
}

static size_t
remove_code_short(uint16_t *list, size_t count, uint64_t code)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        uint16_t own = list[i];
        list[kept] = own;
        kept += own != code;
    }
    return kept;
}

/* ---- room ---- */

/*
 * The partitions have no room: open the wide table, or write all of them.
 * Returns KEY_OK once there is room, or might be, since another thread was
 * alone before.  The thread is inside the safepoint, and holds no lock.
 */
static enum key_result
make_room(struct kmer_counts *counts)
{
    enum key_result result = KEY_OK;

    if (!safepoint_stop(&counts->safepoint))
        return KEY_OK;
    if (!kmer_counts_widen(counts)) {
        /* Without codes, the table of a few does not fit. */
        if (!kmer_counts_have_codes(counts))
            result = KEY_LIMIT;
        else if (counts->failure.status != EXIT_DONE)
            result = KEY_FAILED;
        else
            result = kmer_spill_all(counts);
    }
    safepoint_resume(&counts->safepoint);
    return result;
}

/* Add COUNT to the count of CODE in its partition.  The thread is inside the
   safepoint. */
static enum key_result
add_code(struct kmer_counts *counts, struct kmer_code code, uint64_t count)
{
    size_t p = kmer_counts_partition_of(counts, code);
    struct kmer_partition *partition = &counts->partition[p];
    enum key_result result;

    do {
        safepoint_pass(&counts->safepoint);
        pthread_mutex_lock(&partition->lock);
        while ((result = code_table_count(&partition->table, &counts->hash_key,
                                          code, count)) == KEY_LIMIT &&
               (result = kmer_spill_partition(counts, p)) == KEY_OK)
            ;
        pthread_mutex_unlock(&partition->lock);
    } while (result == KEY_LIMIT && (result = make_room(counts)) == KEY_OK);
    return result;
}

/*
 * Add WEIGHT to the counts outside of the wide table, in the cells or the
 * partitions, of COUNT codes with these DISTANCES in SLICE.  The thread is
 * outside of the safepoint, and holds no lock.
 */
static enum key_result
add_outside(struct kmer_counts *counts, size_t slice, const uint16_t *distance,
            size_t count, uint64_t weight)
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
        result = add_code(counts, code_of(first + distance[i]), weight);
    safepoint_leave(&counts->safepoint);
    return result;
}

/* ---- small tables ---- */

/* Add the carries to the histogram. */
static void
add_carries(struct kmer_counter *counter)
{
    struct kmer_counts *counts = counter->counts;
    uint64_t *value = counts->cells.value;

    pthread_mutex_lock(&counts->cells_lock);
    for (size_t i = 0; i < counter->carries; i++)
        value[kmer_counts_cell(counts, counter->carry[i])] += KMER_TABLE_CARRY;
    pthread_mutex_unlock(&counts->cells_lock);
    counter->carries = 0;
}

/* Count CELL. */
static inline void
add_one(struct kmer_counter *counter, uint8_t *low, uint32_t cell)
{
    if (++low[cell] != 0)
        return;
    counter->carry[counter->carries++] = cell;
    if (counter->carries == CARRIES)
        add_carries(counter);
}

static void
add_small(struct kmer_counter *counter, const uint32_t *cell, size_t count)
{
    uint8_t *low = counter->low;
    size_t i = 0;

    if (kmer_counts_low_cells(counter->counts) >= FETCHED_MIN) {
        for (; i + AHEAD < count; i++) {
            __builtin_prefetch(low + cell[i + AHEAD], 1);
            add_one(counter, low, cell[i]);
        }
    }
    for (; i < count; i++)
        add_one(counter, low, cell[i]);
}

/* ---- sparse tables ---- */

static inline uint64_t *
list_of(const struct kmer_counter *counter, size_t p)
{
    const struct kmer_counts *counts = counter->counts;

    return counter->list + p * counts->list_codes * counts->words;
}

/* Add the frequent codes of partition P to its table, which is locked.  After a
   failure, the codes that are not added are still frequent. */
static enum key_result
add_frequent(struct kmer_counter *counter, size_t p)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result = KEY_OK;

    for (size_t w = 0; w < FREQUENT_WAYS && result == KEY_OK; w++) {
        struct frequent_code *place = &counter->frequent[p][w];
        if (place->count == 0)
            continue;
        result = code_table_count(&counts->partition[p].table,
                                  &counts->hash_key, place->code, place->count);
        if (result == KEY_OK)
            place->count = 0;
    }
    return result;
}

/* Add the frequent codes and the list of partition P to its table, which is
   locked.  After KEY_LIMIT, codes that are not added stay in place. */
static enum key_result
add_list(struct kmer_counter *counter, size_t p)
{
    struct kmer_counts *counts = counter->counts;
    uint64_t *list = list_of(counter, p);
    size_t added = 0;
    enum key_result result = add_frequent(counter, p);

    if (result == KEY_OK)
        result = code_table_add(&counts->partition[p].table, &counts->hash_key,
                                list, counter->listed[p], &added);
    counter->listed[p] = (uint16_t)(counter->listed[p] - added);
    memmove(list, list + added * counts->words,
            counter->listed[p] * counts->words * sizeof *list);
    return result;
}

/* As add_list(), and if the table is full, write it to make room. */
static enum key_result
add_or_spill(struct kmer_counter *counter, size_t p)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result;

    pthread_mutex_lock(&counts->partition[p].lock);
    while ((result = add_list(counter, p)) == KEY_LIMIT &&
           (result = kmer_spill_partition(counts, p)) == KEY_OK)
        ;
    pthread_mutex_unlock(&counts->partition[p].lock);
    return result;
}

/* Add the list of partition P, and make room if there is none. */
static enum key_result
drain(struct kmer_counter *counter, size_t p)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result;

    safepoint_pass(&counts->safepoint);
    while ((result = add_or_spill(counter, p)) == KEY_LIMIT) {
        result = make_room(counts);
        if (result != KEY_OK)
            break;
    }
    return result;
}

/*
 * If a code is frequent in the full list of partition P, count it as a frequent
 * one instead.  Returns whether the list has room again.
 */
static bool
collapse(struct kmer_counter *counter, size_t p)
{
    const unsigned int words = counter->counts->words;
    uint64_t *list = list_of(counter, p);
    size_t count = counter->listed[p];
    struct frequent_code *place = NULL;
    struct kmer_code code;

    if (has_frequent(list, count, words, &code))
        place = find_frequent_place(counter->frequent[p], code);
    if (place == NULL)
        return false;
    size_t kept = remove_code(list, count, words, code);
    place->code = code;
    place->count += count - kept;
    counter->listed[p] = (uint16_t)kept;
    return kept <= count / 2;
}

/* Append COUNT codes to the lists. */
FOR_WORDS enum key_result
append_codes(struct kmer_counter *counter, const uint64_t *code, size_t count,
             const unsigned int words)
{
    const struct kmer_counts *counts = counter->counts;
    /* Copies, which no store changes. */
    const struct hash_key key = counts->hash_key;
    const unsigned int shift = 64 - counts->partitions_log;
    const size_t list_codes = counts->list_codes;
    uint64_t *const lists = counter->list;
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < count && result == KEY_OK; i++) {
        struct kmer_code own = code_read(code + i * words, words);
        size_t p = (size_t)(code_hash(&key, own, words) >> shift);
        size_t place = counter->listed[p];
        code_write(lists + (p * list_codes + place) * words, own, words);
        counter->listed[p] = (uint16_t)(place + 1);
        if (place + 1 == list_codes && !collapse(counter, p))
            result = drain(counter, p);
    }
    return result;
}

static enum key_result
add_sparse(struct kmer_counter *counter, const uint64_t *code, size_t count)
{
    return counter->counts->words == 1 ? append_codes(counter, code, count, 1)
                                       : append_codes(counter, code, count, 2);
}

/* Whether COUNTER has codes that the table of partition P does not have. */
static bool
has_own(const struct kmer_counter *counter, size_t p)
{
    bool has = counter->listed[p] > 0;

    for (size_t w = 0; w < FREQUENT_WAYS; w++)
        has |= counter->frequent[p][w].count > 0;
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

/* ---- wide tables ---- */

/* Add the frequent codes at PLACE of some slices to the counts outside of the
   table. */
static enum key_result
add_frequent_cells(struct kmer_counter *counter, struct frequent_code *place)
{
    enum key_result result = KEY_OK;

    for (size_t w = 0; w < FREQUENT_WAYS && result == KEY_OK; w++) {
        uint64_t code = place[w].code.low;
        uint16_t distance = (uint16_t)code;
        result =
            add_outside(counter->counts, (size_t)(code >> KMER_TABLE_SHIFT),
                        &distance, place[w].count > 0, place[w].count);
        place[w].count = 0;
    }
    return result;
}

/* Count CODE, which occurs COUNT times, as a frequent one. */
static enum key_result
add_frequent_cell(struct kmer_counter *counter, uint64_t code, uint64_t count)
{
    size_t slice = (size_t)(code >> KMER_TABLE_SHIFT);
    struct frequent_code *ways =
        counter->frequent_cell[slice % KMER_PARTITIONS_MAX];
    struct frequent_code *place = find_frequent_place(ways, code_of(code));
    enum key_result result = KEY_OK;

    if (place == NULL) {
        result = add_frequent_cells(counter, ways);
        place = &ways[0];
    }
    place->code = code_of(code);
    place->count += count;
    return result;
}

/* As collapse(), of the full list of SLICE. */
static bool
collapse_cells(struct kmer_counter *counter, size_t slice,
               enum key_result *result)
{
    size_t count = counter->lists.count[slice];
    uint16_t *list =
        counter->lists.code + slice * counter->counts->table.stride;
    uint64_t code = 0;

    if (!has_frequent_short(list, count, &code))
        return false;
    size_t kept = remove_code_short(list, count, code);
    counter->lists.count[slice] = (uint16_t)kept;
    *result = add_frequent_cell(
        counter, (uint64_t)slice << KMER_TABLE_SHIFT | code, count - kept);
    return kept <= count / 2;
}

/* The list of SLICE is full: make room in it. */
static enum key_result
drain_cells(struct kmer_counter *counter, size_t slice)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result = KEY_OK;

    if (collapse_cells(counter, slice, &result) || result != KEY_OK)
        return result;
    size_t wrapped = kmer_table_add(&counts->table, slice, &counter->lists,
                                    counter->wrapped);
    return add_outside(counts, slice, counter->wrapped, wrapped,
                       KMER_TABLE_CARRY);
}

/* Append COUNT codes to the lists. */
static inline enum key_result
append_cells(struct kmer_counter *counter, const uint32_t *cell, size_t count)
{
    /* Copies, which no store changes. */
    const size_t own_codes = counter->counts->table.own_codes;
    const size_t stride = counter->counts->table.stride;
    uint16_t *const code = counter->lists.code;
    uint16_t *const listed = counter->lists.count;
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < count && result == KEY_OK; i++) {
        size_t slice = cell[i] >> KMER_TABLE_SHIFT;
        size_t place = listed[slice];
        code[slice * stride + place] = (uint16_t)cell[i];
        listed[slice] = (uint16_t)(place + 1);
        if (place + 1 == own_codes)
            result = drain_cells(counter, slice);
    }
    return result;
}

static enum key_result
add_wide(struct kmer_counter *counter, const uint32_t *cell, size_t count)
{
    enum key_result result = KEY_OK;
    size_t i = 0;

    for (; i + CELL_RUN <= count && result == KEY_OK; i += CELL_RUN)
        result = cell_run_is(cell + i)
                     ? add_frequent_cell(counter, cell[i], CELL_RUN)
                     : append_cells(counter, cell + i, CELL_RUN);
    return result == KEY_OK ? append_cells(counter, cell + i, count - i)
                            : result;
}

/* ---- sequences ---- */

/* Count COUNT codes of the batch in the partitions; or, if they are not in use
   any more, in the wide table. */
static enum key_result
flush_sparse(struct kmer_counter *counter, size_t count)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result = KEY_OK;

    safepoint_enter(&counts->safepoint);
    bool is_wide = counts->path == KMER_WIDE;
    if (is_wide) {
        result = settle_sparse(counter);
        if (result == KEY_OK &&
            kmer_table_lists_open(&counter->lists, &counts->table) < 0)
            result = KEY_NO_MEMORY;
    } else {
        for (size_t i = 0; is_short(counter) && i < count; i++)
            counter->code[i] = counter->cell[i];
        result = add_sparse(counter, counter->code, count);
    }
    safepoint_leave(&counts->safepoint);
    return is_wide && result == KEY_OK ? add_wide(counter, counter->cell, count)
                                       : result;
}

/* Count COUNT codes at CELL in the cells.  COUNTER has a table or lists. */
static enum key_result
add_cells(struct kmer_counter *counter, const uint32_t *cell, size_t count)
{
    if (counter->low == NULL)
        return add_wide(counter, cell, count);
    add_small(counter, cell, count);
    return KEY_OK;
}

/*
 * Keep the codes of the batch, COUNT of them, in the list of the few.  Returns
 * false if they are over: what they had is counted.
 */
static bool
add_few(struct kmer_counter *counter, size_t count, enum key_result *result)
{
    struct kmer_few *few = &counter->counts->few;
    size_t kept;
    size_t room;

    if (kmer_few_add(few, counter->cell, count))
        return true;
    uint32_t *code = kmer_few_take(few, &kept, &room);
    *result = add_cells(counter, code, kept);
    kmer_few_give(few, code, room);
    return false;
}

/* Count the codes of the batch. */
static enum key_result
flush(struct kmer_counter *counter)
{
    enum key_result result = KEY_OK;
    size_t count = counter->used;

    counter->used = 0;
    if (kmer_few_is_all(&counter->counts->few) &&
        add_few(counter, count, &result))
        return KEY_OK;
    if (result == KEY_OK && (counter->low != NULL || counter->lists.bytes > 0))
        result = add_cells(counter, counter->cell, count);
    else if (result == KEY_OK)
        result = flush_sparse(counter, count);
    /* Full lists have no room. */
    if (result != KEY_OK) {
        memset(counter->listed, 0, sizeof counter->listed);
        memset(counter->frequent, 0, sizeof counter->frequent);
        kmer_table_lists_close(&counter->lists);
    }
    return result;
}

/* Append the codes of WINDOWS windows from BASE on to the batch.  Returns how
   many there are. */
static size_t
write_codes(struct kmer_counter *counter, const unsigned char *base,
            size_t windows)
{
    const struct kmer_codes *codes = &counter->codes;
    uint64_t *code = counter->code + counter->used * counter->counts->words;

    if (is_short(counter))
        return kmer_codes_short(codes, base, windows,
                                counter->cell + counter->used);
    return counter->counts->words == 1
               ? kmer_codes_long(codes, base, windows, code)
               : kmer_codes_pair(codes, base, windows, code);
}

enum key_result
kmer_counter_add(struct kmer_counter *counter, const unsigned char *base,
                 size_t length)
{
    size_t windows = (size_t)kmer_windows(length, counter->codes.k);
    enum key_result result = KEY_OK;
    size_t some;

    for (; windows > 0 && result == KEY_OK; windows -= some, base += some) {
        some = BATCH - counter->used;
        some = some < windows ? some : windows;
        size_t whole = write_codes(counter, base, some);
        counter->broken += some - whole;
        counter->used += whole;
        /* Few windows at a time would cost as much as many. */
        if (counter->used > BATCH - BATCH / 8)
            result = flush(counter);
    }
    return result;
}

/* ---- all threads ---- */

/* Add the batch and the lists of COUNTER, except the lists of slices, to the
   tables. */
static enum key_result
settle(struct kmer_counter *counter)
{
    struct kmer_counts *counts = counter->counts;
    enum key_result result = flush(counter);

    if (result == KEY_OK && counter->list != NULL) {
        safepoint_enter(&counts->safepoint);
        result = settle_sparse(counter);
        safepoint_leave(&counts->safepoint);
    }
    for (size_t h = 0; h < KMER_PARTITIONS_MAX && result == KEY_OK; h++)
        result = add_frequent_cells(counter, counter->frequent_cell[h]);
    counts->broken += counter->broken;
    counter->broken = 0;
    return result;
}

/* Slices, or all cells, for threads to settle one by one. */
struct settling {
    struct kmer_counts *counts;
    size_t parts;
    atomic_size_t taken;
    atomic_int result; /* of a part that failed */
};

/* The first and the last TILE_BASES of a code are the row and the column in a
   tile, which the bases between them choose. */
#define TILE_BASES 3
#define TILE_SIDE (1u << 2 * TILE_BASES)

/* Move the counts of the TILE_SIDE folded codes from FIRST on of all threads to
   SUM.  Returns whether there are any. */
static bool
take_row(struct kmer_counts *counts, size_t first, uint32_t sum[TILE_SIDE])
{
    uint64_t all[TILE_SIDE / sizeof(uint64_t)];
    bool has_any = false;

    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next) {
        uint8_t *low = ((struct kmer_counter *)at)->low + first;
        uint64_t found = 0;
        memcpy(all, low, sizeof all);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            found |= all[i];
        if (found == 0)
            continue;
        if (!has_any)
            memset(sum, 0, TILE_SIDE * sizeof *sum);
        has_any = true;
        for (size_t i = 0; i < TILE_SIDE; i++)
            sum[i] += low[i];
        memset(low, 0, TILE_SIDE);
    }
    return has_any;
}

/* Add the counts SUM to the TILE_SIDE cells at VALUE. */
static void
add_row(uint64_t *value, const uint32_t sum[TILE_SIDE])
{
    for (size_t i = 0; i < TILE_SIDE; i++)
        value[i] += sum[i];
}

/*
 * Settle tile T of folded codes.  Half of the canonical codes are in the tile
 * of the reverse complements.  Its rows are far apart in memory, so they are
 * collected first.
 */
static void
settle_tile(struct kmer_counts *counts, uint32_t t)
{
    const unsigned int k = counts->codes.k;
    const unsigned int shift = 2 * (k - TILE_BASES);
    const unsigned int between = 2 * TILE_BASES;
    const uint32_t own = kmer_code_unfolded(t << between, k);
    const uint32_t other = kmer_code_reverse(own >> between, k - 2 * TILE_BASES)
                           << between;
    uint64_t *value = counts->cells.value;
    uint32_t reverse[TILE_SIDE][TILE_SIDE] = {{0}};
    bool has_any = false;

    for (uint32_t row = 0; row < TILE_SIDE; row++) {
        const uint32_t column_of = kmer_code_reverse(row, TILE_BASES);
        uint32_t sum[TILE_SIDE];
        if (!take_row(counts, row << (shift - 1) | t << between, sum))
            continue;
        has_any = true;
        /* Without branches, which would be mispredicted. */
        for (uint32_t column = 0; column < TILE_SIDE; column++) {
            uint32_t code = row << shift | own | column;
            uint32_t row_of = kmer_code_reverse(column, TILE_BASES);
            bool is_other = (row_of << shift | other | column_of) < code;
            reverse[row_of][column_of] = is_other ? sum[column] : 0;
            sum[column] = is_other ? 0 : sum[column];
        }
        add_row(value + (row << shift | own), sum);
    }
    for (uint32_t row = 0; row < TILE_SIDE && has_any; row++)
        add_row(value + (row << shift | other), reverse[row]);
}

/* Settle part P of PARTS of the tables of all threads. */
static void
settle_small(struct kmer_counts *counts, size_t p, size_t parts)
{
    size_t cells = (size_t)kmer_counts_cells(counts) / parts;
    uint64_t *value = counts->cells.value + p * cells;
    uint32_t tiles = (uint32_t)(cells / 2 / (TILE_SIDE * TILE_SIDE));

    if (counts->codes.is_folded) {
        for (uint32_t t = 0; t < tiles; t++)
            settle_tile(counts, (uint32_t)p * tiles + t);
        return;
    }
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next)
        cell_counts_raise(((struct kmer_counter *)at)->low + p * cells, cells,
                          value);
}

/* Settle the lists of SLICE of all threads. */
static enum key_result
settle_slice(struct kmer_counts *counts, size_t slice, uint16_t *wrapped)
{
    struct kmer_table *table = &counts->table;
    enum key_result result = KEY_OK;

    for (struct thread_link *at = counts->counters.first;
         at != NULL && result == KEY_OK; at = at->next) {
        struct kmer_counter *counter = (struct kmer_counter *)at;
        if (counter->lists.bytes == 0 || counter->lists.count[slice] == 0)
            continue;
        size_t count = kmer_table_add(table, slice, &counter->lists, wrapped);
        result = add_outside(counts, slice, wrapped, count, KMER_TABLE_CARRY);
    }
    if (result != KEY_OK)
        return result;
    size_t count = kmer_table_settle(table, slice, wrapped);
    return add_outside(counts, slice, wrapped, count, KMER_TABLE_CARRY);
}

static void
settle_some(void *task, unsigned int member)
{
    struct settling *settling = task;
    struct kmer_counts *counts = settling->counts;
    uint16_t wrapped[KMER_TABLE_LIST];
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&settling->taken, 1)) < settling->parts) {
        enum key_result result = KEY_OK;
        if (counts->path == KMER_WIDE)
            result = settle_slice(counts, p, wrapped);
        else
            settle_small(counts, p, settling->parts);
        if (result != KEY_OK)
            atomic_store(&settling->result, result);
    }
}

/* Settle all cells, with as many threads as are useful. */
static enum key_result
settle_cells(struct kmer_counts *counts)
{
    struct settling settling = {.counts = counts, .result = KEY_OK};

    if (counts->path == KMER_SPARSE)
        return KEY_OK;
    settling.parts = (size_t)(kmer_counts_cells(counts) >> KMER_TABLE_SHIFT);
    settling.parts = settling.parts > 1 ? settling.parts : 1;
    size_t members = settling.parts / PARTS_WORTH_A_THREAD + 1;
    members = members < counts->threads ? members : counts->threads;
    members = members < CREW_MAX ? members : CREW_MAX;
    crew_run((unsigned int)members, settle_some, &settling);
    return (enum key_result)atomic_load(&settling.result);
}

enum key_result
kmer_counter_settle_all(struct kmer_counts *counts, uint64_t *broken)
{
    enum key_result result = KEY_OK;

    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first;
         at != NULL && result == KEY_OK; at = at->next) {
        struct kmer_counter *counter = (struct kmer_counter *)at;
        result = settle(counter);
        if (result == KEY_OK && counter->carries > 0)
            add_carries(counter);
    }
    if (result == KEY_OK && !kmer_few_is_all(&counts->few))
        result = settle_cells(counts);
    *broken = counts->broken;
    pthread_mutex_unlock(&counts->counters.lock);
    return result;
}

void
kmer_counter_restart_all(struct kmer_counts *counts)
{
    for (struct thread_link *at = counts->counters.first;
         at != NULL && !kmer_counts_has_cells(counts); at = at->next)
        kmer_table_lists_close(&((struct kmer_counter *)at)->lists);
    kmer_counts_restart(counts);
}

void
kmer_counter_add_table(struct kmer_counts *counts, uint64_t *count,
                       uint64_t broken)
{
    const struct histogram table = {
        .value = count, .cells = kmer_counts_cells(counts), .planes = 1};

    assert(kmer_counts_has_cells(counts));
    if (kmer_few_is_all(&counts->few)) {
        size_t kept;
        size_t room;
        uint32_t *code = kmer_few_take(&counts->few, &kept, &room);
        for (size_t i = 0; i < kept; i++)
            counts->cells.value[kmer_counts_cell(counts, code[i])]++;
        kmer_few_give(&counts->few, code, room);
    }
    counts->broken += broken;
    histogram_add(&counts->cells, &table);
}

/* SPDX-License-Identifier: MIT */
/* shared_counts.c -- the counts of a wide table, which CPU threads share */

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/thread.h"
#include "engine/cpu/cells/cell_counts.h"
#include "engine/cpu/cells/shared_counts.h"

/* A list holds cells as 16-bit distances from the start of the slice. */
#define SHIFT_MIN 6
#define SHIFT_MAX 16

/*
 * At least 2^7 slices.  With more of them, more cache lines are written in
 * turn; with fewer, threads often meet at a slice.
 */
#define SLICES_LOG 7

/* A list that is this part of its slice adds 8 records to a cache line. */
#define CELLS_PER_LISTED 8
#define LIST_CELLS_MIN 8

/* A cache line between two lists. */
#define STAGGER (64 / sizeof(uint16_t))

/* Most records are in few slices or in many. */
#define REPLICAS 4

/* How often a slice is locked by others until a replica moves to it. */
#define CREDIT 8

/* Cells whose counts have wrapped, which a replica keeps. */
#define CARRIES 1024
#define CARRY 256

/* For fewer cells, starting a thread takes longer than it saves. */
#define CELLS_WORTH_A_THREAD ((uint64_t)1 << 21)

/* Multiplied by 16 bits: these four times. */
#define REPEAT UINT64_C(0x0001000100010001)

/* 2^32 divided by the golden ratio: its multiples lie far apart. */
#define GOLDEN 0x9e3779b9u

/* A thread's own counts of one slice. */
struct replica {
    size_t slice;        /* or SIZE_MAX: none */
    unsigned int credit; /* until another slice takes it */
    size_t carries;
    uint16_t carry[CARRIES]; /* cells, whose counts lack CARRY each */
    uint8_t *low;            /* 0 unless it has a slice */
};

struct shared_counter {
    struct thread_link link; /* in the list of COUNTS */
    _Alignas(64) struct shared_counts *counts;
    struct shared_layout layout; /* of COUNTS */
    size_t start;                /* the slice to settle first */
    void *pages;                 /* that no other thread writes to */
    size_t bytes;
    uint16_t *list; /* list s: from s * stride on */
    uint16_t *used; /* cells in each list */
    struct replica replica[REPLICAS];
};

/* ---- memory ---- */

static size_t
slice_cells(const struct shared_layout *layout)
{
    return (size_t)1 << layout->shift;
}

/* The pages of a counter: its replicas' counts, its lists, and how long they
   are. */
static size_t
pages_bytes(const struct shared_layout *layout)
{
    return layout->replicas * slice_cells(layout) +
           layout->slices * (layout->stride + 1) * sizeof(uint16_t);
}

static uint64_t
layout_bytes(const struct shared_layout *layout, unsigned int threads)
{
    uint64_t low = layout->has_low ? layout->slices << layout->shift : 0;
    uint64_t each = sizeof(struct shared_counter) + pages_bytes(layout);

    return low + layout->slices * sizeof(struct shared_slice) + threads * each;
}

/*
 * Lists fill at about the same rate, and addresses whose distance is a power of
 * two compete for the same places in a cache.
 */
static void
set_list_cells(struct shared_layout *layout, size_t list_cells)
{
    layout->list_cells = list_cells;
    layout->stride =
        list_cells < 16 * STAGGER ? list_cells : list_cells + STAGGER;
}

static struct shared_layout
make_layout(uint64_t cells, unsigned int threads, uint64_t limit)
{
    struct shared_layout layout = {
        .shift = SHIFT_MIN, .has_low = true, .replicas = REPLICAS};

    while (layout.shift < SHIFT_MAX &&
           cells >> layout.shift >= (uint64_t)2 << SLICES_LOG)
        layout.shift++;
    layout.slices =
        (size_t)((cells + slice_cells(&layout) - 1) >> layout.shift);
    /* All shrinks in the order in which it can be missed. */
    set_list_cells(&layout, slice_cells(&layout) / CELLS_PER_LISTED);
    while (layout_bytes(&layout, threads) > limit &&
           layout.list_cells > LIST_CELLS_MIN)
        set_list_cells(&layout, layout.list_cells / 2);
    while (layout_bytes(&layout, threads) > limit && layout.replicas > 0)
        layout.replicas--;
    layout.has_low = layout_bytes(&layout, threads) <= limit;
    return layout;
}

uint64_t
shared_counts_bytes(uint64_t cells, unsigned int threads, uint64_t limit)
{
    struct shared_layout layout = make_layout(cells, threads, limit);

    return layout_bytes(&layout, threads);
}

int
shared_counts_open(struct shared_counts *counts, uint64_t cells,
                   unsigned int threads, uint64_t limit)
{
    *counts = (struct shared_counts){
        .layout = make_layout(cells, threads, limit), .threads = threads};
    size_t slices = counts->layout.slices;
    thread_list_open(&counts->counters);
    counts->slice = aligned_alloc(_Alignof(struct shared_slice),
                                  slices * sizeof *counts->slice);
    for (size_t s = 0; counts->slice != NULL && s < slices; s++)
        pthread_mutex_init(&counts->slice[s].lock, NULL);
    if (counts->layout.has_low)
        counts->low = calloc(slices, slice_cells(&counts->layout));
    if (histogram_open(&counts->histogram, cells, 1) < 0 ||
        counts->slice == NULL ||
        (counts->layout.has_low && counts->low == NULL))
        return -1;
    return 0;
}

int
shared_counts_restart(struct shared_counts *counts)
{
    return histogram_open(&counts->histogram, counts->histogram.cells, 1);
}

void
shared_counts_close(struct shared_counts *counts)
{
    for (size_t s = 0; counts->slice != NULL && s < counts->layout.slices; s++)
        pthread_mutex_destroy(&counts->slice[s].lock);
    thread_list_close(&counts->counters);
    free(counts->slice);
    free(counts->low);
    histogram_close(&counts->histogram);
}

struct shared_counter *
shared_counter_new(struct shared_counts *counts)
{
    const struct shared_layout *layout = &counts->layout;
    /* Not in a cache line that another thread writes to. */
    struct shared_counter *counter =
        aligned_alloc(_Alignof(struct shared_counter), sizeof *counter);

    if (counter == NULL)
        return NULL;
    *counter = (struct shared_counter){.counts = counts, .layout = *layout};
    counter->bytes = pages_bytes(layout);
    unsigned char *pages = mmap(NULL, counter->bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        free(counter);
        return NULL;
    }
    counter->pages = pages;
    for (size_t r = 0; r < layout->replicas; r++) {
        counter->replica[r].slice = SIZE_MAX;
        counter->replica[r].low = pages;
        pages += slice_cells(layout);
    }
    counter->list = (uint16_t *)(void *)pages;
    counter->used = counter->list + layout->slices * layout->stride;

    pthread_mutex_lock(&counts->counters.lock);
    /* Threads that settle at the same time should not meet. */
    uint32_t turn = (uint32_t)counts->opened++ * GOLDEN;
    counter->start = (size_t)((uint64_t)turn * layout->slices >> 32);
    pthread_mutex_unlock(&counts->counters.lock);
    thread_list_add(&counts->counters, &counter->link);
    return counter;
}

void
shared_counter_close(struct shared_counter *counter)
{
    struct shared_counts *counts = counter->counts;

    thread_list_remove(&counts->counters, &counter->link);
    munmap(counter->pages, counter->bytes);
    free(counter);
}

/* ---- lists and slices ---- */

/* The counts of SLICE in the histogram. */
static uint64_t *
value_of(const struct shared_counts *counts, size_t slice)
{
    return counts->histogram.value + (slice << counts->layout.shift);
}

/* Whether CELL_RUN cells of a list are the same. */
static inline bool
is_run(const uint16_t *list)
{
    uint64_t half[2];

    memcpy(half, list, sizeof half);
    return half[0] == half[1] && half[0] == list[0] * REPEAT;
}

/*
 * Add the COUNT cells of LIST to LOW.  Returns how many counts wrapped; their
 * cells replace the first ones of LIST.
 */
static size_t
add_low(uint16_t *list, size_t count, uint8_t *low)
{
    size_t carries = 0;
    size_t i = 0;

    for (; i + CELL_RUN <= count; i += CELL_RUN) {
        if (is_run(list + i)) {
            uint16_t cell = list[i];
            low[cell] = (uint8_t)(low[cell] + CELL_RUN);
            if (low[cell] < CELL_RUN)
                list[carries++] = cell;
            continue;
        }
        for (size_t n = 0; n < CELL_RUN; n++) {
            uint16_t cell = list[i + n];
            if (++low[cell] == 0)
                list[carries++] = cell;
        }
    }
    for (; i < count; i++) {
        uint16_t cell = list[i];
        if (++low[cell] == 0)
            list[carries++] = cell;
    }
    return carries;
}

/* Add WEIGHT to the counts of the COUNT cells of LIST. */
static void
add_value(const uint16_t *list, size_t count, uint64_t weight, uint64_t *value)
{
    for (size_t i = 0; i < count; i++)
        value[list[i]] += weight;
}

/* Add a list to the table.  SLICE is locked. */
static void
add_to_slice(const struct shared_counts *counts, size_t slice, uint16_t *list,
             size_t count)
{
    uint64_t *value = value_of(counts, slice);

    if (counts->low == NULL) {
        add_value(list, count, 1, value);
        return;
    }
    uint8_t *low = counts->low + (slice << counts->layout.shift);
    size_t carries = add_low(list, count, low);
    add_value(list, carries, CARRY, value);
}

/* Add a replica's carries to the histogram.  Its slice is locked. */
static void
add_carries(const struct shared_counts *counts, struct replica *replica)
{
    add_value(replica->carry, replica->carries, CARRY,
              value_of(counts, replica->slice));
    replica->carries = 0;
}

/* Add a list to REPLICA. */
static void
add_to_replica(const struct shared_counts *counts, struct replica *replica,
               uint16_t *list, size_t count)
{
    size_t carries = add_low(list, count, replica->low);

    for (size_t i = 0; i < carries; i++) {
        if (replica->carries == CARRIES) {
            pthread_mutex_lock(&counts->slice[replica->slice].lock);
            add_carries(counts, replica);
            pthread_mutex_unlock(&counts->slice[replica->slice].lock);
        }
        replica->carry[replica->carries++] = list[i];
    }
}

/* Add REPLICA to the table.  It has no slice afterwards. */
static void
add_replica(const struct shared_counts *counts, struct replica *replica)
{
    size_t cells = slice_cells(&counts->layout);
    uint8_t *low = counts->low + (replica->slice << counts->layout.shift);
    uint64_t *value = value_of(counts, replica->slice);

    pthread_mutex_lock(&counts->slice[replica->slice].lock);
    for (size_t c = 0; c < cells; c++) {
        low[c] = (uint8_t)(low[c] + replica->low[c]);
        if (low[c] < replica->low[c])
            value[c] += CARRY;
    }
    add_carries(counts, replica);
    pthread_mutex_unlock(&counts->slice[replica->slice].lock);
    memset(replica->low, 0, cells);
    replica->slice = SIZE_MAX;
}

/* Returns the replica of SLICE, or NULL. */
static struct replica *
find_replica(struct shared_counter *counter, size_t slice)
{
    for (size_t r = 0; r < counter->layout.replicas; r++) {
        if (counter->replica[r].slice == slice)
            return &counter->replica[r];
    }
    return NULL;
}

/* Returns a replica for SLICE, which has none, or NULL: not now. */
static struct replica *
take_replica(struct shared_counter *counter, size_t slice)
{
    struct replica *replica = find_replica(counter, SIZE_MAX);

    for (size_t r = 0; replica == NULL && r < counter->layout.replicas; r++) {
        if (--counter->replica[r].credit > 0)
            continue;
        add_replica(counter->counts, &counter->replica[r]);
        replica = &counter->replica[r];
    }
    if (replica != NULL)
        replica->slice = slice;
    return replica;
}

static inline uint16_t *
list_of(const struct shared_counter *counter, size_t slice)
{
    return counter->list + slice * counter->layout.stride;
}

/* Add the list of SLICE and empty it. */
static void
drain(struct shared_counter *counter, size_t slice)
{
    const struct shared_counts *counts = counter->counts;
    pthread_mutex_t *lock = &counts->slice[slice].lock;
    uint16_t *list = list_of(counter, slice);
    size_t count = counter->used[slice];
    struct replica *replica = find_replica(counter, slice);
    bool is_locked = false;

    counter->used[slice] = 0;
    if (replica == NULL) {
        is_locked = pthread_mutex_trylock(lock) == 0;
        if (!is_locked)
            replica = take_replica(counter, slice);
    }
    if (replica != NULL) {
        replica->credit = CREDIT;
        add_to_replica(counts, replica, list, count);
        return;
    }
    if (!is_locked)
        pthread_mutex_lock(lock);
    add_to_slice(counts, slice, list, count);
    pthread_mutex_unlock(lock);
}

/* ---- records ---- */

/* What a list has of CELL. */
static inline uint16_t
distance_of(uint64_t cell, unsigned int shift)
{
    return (uint16_t)(cell & (((uint64_t)1 << shift) - 1));
}

/* Append a cell; drain its list as soon as it is full. */
static inline void
append(struct shared_counter *counter, unsigned int shift, uint64_t cell)
{
    size_t slice = (size_t)(cell >> shift);
    size_t used = counter->used[slice];

    list_of(counter, slice)[used] = distance_of(cell, shift);
    counter->used[slice] = (uint16_t)++used;
    if (used == counter->layout.list_cells)
        drain(counter, slice);
}

/* Append CELL_RUN times the same cell. */
static inline void
append_run(struct shared_counter *counter, unsigned int shift, uint64_t cell)
{
    size_t slice = (size_t)(cell >> shift);
    size_t used = counter->used[slice];
    uint64_t four = distance_of(cell, shift) * REPEAT;
    uint64_t run[2] = {four, four};

    if (used + CELL_RUN > counter->layout.list_cells) {
        for (size_t n = 0; n < CELL_RUN; n++)
            append(counter, shift, cell);
        return;
    }
    memcpy(list_of(counter, slice) + used, run, sizeof run);
    used += CELL_RUN;
    counter->used[slice] = (uint16_t)used;
    if (used == counter->layout.list_cells)
        drain(counter, slice);
}

void
shared_counter_add(struct shared_counter *counter, uint64_t base,
                   const uint32_t *cell, size_t count)
{
    unsigned int shift = counter->layout.shift;
    size_t i = 0;

    for (; i + CELL_RUN <= count; i += CELL_RUN) {
        if (cell_run_is(cell + i)) {
            append_run(counter, shift, base + cell[i]);
            continue;
        }
        for (size_t n = 0; n < CELL_RUN; n++)
            append(counter, shift, base + cell[i + n]);
    }
    for (; i < count; i++)
        append(counter, shift, base + cell[i]);
}

/* ---- settling ---- */

void
shared_counter_settle(struct shared_counter *counter)
{
    size_t slices = counter->layout.slices;

    for (size_t n = 0; n < slices; n++) {
        size_t slice = (counter->start + n) % slices;
        if (counter->used[slice] > 0)
            drain(counter, slice);
    }
    for (size_t r = 0; r < counter->layout.replicas; r++) {
        if (counter->replica[r].slice != SIZE_MAX)
            add_replica(counter->counts, &counter->replica[r]);
    }
}

/* Move the counts of 8 bits of SLICE to the histogram. */
static void
raise_slice(struct shared_counts *counts, size_t slice)
{
    uint64_t first = (uint64_t)slice << counts->layout.shift;
    uint64_t left = counts->histogram.cells - first;
    uint64_t cells = slice_cells(&counts->layout);

    cells = cells < left ? cells : left;
    cell_counts_raise(counts->low + first, (size_t)cells,
                      value_of(counts, slice));
}

/* Raise slices until none is left. */
static void
raise_slices(void *task, unsigned int member)
{
    struct shared_counts *counts = task;
    size_t slice;

    (void)member;
    while ((slice = atomic_fetch_add(&counts->raised, 1)) <
           counts->layout.slices)
        raise_slice(counts, slice);
}

/* Raise all slices, with as many threads as are useful. */
static void
raise_all(struct shared_counts *counts)
{
    uint64_t useful = counts->histogram.cells / CELLS_WORTH_A_THREAD;

    useful = useful < counts->threads ? useful : counts->threads;
    useful = useful < CREW_MAX ? useful : CREW_MAX;
    atomic_store(&counts->raised, 0);
    crew_run(useful > 1 ? (unsigned int)useful : 1, raise_slices, counts);
}

void
shared_counts_settle(struct shared_counts *counts)
{
    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next)
        shared_counter_settle((struct shared_counter *)at);
    pthread_mutex_unlock(&counts->counters.lock);
    if (counts->low != NULL)
        raise_all(counts);
}

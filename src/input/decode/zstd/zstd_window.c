/* SPDX-License-Identifier: MIT */
/* zstd_window.c -- the content of a zstd frame, made of its sequences */

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "input/decode/zstd/zstd_window.h"

/* How many bytes are copied at once: more than most sequences have. */
#define COPIED ((size_t)16)

/* Content is written in order to memory that other processors have read.  So
   each sequence asks early for memory at this distance. */
#define ASKED ((uintptr_t)512)

/* A word is written for a pattern that repeats within it. */
#define WORD sizeof(uint64_t)

/*
 * ---- slots of memory, which may be leased ----
 *
 * The owner fills one slot after the other, and leases content where it lies
 * (lease.h).  A slot is free if it has no leases.  Nobody waits for the end of
 * a lease: while a slot is leased, another one is free.  Leases may outlast the
 * owner: the last lease of a slot releases its memory.  This memory is not
 * reserved any more: a thread that waits for memory may have to fill other
 * chunks before a device gives this one back.
 */

struct zstd_slot {
    unsigned char *memory; /* with a front */
    atomic_uint users;     /* the owner, and leases */
};

struct zstd_slots {
    unsigned int count;
    struct zstd_slot slot[ZSTD_WINDOW_SLOTS];
    atomic_uint users; /* slots with users */
};

/* Returns the memory of a slot that has room for ROOM bytes. */
static uint64_t
slot_bytes(uint64_t room)
{
    return LEASE_FRONT_BYTES + room;
}

/* SLOT has one user less.  The last user releases the memory. */
static void
leave(struct zstd_slots *slots, unsigned int slot)
{
    if (atomic_fetch_sub(&slots->slot[slot].users, 1) > 1)
        return;
    free(slots->slot[slot].memory);
    if (atomic_fetch_sub(&slots->users, 1) == 1)
        free(slots);
}

/* The owner needs SLOTS, which may be NULL, no more.  Leases stay. */
static void
close_slots(struct zstd_slots *slots)
{
    /* The last call may free SLOTS. */
    for (unsigned int i = slots != NULL ? slots->count : 0; i > 0; i--)
        leave(slots, i - 1);
}

/* Returns COUNT slots, 1 to ZSTD_WINDOW_SLOTS, each with room for ROOM bytes;
   or NULL: out of memory. */
static struct zstd_slots *
open_slots(size_t room, unsigned int count)
{
    uint64_t bytes = slot_bytes(room);
    struct zstd_slots *slots =
        bytes <= SIZE_MAX ? calloc(1, sizeof *slots) : NULL;
    bool is_complete = true;

    assert(count >= 1 && count <= ZSTD_WINDOW_SLOTS);
    if (slots == NULL)
        return NULL;
    slots->count = count;
    atomic_init(&slots->users, count);
    for (unsigned int i = 0; i < count; i++) {
        struct zstd_slot *slot = &slots->slot[i];
        slot->memory = malloc((size_t)bytes);
        atomic_init(&slot->users, 1);
        if (slot->memory == NULL)
            is_complete = false;
        else
            pages_advise(slot->memory, (size_t)bytes);
    }
    if (is_complete)
        return slots;
    close_slots(slots);
    return NULL;
}

/* Returns the memory of SLOT, which has LEASE_FRONT_BYTES before it. */
static unsigned char *
slot_at(const struct zstd_slots *slots, unsigned int slot)
{
    return slots->slot[slot].memory + LEASE_FRONT_BYTES;
}

/* Returns a free slot other than SLOT; or SLOT, if no other is free. */
static unsigned int
next_slot(const struct zstd_slots *slots, unsigned int slot)
{
    for (unsigned int i = 0; i < slots->count; i++)
        /* Bytes that holders of leases have read may be overwritten from now
           on. */
        if (i != slot && atomic_load(&slots->slot[i].users) == 1)
            return i;
    return slot;
}

/* The END of a lease. */
static void
end_lease(void *owner, unsigned int slot)
{
    leave(owner, slot);
}

/*
 * Lease SLOT, which is being filled, unless no other is free.  Returns whether
 * the slot is leased; then *LEASE lacks only DATA and BYTES.
 */
static bool
lease_slot(struct zstd_slots *slots, unsigned int slot, struct lease *lease)
{
    if (next_slot(slots, slot) == slot)
        return false;
    atomic_fetch_add(&slots->slot[slot].users, 1);
    *lease = (struct lease){.end = end_lease, .owner = slots, .slot = slot};
    return true;
}

/* ---- the window ---- */

static uint64_t
room_for(uint64_t window, size_t kept)
{
    return window + kept + ZSTD_BLOCK_MAX + 2 * ZSTD_WINDOW_MARGIN;
}

uint64_t
zstd_window_bytes(uint64_t window, size_t kept)
{
    return slot_bytes(room_for(window, kept));
}

/* Start a slot: a free slot, or the same one again. */
static void
start_slot(struct zstd_window *window)
{
    window->before = window->memory;
    window->before_end = window->at;
    window->slot = next_slot(window->slots, window->slot);
    window->memory = slot_at(window->slots, window->slot);
    window->at = 0;
    window->is_leased = false;
}

int
zstd_window_open(struct zstd_window *window, uint64_t bytes, size_t kept,
                 unsigned int slots)
{
    uint64_t room = room_for(bytes, kept);

    *window = (struct zstd_window){.room = (size_t)room,
                                   .most = (size_t)bytes,
                                   .offsets = zstd_offsets_of_frame()};
    if (room > SIZE_MAX)
        return -1;
    window->slots = open_slots((size_t)room, slots);
    if (window->slots == NULL)
        return -1;
    window->memory = slot_at(window->slots, 0);
    return 0;
}

void
zstd_window_close(struct zstd_window *window)
{
    close_slots(window->slots);
    window->slots = NULL;
}

/* Copy FIRST bytes from FROM, and then as many as SIZE bytes need. */
static inline void
copy(unsigned char *to, const unsigned char *from, size_t first, size_t size)
{
    for (size_t i = 0; i < first; i += COPIED)
        memcpy(to + i, from + i, COPIED);
    for (size_t i = first; i < size; i += 2 * COPIED) {
        memcpy(to + i, from + i, COPIED);
        memcpy(to + i + COPIED, from + i + COPIED, COPIED);
    }
}

/* The same if TO is only OFFSET bytes after FROM, so that these bytes
   repeat. */
static void
repeat(unsigned char *to, size_t offset, size_t size)
{
    const unsigned char *from = to - offset;

    if (offset >= WORD) {
        for (size_t i = 0; i < size; i += WORD)
            memcpy(to + i, from + i, WORD);
        return;
    }
    /* As many whole patterns as a word has room for. */
    unsigned char pattern[WORD];
    size_t step = WORD - WORD % offset;
    for (size_t i = 0; i < WORD; i++)
        pattern[i] = from[i % offset];
    for (size_t i = 0; i < size; i += step)
        memcpy(to + i, pattern, WORD);
}

/*
 * Copy any match of SIZE bytes to TO: its source may start in the slot before,
 * or be nearer than COPIED bytes, or its offset may be that of a block before.
 * Returns whether its OFFSET is allowed.
 */
static bool
copy_match(const struct zstd_window *window, unsigned char *to, size_t size,
           uint32_t offset)
{
    size_t at = (size_t)(to - window->memory);
    uint64_t made = window->made + (at - window->at);
    size_t back = zstd_offsets_resolve(&window->offsets, offset);

    if (back == 0 || back > window->most || back > made)
        return false;
    if (back > at) {
        /* From the slot before, and then perhaps from this one. */
        size_t before = back - at;
        size_t part = size < before ? size : before;
        copy(to, window->before + window->before_end - before, COPIED, part);
        to += part;
        size -= part;
        if (size == 0)
            return true;
        /* The memory starts BACK bytes before TO. */
    }
    if (back >= COPIED)
        copy(to, to - back, COPIED, size);
    else
        repeat(to, back, size);
    return true;
}

/* As zstd_window_add(), compiled for the processors of its caller. */
static inline __attribute__((always_inline)) unsigned char *
add(struct zstd_window *window, const struct zstd_parts *parts)
{
    if (window->room - window->at < (size_t)parts->content + ZSTD_WINDOW_MARGIN)
        start_slot(window);
    unsigned char *start = window->memory + window->at;
    unsigned char *to = start;
    const unsigned char *literal = parts->literal;
    const struct zstd_sequence *sequence = parts->sequence;
    const struct zstd_sequence *end = sequence + parts->sequences;
    /* Offsets up to NEAR are allowed, and in this slot. */
    size_t near = window->at < window->most ? window->at : window->most;
    size_t simple = near < COPIED ? 0 : near - COPIED + 1;

    for (; sequence < end; sequence++) {
        size_t literals = sequence->literals;
        size_t match = sequence->match;
        size_t offset = sequence->offset;
        /* The address may lie beyond all memory; then nothing happens. */
        __builtin_prefetch((const void *)((uintptr_t)to + ASKED), 1);
        copy(to, literal, COPIED, literals);
        to += literals;
        literal += literals;
        if (offset - COPIED < simple)
            copy(to, to - offset, 2 * COPIED, match);
        else if (!copy_match(window, to, match, sequence->offset))
            return NULL;
        to += match;
    }
    memcpy(to, literal, parts->content - (size_t)(to - start));
    window->at += parts->content;
    window->made += parts->content;
    window->offsets = zstd_offsets_join(&window->offsets, &parts->offsets);
    return start;
}

#ifdef ZSTD_WINDOW_HAS_PRFCHW
/* Asks for memory to write to. */
static __attribute__((target("prfchw"))) unsigned char *
add_prfchw(struct zstd_window *window, const struct zstd_parts *parts)
{
    return add(window, parts);
}
#endif

unsigned char *
zstd_window_add(struct zstd_window *window, const struct zstd_parts *parts)
{
#ifdef ZSTD_WINDOW_HAS_PRFCHW
    /* Processors with BMI2 know the instruction, or ignore it. */
    if (__builtin_cpu_supports("bmi2"))
        return add_prfchw(window, parts);
#endif
    return add(window, parts);
}

bool
zstd_window_lease(struct zstd_window *window, unsigned char *content,
                  const unsigned char *front, size_t front_bytes,
                  struct lease *lease)
{
    size_t inside = (size_t)(content - window->memory);

    /* Once something is leased, others may read the bytes before the slot. */
    if ((inside < front_bytes && window->is_leased) ||
        !lease_front_fits(content, inside, front, front_bytes) ||
        !lease_slot(window->slots, window->slot, lease))
        return false;
    lease_put_front(content, inside, front, front_bytes);
    window->is_leased = true;
    lease->data = content;
    return true;
}

size_t
zstd_window_copy(const struct zstd_window *window, unsigned char *to)
{
    size_t size =
        window->made < window->most ? (size_t)window->made : window->most;
    size_t before = size > window->at ? size - window->at : 0;
    size_t here = size - before;

    if (before > 0)
        memcpy(to, window->before + window->before_end - before, before);
    memcpy(to + before, window->memory + window->at - here, here);
    return size;
}

/* zstd_window.c -- the content of a zstd frame, made of its sequences */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "input/decode/zstd/zstd_window.h"

/* How many bytes are copied at once: more than most sequences have. */
#define COPIED ((size_t)16)

/* Content is written in order to memory that other processors have read.  To
   have it at once a sequence asks for what is so far behind it. */
#define ASKED ((uintptr_t)512)

/* A word is written for a pattern that repeats within it. */
#define WORD sizeof(uint64_t)

static uint64_t
room_for(uint64_t window, size_t kept)
{
    return window + kept + ZSTD_BLOCK_MAX + 2 * ZSTD_WINDOW_MARGIN;
}

uint64_t
zstd_window_bytes(uint64_t window, size_t kept)
{
    return zstd_places_bytes(room_for(window, kept));
}

/* Begin a lap, in a free place if there is one. */
static void
begin_lap(struct zstd_window *window)
{
    window->before = window->memory;
    window->before_end = window->at;
    window->place = zstd_places_next(window->places, window->place);
    window->memory = zstd_places_at(window->places, window->place);
    window->at = 0;
    window->is_lent = false;
}

int
zstd_window_open(struct zstd_window *window, uint64_t bytes, size_t kept,
                 unsigned int places)
{
    uint64_t room = room_for(bytes, kept);

    *window = (struct zstd_window){.room = (size_t)room,
                                   .most = (size_t)bytes,
                                   .offsets = zstd_offsets_of_frame()};
    if (room > SIZE_MAX)
        return -1;
    window->places = zstd_places_open((size_t)room, places);
    if (window->places == NULL)
        return -1;
    window->memory = zstd_places_at(window->places, 0);
    return 0;
}

void
zstd_window_close(struct zstd_window *window)
{
    zstd_places_close(window->places);
    window->places = NULL;
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

/* The same if TO is only OFFSET bytes behind FROM, so that these repeat. */
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
 * Copy any match of SIZE bytes to TO: one that begins in the lap before, or is
 * nearer than COPIED bytes, or has the offset of a block before.  Returns
 * whether its OFFSET is allowed.
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
        /* From the lap before, and then perhaps from this one. */
        size_t before = back - at;
        size_t part = size < before ? size : before;
        copy(to, window->before + window->before_end - before, COPIED, part);
        to += part;
        size -= part;
        if (size == 0)
            return true;
        /* BACK bytes before TO is the begin of the memory. */
    }
    if (back >= COPIED)
        copy(to, to - back, COPIED, size);
    else
        repeat(to, back, size);
    return true;
}

/* As zstd_window_add(), for the processors of the function that it is in. */
static inline __attribute__((always_inline)) unsigned char *
add(struct zstd_window *window, const struct zstd_parts *parts)
{
    if (window->room - window->at < (size_t)parts->content + ZSTD_WINDOW_MARGIN)
        begin_lap(window);
    unsigned char *begin = window->memory + window->at;
    unsigned char *to = begin;
    const unsigned char *literal = parts->literal;
    const struct zstd_sequence *sequence = parts->sequence;
    const struct zstd_sequence *end = sequence + parts->sequences;
    /* Offsets up to NEAR are allowed, and in this lap. */
    size_t near = window->at < window->most ? window->at : window->most;
    size_t simple = near < COPIED ? 0 : near - COPIED + 1;

    for (; sequence < end; sequence++) {
        size_t literals = sequence->literals;
        size_t match = sequence->match;
        size_t offset = sequence->offset;
        /* It may be behind all memory, and then nothing happens. */
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
    memcpy(to, literal, parts->content - (size_t)(to - begin));
    window->at += parts->content;
    window->made += parts->content;
    window->offsets = zstd_offsets_join(&window->offsets, &parts->offsets);
    return begin;
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
zstd_window_lend(struct zstd_window *window, unsigned char *content,
                 const unsigned char *front, size_t front_bytes,
                 struct lease *lease)
{
    size_t inside = (size_t)(content - window->memory);

    /* Others may read what is in front of the lap once something is lent. */
    if ((inside < front_bytes && window->is_lent) ||
        !lease_front_fits(content, inside, front, front_bytes) ||
        !zstd_places_lend(window->places, window->place, lease))
        return false;
    lease_put_front(content, inside, front, front_bytes);
    window->is_lent = true;
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

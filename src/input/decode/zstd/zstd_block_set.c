/* SPDX-License-Identifier: MIT */
/* zstd_block_set.c -- some blocks of a zstd frame, read for decoding */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "input/decode/zstd/zstd_block_set.h"

static_assert(ZSTD_FIND_MAX <= ZSTD_BLOCK_SET_PACKED, "a block has room");
static_assert(ZSTD_BLOCK_MAX <= ZSTD_BLOCK_SET_LITERALS, "its literals, too");
static_assert(ZSTD_SEQUENCES_ROOM(ZSTD_BLOCK_MAX / ZSTD_MATCH_LEAST) <=
                  ZSTD_BLOCK_SET_SEQUENCES,
              "and its sequences");
static_assert((int)ZSTD_MARGIN <= (int)ZSTD_WINDOW_MARGIN,
              "one margin is enough");

#define PACKED_ROOM ((size_t)ZSTD_BLOCK_SET_PACKED + ZSTD_WINDOW_MARGIN)
#define LITERALS_ROOM ((size_t)ZSTD_BLOCK_SET_LITERALS + ZSTD_WINDOW_MARGIN)
#define SEQUENCES_ROOM (sizeof(struct zstd_sequence) * ZSTD_BLOCK_SET_SEQUENCES)

uint64_t
zstd_block_set_bytes(void)
{
    return sizeof(struct zstd_block_set) + PACKED_ROOM + LITERALS_ROOM +
           SEQUENCES_ROOM;
}

uint64_t
zstd_block_set_walk_bytes(void)
{
    return PACKED_ROOM;
}

int
zstd_block_set_open(struct zstd_block_set *set)
{
    set->packed = calloc(1, PACKED_ROOM);
    set->literal = calloc(1, LITERALS_ROOM);
    set->sequence = malloc(SEQUENCES_ROOM);
    return set->packed != NULL && set->literal != NULL && set->sequence != NULL
               ? 0
               : -1;
}

void
zstd_block_set_close(struct zstd_block_set *set)
{
    free(set->packed);
    free(set->literal);
    free(set->sequence);
    set->packed = NULL;
    set->literal = NULL;
    set->sequence = NULL;
}

int
zstd_block_set_open_walk(struct zstd_blocks_walk *walk)
{
    walk->tail = malloc(PACKED_ROOM);
    return walk->tail != NULL ? 0 : -1;
}

void
zstd_block_set_close_walk(struct zstd_blocks_walk *walk)
{
    free(walk->tail);
    walk->tail = NULL;
}

/* The needs of the blocks of a set so far. */
struct needs {
    uint32_t literals;
    uint32_t sequences;
};

/* Returns whether BLOCK still fits into its set. */
static bool
add_needs(struct needs *needs, const struct zstd_block *block)
{
    needs->literals += block->type != ZSTD_STORED ? block->literals : 0;
    needs->sequences += ZSTD_SEQUENCES_ROOM(block->sequences);
    return needs->literals <= ZSTD_BLOCK_SET_LITERALS &&
           needs->sequences <= ZSTD_BLOCK_SET_SEQUENCES;
}

/*
 * Find the next block of SET in the SIZE bytes at DATA, where the walk is.
 * Sets *WHOLE to the size of the block with header and checksum, and advances
 * TABLE and NEEDS.
 */
static enum zstd_finding
find_block(struct zstd_block_set *set, struct zstd_description *table,
           struct needs *needs, const struct zstd_blocks_walk *walk,
           const unsigned char *data, size_t size, size_t *whole)
{
    struct zstd_find find;
    enum zstd_finding finding = zstd_find_block(&find, table, walk->block_max,
                                                walk->has_checksum, data, size);

    if (finding != ZSTD_FINDING_BLOCK)
        return finding;
    if (!add_needs(needs, &find.block))
        return ZSTD_FINDING_START;
    set->block[set->count++] = find.block;
    memcpy(table, find.table, sizeof find.table);
    set->is_last = find.is_last;
    set->sum = find.sum;
    *whole = find.bytes;
    return ZSTD_FINDING_BLOCK;
}

void
zstd_block_set_read(struct zstd_block_set *set, struct zstd_blocks_walk *walk)
{
    const struct source *source = walk->source;
    struct error error = ERROR_NONE;
    off_t left = source->size - walk->next;
    size_t wanted = ZSTD_BLOCK_SET_PACKED - walk->tail_bytes;
    size_t size = walk->tail_bytes;

    if ((off_t)wanted > left)
        wanted = left > 0 ? (size_t)left : 0;
    memcpy(set->packed, walk->tail, walk->tail_bytes);
    set->count = 0;
    set->is_last = false;
    zstd_find_inherit(&set->inherited, walk->inherited.table);
    /* After an error, the library will fail there, too. */
    if (source_read_at(source, set->packed + size, wanted, walk->next,
                       &error) == 0) {
        walk->next += (off_t)wanted;
        size += wanted;
    }
    error_clear(&error);

    struct zstd_description table[ZSTD_DESCRIPTIONS];
    struct needs needs = {0, 0};
    enum zstd_finding finding = ZSTD_FINDING_BLOCK;
    size_t used = 0;
    memcpy(table, set->inherited.table, sizeof table);
    while (set->count < ZSTD_BLOCK_SET_BLOCKS && !set->is_last) {
        size_t whole;
        finding = find_block(set, table, &needs, walk, set->packed + used,
                             size - used, &whole);
        if (finding != ZSTD_FINDING_BLOCK)
            break;
        used += whole;
    }
    zstd_find_inherit(&walk->inherited, table);
    set->end = walk->next - (off_t)(size - used);
    walk->tail_bytes = size - used;
    memcpy(walk->tail, set->packed + used, walk->tail_bytes);
    /* A block is incomplete although it has enough room. */
    set->is_refused = finding == ZSTD_FINDING_WRONG || set->count == 0;
    walk->is_over = set->is_last || set->is_refused;
}

off_t
zstd_block_set_walk_offset(const struct zstd_blocks_walk *walk)
{
    return walk->next - (off_t)walk->tail_bytes;
}

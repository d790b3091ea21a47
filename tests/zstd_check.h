/* SPDX-License-Identifier: MIT */
/*
 * zstd_check.h -- a zstd frame, decoded by kernels/zstd_*.h and by libzstd
 *
 * What the former accept, libzstd must accept, too, with the same content.
 * Each block, its literals and its sequences are in memory of their own, so
 * that a sanitizer sees where they end.  Some content is leased, and must stay
 * as it is until the lease ends.
 */

#ifndef GPUHIST_ZSTD_CHECK_H
#define GPUHIST_ZSTD_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_window.h"

enum zstd_check {
    ZSTD_CHECK_REFUSED,
    ZSTD_CHECK_SAME,
    ZSTD_CHECK_OTHER, /* libzstd refuses it, or finds other content */
};

enum {
    ZSTD_CHECK_LEASES = 8
};

struct zstd_checked {
    unsigned char *content;
    size_t capacity;
    size_t size;
    struct zstd_description table[ZSTD_DESCRIPTIONS];
    struct zstd_tables tables;
    struct zstd_window window;
    struct lease lease[ZSTD_CHECK_LEASES];
    size_t leased_at[ZSTD_CHECK_LEASES]; /* in CONTENT: what each one is of */
    unsigned int turn;
    void **owned; /* blocks, which have descriptions of tables */
    size_t owned_count;
};

static inline void *
zstd_check_alloc(size_t size)
{
    void *memory = malloc(size + (size == 0));

    if (memory == NULL)
        abort();
    return memory;
}

/* End lease I, if there is one. */
static inline void
zstd_check_end_lease(struct zstd_checked *checked, unsigned int i)
{
    struct lease *lease = &checked->lease[i];
    const unsigned char *content = checked->content + checked->leased_at[i];

    if (lease->data != NULL && memcmp(lease->data, content, lease->bytes) != 0)
        abort();
    lease_end(lease);
}

/* Lend the SIZE bytes at CONTENT, which are the last ones, or end a lease. */
static inline void
zstd_check_lease(struct zstd_checked *checked, unsigned char *content,
                 size_t size)
{
    static const unsigned char nothing[1];
    unsigned int turn = checked->turn++;
    unsigned int i = turn * 5 / 3 % ZSTD_CHECK_LEASES;
    size_t before = checked->size - size;
    size_t front = turn % 3 * 100;

    if (front > before)
        front = before;
    zstd_check_end_lease(checked, i);
    if (turn % 4 == 0 ||
        !zstd_window_lease(&checked->window, content,
                           front > 0 ? checked->content + before - front
                                     : nothing,
                           front, &checked->lease[i]))
        return;
    if (memcmp(checked->lease[i].data - front,
               checked->content + before - front, front) != 0)
        abort();
    checked->lease[i].bytes = size;
    checked->leased_at[i] = before;
}

/* Decode BLOCK.  Returns whether it is accepted. */
static inline bool
zstd_check_decode(struct zstd_checked *checked, const struct zstd_block *block,
                  uint32_t block_max)
{
    unsigned char *literal = zstd_check_alloc(block->literals);
    struct zstd_sequences_out out = {
        .sequence = zstd_check_alloc(ZSTD_SEQUENCES_ROOM(block->sequences) *
                                     sizeof *out.sequence),
        .content_max = block_max};
    bool is_good = true;

    if (block->type == ZSTD_COMPRESSED)
        is_good = zstd_block_decode_literals(block, &checked->tables, literal);
    else if (block->type == ZSTD_ONE_BYTE)
        memset(literal, block->data[0], block->literals);
    else
        memcpy(literal, block->data, block->literals);
    is_good =
        is_good && zstd_block_decode_sequences(block, &checked->tables, &out);
    /* Copying wants a margin. */
    unsigned char *copy =
        zstd_check_alloc(block->literals + ZSTD_WINDOW_MARGIN);
    memcpy(copy, literal, is_good ? block->literals : 0);
    struct zstd_parts parts = {copy,      block->literals, out.sequence,
                               out.count, out.content,     out.offsets};
    unsigned char *content =
        is_good ? zstd_window_add(&checked->window, &parts) : NULL;
    if (content != NULL && out.content > checked->capacity - checked->size)
        content = NULL;
    if (content != NULL) {
        memcpy(checked->content + checked->size, content, out.content);
        checked->size += out.content;
        zstd_check_lease(checked, content, out.content);
    }
    free(copy);
    free(literal);
    free(out.sequence);
    return content != NULL;
}

/* Decode the first frame in the SIZE bytes at DATA.  Returns whether it is
   accepted. */
static inline bool
zstd_check_frame(struct zstd_checked *checked, const unsigned char *data,
                 size_t size, uint64_t window_max)
{
    struct zstd_frame frame;
    struct zstd_block_header header = {.is_last = false};

    if (zstd_frame_read(&frame, data, size) < 0 || frame.is_skippable ||
        !frame.is_plain || frame.window_bytes > window_max)
        return false;
    uint32_t block_max = zstd_frame_block_max(&frame);
    size_t at = frame.header_bytes;
    if (zstd_window_open(&checked->window, frame.window_bytes, size % 5 * 100,
                         1 + size % 4) < 0)
        abort();
    checked->owned = zstd_check_alloc((size / 3 + 1) * sizeof(void *));
    while (!header.is_last) {
        struct zstd_block block = {.type = ZSTD_STORED};
        if (zstd_frame_read_block(&header, data + at, size - at) < 0)
            return false;
        at += ZSTD_FRAME_BLOCK_HEADER_BYTES;
        if (header.bytes > size - at)
            return false;
        unsigned char *copy = zstd_check_alloc(header.bytes + ZSTD_MARGIN);
        memcpy(copy, data + at, header.bytes);
        memset(copy + header.bytes, 0xa5, ZSTD_MARGIN);
        checked->owned[checked->owned_count++] = copy;
        at += header.bytes;
        if (header.type != ZSTD_COMPRESSED) {
            if (header.content_bytes > block_max)
                return false;
            zstd_block_store(&block, copy, header.content_bytes,
                             header.type == ZSTD_ONE_BYTE);
        } else if (header.bytes > block_max ||
                   !zstd_block_look(&block, checked->table, copy, header.bytes,
                                    block_max)) {
            return false;
        }
        if (!zstd_check_decode(checked, &block, block_max))
            return false;
    }
    /* The checksum is not looked at, but it must be there. */
    return (!frame.is_sized || frame.content_bytes == checked->size) &&
           (!frame.has_checksum || size - at >= ZSTD_FRAME_CHECKSUM_BYTES);
}

/* Whether libzstd decodes the same frame to the SIZE bytes at CONTENT. */
static inline bool
zstd_check_oracle(const unsigned char *data, size_t size,
                  const unsigned char *content, size_t content_size)
{
    static ZSTD_DCtx *decoder;
    unsigned char *got = zstd_check_alloc(content_size + 1);
    ZSTD_inBuffer in = {data, size, 0};
    ZSTD_outBuffer out = {got, content_size + 1, 0};
    size_t hint = 1;

    if (decoder == NULL)
        decoder = ZSTD_createDCtx();
    if (decoder == NULL)
        abort();
    ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only);
    ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, 30);
#ifdef ZSTD_d_forceIgnoreChecksum
    ZSTD_DCtx_setParameter(decoder, ZSTD_d_forceIgnoreChecksum,
                           ZSTD_d_ignoreChecksum);
#endif
    while (hint != 0 && !ZSTD_isError(hint)) {
        size_t before = in.pos + out.pos;
        hint = ZSTD_decompressStream(decoder, &out, &in);
        if (hint != 0 && in.pos + out.pos == before)
            break;
    }
    bool is_same = hint == 0 && out.pos == content_size &&
                   memcmp(got, content, content_size) == 0;
    free(got);
    return is_same;
}

/*
 * Compare what both make of the first frame in the SIZE bytes at DATA.  Content
 * has room for CAPACITY bytes, of which *CONTENT_SIZE are set.
 */
static inline enum zstd_check
zstd_check(const unsigned char *data, size_t size, uint64_t window_max,
           unsigned char *content, size_t capacity, size_t *content_size)
{
    static struct zstd_checked checked;

    memset(checked.table, 0, sizeof checked.table);
    zstd_tables_forget(&checked.tables);
    checked.content = content;
    checked.capacity = capacity;
    checked.size = 0;
    checked.turn = (unsigned int)size;
    checked.owned = NULL;
    checked.owned_count = 0;
    bool is_good = zstd_check_frame(&checked, data, size, window_max);
    /* Leases may end before and after that. */
    for (unsigned int i = 0; i < ZSTD_CHECK_LEASES; i++) {
        if (i == ZSTD_CHECK_LEASES / 2)
            zstd_window_close(&checked.window);
        zstd_check_end_lease(&checked, i);
    }
    for (size_t i = 0; i < checked.owned_count; i++)
        free(checked.owned[i]);
    free(checked.owned);
    *content_size = checked.size;
    if (!is_good)
        return ZSTD_CHECK_REFUSED;
    return zstd_check_oracle(data, size, content, checked.size)
               ? ZSTD_CHECK_SAME
               : ZSTD_CHECK_OTHER;
}

#endif

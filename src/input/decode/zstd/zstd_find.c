/* SPDX-License-Identifier: MIT */
/* zstd_find.c -- find the next block of a zstd frame, and its needs */

#include <string.h>

#include "base/little_endian.h"
#include "input/decode/zstd/zstd_find.h"

void
zstd_find_inherit(struct zstd_inherited *inherited,
                  const struct zstd_description *table)
{
    for (int i = 0; i < ZSTD_DESCRIPTIONS; i++) {
        struct zstd_description *copy = &inherited->table[i];
        *copy = table[i];
        if (copy->bytes > 0) {
            memmove(inherited->data[i], copy->data, copy->bytes);
            copy->data = inherited->data[i];
        }
    }
}

enum zstd_finding
zstd_find_block(struct zstd_find *find, const struct zstd_description *table,
                uint32_t block_max, bool has_checksum,
                const unsigned char *data, size_t size)
{
    struct zstd_block *block = &find->block;
    struct zstd_block_header header;

    if (size < ZSTD_FRAME_BLOCK_HEADER_BYTES)
        return ZSTD_FINDING_START;
    if (zstd_frame_read_block(&header, data, size) < 0 ||
        header.bytes > ZSTD_BLOCK_MAX)
        return ZSTD_FINDING_WRONG;
    size_t sum_at = ZSTD_FRAME_BLOCK_HEADER_BYTES + (size_t)header.bytes;
    bool has_sum = header.is_last && has_checksum;
    find->bytes = sum_at + (has_sum ? ZSTD_FRAME_CHECKSUM_BYTES : 0);
    if (size < find->bytes)
        return ZSTD_FINDING_START;
    find->is_last = header.is_last;
    find->sum = has_sum ? little_endian_32(data + sum_at) : 0;
    memcpy(find->table, table, sizeof find->table);
    data += ZSTD_FRAME_BLOCK_HEADER_BYTES;
    *block = (struct zstd_block){.sequences = 0};
    if (header.type != ZSTD_COMPRESSED) {
        if (header.content_bytes > block_max)
            return ZSTD_FINDING_WRONG;
        zstd_block_store(block, data, header.content_bytes,
                         header.type == ZSTD_ONE_BYTE);
        return ZSTD_FINDING_BLOCK;
    }
    return header.bytes <= block_max &&
                   zstd_block_look(block, find->table, data, header.bytes,
                                   block_max) &&
                   block->sequences <= block_max / ZSTD_MATCH_LEAST
               ? ZSTD_FINDING_BLOCK
               : ZSTD_FINDING_WRONG;
}

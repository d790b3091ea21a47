/* SPDX-License-Identifier: MIT */
/*
 * zstd_block_set_form.h -- zstd_block_set_decode() for any processor
 *
 * Each file that includes this header is compiled for some processors.
 */

#ifndef GPUHIST_ZSTD_BLOCK_SET_FORM_H
#define GPUHIST_ZSTD_BLOCK_SET_FORM_H

#include <string.h>

#include "input/decode/zstd/zstd_block_set.h"

#ifdef ZSTD_BLOCK_SET_HAS_BMI2

/* As zstd_block_set_decode(), for processors with BMI and BMI2. */
void zstd_block_set_bmi2(struct zstd_block_set *set, struct zstd_tables *tables,
                         uint32_t block_max);

#endif

/* As zstd_block_set_decode(). */
static inline void
zstd_block_set_form(struct zstd_block_set *set, struct zstd_tables *tables,
                    uint32_t block_max)
{
    unsigned char *literal = set->literal;
    struct zstd_sequence *sequence = set->sequence;

    zstd_tables_forget(tables);
    for (set->decoded = 0; set->decoded < set->count; set->decoded++) {
        const struct zstd_block *block = &set->block[set->decoded];
        struct zstd_parts *parts = &set->parts[set->decoded];
        struct zstd_sequences_out out = {.sequence = sequence,
                                         .content_max = block_max};
        bool is_stored = block->type == ZSTD_STORED;
        if (block->type == ZSTD_ONE_BYTE)
            memset(literal, block->data[0], block->literals);
        if ((block->type == ZSTD_COMPRESSED &&
             !zstd_block_decode_literals(block, tables, literal)) ||
            !zstd_block_decode_sequences(block, tables, &out))
            break;
        *parts = (struct zstd_parts){
            .literal = is_stored ? block->data : literal,
            .literals = block->literals,
            .sequence = sequence,
            .sequences = out.count,
            .content = out.content,
            .offsets = out.offsets,
        };
        literal += is_stored ? 0 : block->literals;
        sequence += out.count;
    }
    set->is_refused |= set->decoded < set->count;
}

#endif

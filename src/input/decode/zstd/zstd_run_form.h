/*
 * zstd_run_form.h -- zstd_run_decode() for any processor
 *
 * Each file that includes this is compiled for some processors.
 */

#ifndef GPUHIST_ZSTD_RUN_FORM_H
#define GPUHIST_ZSTD_RUN_FORM_H

#include <string.h>

#include "input/decode/zstd/zstd_run.h"

/* As zstd_run_decode(). */
static inline void
zstd_run_form(struct zstd_run *run, struct zstd_tables *tables,
              uint32_t block_max)
{
    unsigned char *literal = run->literal;
    struct zstd_sequence *sequence = run->sequence;

    zstd_tables_forget(tables);
    for (run->decoded = 0; run->decoded < run->count; run->decoded++) {
        const struct zstd_block *block = &run->block[run->decoded];
        struct zstd_parts *parts = &run->parts[run->decoded];
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
    run->is_refused |= run->decoded < run->count;
}

#endif

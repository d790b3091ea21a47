/* SPDX-License-Identifier: MIT */
/*
 * zstd_block.h -- a block of zstd, up to its literals and sequences: the only
 * definition
 *
 * See zstd_bits.h, and RFC 8878, section 3.1.1.3.
 *
 * A block may use tables of earlier blocks. zstd_block_look() finds the parts
 * of a block, and passes on from block to block where tables are described.  It
 * takes no time compared with zstd_block_decode(), which makes the tables from
 * their descriptions and needs nothing else of other blocks.
 */

#ifndef GPUHIST_ZSTD_BLOCK_H
#define GPUHIST_ZSTD_BLOCK_H

#include "kernels/zstd/zstd_huffman.h"
#include "kernels/zstd/zstd_sequences.h"

/* The most content of a block. */
#define ZSTD_BLOCK_MAX (128u << 10)

/* The tables of a block: of sequences, and Huffman's. */
#define ZSTD_DESCRIPTIONS (ZSTD_KINDS + 1)
#define ZSTD_CODES ZSTD_KINDS

/* Where a table is described. */
struct zstd_description {
    const unsigned char *data; /* NULL: nowhere */
    binning_u32 bytes;         /* up to ZSTD_DESCRIPTION_MAX */
    binning_u32 mode;          /* of states: enum zstd_mode */
};

/* The types of blocks, and of their literals. */
enum zstd_block_type {
    ZSTD_STORED,
    ZSTD_ONE_BYTE, /* repeated */
    ZSTD_COMPRESSED,
    ZSTD_TREELESS, /* literals compressed with the codes used before */
};

struct zstd_block {
    binning_u32 type; /* of the literals; never TREELESS */
    binning_u32 literals;
    binning_u32 streams;       /* 1 or 4, if compressed */
    const unsigned char *data; /* of the literals ... */
    binning_u32 data_bytes;
    const unsigned char *bits; /* ... and of the sequences */
    binning_u32 bits_bytes;
    binning_u32 sequences;
    struct zstd_description table[ZSTD_DESCRIPTIONS]; /* needed ones */
};

/* The last tables of a decoder. */
struct zstd_tables {
    /* from these descriptions */
    struct zstd_description made[ZSTD_DESCRIPTIONS];
    struct zstd_states states[ZSTD_KINDS];
    struct zstd_huffman huffman;
    struct zstd_making making;
    struct zstd_weights weights;
};

/* Of a description without bytes. */
ZSTD_TABLE unsigned char zstd_no_bytes[1] = {0};

/* Read the literals section at the start of the SIZE bytes at DATA.  Returns
   its size; 0: refused. */
DEVICE_FN binning_u32
zstd_block_look_literals(struct zstd_block *block,
                         struct zstd_description *codes,
                         const unsigned char *data, binning_u32 size)
{
    binning_u32 type = data[0] & 3;
    binning_u32 format = data[0] >> 2 & 3;
    binning_u64 word = zstd_load(data);
    binning_u32 header;

    block->type = type;
    if (type == ZSTD_STORED || type == ZSTD_ONE_BYTE) {
        /* Formats 0 and 2 are the same: the size has a bit of the format. */
        binning_u32 width = format == 1 ? 12 : format == 3 ? 20 : 5;
        header = format == 1 ? 2 : format == 3 ? 3 : 1;
        block->literals =
            (binning_u32)(word >> (8 * header - width)) & ((1u << width) - 1);
        block->data_bytes = type == ZSTD_STORED ? block->literals : 1;
        block->streams = 1;
    } else {
        binning_u32 width = format < 2 ? 10 : format == 2 ? 14 : 18;
        header = format < 2 ? 3 : format == 2 ? 4 : 5;
        block->literals = (binning_u32)(word >> 4) & ((1u << width) - 1);
        block->data_bytes =
            (binning_u32)(word >> (4 + width)) & ((1u << width) - 1);
        block->streams = format == 0 ? 1 : 4;
        if (block->literals == 0)
            return 0;
    }
    if (header > size || block->data_bytes > size - header)
        return 0;
    block->data = data + header;
    binning_u32 bytes = header + block->data_bytes;
    if (type == ZSTD_COMPRESSED) {
        codes->data = block->data;
        codes->bytes = zstd_huffman_bytes(block->data, block->data_bytes);
        if (codes->bytes == 0)
            return 0;
        block->data += codes->bytes;
        block->data_bytes -= codes->bytes;
    }
    if (type == ZSTD_TREELESS) {
        block->type = ZSTD_COMPRESSED;
        if (codes->data == NULL)
            return 0;
    }
    return bytes;
}

/* Read the header of the sequences section in the SIZE bytes at DATA.  Returns
   whether the header is right. */
DEVICE_FN bool
zstd_block_look_sequences(struct zstd_block *block,
                          struct zstd_description *tables,
                          const unsigned char *data, binning_u32 size)
{
    const unsigned char *end = data + size;

    block->sequences = 0;
    if (size < 1 || data[0] == 0)
        return size == 1;
    if (size < 4)
        return false;
    if (data[0] < 128) {
        block->sequences = data[0];
        data++;
    } else if (data[0] < 255) {
        block->sequences = ((binning_u32)data[0] - 128) << 8 | data[1];
        data += 2;
    } else {
        block->sequences = (data[1] | (binning_u32)data[2] << 8) + 0x7f00;
        data += 3;
    }
    binning_u32 modes = *data++;
    if (block->sequences == 0 || (modes & 3) != 0)
        return false;
    for (int kind = 0; kind < ZSTD_KINDS; kind++) {
        struct zstd_description *table = &tables[kind];
        binning_u32 mode = modes >> (6 - 2 * kind) & 3;
        binning_u32 left = (binning_u32)(end - data);
        struct zstd_counts counts;
        if (mode == ZSTD_REPEATED) {
            if (table->data == NULL)
                return false;
            continue;
        }
        table->mode = mode;
        table->bytes = 0;
        table->data = data;
        if (mode == ZSTD_PREDEFINED)
            table->data = zstd_no_bytes;
        else if (mode == ZSTD_ONE_SYMBOL)
            table->bytes = left > 0;
        else
            table->bytes = zstd_counts_read(
                &counts, zstd_log_max((enum zstd_kind)kind),
                zstd_symbols_max((enum zstd_kind)kind), data, left);
        if ((mode != ZSTD_PREDEFINED && table->bytes == 0) ||
            table->bytes > ZSTD_DESCRIPTION_MAX)
            return false;
        data += table->bytes;
    }
    block->bits = data;
    block->bits_bytes = (binning_u32)(end - data);
    return true;
}

/*
 * Find the parts of the compressed block of SIZE bytes at DATA.  TABLES has the
 * ZSTD_DESCRIPTIONS descriptions before the block, and is advanced.
 * CONTENT_MAX is the most content of blocks in the frame.  Returns whether the
 * block can be right.
 */
DEVICE_FN bool
zstd_block_look(struct zstd_block *block, struct zstd_description *tables,
                const unsigned char *data, binning_u32 size,
                binning_u32 content_max)
{
    /* libzstd wants as many bytes, because it reads a whole header at once. */
    if (size < ((data[0] & 3) < ZSTD_COMPRESSED ? 3u : 5u))
        return false;
    binning_u32 bytes =
        zstd_block_look_literals(block, &tables[ZSTD_CODES], data, size);
    if (bytes == 0 || block->literals > content_max ||
        !zstd_block_look_sequences(block, tables, data + bytes, size - bytes))
        return false;
    for (int i = 0; i < ZSTD_DESCRIPTIONS; i++)
        block->table[i] = tables[i];
    return true;
}

/* A block without compression: the SIZE bytes at DATA, or SIZE times the byte
   at DATA. */
DEVICE_FN void
zstd_block_store(struct zstd_block *block, const unsigned char *data,
                 binning_u32 size, bool is_one_byte)
{
    block->type = is_one_byte ? ZSTD_ONE_BYTE : ZSTD_STORED;
    block->literals = size;
    block->data = data;
    block->data_bytes = is_one_byte ? 1 : size;
    block->sequences = 0;
}

/* Forget all tables: the memory of their descriptions may have other data. */
DEVICE_FN void
zstd_tables_forget(struct zstd_tables *tables)
{
    for (int i = 0; i < ZSTD_DESCRIPTIONS; i++)
        tables->made[i].data = NULL;
}

/* Make table I of BLOCK, unless it is made.  Returns whether its description is
   right. */
DEVICE_FN bool
zstd_tables_have(struct zstd_tables *tables, const struct zstd_block *block,
                 int i)
{
    const struct zstd_description *table = &block->table[i];

    if (tables->made[i].data == table->data)
        return true;
    tables->made[i].data = NULL;
    if (i != ZSTD_CODES) {
        if (!zstd_states_make(&tables->states[i], &tables->making,
                              (enum zstd_kind)i, table->mode, table->data,
                              table->bytes))
            return false;
    } else {
        if (!zstd_huffman_start(&tables->weights, &tables->making, table->data,
                                table->bytes))
            return false;
        zstd_huffman_fill(&tables->huffman, &tables->weights, 0, 1);
    }
    tables->made[i] = *table;
    return true;
}

/*
 * Write the compressed literals of BLOCK to OUT, which has room for them.
 * Returns whether the literals are right.
 */
DEVICE_FN bool
zstd_block_decode_literals(const struct zstd_block *block,
                           struct zstd_tables *tables, unsigned char *out)
{
    if (!zstd_tables_have(tables, block, ZSTD_CODES))
        return false;
    if (block->streams == 1)
        return zstd_huffman_decode(&tables->huffman, block->data,
                                   block->data_bytes, out, block->literals);
    return zstd_huffman_decode_4(&tables->huffman, block->data,
                                 block->data_bytes, out, block->literals);
}

/*
 * Write the sequences of BLOCK to OUT->sequence.  OUT->content_max is set.
 * Returns whether the sequences are right.
 */
DEVICE_FN bool
zstd_block_decode_sequences(const struct zstd_block *block,
                            struct zstd_tables *tables,
                            struct zstd_sequences_out *out)
{
    out->literals_max = block->literals;
    out->count = 0;
    out->literals = 0;
    out->content = 0;
    out->offsets = zstd_offsets_open();
    if (block->sequences > 0) {
        for (int i = 0; i < ZSTD_KINDS; i++)
            if (!zstd_tables_have(tables, block, i))
                return false;
        if (!zstd_sequences_decode(out, tables->states, block->sequences,
                                   block->bits, block->bits_bytes))
            return false;
    }
    /* The other literals follow the last sequence. */
    binning_u32 tail = block->literals - out->literals;
    if (tail > out->content_max - out->content)
        return false;
    out->content += tail;
    return true;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * text_work.h -- how a device counts the fields of text
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * A chunk consists of whole records. fields.h defines the records and the
 * fields; CSV has no comments here, in which quotes would not count.  A text is
 * counted of each record: a field, or a span, the bytes from the start of one
 * field to the end of another.  A device has a dictionary: a table of the texts
 * that it knows, which are called keys, each with a cell of the histogram.
 * Keys are compared whole.  These kernels run for each batch of chunks, one
 * after the other:
 *
 *     text_prepare  sets counters to 0; of CSV, finds out what each tile does
 *                 with quotes
 *     text_find   finds the field of each record, and writes the cell of its
 *                 key; records whose key is not known, or that it cannot
 *                 count, are in the cell TEXT_TOTAL_LISTED and in a list;
 *                 or text_find_spans, the same of spans; or text_find_numbers,
 *                 which first tries to read the field as a number with a bin
 *     text_count  adds the cells to the histogram, unless the chunk is refused
 *
 * The host counts the entries of the list, exactly, and may let the device
 * learn their keys: text_learn puts the keys into the dictionary, between two
 * batches.  So the list is soon short.  If the list has no room, the chunk is
 * refused: the device counts nothing of the chunk, and the CPU counts all of
 * it.
 *
 * A histogram has the cells of TEXT_TOTALS, then a cell for each key, then the
 * cells of the axis of numbers, if any.  The sum of all cells but the first is
 * the first.
 *
 * A number without bins is counted as its text, which the host reads at the
 * end, once for all records with this text.  So are the fields of a span, and,
 * with bins, the texts that text_numbers.h does not read: the device does not
 * know their meaning.
 *
 * Finding and counting are separate, because only the last record of a chunk
 * decides whether the chunk is refused, and because counting then reads no
 * text.
 */

#ifndef GPUHIST_TEXT_WORK_H
#define GPUHIST_TEXT_WORK_H

#include "kernels/text/fields.h"
#include "kernels/text/hash.h"

/* The first cells of a histogram. */
enum text_total {
    TEXT_TOTAL_RECORDS,  /* with comments */
    TEXT_TOTAL_LISTED,   /* the host counts them */
    TEXT_TOTAL_MISSING,  /* without the field, or the first one of the span */
    TEXT_TOTAL_COMMENTS, /* left out; and blank records of CSV that are */
    TEXT_TOTALS
};

/*
 * A block finds the records that start in a tile.  The block loads a window:
 * the tile and the bytes after it.  A record that extends beyond the window is
 * listed.  Both sizes are multiples of 32; tests make them smaller.
 */
#ifndef TEXT_TILE
#    define TEXT_TILE 16384
#    define TEXT_AHEAD 2048
#endif
#define TEXT_WINDOW (TEXT_TILE + TEXT_AHEAD)
#define TEXT_VECTOR 16

/* Masks have a bit for each byte of the window, in words of 32. */
#define TEXT_MASK_WORDS (TEXT_WINDOW / 32)
#define TEXT_TILE_WORDS (TEXT_TILE / 32)

/* Bytes before and after the window that may be read, and are not used. */
#define TEXT_MARGIN 32

/* The most threads of a block. */
#define TEXT_THREADS_MAX 1024

/* A chunk with more than one record in this many bytes is refused. */
#define TEXT_RECORD_BYTES 2

/* The longest key of a dictionary, in bytes. */
#define TEXT_KEY_MAX 512

/* In a list, as the size of a key: the host looks for the record that starts at
   the offset. */
#define TEXT_WHOLE_RECORD 0xfffffffeu

/* The most chunks of a batch. */
#define TEXT_BATCH_MAX 8

/*
 * A key of the dictionary.  The key is in the first free slot of TEXT_PROBES
 * slots, from the slot of its hash modulo the number of slots on.  A short key
 * is its words (hash.h).  Of a longer key, the words are TEXT_SLOT_LONG and the
 * size, the hash, and the start of its bytes in the arena: at a multiple of 8,
 * with zeros after the bytes up to the next multiple.
 */
#define TEXT_PROBES 32
#define TEXT_SLOT_LONG 255

struct text_slot {
    binning_u64 word[HASH_WORDS];
    binning_u32 cell;  /* of the histogram; 0: the slot is free */
    binning_u32 place; /* its number; of what text_learn gets */
};

/*
 * The parameter of all kernels, passed by value.  Addresses in device memory
 * are numbers, so that C and CUDA C++ have the same layout.
 */
struct text_work {
    binning_u64 data;      /* 16-byte aligned */
    binning_u64 histogram; /* u64[cells]; the kernels add to it */
    binning_u64 scratch;   /* u32[] */
    binning_u64 status;    /* u32[chunks of the batch]; not 0: refused */
    binning_u64 lists;     /* u32[]: text_list_words() for each chunk */
    binning_u64 slots;     /* struct text_slot[slot_mask + 1], aligned to 32 */
    binning_u64 arena;     /* u64[]: the bytes of long keys */
    binning_u64 learned;   /* struct text_slot[LEARN]: for text_learn */
    struct hash_key hash_key;

    /* Chunk I of the batch starts DATA_STRIDE * (FIRST_CHUNK + I) bytes after
       DATA, less than 2^32; a multiple of 16.  Its scratch memory starts
       SCRATCH_STRIDE * I words after SCRATCH. */
    binning_u32 first_chunk;
    binning_u32 data_stride;
    binning_u32 scratch_stride;       /* text_scratch_words(the largest size) */
    binning_u32 size[TEXT_BATCH_MAX]; /* of each, bytes: 1 to 2^30 */

    binning_u32 slot_mask; /* a power of two, less 1 */
    binning_u32 list_room; /* records in the list of a chunk */
    binning_u32 learn;
    binning_u32 prefix; /* bytes that keys are cut to */
    struct text_format format;
    struct text_field field; /* or the first one of a span ... */
    binning_u32 span;        /* ... and how many follow it there */

    /* Of numbers with bins: the cells of bins and of flow cells for numbers,
       the first one, the axis, and the table of its edges, double[]. */
    binning_u32 bins; /* or 0 */
    binning_u32 first_bin;
    binning_u64 edges;
    struct binning_axis axis;
};

/* What text_find counts of a record. */
enum text_finding {
    TEXT_FINDS_KEYS,
    TEXT_FINDS_SPANS,
    TEXT_FINDS_NUMBERS
};

/* Why a chunk is refused: the bits of the status. */
enum text_refusal {
    TEXT_REFUSED_RECORDS = 1, /* too many */
    TEXT_REFUSED_LIST = 2     /* too many are listed */
};

/* Whether states must be known: text_quotes.h. */
DEVICE_FN int
text_work_has_quotes(const struct text_work *work)
{
    return fields_are_csv(&work->format);
}

/* ---- a list, in words of 32 bits ---- */

/* First the number of records that the list should have, then a word that is
   not used, then a struct text_slice for each record. */
#define TEXT_LIST_HEAD 2

DEVICE_FN binning_u32
text_list_words(binning_u32 room)
{
    return TEXT_LIST_HEAD + 2 * room;
}

/* ---- the scratch memory of a chunk of SIZE bytes, in words of 32 bits ---- */

DEVICE_FN binning_u32
text_tiles(binning_u32 size)
{
    return (size + TEXT_TILE - 1) / TEXT_TILE;
}

/* The most records. */
DEVICE_FN binning_u32
text_records_max(binning_u32 size)
{
    return size / TEXT_RECORD_BYTES + 1;
}

/* First the number of records, then a word for each tile (text_quotes.h) ... */
#define TEXT_TILES_AT 1

/* ... and the cell of each record, in any order. */
DEVICE_FN binning_u32
text_cells_at(binning_u32 size)
{
    return TEXT_TILES_AT + text_tiles(size);
}

DEVICE_FN binning_u32
text_scratch_words(binning_u32 size)
{
    return text_cells_at(size) + text_records_max(size);
}

/* ---- shared memory, in words of 32 bits ---- */

/* To find: counters, the window with its margins, two masks with a word before
   each, and a word for each thread. */
#define TEXT_SHARED_COUNTERS 4
#define TEXT_FIND_WORDS                                           \
    (TEXT_SHARED_COUNTERS + (TEXT_WINDOW + 2 * TEXT_MARGIN) / 4 + \
     2 * (TEXT_MASK_WORDS + 1) + TEXT_THREADS_MAX)

/* To count: two words for each of so many counters (text_count.h). */
#define TEXT_FRONT_SLOTS 1024

#define TEXT_SHARED_WORDS                                     \
    (TEXT_FIND_WORDS > 2 * TEXT_FRONT_SLOTS ? TEXT_FIND_WORDS \
                                            : 2 * TEXT_FRONT_SLOTS)

#endif

/* SPDX-License-Identifier: MIT */
/*
 * sequence_fields.h -- the kernel that counts the fields of a chunk that is not
 * refused
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * Adding to the same cell of the histogram from everywhere would be slow:
 * frequent cells have counters in shared memory.
 */

#ifndef GPUHIST_SEQUENCE_FIELDS_H
#define GPUHIST_SEQUENCE_FIELDS_H

#include "kernels/seq/sequence_fasta.h"

/* The threads that count the bases of a record together, at least; and the
   bytes of a usual record for each thread, at most: long records have larger
   teams. */
#define SEQUENCE_TEAM 32
#define SEQUENCE_TURNS 32

/* A table is absent if the shared memory has no room for its first rows. */
#define SEQUENCE_ROWS_MIN 64

/*
 * Where the wanted tables are counted.  The first rows are in the shared
 * memory, with copies for threads that run together.  If not all rows fit, a
 * part of the memory counts the first cells of other rows that are met: either
 * few cells are frequent, or no cell is much more frequent than others.
 */
struct sequence_tables {
    binning_u32 cells[SEQUENCE_SOURCES]; /* in the shared memory */
    DEVICE_SHARED binning_u32 *shared[SEQUENCE_SOURCES];
    binning_u32 copies;
    struct sequence_front front;
};

/* The cells of SOURCE that are counted in ROOM words of the shared memory. */
DEVICE_FN binning_u32
sequence_cells_in(binning_u32 source, binning_u32 room)
{
    binning_u32 width = sequence_table_width(source);
    binning_u32 rows = room / width;

    if (sequence_work_cells(source) <= room)
        return sequence_work_cells(source);
    return rows >= SEQUENCE_ROWS_MIN && source != SEQUENCE_OF_GC ? rows * width
                                                                 : 0;
}

/* A barrier follows. */
DEVICE_FN struct sequence_tables
sequence_tables_open(const struct sequence_task *task)
{
    DEVICE_SHARED binning_u32 *at = task->shared + SEQUENCE_SUMS;
    binning_u32 words = task->work.shared_words - SEQUENCE_SUMS;
    binning_u32 all = 0;
    binning_u32 used = 0;
    binning_u32 room;
    struct sequence_tables tables;

    DEVICE_UNROLL
    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++)
        all += sequence_work_has(&task->work, s) ? sequence_work_cells(s) : 0;
    room = all <= words ? words : words - words / 4;
    DEVICE_UNROLL
    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++) {
        tables.cells[s] = sequence_work_has(&task->work, s)
                              ? sequence_cells_in(s, room - used)
                              : 0;
        used += tables.cells[s];
    }
    tables.copies = sequence_copies(used, room);
    DEVICE_UNROLL
    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++) {
        tables.shared[s] = at;
        at += tables.cells[s] * tables.copies;
    }
    sequence_clear(task->shared, SEQUENCE_SUMS + used * tables.copies);
    tables.front = sequence_front_open(
        at,
        sequence_front_slots(used == all ? 0 : words - used * tables.copies));
    return tables;
}

/* Add AMOUNT to CELL of the table of SOURCE, a constant.  Adds nothing after
   the table: the data may change while a device that hangs goes on. */
DEVICE_FN void
sequence_tables_add(const struct sequence_task *task,
                    const struct sequence_tables *tables, binning_u32 source,
                    binning_u32 cell, binning_u32 amount)
{
    if (cell < tables->cells[source])
        DEVICE_ADD(
            &tables->shared[source][sequence_place(cell, tables->copies)],
            amount);
    else if (cell < sequence_work_cells(source))
        sequence_front_add(task, &tables->front,
                           task->work.first[source] + cell, amount);
}

/* After a barrier. */
DEVICE_FN void
sequence_tables_close(const struct sequence_task *task,
                      const struct sequence_tables *tables)
{
    DEVICE_UNROLL
    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++) {
        sequence_table_close(task, tables->shared[s], tables->cells[s],
                             tables->copies, task->work.first[s]);
    }
    sequence_front_close(task, &tables->front);
}

/* ---- FASTQ ---- */

/* A record that is not refused. */
struct sequence_read {
    binning_u32 bases; /* the offset of the first one */
    binning_u32 quality;
    binning_u32 length;
};

DEVICE_FN struct sequence_read
sequence_read_at(const struct sequence_task *task, binning_u32 record)
{
    DEVICE_GLOBAL const binning_u32 *end = sequence_ends(task) + 4 * record;
    struct sequence_read read = {end[0] + 1, end[2] + 1, end[1] - end[0] - 1};

    return read;
}

/* How many bases of READ are G or C. */
DEVICE_FN binning_u32
sequence_read_gc(const struct sequence_task *task,
                 const struct sequence_read *read)
{
    binning_u32 end = read->bases + read->length;
    binning_u32 sum = 0;

    DEVICE_ROLLED
    for (binning_u32 at = read->bases; at < end;) {
        binning_u32 vector = at / SEQUENCE_VECTOR;
        struct sequence_bytes bytes = sequence_load(task, vector);
        binning_u32 next = (vector + 1) * SEQUENCE_VECTOR;
        binning_u32 mask = sequence_mask_gc(&bytes) >> at % SEQUENCE_VECTOR;

        if (next > end)
            mask &= (1u << (end - at)) - 1;
        sum += DEVICE_POPCOUNT(mask);
        at = next;
    }
    return sum;
}

/* Count the fields that a record has once: one thread for each record. */
DEVICE_FN void
sequence_count_reads(const struct sequence_task *task,
                     const struct sequence_tables *tables, binning_u32 records)
{
    binning_u32 reads = 0;
    binning_u32 bases = 0;

    for (binning_u32 r = sequence_thread(); r < records;
         r += sequence_threads()) {
        struct sequence_read read = sequence_read_at(task, r);

        reads++;
        bases += read.length;
        if (sequence_work_has(&task->work, SEQUENCE_OF_LENGTH))
            sequence_tables_add(task, tables, SEQUENCE_OF_LENGTH, read.length,
                                1);
        if (sequence_work_has(&task->work, SEQUENCE_OF_GC))
            sequence_tables_add(
                task, tables, SEQUENCE_OF_GC,
                sequence_gc_cell(read.length, sequence_read_gc(task, &read)),
                1);
    }
    sequence_sum_add(task, SEQUENCE_TOTAL_READS, reads);
    sequence_sum_add(task, SEQUENCE_TOTAL_BASES, bases);
}

/* Count the base at POSITION of READ. */
DEVICE_FN void
sequence_count_base(const struct sequence_task *task,
                    const struct sequence_tables *tables,
                    const struct sequence_read *read, binning_u32 position)
{
    binning_u32 keeps_case = task->work.keeps_case;
    binning_u32 byte = task->data[read->bases + position];
    binning_u32 quality = task->data[read->quality + position];
    binning_u32 code = sequence_letter_code(byte, keeps_case);

    byte = keeps_case ? byte : sequence_upper(byte);
    DEVICE_UNROLL
    for (binning_u32 s = SEQUENCE_OF_BASE; s < SEQUENCE_SOURCES; s++) {
        binning_u32 row = sequence_work_rows(s) > 1 ? position : 0;
        if (sequence_work_has(&task->work, s))
            sequence_tables_add(task, tables, s,
                                row * sequence_table_width(s) +
                                    sequence_base_cell(s, byte, code, quality),
                                1);
    }
}

/* Count what each base of a record has: a team of threads for each record. */
DEVICE_FN void
sequence_count_bases(const struct sequence_task *task,
                     const struct sequence_tables *tables, binning_u32 records)
{
    binning_u32 bytes = task->size / records; /* of a record */
    binning_u32 team = 1;
    binning_u32 member;

    while (team < DEVICE_THREADS &&
           (team < SEQUENCE_TEAM || team * SEQUENCE_TURNS < bytes))
        team *= 2;
    member = DEVICE_THREAD & (team - 1);
    for (binning_u32 r = sequence_thread() / team; r < records;
         r += sequence_threads() / team) {
        struct sequence_read read = sequence_read_at(task, r);

        for (binning_u32 i = member; i < read.length; i += team)
            sequence_count_base(task, tables, &read, i);
    }
}

/* Count the records of FASTQ. */
DEVICE_FN void
sequence_count_fastq(const struct sequence_task *task,
                     const struct sequence_tables *tables, binning_u32 records)
{
    sequence_count_reads(task, tables, records);
    if (task->work.sources >> SEQUENCE_OF_BASE != 0 && records > 0)
        sequence_count_bases(task, tables, records);
}

/* ---- FASTA ---- */

/* Count the bases of VECTOR with this MASK, equal bases together. */
DEVICE_FN void
sequence_count_letters(const struct sequence_task *task,
                       const struct sequence_tables *tables, binning_u32 vector,
                       binning_u32 mask)
{
    struct sequence_bytes bytes = sequence_load(task, vector);

    /* Bases that fold to the same byte are the same letter. */
    if (!task->work.keeps_case)
        bytes = sequence_fold_cases(&bytes);
    DEVICE_ROLLED
    while (mask != 0) {
        binning_u32 bit = mask & (0 - mask);
        binning_u32 byte =
            task->data[vector * SEQUENCE_VECTOR + DEVICE_POPCOUNT(bit - 1)];
        binning_u32 letter =
            task->work.keeps_case ? byte : sequence_upper(byte);
        binning_u32 same =
            bit |
            (mask & sequence_mask_equal(
                        &bytes, task->work.keeps_case ? byte : byte & ~0x20u));

        sequence_tables_add(task, tables, SEQUENCE_OF_BASE, letter,
                            DEVICE_POPCOUNT(same));
        mask ^= same;
    }
}

/* Count the records and the bases of FASTA, which has no other fields. */
DEVICE_FN void
sequence_count_fasta(const struct sequence_task *task,
                     const struct sequence_tables *tables)
{
    DEVICE_GLOBAL const binning_u32 *word = sequence_tile_counts(task);
    DEVICE_GLOBAL const unsigned short *mask = sequence_masks(task);
    binning_u32 tiles = sequence_tiles(task->size);
    binning_u32 vectors = sequence_vectors(task->size);
    binning_u32 reads = 0;
    binning_u32 bases = 0;

    DEVICE_ROLLED
    for (binning_u32 i = sequence_thread(); i < tiles; i += sequence_threads())
        reads += word[i] / SEQUENCE_KINDS;
    DEVICE_ROLLED
    for (binning_u32 v = sequence_thread(); v < vectors;
         v += sequence_threads()) {
        bases += DEVICE_POPCOUNT(mask[v]);
        if (sequence_work_has(&task->work, SEQUENCE_OF_BASE))
            sequence_count_letters(task, tables, v, mask[v]);
    }
    sequence_sum_add(task, SEQUENCE_TOTAL_READS, reads);
    sequence_sum_add(task, SEQUENCE_TOTAL_BASES, bases);
}

/* ---- the kernel ---- */

/* Kernel: count the totals and the wanted tables. */
DEVICE_FN void
sequence_count_fields(const struct sequence_task *task)
{
    struct sequence_tables tables;
    int is_fasta = sequence_is_fasta(task);
    binning_u32 lines;

    if (*task->status != 0)
        return;
    lines = is_fasta ? 0 : sequence_block_lines(task);
    tables = sequence_tables_open(task);
    DEVICE_BARRIER();
    if (is_fasta)
        sequence_count_fasta(task, &tables);
    else
        sequence_count_fastq(task, &tables, lines / 4);
    DEVICE_BARRIER();
    sequence_tables_close(task, &tables);
    sequence_sums_close(task, SEQUENCE_TOTAL_READS);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * text_find.h -- the kernels that find the cell of each record
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 */

#ifndef GPUHIST_TEXT_FIND_H
#define GPUHIST_TEXT_FIND_H

#include "kernels/text/text_numbers.h"
#include "kernels/text/text_slots.h"

/* text_prepare: no records yet; and what the tiles of CSV do with quotes. */
DEVICE_FN void
text_find_prepare(const struct text_task *task)
{
    binning_u32 tiles =
        text_work_has_quotes(&task->work) ? text_tiles(task->size) : 0;

    if (DEVICE_BLOCK == 0 && DEVICE_THREAD == 0) {
        task->scratch[0] = 0;
        task->status[0] = 0;
        task->list[0] = 0;
        task->list[1] = 0;
    }
    DEVICE_ROLLED
    for (binning_u32 t = DEVICE_BLOCK; t < tiles; t += DEVICE_BLOCKS) {
        binning_u32 function;
        text_window_load(task, TEXT_TILE * t);
        DEVICE_BARRIER();
        function = text_quotes_tile(task);
        if (DEVICE_THREAD == 0)
            task->scratch[TEXT_TILES_AT + t] = function;
    }
}

/* Put SLICE of the chunk into the list. */
DEVICE_FN void
text_find_list(const struct text_task *task, binning_u32 at, binning_u32 size)
{
    binning_u32 place = DEVICE_TAKE_ROOM(&task->list[0], 1);

    if (place >= task->work.list_room) {
        text_refuse(task, TEXT_REFUSED_LIST);
        return;
    }
    task->list[TEXT_LIST_HEAD + 2 * place] = at;
    task->list[TEXT_LIST_HEAD + 2 * place + 1] = size;
}

/* Whether the value of SLICE of the window differs from its bytes: half of its
   quotes are left out. */
DEVICE_FN int
text_find_is_written(const struct text_task *task, struct text_slice slice)
{
    return text_work_has_quotes(&task->work) && slice.size > 0 &&
           text_window_byte(task, slice.at) == '"';
}

/* Whether the record at AT of the window, which starts at START, is left out
   because it has no byte: fields_csv_is_blank(). */
DEVICE_FN int
text_find_is_blank(const struct text_task *task, binning_u32 start,
                   binning_u32 at)
{
    binning_u32 end = task->work.format.end;
    binning_u32 byte = text_window_byte(task, at);

    return task->work.format.skips_blank &&
           (byte == end ||
            (byte == '\r' && (start + at + 1 == task->size ||
                              text_window_byte(task, at + 1) == end)));
}

/* The cell of the record at AT of the window, which starts at START. */
DEVICE_FN binning_u32
text_find_cell(const struct text_task *task, const enum text_finding finding,
               binning_u32 start, binning_u32 at)
{
    binning_i32 comment = task->work.format.comment;
    struct text_slice slice;
    binning_u32 size;
    binning_u32 cell;

    if (comment >= 0 && text_window_byte(task, at) == (binning_u32)comment)
        return TEXT_TOTAL_COMMENTS;
    if (text_find_is_blank(task, start, at))
        return TEXT_TOTAL_COMMENTS;
    slice = finding == TEXT_FINDS_SPANS ? text_window_span(task, at)
                                        : text_window_find(task, start, at);
    if (slice.at == TEXT_MISSING)
        return TEXT_TOTAL_MISSING;
    if (slice.at == TEXT_BEYOND) {
        text_find_list(task, start + at, TEXT_WHOLE_RECORD);
        return TEXT_TOTAL_LISTED;
    }
    size = slice.size < task->work.prefix ? slice.size : task->work.prefix;
    cell = 0;
    if (finding == TEXT_FINDS_NUMBERS)
        cell = text_numbers_cell(task, start + slice.at, size);
    if (cell == 0 &&
        (finding == TEXT_FINDS_SPANS || !text_find_is_written(task, slice)))
        cell = text_slots_find(task, slice.at, size);
    if (cell != 0)
        return cell;
    text_find_list(task, start + slice.at, slice.size);
    return TEXT_TOTAL_LISTED;
}

/* Returns how many records start in the words of this thread of the tile, which
   starts at START in the chunk. */
DEVICE_FN binning_u32
text_find_records(const struct text_task *task, binning_u32 start)
{
    binning_u32 count = 0;

    DEVICE_ROLLED
    for (binning_u32 m = DEVICE_THREAD; m < TEXT_TILE_WORDS;
         m += DEVICE_THREADS)
        count += DEVICE_POPCOUNT(text_window_records(task, start, m));
    return count;
}

/* Write the cells of the records of this thread, whose first record has NUMBER
   in the chunk. */
DEVICE_FN void
text_find_cells(const struct text_task *task, const enum text_finding finding,
                binning_u32 start, binning_u32 number)
{
    DEVICE_GLOBAL binning_u32 *cells =
        task->scratch + text_cells_at(task->size);

    DEVICE_ROLLED
    for (binning_u32 m = DEVICE_THREAD; m < TEXT_TILE_WORDS;
         m += DEVICE_THREADS) {
        binning_u32 records = text_window_records(task, start, m);
        DEVICE_ROLLED
        for (; records != 0; records &= records - 1) {
            binning_u32 at = 32 * m + text_lowest(records);
            cells[number++] = text_find_cell(task, finding, start, at);
        }
    }
}

/* text_find, text_find_spans and text_find_numbers: FINDING is a constant. */
DEVICE_FN void
text_find_all(const struct text_task *task, const enum text_finding finding)
{
    DEVICE_SHARED binning_u32 *counter = task->shared;
    binning_u32 most = text_records_max(task->size);
    binning_u32 tiles = text_tiles(task->size);

    DEVICE_ROLLED
    for (binning_u32 t = DEVICE_BLOCK; t < tiles; t += DEVICE_BLOCKS) {
        binning_u32 start = TEXT_TILE * t;
        binning_u32 number = 0;
        binning_u32 count;
        text_window_load(task, start);
        DEVICE_BARRIER();
        if (text_work_has_quotes(&task->work)) {
            text_quotes_remove(task, t);
            DEVICE_BARRIER();
        }
        count = text_find_records(task, start);
        if (count > 0)
            number = DEVICE_TAKE(&counter[TEXT_COUNTER_RECORDS], count);
        DEVICE_BARRIER();
        if (DEVICE_THREAD == 0)
            counter[TEXT_COUNTER_FIRST] = DEVICE_TAKE_ROOM(
                &task->scratch[0], counter[TEXT_COUNTER_RECORDS]);
        DEVICE_BARRIER();
        number += counter[TEXT_COUNTER_FIRST];
        if (number + count <= most)
            text_find_cells(task, finding, start, number);
        else if (count > 0)
            text_refuse(task, TEXT_REFUSED_RECORDS);
        DEVICE_BARRIER();
    }
}

/* text_learn: put the keys that the host has learned into the dictionary. */
DEVICE_FN void
text_find_learn(const struct text_task *task)
{
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_BLOCK * DEVICE_THREADS + DEVICE_THREAD;
         i < task->work.learn; i += DEVICE_BLOCKS * DEVICE_THREADS) {
        struct text_slot slot = task->learned[i];
        task->slots[slot.place & task->work.slot_mask] = slot;
    }
}

#endif

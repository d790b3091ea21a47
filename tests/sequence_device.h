/* SPDX-License-Identifier: MIT */
/*
 * sequence_device.h -- the kernels for sequences on a device that is emulated,
 * beside sequence.h and kmer.h
 *
 * All memory ends where the kernels must end.
 */

#ifndef GPUHIST_SEQUENCE_DEVICE_H
#define GPUHIST_SEQUENCE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device_items.h"
#include "kernels/seq/sequence_work.h"

/* ---- the histogram: all cells are 0 before and after a check ---- */

#define DEVICE_TOUCHED_MAX ((size_t)1 << 20)

static struct {
    binning_u64 *cell;
    size_t count;
    size_t *touched; /* numbers of cells */
    size_t touched_count;
} device_table;

static inline void
device_add_cell(binning_u64 *cell, binning_u64 amount)
{
    if (amount == 0)
        return;
    if (*cell == 0 && device_table.touched_count < DEVICE_TOUCHED_MAX)
        device_table.touched[device_table.touched_count++] =
            (size_t)(cell - device_table.cell);
    *cell += amount;
}

#include "kernels/seq/sequence_fields.h"
#include "kernels/seq/sequence_kmers.h"
#include "kernels/seq/sequence_mark.h"

/* ---- kernels ---- */

/* Those of the headers are inlined, so they have no address. */

static void
device_lines(const void *task)
{
    sequence_mark_lines(task);
}

static void
device_classify(const void *task)
{
    sequence_mark_classify(task);
}

static void
device_check_records(const void *task)
{
    sequence_mark_check(task);
}

static void
device_fields(const void *task)
{
    sequence_count_fields(task);
}

static void
device_kmers(const void *task)
{
    sequence_count_kmers(task);
}

static void
device_lists(const void *task)
{
    sequence_list_kmers(task);
}

static void
device_drain(const void *task)
{
    sequence_drain_lists(task);
}

static inline void
device_run(void (*kernel)(const void *), const struct sequence_task *task)
{
    device_run_groups(kernel, task, task->shared, task->work.shared_words);
}

/* The number of the chunk in its batch. */
#define DEVICE_CHUNK 1

/* K up to which there is room for cells: virtual memory only. */
#define DEVICE_K_MAX (sizeof(void *) > 4 ? SEQUENCE_K_MAX : 12)

/* Start, before all else. */
static inline void
device_open(void)
{
    size_t count = SEQUENCE_TOTALS + 1;

    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++)
        count += 1 + (size_t)sequence_work_rows(s) * sequence_table_width(s);
    count += (size_t)1 << 2 * DEVICE_K_MAX;
    device_table.count = count;
    device_table.cell =
        mmap(NULL, count * sizeof *device_table.cell, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    device_table.touched =
        malloc(DEVICE_TOUCHED_MAX * sizeof *device_table.touched);
    device_open_items();
    if (device_table.cell == MAP_FAILED || device_table.touched == NULL)
        abort();
}

/* ---- a case ---- */

struct device_case {
    const unsigned char *data; /* ends where the memory does */
    size_t size;
    binning_u32 sources; /* bits */
    binning_u32 k;
    bool is_canonical;
    bool keeps_case;
    binning_u32 items;
    binning_u32 groups;
    binning_u32 shared_words;

    void (*change)(void); /* the data, after each kernel; NULL: they stay */

    /* K-mers in lists: */
    binning_u32 times;      /* that the chunk is counted; 0: no lists */
    binning_u32 drains;     /* bit T is set: drained after time T */
    binning_u32 list_words; /* as SHARED_WORDS: at most as many */
    binning_u32 lists;
    binning_u32 list_room;
    binning_u32 drain_cells; /* 0: as many as there is memory for */
};

/* Divide the cells of WORK into lists. */
static inline void
device_divide(const struct device_case *c, struct sequence_work *work)
{
    sequence_work_divide(work);
    work->list_room = c->list_room;
    while (work->lists > c->lists) {
        work->lists /= 2;
        work->list_shift++;
    }
    work->drain_cells = 1u << work->list_shift;
    while (work->drain_cells > c->list_words ||
           (c->drain_cells != 0 && work->drain_cells > c->drain_cells))
        work->drain_cells /= 2;
}

/* The parameter of the kernels, with a cell that belongs to nothing before each
   table. */
static inline struct sequence_work
device_work(const struct device_case *c)
{
    struct sequence_work work = {
        .first_chunk = 1,
        .data_stride = SEQUENCE_VECTOR,
        .scratch_stride = sequence_scratch_words((binning_u32)c->size),
        .size[DEVICE_CHUNK] = (binning_u32)c->size,
        .keeps_case = c->keeps_case,
        .sources = c->sources,
        .k = c->k,
        .is_canonical = c->is_canonical,
        .shared_words = c->shared_words,
    };
    binning_u32 first = SEQUENCE_TOTALS + 1;

    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++) {
        work.first[s] = first;
        if (sequence_work_has(&work, s))
            first += sequence_work_rows(s) * sequence_table_width(s) + 1;
    }
    work.first_kmer = first;
    if (c->times > 0)
        device_divide(c, &work);
    return work;
}

/* Put the k-mers into lists, as often as C says, and count them. */
static inline void
device_count_listed(const struct device_case *c, struct sequence_task *task)
{
    size_t lists = task->work.lists;

    task->shared += c->shared_words - c->list_words;
    task->work.shared_words = c->list_words;
    task->list_entries =
        malloc(lists * task->work.list_room * sizeof *task->list_entries);
    task->list_sizes = calloc(lists, sizeof *task->list_sizes);
    if (task->list_entries == NULL || task->list_sizes == NULL)
        abort();
    for (binning_u32 i = 0; i < c->times; i++) {
        device_run(device_lists, task);
        if ((c->drains >> i & 1) == 0 && i + 1 < c->times)
            continue;
        device_run(device_drain, task);
        memset(task->list_sizes, 0, lists * sizeof *task->list_sizes);
    }
    free(task->list_entries);
    free(task->list_sizes);
    task->shared -= c->shared_words - c->list_words;
}

static inline void
device_run_next(const struct device_case *c, void (*kernel)(const void *),
                const struct sequence_task *task)
{
    device_run(kernel, task);
    if (c->change != NULL)
        c->change();
}

/* What is in memory that belongs to another chunk, or that kernels set. */
#define DEVICE_GARBAGE 0x5a

static inline bool
device_is_garbage(const void *memory, size_t size)
{
    const unsigned char *byte = memory;

    for (size_t i = 0; i < size; i++)
        if (byte[i] != DEVICE_GARBAGE)
            return false;
    return true;
}

/* Run all kernels.  Returns the status. */
static inline binning_u32
device_count(const struct device_case *c, const struct sequence_work *work)
{
    size_t before = work->scratch_stride * sizeof(binning_u32);
    binning_u32 *scratch = malloc((1 + DEVICE_CHUNK) * before);
    binning_u32 status[1 + DEVICE_CHUNK];
    struct sequence_task task = {
        .work = *work,
        .histogram = device_table.cell,
        .scratch = scratch,
        .status = status,
        .shared = malloc(c->shared_words * sizeof(binning_u32)),
    };

    if (scratch == NULL || task.shared == NULL)
        abort();
    memset(scratch, DEVICE_GARBAGE, (1 + DEVICE_CHUNK) * before);
    memset(status, DEVICE_GARBAGE, sizeof status);
    /* The memory need not start before the data. */
    task.data = (const unsigned char *)((uintptr_t)c->data -
                                        work->data_stride *
                                            (work->first_chunk + DEVICE_CHUNK));
    sequence_task_choose(&task, work, DEVICE_CHUNK);
    device.items = c->items;
    device.groups = c->groups;
    device_run_next(c, device_lines, &task);
    device_run_next(c, device_classify, &task);
    device_run_next(c, device_check_records, &task);
    device_run_next(c, device_fields, &task);
    if (c->k > 0 && c->times > 0)
        device_count_listed(c, &task);
    else if (c->k > 0)
        device_run(device_kmers, &task);
    if (!device_is_garbage(scratch, before) ||
        !device_is_garbage(status, sizeof *status)) {
        fprintf(stderr, "the memory of another chunk has changed\n");
        abort();
    }
    free(scratch);
    free(task.shared);
    return status[DEVICE_CHUNK];
}

/* ---- the definition ---- */

/* The bytes of the lines from AT to END, without what is not of them. */
static inline size_t
device_join(const unsigned char *data, size_t at, size_t end, bool is_quality,
            unsigned char *to)
{
    size_t count = 0;

    while (at < end) {
        size_t stop =
            sequence_line_end(data, (binning_u32)end, (binning_u32)at);
        size_t last = is_quality ? sequence_quality_stop(data, (binning_u32)at,
                                                         (binning_u32)stop)
                                 : stop;
        for (size_t i = at; i < last; i++) {
            if (is_quality || !sequence_is_blank(data[i]))
                to[count++] = data[i];
        }
        at = stop + 1;
    }
    return count;
}

/* Subtract an element from CELL. */
static inline void
device_take(binning_u64 cell, binning_u64 amount)
{
    device_add_cell(&device_table.cell[cell], 0 - amount);
}

static inline void
device_take_read(const struct device_case *c, const struct sequence_work *work,
                 const unsigned char *base, const unsigned char *quality,
                 binning_u32 length)
{
    struct kmer_window window;
    binning_u64 windows = c->k > 0 ? kmer_windows(length, c->k) : 0;
    binning_u32 times = c->times > 0 ? c->times : 1;
    binning_u32 gc = 0;

    device_take(SEQUENCE_TOTAL_READS, 1);
    device_take(SEQUENCE_TOTAL_BASES, length);
    kmer_start(&window);
    for (binning_u32 i = 0; i < length; i++) {
        binning_u32 byte = c->keeps_case ? base[i] : sequence_upper(base[i]);
        binning_u32 code = sequence_letter_code(base[i], c->keeps_case);
        binning_u32 upper = sequence_upper(base[i]);
        gc += upper == 'G' || upper == 'C';
        for (binning_u32 s = SEQUENCE_OF_BASE; s < SEQUENCE_SOURCES; s++) {
            binning_u32 row = s >= SEQUENCE_OF_POSITION_BASE ? i : 0;
            if (sequence_work_has(work, s))
                device_take(work->first[s] +
                                (binning_u64)row * sequence_table_width(s) +
                                sequence_base_cell(s, byte, code, quality[i]),
                            1);
        }
        if (c->k > 0 && kmer_push(&window, base[i], c->k)) {
            device_take(work->first_kmer +
                            kmer_code(&window, c->is_canonical).low,
                        times);
            device_take(SEQUENCE_TOTAL_WINDOWS, times);
            windows--;
        }
    }
    device_take(SEQUENCE_TOTAL_WINDOWS, windows * times);
    device_take(SEQUENCE_TOTAL_BROKEN, windows * times);
    if (sequence_work_has(work, SEQUENCE_OF_LENGTH))
        device_take(work->first[SEQUENCE_OF_LENGTH] + length, 1);
    if (sequence_work_has(work, SEQUENCE_OF_GC))
        device_take(work->first[SEQUENCE_OF_GC] + sequence_gc_cell(length, gc),
                    1);
}

/* Subtract all records of the data.  Returns whether it has no error. */
static inline bool
device_take_all(const struct device_case *c, const struct sequence_work *work)
{
    unsigned char *base = malloc(2 * c->size);
    struct sequence_record record = {0};
    enum sequence_found found = SEQUENCE_RECORD;

    if (base == NULL)
        abort();
    while (found == SEQUENCE_RECORD) {
        found = sequence_find(c->data, work->size[DEVICE_CHUNK], record.next, 1,
                              &record);
        if (found != SEQUENCE_RECORD)
            break;
        unsigned char *quality = base + c->size;
        size_t length = device_join(c->data, record.bases_start,
                                    record.bases_end, false, base);
        size_t same = device_join(c->data, record.quality_start,
                                  record.quality_end, true, quality);
        bool is_fastq = c->data[record.start] == '@';
        if (length != record.length || same != (is_fastq ? length : 0))
            abort();
        if (!is_fastq)
            memset(quality, 0, length);
        device_take_read(c, work, base, quality, record.length);
    }
    free(base);
    return found == SEQUENCE_NONE;
}

/* ---- what is simple, by lines ---- */

/* Whether line I of a record with so many BASES, of SIZE bytes at TEXT, is as it
   should be. */
static inline bool
device_line_is_simple(const struct device_case *c, size_t i,
                      const unsigned char *text, size_t size, size_t bases)
{
    binning_u32 rows = (1u << SEQUENCE_OF_LENGTH) | (1u << SEQUENCE_OF_GC) |
                       (1u << SEQUENCE_OF_POSITION_BASE) |
                       (1u << SEQUENCE_OF_POSITION_QUALITY) |
                       (1u << SEQUENCE_OF_ALL);
    binning_u32 codes = (1u << SEQUENCE_OF_BASE_QUALITY) |
                        (1u << SEQUENCE_OF_POSITION_BASE) |
                        (1u << SEQUENCE_OF_ALL);
    binning_u32 qualities = (1u << SEQUENCE_OF_BASE_QUALITY) |
                            (1u << SEQUENCE_OF_POSITION_QUALITY) |
                            (1u << SEQUENCE_OF_ALL);
    const char *letters = c->keeps_case ? "ACGTN" : "ACGTNacgtn";

    if (i == 0 || i == 2)
        return size > 0 && text[0] == (i == 0 ? '@' : '+');
    if (i == 1 && (c->sources & rows) != 0 && size > 511)
        return false;
    for (size_t b = 0; b < size; b++) {
        if (i == 1 &&
            (!sequence_is_base(text[b]) ||
             ((c->sources & codes) != 0 && strchr(letters, text[b]) == NULL)))
            return false;
        if (i == 3 && (c->sources & qualities) != 0 &&
            (text[b] < 32 || text[b] > 127))
            return false;
    }
    return i == 1 || (size == bases && (size == 0 || text[size - 1] != '\r'));
}

/* Whether a device counts the data, FASTA: names, and lines of bases and blanks
   after them, for which there are no other fields. */
static inline bool
device_fasta_is_simple(const struct device_case *c)
{
    bool has_name = false;
    bool is_name = false;

    for (size_t i = 0; i < c->size; i++) {
        bool starts = i == 0 || c->data[i - 1] == '\n';
        if (c->data[i] == '\n')
            continue;
        is_name = starts ? c->data[i] == '>' : is_name;
        has_name |= is_name;
        if (!has_name || (!is_name && !sequence_is_base(c->data[i]) &&
                          !sequence_is_blank(c->data[i])))
            return false;
    }
    return (c->sources & ~(1u << SEQUENCE_OF_BASE)) == 0;
}

/* Whether a device counts the data. */
static inline bool
device_is_simple(const struct device_case *c)
{
    size_t lines = 0;
    size_t bases = 0;
    size_t end;

    if (c->data[0] != '@')
        return device_fasta_is_simple(c);
    for (size_t at = 0; at < c->size; at = end + 1) {
        size_t i = lines++ % 4;
        end = sequence_line_end(c->data, (binning_u32)c->size, (binning_u32)at);
        bases = i == 1 ? end - at : bases;
        if (!device_line_is_simple(c, i, c->data + at, end - at, bases))
            return false;
    }
    return lines % 4 == 0 && lines <= c->size / 8 + 4;
}

/*
 * Run the kernels and compare what they do with the definition.  Returns NULL,
 * or what is wrong.  Sets *STATUS.
 */
static inline const char *
device_check(const struct device_case *c, binning_u32 *status)
{
    struct sequence_work work = device_work(c);
    const char *wrong = NULL;

    *status = device_count(c, &work);
    if ((*status == 0) != device_is_simple(c))
        wrong = *status == 0 ? "counts what is not simple"
                             : "refuses what is simple";
    if (*status != 0 && device_table.touched_count > 0)
        wrong = "counts what it refuses";
    if (*status == 0 && !device_take_all(c, &work))
        wrong = "counts what has an error";
    for (size_t i = 0; i < device_table.touched_count; i++) {
        size_t cell = device_table.touched[i];
        if (device_table.cell[cell] != 0 && wrong == NULL)
            wrong = "other counts";
        device_table.cell[cell] = 0;
    }
    if (device_table.touched_count == DEVICE_TOUCHED_MAX)
        abort();
    device_table.touched_count = 0;
    return wrong;
}

#endif

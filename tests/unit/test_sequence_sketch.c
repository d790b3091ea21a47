/* SPDX-License-Identifier: MIT */
/*
 * test_sequence_sketch.c -- content is cut by sketches as without them
 *
 * The kernel sketches spans of random FASTQ, some of it odd, wherever they
 * start.  A slow definition says what a sketch is, and cuts of the same data
 * without sketches where records end.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../inflate_kernels.h"
#include "../noise.h"
#include "../tap.h"
#include "seq/sequence_cut.h"

#define DATA_MAX ((size_t)1 << 20)
#define SPANS_MAX 400

/* Data, whose spans are members of a batch. */
static unsigned char *data;
static size_t data_size;
static struct inflate_task task[SPANS_MAX];
static binning_u32 refused[SPANS_MAX];
static struct sequence_sketch sketch[SPANS_MAX];
static binning_u32 spans;

/* ---- data ---- */

static void
put(const char *bytes, size_t size)
{
    memcpy(data + data_size, bytes, size);
    data_size += size;
}

static void
put_line(const char *alphabet, size_t size, bool has_return)
{
    size_t letters = strlen(alphabet);

    for (size_t i = 0; i < size; i++)
        data[data_size++] = (unsigned char)alphabet[noise() % letters];
    put(has_return ? "\r\n" : "\n", 1u + has_return);
}

/* Add a record; one in ODD is not of four lines, if there is no mistake. */
static void
put_record(size_t most, uint64_t odd)
{
    size_t bases = noise() % most;
    bool has_return = noise() % 8 == 0;
    uint64_t kind = noise() % odd;

    if (kind == 1)
        put("\n \n", 3);
    if (kind == 2) {
        put(">f\n", 3);
        put_line("ACGT", bases, has_return);
        return;
    }
    put("@", 1);
    put_line("name:/@+>", noise() % 40, has_return);
    put_line("ACGTN", bases, has_return);
    if (kind == 3)
        put_line("ACGT", 0, false);
    put("+", 1);
    put_line("@+n", kind == 4 ? 5 : 0, false);
    if (kind == 5 && bases > 2) {
        put_line("@+I>", bases / 2, false);
        bases -= bases / 2;
    }
    put_line("@+I>F,:", bases + (kind == 6), has_return && kind != 7);
}

static void
make_data(size_t size, size_t most, uint64_t odd)
{
    data_size = 0;
    if (noise() % 3 == 0)
        put_line("@+>\n", noise() % 9, false);
    while (data_size < size)
        put_record(most, odd);
    data_size -= noise() % 5;
}

/* Divide the data in spans of up to MOST bytes, some of them empty. */
static void
make_spans(size_t most)
{
    size_t at = 0;

    for (spans = 0; at < data_size; spans++) {
        size_t size = noise() % 16 == 0 ? 0 : most - noise() % (most / 8 + 1);
        if (size > data_size - at)
            size = data_size - at;
        if (spans == SPANS_MAX)
            abort();
        task[spans] = (struct inflate_task){.content_at = (binning_u32)at,
                                            .content = (binning_u32)size};
        refused[spans] = noise() % 50 == 0;
        at += size;
    }
}

static void
run_kernel(binning_u32 groups, binning_u32 items)
{
    const struct inflate_work work = {
        .tasks = (binning_u64)(uintptr_t)task,
        .content = (binning_u64)(uintptr_t)data,
        .refused = (binning_u64)(uintptr_t)refused,
        .sketches = (binning_u64)(uintptr_t)sketch,
        .members = spans,
    };

    memset(sketch, 0xa5, sizeof sketch);
    inflate_kernels_run_sketch(&work, groups, items);
}

/* ---- what a sketch is ---- */

/* The end of the line at AT of the SIZE bytes at BYTES; SIZE: it has none. */
static size_t
end_of(const unsigned char *bytes, size_t at, size_t size)
{
    while (at < size && bytes[at] != '\n')
        at++;
    return at;
}

/* The bytes of the line at AT before '\n', and before '\r' there. */
static size_t
length_of(const unsigned char *bytes, size_t at, size_t size)
{
    size_t end = end_of(bytes, at, size);

    return end - at - (end > at && bytes[end - 1] == '\r');
}

/* Whether the record at AT of SIZE bytes is none of four lines, but has them.
 */
static bool
is_misfit(const unsigned char *bytes, size_t at, size_t size)
{
    size_t start[5] = {at};

    for (int i = 0; i < 4; i++) {
        start[i + 1] = end_of(bytes, start[i], size) + 1;
        if (start[i + 1] > size)
            return false;
    }
    unsigned char second = bytes[start[1]];
    return bytes[at] != '@' || second == '@' || second == '>' ||
           second == '+' || bytes[start[2]] != '+' ||
           length_of(bytes, start[1], size) != length_of(bytes, start[3], size);
}

static binning_u32
sketch_slowly(const unsigned char *bytes, size_t size)
{
    binning_u32 lines = 0;
    binning_u32 misfits = 0;

    for (size_t end = end_of(bytes, 0, size); end < size;
         end = end_of(bytes, end + 1, size)) {
        if (end + 1 < size && is_misfit(bytes, end + 1, size))
            misfits |= 1u << lines % 4;
        lines++;
    }
    if (lines > INFLATE_SKETCH_ENDS)
        misfits = 0xf;
    return lines | (misfits ^ 0xf) << SEQUENCE_SKETCH_FITS;
}

static bool
are_right(void)
{
    for (binning_u32 i = 0; i < spans; i++) {
        binning_u32 wanted =
            refused[i] != 0
                ? 0
                : sketch_slowly(data + task[i].content_at, task[i].content);
        if (sketch[i].bytes != task[i].content || sketch[i].lines != wanted)
            return false;
    }
    return true;
}

/* ---- cuts ---- */

static bool
are_equal(const struct sequence_cut *a, const struct sequence_cut *b)
{
    return a->place == b->place && a->is_fastq == b->is_fastq &&
           a->is_after_return == b->is_after_return && a->bases == b->bases &&
           a->quality == b->quality;
}

/* Whether the data from AT to END, with the sketches from span FIRST on, are
   cut in the same way without sketches. */
static bool
is_same_cut(size_t at, size_t end, binning_u32 first)
{
    const struct sequence_sketches sketches = {
        .sketch = sketch + first,
        .count = spans - first,
        .at = task[first].content_at - (binning_u32)at,
    };
    struct sequence_cut with = {0};
    struct sequence_cut without = {0};
    struct text_ends a =
        sequence_cut_find(&with, data + at, end - at, false, &sketches);
    struct text_ends b =
        sequence_cut_find(&without, data + at, end - at, false, NULL);

    return are_equal(&with, &without) && a.has_any == b.has_any &&
           a.first == b.first && a.last == b.last && a.records == b.records;
}

/* The start of a line near the start of span I, or before. */
static size_t
line_before(binning_u32 i)
{
    size_t at = task[i].content_at - noise() % (task[i].content_at + 1) % 3000;

    while (at > 0 && data[at - 1] != '\n')
        at--;
    return at;
}

static bool
are_same_cuts(void)
{
    if (spans > 0 && !is_same_cut(0, data_size, 0))
        return false;
    for (binning_u32 i = 0; i < spans; i++) {
        size_t at = line_before(i);
        if (!is_same_cut(at, at + noise() % (data_size - at + 1), i))
            return false;
    }
    return true;
}

/* ---- tests ---- */

static void
test_random(const char *name, size_t size, size_t most, size_t span,
            uint64_t odd, int turns)
{
    static const binning_u32 items[] = {1, 128, 4, 64};
    bool is_right = true;
    bool is_same = true;

    for (int turn = 0; turn < turns && is_right && is_same; turn++) {
        make_data(size, most, odd);
        make_spans(span);
        run_kernel(1 + (binning_u32)turn % 3, items[turn % 4]);
        is_right = are_right();
        is_same = are_same_cuts();
    }
    ok(is_right, "%s: the kernel's sketches", name);
    ok(is_same, "%s: the same cuts", name);
}

/* Of records with four lines, only those at the edges of spans are read. */
static void
test_untouched(void)
{
    struct sequence_cut cut = {0};
    struct sequence_sketches sketches = {.sketch = sketch};

    data_size = 0;
    while (data_size < DATA_MAX / 2)
        put_record(200, UINT64_MAX);
    make_spans(65280);
    memset(refused, 0, sizeof refused);
    run_kernel(2, 32);
    sketches.count = spans;
    const struct text_ends wanted =
        sequence_cut_find(&cut, data, data_size, false, NULL);
    for (binning_u32 i = 0; i < spans; i++) {
        if (task[i].content > 8000)
            memset(data + task[i].content_at + 4000, 'x',
                   task[i].content - 8000);
    }
    const struct text_ends ends =
        sequence_cut_find(&cut, data, data_size, false, &sketches);
    ok(ends.last == wanted.last && ends.records == wanted.records &&
           ends.last == data_size && ends.sketched > data_size - data_size / 50,
       "records within spans are not looked at");
}

int
main(void)
{
    device_open_items();
    data = malloc(2 * DATA_MAX);
    if (data == NULL)
        abort();
    test_random("four lines", 200000, 300, 65280, UINT64_MAX, 12);
    test_random("odd records", 200000, 300, 65280, 300, 16);
    test_random("many odd records", 20000, 60, 3000, 8, 100);
    test_random("short lines", 100000, 3, 65536, 1000, 8);
    test_random("short spans", 8000, 60, 100, 100, 100);
    test_untouched();
    free(data);
    free(device.stack);
    return done_testing();
}

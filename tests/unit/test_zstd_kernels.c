/* SPDX-License-Identifier: MIT */
/*
 * test_zstd_kernels.c -- the kernels for zstd, as C, beside plain loops
 *
 * The batches of a file are decoded by both.  What is compared is all that the
 * host looks at; libzstd's content is the oracle of the loops.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTENT_MAX ((size_t)200 << 10)

#include "../memory_file.h"
#include "../noise.h"
#include "../tap.h"
#include "../zstd_kernels.h"
#include "../zstd_samples.h"
#include "../zstd_standin.h"
#include "input/decode/zstd/zstd_batch.h"

#define KIB (uint32_t)1024
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* How kernels run, and how large batches are. */
struct how {
    binning_u32 groups;
    binning_u32 items;
    uint32_t content;
    uint32_t blocks;
    uint32_t history;
};

/* The memory of a device for two batches, and what there is once. */
struct memory {
    unsigned char *content[2];
    struct zstd_left left[2];
};

static size_t batches;
static size_t refused;
static size_t summed; /* frames */

#define NUMBER(pointer) ((binning_u64)(uintptr_t)(pointer))

/* Let the kernels decode BATCH, the number NUMBER, with MEMORY.  Sets FOUND. */
static void
run_kernels(const struct decoding_batch *batch, uint64_t number,
            struct memory *memory, struct zstd_found *found, binning_u64 *sums,
            const struct how *how)
{
    const unsigned int i = number % 2;
    struct zstd_left none = {.is_refused = 0};
    size_t literals = 0;
    size_t sequences = 0;
    const size_t margins = 2 * (size_t)ZSTD_WORK_MARGIN;

    for (uint32_t b = 0; b < batch->blocks; b++) {
        const struct zstd_task *task = &batch->task[b];
        if (task->type == ZSTD_COMPRESSED)
            literals = task->literals_at + task->literals;
        if (task->sequences > 0)
            sequences =
                task->sequences_at + ZSTD_SEQUENCES_ROOM(task->sequences);
    }
    unsigned char *data = standin_memory(batch->packed_bytes + margins);
    unsigned char *literal = standin_memory(literals + margins);
    struct zstd_sequence *sequence =
        standin_memory(sequences * sizeof *sequence);
    struct zstd_task *task = standin_memory(batch->blocks * sizeof *task);
    binning_u32 *sources = standin_memory(batch->room * sizeof *sources);
    struct zstd_progress *progress = standin_memory(sizeof *progress);
    free(memory->content[i]);
    memory->content[i] = standin_memory((size_t)batch->history + batch->room);
    memcpy(data + ZSTD_WORK_MARGIN, batch->packed, batch->packed_bytes);
    memcpy(task, batch->task, batch->blocks * sizeof *task);
    const struct zstd_work work = {
        .packed = NUMBER(data + ZSTD_WORK_MARGIN),
        .tasks = NUMBER(task),
        .found = NUMBER(found),
        .literals = NUMBER(literal + ZSTD_WORK_MARGIN),
        .sequences = NUMBER(sequence),
        .sources = NUMBER(sources) - batch->history * sizeof *sources,
        .content = NUMBER(memory->content[i]),
        .before = NUMBER(memory->content[batch->is_first ? i : 1 - i]),
        .left = NUMBER(&memory->left[i]),
        .left_before = NUMBER(batch->is_first ? &none : &memory->left[1 - i]),
        .progress = NUMBER(progress),
        .sums = NUMBER(sums),
        .blocks = batch->blocks,
        .history = batch->history,
        .room = batch->room,
    };
    zstd_kernels_run(&work, how->groups, how->items);
    free(data);
    free(literal);
    free(sequence);
    free(task);
    free(sources);
    free(progress);
}

/* Compare what both have made of batch NUMBER.  Returns what is wrong. */
static const char *
compare(const struct decoding_batch *batch, const struct standin_batch *own,
        const struct memory *memory, const struct zstd_found *found,
        const binning_u64 *sums, uint64_t number)
{
    const struct zstd_left *left = &memory->left[number % 2];

    if ((left->is_refused != 0) != (own->left.is_refused != 0))
        return "one refuses it";
    if (left->is_refused)
        return NULL;
    if (left->content != own->left.content || left->made != own->left.made ||
        memcmp(&left->offsets, &own->left.offsets, sizeof left->offsets) != 0)
        return "what is left is other";
    for (uint32_t b = 0; b < batch->blocks; b++)
        if (found[b].content != own->found[b].content)
            return "a block has other content";
    for (uint32_t b = 0; b < batch->blocks; b++) {
        if (batch->task[b].summed_blocks == 0)
            continue;
        summed++;
        if (sums[b] != own->sums[b])
            return "a sum is other";
    }
    return memcmp(memory->content[number % 2] + batch->history,
                  own->made + batch->history, left->content) == 0
               ? NULL
               : "the content is other";
}

/* Decode the file with both.  It is damaged, or has CONTENT.  Returns what is
   wrong, or NULL. */
static const char *
decode_file(const struct how *how, bool is_damaged)
{
    struct decoding_sizes sizes = zstd_batch_least;
    struct source source = {.path = memory_file.path, .display_name = "x.zst"};
    struct progress progress;
    struct error error = ERROR_NONE;
    struct decoding_driver *driver = standin_new(STANDIN_NONE, 0);
    struct standin *standin = (struct standin *)driver;
    struct decoding_batch batch[DECODING_BATCHES] = {{.blocks = 0}};
    struct zstd_batch_walk walk;
    struct memory memory = {.content = {NULL, NULL}};
    const char *wrong = NULL;
    size_t size = 0;

    sizes.content = how->content;
    sizes.literals = how->content;
    sizes.sequences = how->content / 2 + sizes.sequences;
    sizes.packed += how->content;
    sizes.blocks = how->blocks;
    sizes.history = how->history;
    struct zstd_batch_frames frames = {
        .frame = calloc(sizes.blocks, sizeof *frames.frame)};
    struct zstd_found *found = calloc(sizes.blocks, sizeof *found);
    binning_u64 *sums = calloc(sizes.blocks, sizeof *sums);
    progress_open(&progress);
    if (source_open(&source, &progress, NULL) < 0 || frames.frame == NULL ||
        found == NULL || sums == NULL ||
        driver->type->open(driver, &sizes, &error) < 0 ||
        zstd_batch_open(&walk, &source, &sizes, 0, INT64_MAX, how->history) < 0)
        abort();
    for (uint64_t n = 0; wrong == NULL; n++) {
        uint64_t at = n % DECODING_BATCHES;
        struct standin_batch *own = &standin->belt[0].batch[at];
        batch[at].slot = (unsigned int)at;
        if (n < DECODING_BATCHES)
            driver->type->open_batch(driver, &batch[at], &error);
        if (!zstd_batch_fill(&walk, &batch[at], &frames))
            break;
        driver->type->decode(driver, n, &batch[at], &error);
        driver->type->await(driver, n, &batch[at], &error);
        driver->type->await_content(driver, n, &batch[at], &error);
        memset(found, STANDIN_POISON, batch[at].blocks * sizeof *found);
        run_kernels(&batch[at], n, &memory, found, sums, how);
        wrong = compare(&batch[at], own, &memory, found, sums, n);
        batches++;
        if (own->left.is_refused) {
            refused++;
            break;
        }
        if (is_damaged)
            continue;
        if (own->left.content > content_size - size ||
            memcmp(own->made + batch[at].history, content + size,
                   own->left.content) != 0)
            wrong = "that of the loops is other";
        size += own->left.content;
    }
    if (!is_damaged && wrong == NULL && size != content_size)
        wrong = "its size";
    zstd_batch_close(&walk);
    source_close(&source);
    error_clear(&source.error);
    driver->type->close(driver);
    free(memory.content[0]);
    free(memory.content[1]);
    free(frames.frame);
    free(found);
    free(sums);
    return wrong;
}

/* ---- tests ---- */

/* Content of all kinds, at several levels. */
static void
test_kinds(void)
{
    static const struct how hows[] = {
        {1, 1, 1024 * KIB, 64, 1024 * KIB},
        {3, 64, 256 * KIB, 4, 1024 * KIB},
        {2, 256, 128 * KIB, 64, 1024 * KIB},
        {5, 32, 1024 * KIB, 3, 1024 * KIB},
    };
    static const int levels[] = {-5, 1, 3, 9, 19};

    for (int kind = 0; kind < KINDS; kind++) {
        const char *wrong = NULL;
        for (size_t l = 0; l < COUNT(levels) && wrong == NULL; l++) {
            const struct shape shape = {
                .level = levels[l],
                .has_checksum = l % 2 == 0,
                .window_log = l % 2 == 0 ? 20 : 10 + (int)(noise() % 10),
                .flush = l == 2 ? 1 + noise() % 9000 : 0};
            packed_size = 0;
            make((enum kind)kind,
                 noise() % 4 == 0 ? noise() % 100 : noise() % CONTENT_MAX);
            pack(&shape);
            memory_file_write(packed, packed_size);
            wrong = decode_file(&hows[((size_t)kind + l) % COUNT(hows)], false);
        }
        ok(wrong == NULL, "%s%s%s", kind_names[kind], wrong != NULL ? ": " : "",
           wrong != NULL ? wrong : "");
    }
}

/* Many frames in a batch, also empty ones. */
static void
test_frames(void)
{
    static const struct how how = {4, 64, 1024 * KIB, 100, 1024 * KIB};
    static unsigned char all[CONTENT_MAX];
    size_t size = 0;

    packed_size = 0;
    for (int i = 0; i < 40; i++) {
        const struct shape shape = {.level = i % 20,
                                    .has_checksum = i % 3 == 0,
                                    .window_log = 10 + i % 10};
        make((enum kind)(i % KINDS), i % 7 == 0 ? 0 : noise() % 9000);
        memcpy(all + size, content, content_size);
        size += content_size;
        pack(&shape);
    }
    memcpy(content, all, size);
    content_size = size;
    memory_file_write(packed, packed_size);
    const char *wrong = decode_file(&how, false);
    ok(wrong == NULL, "many frames%s%s", wrong != NULL ? ": " : "",
       wrong != NULL ? wrong : "");
}

/* Checksums of frames of many sizes, several of which a thread block has. */
static void
test_sums(void)
{
    static const struct how hows[] = {
        {4, 64, 1024 * KIB, 300, 1024 * KIB},
        {1, 1, 1024 * KIB, 300, 1024 * KIB},
        {2, 4, 64 * KIB, 20, 1024 * KIB},
    };
    static const size_t near[] = {512, 544, 1024, 4096, 5120, 40000};
    static unsigned char all[CONTENT_MAX];
    const size_t small = 105; /* three stripes, and the rest of one */
    size_t size = 0;
    size_t before = summed;
    const char *wrong = NULL;

    packed_size = 0;
    for (size_t i = 0; i < small + 3 * COUNT(near); i++) {
        const struct shape shape = {.level = 1,
                                    .has_checksum = i % 10 != 9,
                                    .window_log = 10 + (int)(i % 3)};
        make(KIND_MIXED,
             i < small ? i : near[(i - small) / 3] - 1 + (i - small) % 3);
        memcpy(all + size, content, content_size);
        size += content_size;
        pack(&shape);
        /* A frame to skip. */
        if (i % 7 == 0) {
            memcpy(packed + packed_size, "\x50\x2a\x4d\x18\3\0\0\0abc", 11);
            packed_size += 11;
        }
    }
    memcpy(content, all, size);
    content_size = size;
    memory_file_write(packed, packed_size);
    for (size_t w = 0; w < COUNT(hows) && wrong == NULL; w++)
        wrong = decode_file(&hows[w], false);
    ok(wrong == NULL, "sums%s%s", wrong != NULL ? ": " : "",
       wrong != NULL ? wrong : "");
    ok(summed - before > 300, "%zu frames were summed", summed - before);
}

/* Damage: both refuse the same, or find the same. */
static void
test_damage(void)
{
    static const struct how hows[] = {{1, 1, 128 * KIB, 8, 16 * KIB},
                                      {2, 32, 128 * KIB, 8, 16 * KIB}};
    const char *wrong = NULL;
    size_t before = refused;

    for (int i = 0; i < 600 && wrong == NULL; i++) {
        const struct shape shape = {.level = i % 20, .window_log = 14};
        packed_size = 0;
        make((enum kind)(i % KINDS), 20 + noise() % 3000);
        pack(&shape);
        for (int k = 0; k < 1 + i % 3; k++)
            packed[6 + noise() % (packed_size - 6)] ^=
                (unsigned char)(1u << noise() % 8);
        memory_file_write(packed, packed_size);
        wrong = decode_file(&hows[i % 8 == 0], true);
    }
    ok(wrong == NULL, "damage%s%s", wrong != NULL ? ": " : "",
       wrong != NULL ? wrong : "");
    ok(refused - before > 50, "%zu batches were refused", refused - before);
}

int
main(void)
{
    device_open_items();
    test_kinds();
    test_frames();
    test_sums();
    test_damage();
    printf("# %zu batches\n", batches);
    return done_testing();
}

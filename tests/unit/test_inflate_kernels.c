/* SPDX-License-Identifier: MIT */
/*
 * test_inflate_kernels.c -- the kernels for deflate data, as C, beside zlib
 *
 * zlib makes the members, and is the oracle for those that are damaged: what
 * the kernels accept, zlib must accept, too, with the same content.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "../deflate_samples.h"
#include "../inflate_kernels.h"
#include "../noise.h"
#include "../tap.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MEMBERS_MAX 64
#define PACKED_MAX ((size_t)MEMBERS_MAX << 16)
#define CONTENT_MAX ((size_t)MEMBERS_MAX << 16)
#define POISON 0xa5

/* A batch: members one after the other, with a few bytes between them. */
static struct {
    struct inflate_task task[MEMBERS_MAX];
    binning_u32 refused[MEMBERS_MAX];
    binning_u32 members;
    unsigned char *packed;
    size_t packed_bytes;
    unsigned char *expected;
    size_t content_bytes;
} batch;

static size_t accepted;
static size_t refused;

/* Memory of SIZE bytes, at a multiple of 32, which ends there. */
static unsigned char *
memory(size_t size)
{
    /* A sanitizer looks at the end only if the size is not rounded up. */
    unsigned char *at = NULL;

    if (posix_memalign((void **)&at, 32, size > 0 ? size : 1) != 0)
        abort();
    memset(at, POISON, size);
    return at;
}

static void
batch_clear(void)
{
    batch.members = 0;
    batch.packed_bytes = noise() % 20;
    batch.content_bytes = noise() % 40;
}

/* Add a member with PACKED data; its trailer says CONTENT. */
static void
batch_add(const unsigned char *packed, size_t packed_size,
          const unsigned char *content, size_t size)
{
    struct inflate_task *task = &batch.task[batch.members++];

    if (batch.members > MEMBERS_MAX ||
        packed_size > PACKED_MAX - batch.packed_bytes)
        abort();
    memcpy(batch.packed + batch.packed_bytes, packed, packed_size);
    memcpy(batch.expected + batch.content_bytes, content, size);
    task->at = (binning_u32)batch.packed_bytes;
    task->bytes = (binning_u32)packed_size;
    task->content_at = (binning_u32)batch.content_bytes;
    task->content = (binning_u32)size;
    task->sum = (binning_u32)crc32(crc32(0, NULL, 0), content, (unsigned)size);
    batch.packed_bytes += packed_size + noise() % 30;
    batch.content_bytes += size;
}

/* Whether zlib decodes member M to what its trailer says. */
static bool
zlib_accepts(binning_u32 m)
{
    static unsigned char content[INFLATE_CONTENT_MAX + 1];
    const struct inflate_task *task = &batch.task[m];
    z_stream stream = {.next_in = batch.packed + task->at,
                       .avail_in = task->bytes,
                       .next_out = content,
                       .avail_out = sizeof content};

    if (inflateInit2(&stream, -15) != Z_OK)
        abort();
    const bool is_right =
        inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 &&
        stream.total_out == task->content &&
        memcmp(content, batch.expected + task->content_at, task->content) == 0;
    inflateEnd(&stream);
    return is_right;
}

/* Decode the batch.  Returns what is wrong, or NULL.  If the members ARE_RIGHT,
   all must be accepted. */
static const char *
decode(binning_u32 groups, binning_u32 items, bool are_right)
{
    const size_t packed_bytes = (batch.packed_bytes + 3) / 4 * 4;
    const size_t refused_bytes = batch.members * sizeof *batch.refused;
    unsigned char *packed = memory(packed_bytes);
    unsigned char *content = memory(batch.content_bytes);
    unsigned char *tasks = memory(batch.members * sizeof *batch.task);
    unsigned char *words = memory(refused_bytes);
    const char *wrong = NULL;
    size_t end = 0;

    memcpy(packed, batch.packed, batch.packed_bytes);
    memcpy(tasks, batch.task, batch.members * sizeof *batch.task);
    const struct inflate_work work = {
        .packed = (binning_u64)(uintptr_t)packed,
        .tasks = (binning_u64)(uintptr_t)tasks,
        .content = (binning_u64)(uintptr_t)content,
        .refused = (binning_u64)(uintptr_t)words,
        .members = batch.members,
    };
    inflate_kernels_run_decode(&work, groups, items);
    inflate_kernels_run_sum(&work, groups, items);
    memcpy(batch.refused, words, refused_bytes);
    for (binning_u32 m = 0; m < batch.members && wrong == NULL; m++) {
        const struct inflate_task *task = &batch.task[m];
        while (end < task->content_at && content[end] == POISON)
            end++;
        if (end != task->content_at)
            wrong = "bytes between members are written";
        end += task->content;
        if (batch.refused[m] != 0) {
            refused++;
            if (are_right)
                wrong = "it is refused";
            continue;
        }
        accepted++;
        if (memcmp(content + task->content_at,
                   batch.expected + task->content_at, task->content) != 0)
            wrong = "the content is other";
        else if (!are_right && !zlib_accepts(m))
            wrong = "zlib refuses it";
    }
    free(packed);
    free(content);
    free(tasks);
    free(words);
    return wrong;
}

static unsigned char sample_bytes[INFLATE_CONTENT_MAX];
static struct deflate_sample sample = {sample_bytes, 0, sizeof sample_bytes};
static unsigned char packed[INFLATE_PACKED_MAX];

/* Add a member of SIZE bytes of KIND, or less. */
static void
add(enum deflate_kind kind, size_t size, const struct deflate_shape *shape)
{
    size_t packed_size = 0;

    deflate_sample_make(&sample, kind, size);
    while ((packed_size = deflate_sample_pack(&sample, shape, packed,
                                              sizeof packed)) == 0)
        sample.size -= sample.size / 8;
    batch_add(packed, packed_size, sample.byte, sample.size);
}

/* ---- tests ---- */

static const struct {
    binning_u32 groups;
    binning_u32 items;
} hows[] = {{1, 1}, {3, 32}, {2, 4}, {1, 32}, {5, 16}};

static void
report(const char *wrong, const char *name)
{
    ok(wrong == NULL, "%s%s%s", name, wrong != NULL ? ": " : "",
       wrong != NULL ? wrong : "");
}

/* Content of all kinds, as all strategies and levels make members of it. */
static void
test_kinds(void)
{
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FILTERED,
                                     Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED};

    for (int kind = 0; kind < DEFLATE_KINDS; kind++) {
        const char *wrong = NULL;
        for (size_t s = 0; s < COUNT(strategies) && wrong == NULL; s++) {
            batch_clear();
            for (int level = 0; level <= 9; level += 1 + (int)s % 2) {
                const struct deflate_shape shape = {
                    .level = level,
                    .strategy = strategies[s],
                    .memory = 1 + (int)(noise() % 9),
                    .flush = noise() % 3 == 0 ? 1 + noise() % 9000 : 0,
                    .flush_how = noise() % 2 == 0 ? Z_FULL_FLUSH : Z_BLOCK};
                if (has_turn(3))
                    add((enum deflate_kind)kind,
                        noise() % 3 == 0 ? noise() % 500 : noise() % 65281,
                        &shape);
            }
            const size_t how = ((size_t)kind + s) % COUNT(hows);
            wrong = decode(hows[how].groups, hows[how].items, true);
        }
        report(wrong, deflate_kind_names[kind]);
    }
}

/* Members of all sizes, at all places. */
static void
test_sizes(void)
{
    static const struct deflate_shape shape = {.level = 6, .memory = 8};
    const char *wrong = NULL;

    for (size_t size = 0; size < 300 && wrong == NULL; size += MEMBERS_MAX) {
        batch_clear();
        for (size_t i = 0; i < MEMBERS_MAX; i++)
            add(DEFLATE_KIND_TEXT, size + i, &shape);
        wrong = decode(2, size % 3 == 0 ? 32 : 1, true);
    }
    report(wrong, "small sizes");
    batch_clear();
    for (size_t i = 0; i < 9; i++)
        add(i % 2 == 0 ? DEFLATE_KIND_ZEROS : DEFLATE_KIND_LINES,
            INFLATE_CONTENT_MAX - i, &shape);
    report(decode(4, 32, true), "large sizes");
}

/* Members that are cut, or have other bits, or lie about their content. */
static void
test_damage(void)
{
    const char *wrong = NULL;
    const size_t before = refused;

    for (int i = 0; i < 400 && wrong == NULL; i++) {
        if (!has_turn(4))
            continue;
        batch_clear();
        for (int k = 0; k < 20; k++) {
            const struct deflate_shape shape = {
                .level = 1 + k % 9,
                .strategy = k % 7 == 0 ? Z_FIXED : Z_DEFAULT_STRATEGY,
                .memory = 1 + (int)(noise() % 9)};
            add((enum deflate_kind)(noise() % DEFLATE_KINDS),
                noise() % (k == 0 ? 30000 : 2000), &shape);
            struct inflate_task *task = &batch.task[k];
            const binning_u32 cut = 1 + (binning_u32)(noise() % 4);
            switch (noise() % 4) {
            case 0:
                if (task->bytes > cut)
                    task->bytes -= cut;
                break;
            case 1:
                task->content += task->content > 0 ? -1u : 0;
                break;
            default:
                for (binning_u32 n = 0; n < cut; n++)
                    batch.packed[task->at + noise() % task->bytes] ^=
                        (unsigned char)(1u << noise() % 8);
            }
        }
        wrong = decode(2, i % 9 == 0 ? 32 : 1, false);
    }
    report(wrong, "damage");
    ok(refused - before > 1000, "%zu members were refused", refused - before);
}

/* Data that nobody has packed. */
static void
test_noise(void)
{
    const char *wrong = NULL;

    for (int i = 0; i < 200 && wrong == NULL; i++) {
        if (!has_turn(4))
            continue;
        batch_clear();
        for (int k = 0; k < 30; k++) {
            const size_t size = 1 + noise() % 600;
            for (size_t n = 0; n < size; n++)
                packed[n] = (unsigned char)noise();
            packed[0] = (unsigned char)((packed[0] & ~7u) | (noise() % 3) << 1);
            batch_add(packed, size, sample_bytes, noise() % 3000);
        }
        wrong = decode(1, i % 9 == 0 ? 32 : 1, false);
    }
    report(wrong, "noise");
}

int
main(void)
{
    device_open_items();
    batch.packed = malloc(PACKED_MAX);
    batch.expected = malloc(CONTENT_MAX);
    if (batch.packed == NULL || batch.expected == NULL)
        abort();
    test_kinds();
    test_sizes();
    test_damage();
    test_noise();
    printf("# %zu members accepted, %zu refused\n", accepted, refused);
    free(batch.packed);
    free(batch.expected);
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/*
 * test_identity.c -- the portions of inputs, whatever reads them and how
 *
 * The portions are compared with those of a definition that hashes the bytes of
 * a file one leaf after the other.
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../noise.h"
#include "../scratch.h"
#include "../tap.h"
#include "input/framing/text_framing.h"
#include "input/read/claim.h"
#include "input/read/inputs.h"
#include "input/read/opening.h"
#include "text/text_format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define BYTES_MAX ((size_t)3 << 20)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char data[BYTES_MAX];

/* ---- the definition ---- */

/* Where the segment or leaf of byte OFFSET ends, without a formula. */
static uint64_t
next_edge(uint64_t offset, uint64_t most)
{
    uint64_t edge = 0;
    uint64_t step = 8;

    for (uint64_t count = 0; edge <= offset; count++) {
        edge += step < most ? step : most;
        if (count == 0)
            step = 1;
        /* Eight steps of each length, from offset 8 on. */
        while (edge >= 16 * step)
            step *= 2;
    }
    return edge;
}

/* Returns the sum of the leaves from START to END, and sets *LOW of it. */
static struct digest
sum_leaves(const unsigned char *bytes, uint64_t start, uint64_t end)
{
    struct digest sum = {0, 0};

    while (start < end) {
        uint64_t to = next_edge(start, 8192);
        if (to > end)
            to = end;
        XXH128_hash_t hash =
            XXH3_128bits_withSeed(bytes + start, (size_t)(to - start), start);
        sum.low += hash.low64;
        sum.high += hash.high64;
        start = to;
    }
    return sum;
}

/* Whether PART is that of the bytes from START to END, of a file of SIZE. */
static bool
is_right(const struct portion *portion, const unsigned char *bytes,
         uint64_t start, uint64_t end, uint64_t size)
{
    struct digest sum = sum_leaves(bytes, start, end);
    uint64_t head = sum_leaves(bytes, 0, size < 4096 ? size : 4096).low;
    size_t marks = 0;
    bool is_same = portion != NULL && portion->start == start &&
                   portion->end == end && portion->size == size &&
                   portion->shard == 1 && portion->shards == 1 &&
                   portion->head == head && portion->digest.low == sum.low &&
                   portion->digest.high == sum.high;

    for (uint64_t at = 0, to; is_same && start == 0; at = to) {
        to = next_edge(at, UINT64_MAX);
        if (to > end)
            break;
        is_same = marks < portion->marks &&
                  portion->mark[marks++] == sum_leaves(bytes, at, to).low >> 48;
    }
    return is_same && marks == portion->marks;
}

static void
test_grid(void)
{
    unsigned int wrong = 0;
    uint64_t leaf_end;

    for (uint64_t offset = 0; offset < 70000; offset += 1 + offset / 100) {
        uint64_t end = next_edge(offset, UINT64_MAX);
        size_t i = portion_segment(offset);
        wrong += portion_segment_start(i) > offset;
        wrong += portion_segment_start(i + 1) != end;
        wrong += portion_leaf(offset, &leaf_end) > offset;
        wrong += leaf_end != next_edge(offset, 8192);
    }
    ok(wrong == 0, "segments and leaves begin where they should");
    ok(portion_segment(INT64_MAX) < PORTION_MARKS_MAX,
       "there is a segment for every offset");
}

static void
test_digest(void)
{
    struct digest none = digest_of("", 0, 0);
    unsigned int wrong = 0;

    for (size_t size = 0; size < 10000; size += 1 + size / 20) {
        uint64_t seed = noise();
        struct digest digest = digest_of(data + 3, size, seed);
        XXH128_hash_t hash = XXH3_128bits_withSeed(data + 3, size, seed);
        wrong += digest.low != hash.low64 || digest.high != hash.high64;
    }
    ok(none.low == UINT64_C(0x6001c324468d497f) &&
           none.high == UINT64_C(0x99aa06d3014798d8),
       "the digest is XXH3");
    ok(wrong == 0, "it is the same with and without AVX2");
}

/* ---- bytes in any order ---- */

static void
create(const char *name, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(name, "w");

    if (file == NULL || fwrite(bytes, 1, size, file) != size ||
        fclose(file) != 0)
        abort();
}

/* Add pieces of a file of SIZE bytes, in a random order and some twice. */
static bool
add_pieces(size_t size, size_t start, size_t end, size_t piece_max)
{
    struct identity identity = {0};
    struct error error = ERROR_NONE;
    size_t next = start;

    create("pieces", data, size);
    int fd = open("pieces", O_RDONLY);
    identity_open(&identity, "pieces", 0, (off_t)size);
    if (start > 0 || end < size)
        identity_limit(&identity, (off_t)start, (off_t)end);
    for (int i = 0; i < 40; i++) {
        size_t at = noise() % 2 ? noise() % (size + 1) : next;
        size_t bytes = noise() % (piece_max + 1);
        if (at + bytes > size)
            bytes = size > at ? size - at : 0;
        if (at == next && noise() % 4) {
            identity_add_next(&identity, data + at, bytes, (off_t)at);
            next += bytes;
        } else {
            identity_add_at(&identity, fd, data + at, bytes, (off_t)at);
        }
    }
    identity_note_content(&identity);
    identity_complete(&identity, fd);
    close(fd);
    const struct portion *portion = identity_portion(&identity, &error);
    bool is_same = is_right(portion, data, start, end, size) &&
                   portion->is_empty == (start == end);
    identity_close(&identity);
    return is_same;
}

static void
test_orders(void)
{
    static const size_t sizes[] = {0,     1,     8,      9,      16,     63,
                                   4095,  4096,  4097,   8192,   65535,  65536,
                                   65537, 73728, 100000, 131072, 1000000};
    unsigned int wrong = 0;
    unsigned int cases = 0;

    for (size_t s = 0; s < COUNT(sizes); s++) {
        for (int i = 0; i < 12; i++) {
            size_t size = sizes[s];
            size_t start = i % 3 == 2 ? noise() % (size + 1) : 0;
            size_t end =
                i % 3 > 0 ? start + noise() % (size - start + 1) : size;
            cases++;
            wrong += !add_pieces(size, start, end, i % 2 ? size / 3 + 5 : 300);
        }
    }
    ok(wrong == 0, "%u parts, added in any order", cases);
}

/* ---- what readers read ---- */

static struct inputs inputs;
static size_t capacity;

static void *
reader_main(void *unused)
{
    struct input_reader reader = {0};
    unsigned char *buffer = malloc(capacity);

    (void)unused;
    for (;;) {
        size_t size = inputs_read(&inputs, &reader, buffer, capacity);
        if (size < capacity && !reader.has_more)
            break;
    }
    free(buffer);
    return NULL;
}

/*
 * Read file NAME, which has SIZE bytes at BYTES, with READERS.  Whether its
 * portion is that from START to END, and is empty or not.
 */
static bool
reads(const char *name, const struct reading *reading,
      const struct framing *framing, int readers, const unsigned char *bytes,
      size_t start, size_t end, size_t size, bool is_empty)
{
    static char path[64];
    static char *paths[] = {path};
    struct text_header header = {0};
    struct error error = ERROR_NONE;
    pthread_t thread[8];
    struct budget budget;

    snprintf(path, sizeof path, "%s", name);
    budget_open(&budget, 4 << 20);
    if (inputs_open(&inputs, paths, 1, reading, &budget, &error) < 0)
        abort();
    if (framing != NULL)
        inputs.framing = *framing;
    inputs.chunk_bytes = capacity;
    inputs.record_max = capacity;
    bool is_same =
        !reading->has_header || opening_read_names(&inputs, &header) == 0;
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
    is_same = is_same && inputs_error(&inputs, 0)->status == EXIT_DONE;
    const struct portion *portion =
        identity_portion(&inputs.slot[0].input->identity, &error);
    is_same = is_same && is_right(portion, bytes, start, end, size) &&
              portion->is_empty == is_empty && strcmp(portion->name, name) == 0;
    inputs_close(&inputs);
    text_header_close(&header);
    budget_close(&budget);
    return is_same;
}

static void
test_plain(void)
{
    static const size_t sizes[] = {0, 1, 7, 4096, 10000, 131072, 1000001};
    static const int readers[] = {1, 4};

    for (size_t s = 0; s < COUNT(sizes); s++) {
        unsigned int wrong = 0;
        size_t size = sizes[s];
        create("file", data, size);
        for (size_t r = 0; r < COUNT(readers); r++) {
            for (size_t i = 0; i < 4; i++) {
                size_t start = i % 2 * (size / 3);
                size_t left = size - start;
                size_t bytes = i / 2 ? left / 2 : left;
                struct reading reading = {
                    .identifies = true,
                    .skip_bytes = start,
                    .read_bytes = i / 2 ? bytes : UINT64_MAX,
                };
                capacity = 30000;
                wrong += !reads("file", &reading, NULL, readers[r], data, start,
                                start + bytes, size, bytes == 0);
            }
        }
        ok(wrong == 0, "a file of %zu bytes, and ranges of it", size);
    }
}

/* Lines of CSV after a header: ranges start where records do. */
static void
test_text(void)
{
    static unsigned char text[600000];
    struct text_format format = text_format_of(TEXT_CSV);
    struct reading reading = {.identifies = true,
                              .read_bytes = UINT64_MAX,
                              .has_header = true,
                              .header_bytes_max = 4096,
                              .text = &format};
    unsigned int wrong = 0;
    size_t size = 0;

    size = (size_t)snprintf((char *)text, 100, "name,\"a\nb\"\n");
    size_t header = size;
    while (size < sizeof text - 100)
        size +=
            (size_t)snprintf((char *)text + size, 100, "%u,\"%.*s\n\"\n",
                             (unsigned int)(noise() >> 40), (int)(noise() % 50),
                             "                       ");
    create("text", text, size);
    create("header", text, header);
    struct framing framing = text_framing_make(&format);
    for (int readers = 1; readers <= 4; readers++) {
        capacity = 20000;
        wrong += !reads("text", &reading, &framing, readers, text, 0, size,
                        size, false);
        wrong += !reads("header", &reading, &framing, readers, text, 0, header,
                        header, true);
    }
    ok(wrong == 0, "CSV with a header, and a header alone");
}

/* A pipe has neither a size nor offsets. */
static void *
writer_main(void *size)
{
    FILE *fifo = fopen("fifo", "w");

    for (size_t at = 0; at < *(size_t *)size;) {
        size_t bytes = noise() % 9000;
        if (bytes > *(size_t *)size - at)
            bytes = *(size_t *)size - at;
        fwrite(data + at, 1, bytes, fifo);
        fflush(fifo);
        at += bytes;
    }
    fclose(fifo);
    return NULL;
}

static void
test_pipe(void)
{
    struct reading reading = {.identifies = true, .read_bytes = UINT64_MAX};
    static size_t size;
    unsigned int wrong = 0;
    pthread_t writer;

    mkfifo("fifo", 0600);
    for (size = 0; size < 300000; size = size * 7 + 5) {
        capacity = 30000;
        pthread_create(&writer, NULL, writer_main, &size);
        wrong +=
            !reads("fifo", &reading, NULL, 1, data, 0, size, size, size == 0);
        pthread_join(writer, NULL);
    }
    ok(wrong == 0, "pipes");
}

static bool
has_zstd(void)
{
    const char *text = getenv("HAVE_ZSTD");

    return text == NULL || strcmp(text, "no") != 0;
}

static size_t
put(unsigned char *to, uint32_t word, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(word >> 8 * i);
    return bytes;
}

static unsigned char packed[400000];
static size_t packed_size;

/* Frames of zstd, of bytes that are not compressed, with an empty one between
   them: readers decode them side by side, and skip some. */
static void
test_frames(void)
{
    struct reading reading = {.identifies = true, .read_bytes = UINT64_MAX};
    size_t size = 0;
    unsigned int wrong = 0;

    while (size < sizeof packed - 10000) {
        uint32_t bytes = (uint32_t)(noise() % 9000);
        size += put(packed + size, 0xfd2fb528, 4);
        size += put(packed + size, 0xa0, 1);
        size += put(packed + size, bytes, 4);
        size += put(packed + size, bytes << 3 | 1, 3);
        memcpy(packed + size, data, bytes);
        size += bytes;
        size += put(packed + size, 0x184d2a50, 4);
        size += put(packed + size, 13, 4);
        size += 13;
    }
    packed_size = size;
    create("frames", packed, size);
    capacity = 8192;
    for (int readers = 1; readers <= 8; readers++)
        wrong += !reads("frames", &reading, NULL, readers, packed, 0, size,
                        size, false);
    ok(wrong == 0, "frames of zstd, 1 to 8 readers");
    wrong = 0;
    reading.read_bytes = 10000;
    for (int i = 0; i < 3; i++) {
        capacity = (size_t)4096 << i;
        wrong += !reads("frames", &reading, NULL, 1 + i, packed, 0,
                        10000 + 65536, size, false);
    }
    ok(wrong == 0, "the first bytes of them");
    unsigned char empty[12];
    memcpy(empty, packed, 5);
    put(empty + 5, 0, 4);
    put(empty + 9, 1, 3);
    create("frame", empty, 12);
    reading.read_bytes = UINT64_MAX;
    ok(reads("frame", &reading, NULL, 1, empty, 0, 12, 12, true),
       "a frame without content is empty");
}

/* ---- shards ---- */

/*
 * Read files NAME, of the SIZE bytes at BYTES, as one of COUNT shards.  Returns
 * how many portions are wrong, and adds their bytes to *HAS.
 */
static unsigned int
read_shard(char **names, size_t files, const unsigned char *const *bytes,
           const size_t *size, uint32_t number, uint32_t count, size_t *has)
{
    struct reading reading = {
        .identifies = true, .read_bytes = UINT64_MAX, .shard = {number, count}};
    struct error error = ERROR_NONE;
    struct budget budget;
    unsigned int wrong = 0;
    unsigned int portions = 0;

    budget_open(&budget, 4 << 20);
    if (inputs_open(&inputs, names, files, &reading, &budget, &error) < 0)
        abort();
    inputs.chunk_bytes = capacity;
    inputs.record_max = capacity;
    reader_main(NULL);
    for (size_t i = 0; i < files; i++) {
        const struct portion *portion =
            identity_portion(&inputs.slot[i].input->identity, &error);
        wrong += inputs_error(&inputs, i)->status != EXIT_DONE;
        if (portion == NULL)
            continue;
        portions++;
        wrong += portion->shard != (count > 1 ? number : 1) ||
                 portion->shards != (count > 1 ? count : 1);
        struct portion alone = *portion;
        alone.shard = 1;
        alone.shards = 1;
        wrong +=
            portion->start != portion->end &&
            !is_right(&alone, bytes[i], portion->start, portion->end, size[i]);
        wrong += portion->is_empty != (portion->start == portion->end);
        has[i] += (size_t)(portion->end - portion->start);
    }
    inputs_close(&inputs);
    budget_close(&budget);
    return wrong + (portions == 0);
}

static void
test_shards(void)
{
    static const uint32_t counts[] = {1, 2, 3, 7, 64};
    static char name[][8] = {"none", "file", "few", "frames", "empty"};
    char *names[] = {name[0], name[1], name[2], name[3], name[4]};
    const size_t sizes[] = {0, 300001, 5, packed_size, 0};
    const unsigned char *const bytes[] = {data, data, data, packed, data};
    size_t files = has_zstd() ? 5 : 3;

    for (size_t i = 0; i < files; i++)
        create(names[i], bytes[i], sizes[i]);
    capacity = 8192;
    for (size_t c = 0; c < COUNT(counts); c++) {
        size_t has[COUNT(names)] = {0};
        unsigned int wrong = 0;
        for (uint32_t i = 1; i <= counts[c]; i++)
            wrong += read_shard(names, files, bytes, sizes, i, counts[c], has);
        for (size_t i = 0; i < 3; i++)
            wrong += has[i] != sizes[i];
        /* Most shards of a few bytes have none, and are not missing. */
        for (uint32_t i = 1; i <= counts[c]; i++)
            wrong += read_shard(names + 2, 1, bytes + 2, sizes + 2, i,
                                counts[c], has);
        ok(wrong == 0, "%u shards", counts[c]);
    }
}

int
main(void)
{
    alarm(120);
    scratch_open();
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)noise();
    test_grid();
    test_digest();
    test_orders();
    test_plain();
    test_text();
    test_pipe();
    if (has_zstd())
        test_frames();
    test_shards();
    return done_testing();
}

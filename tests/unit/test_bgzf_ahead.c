/* SPDX-License-Identifier: MIT */
/*
 * test_bgzf_ahead.c -- blocks of BGZF that helpers decode ahead
 *
 * zlib makes the blocks.  With helpers a decoder must deliver the same bytes
 * from a file and from a pipe, and of a damaged file the same error, as without
 * them; how many blocks they decode is counted.
 */

#include <fcntl.h>
#include <pthread.h>
#include <string.h>

#include <zlib.h>

#include "../noise.h"
#include "../scratch.h"
#include "../tap.h"
#include "input/decode/gzip/gzip_stream.h"

#define HELPERS 5
#define BLOCKS 160
#define BLOCK_MAX 65280
#define CONTENT_MAX ((size_t)BLOCKS * BLOCK_MAX)
#define PACKED_MAX (CONTENT_MAX + 100 * BLOCKS)
#define BUDGET_BYTES ((uint64_t)1 << 30)
#define RAW_WINDOW (-15)
#define HEADER_BYTES 18
#define TRAILER_BYTES 8

static unsigned char content[CONTENT_MAX];
static size_t content_bytes;
static unsigned char packed[PACKED_MAX];
static size_t packed_bytes;
static size_t block_at[BLOCKS + 1];
static unsigned char result[CONTENT_MAX + 1];
static size_t result_bytes;
static char message[256]; /* of the last read_all() */
static uint64_t helped;   /* blocks */

/* ---- the file ---- */

static void
put_number(unsigned char *to, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> 8 * i);
}

/* Append a block of SIZE bytes of content, half of which is noise. */
static void
append_block(size_t size)
{
    unsigned char *block = packed + packed_bytes;
    unsigned char *from = content + content_bytes;
    z_stream stream = {.next_out = block + HEADER_BYTES,
                       .avail_out = BLOCK_MAX + 256 - HEADER_BYTES};

    for (size_t i = 0; i < size; i++)
        from[i] = (unsigned char)(noise() >> 60 | 64);
    stream.next_in = from;
    stream.avail_in = (unsigned)size;
    if (deflateInit2(&stream, 1, Z_DEFLATED, RAW_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    size_t bytes = HEADER_BYTES + stream.total_out + TRAILER_BYTES;
    deflateEnd(&stream);
    memcpy(block, "\x1f\x8b\x08\4\0\0\0\0\0\xff\6\0BC\2\0", HEADER_BYTES - 2);
    put_number(block + HEADER_BYTES - 2, (uint32_t)bytes - 1, 2);
    put_number(block + bytes - 8, (uint32_t)crc32_z(0, from, size), 4);
    put_number(block + bytes - 4, (uint32_t)size, 4);
    packed_bytes += bytes;
    content_bytes += size;
}

/* Blocks of any size, and some without content. */
static void
make(void)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        block_at[i] = packed_bytes;
        append_block(i % 17 == 3 ? 0 : i % 5 == 0 ? noise() % 9000 : BLOCK_MAX);
    }
    block_at[BLOCKS] = packed_bytes;
    append_block(0);
}

static void
write_file(size_t size)
{
    FILE *file = fopen("x.gz", "wb");

    if (file == NULL || fwrite(packed, 1, size, file) != size ||
        fclose(file) != 0)
        abort();
}

/* ---- reading ---- */

/* Write the file to the pipe "pipe". */
static void *
feed(void *none)
{
    static unsigned char buffer[50000];
    FILE *file = fopen("x.gz", "rb");
    FILE *out = fopen("pipe", "wb");
    size_t size;

    if (file == NULL || out == NULL)
        abort();
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, size, out);
    fclose(file);
    fclose(out);
    return none;
}

/* Read PATH, with HELPERS, up to STEP bytes at a time, to the end. */
static void
read_all(const char *path, unsigned int helpers, size_t step)
{
    struct source source = {.path = path, .display_name = "x"};
    struct decoder *spare = NULL;
    struct budget budget;
    struct progress progress;
    ssize_t got;

    budget_open(&budget, BUDGET_BYTES);
    budget_return_helpers(&budget, helpers);
    progress_open(&progress);
    if (source_open(&source, &progress, NULL) < 0)
        abort();
    struct decoder *decoder =
        decoder_open(&gzip_stream_type, &source, &budget, &spare);
    if (decoder == NULL)
        abort();
    result_bytes = 0;
    do {
        size_t room = sizeof result - result_bytes;
        got = decoder_read(decoder, result + result_bytes,
                           room < step ? room : step);
        if (got > 0)
            result_bytes += (size_t)got;
    } while (got > 0);
    snprintf(message, sizeof message, "%s", got < 0 ? source.error.text : "");
    helped = atomic_load(&progress.helped_blocks);
    decoder_close(decoder);
    if (budget.left != BUDGET_BYTES || budget.helpers != helpers)
        abort();
    budget_close(&budget);
    source_close(&source);
    error_clear(&source.error);
}

/* The same, of a pipe. */
static void
read_pipe(unsigned int helpers, size_t step)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, feed, NULL) != 0)
        abort();
    read_all("pipe", helpers, step);
    pthread_join(thread, NULL);
}

static bool
is_content(void)
{
    return message[0] == '\0' && result_bytes == content_bytes &&
           memcmp(result, content, content_bytes) == 0;
}

static void
test_content(void)
{
    static const size_t steps[] = {977, 65536, 1000000, SIZE_MAX};

    write_file(packed_bytes);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        read_all("x.gz", 0, steps[i]);
        ok(is_content() && helped == 0, "no helpers, %zu bytes at a time",
           steps[i]);
        for (unsigned int helpers = 1; helpers <= HELPERS; helpers += 2) {
            read_all("x.gz", helpers, steps[i]);
            ok(is_content() && helped > BLOCKS / 2,
               "%u helpers, %zu bytes at a time", helpers, steps[i]);
            read_pipe(helpers, steps[i]);
            ok(is_content() && helped > BLOCKS / 2, "... of a pipe");
        }
    }
}

/* ---- damage ---- */

/* What is done to the number at AT of the block, from its end if AT < 0. */
static const struct damage {
    const char *name;
    int at;
    unsigned char flip;
} damages[] = {
    {"the magic bytes", 1, 1},       {"reserved flags", 3, 0x80},
    {"the size, a bit less", 16, 1}, {"the size", 17, 0x20},
    {"the first data", 18, 6},       {"data", 2000, 0x10},
    {"the checksum", -6, 1},         {"the length", -4, 1},
    {"a long length", -2, 4},
};

static void
test_damage(void)
{
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const struct damage *damage = &damages[i];
        size_t block = BLOCKS - 9 - 2 * i;
        size_t at = (damage->at < 0 ? block_at[block + 1] : block_at[block]) +
                    (size_t)(ptrdiff_t)damage->at;
        char wanted[sizeof message];

        packed[at] ^= damage->flip;
        write_file(packed_bytes);
        read_all("x.gz", 0, 100000);
        memcpy(wanted, message, sizeof wanted);
        read_all("x.gz", HELPERS, 100000);
        ok(wanted[0] != '\0' && strcmp(message, wanted) == 0 && helped > 0,
           "%s: %s", damage->name, wanted);
        read_all("x.gz", 1, 977);
        ok(strcmp(message, wanted) == 0, "... and by small steps");
        packed[at] ^= damage->flip;
    }
}

static void
test_cuts(void)
{
    for (size_t i = 0; i < 6; i++) {
        size_t size = block_at[BLOCKS - 20] + i * 5;
        char wanted[sizeof message];

        write_file(size);
        read_all("x.gz", 0, 100000);
        memcpy(wanted, message, sizeof wanted);
        size_t bytes = result_bytes;
        read_all("x.gz", HELPERS, 100000);
        ok(strcmp(message, wanted) == 0 && result_bytes == bytes && helped > 0,
           "cut %zu bytes behind a block: %s", i * 5, wanted);
    }
}

int
main(void)
{
    scratch_open();
    if (mkfifo("pipe", 0600) < 0)
        abort();
    make();
    test_content();
    test_damage();
    test_cuts();
    return done_testing();
}

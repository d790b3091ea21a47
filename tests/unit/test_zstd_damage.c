/* SPDX-License-Identifier: MIT */
/*
 * test_zstd_damage.c -- zstd files cut off anywhere, or with any bit flipped
 *
 * Each file is read as by a reader of the program.  A file with a checksum is
 * refused or decodes to the same content, because some bits have no meaning.
 * Without a checksum nothing is promised but an end.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "../noise.h"
#include "../scratch.h"
#include "../tap.h"
#include "input/read/inputs.h"

#define WATCHDOG_SECONDS 300
#define CONTENT_MAX 4096
#define FILE_MAX 4096
#define BUDGET_BYTES ((uint64_t)4 << 20)

/* What is damaged, and what it decodes to. */
static unsigned char content[CONTENT_MAX];
static size_t content_size;
static unsigned char file[FILE_MAX];
static size_t file_size;
static bool is_frame[FILE_MAX]; /* starts there, after another one */

/* ---- frames ---- */

/* How the next frame is made. */
struct shape {
    bool has_checksum;
    bool is_unsized;
    int window_log; /* 0: as libzstd likes */
    size_t block;   /* of content; 0: all of it */
};

static void
check(size_t result)
{
    if (!ZSTD_isError(result))
        return;
    printf("Bail out! %s\n", ZSTD_getErrorName(result));
    exit(99);
}

/* Append a frame of SIZE bytes of content at DATA, and them to CONTENT. */
static void
put_frame(const struct shape *shape, const void *data, size_t size)
{
    ZSTD_CCtx *encoder = ZSTD_createCCtx();
    ZSTD_inBuffer in = {data, 0, 0};
    ZSTD_outBuffer out = {file, sizeof file, file_size};

    if (encoder == NULL)
        abort();
    is_frame[file_size] = file_size > 0;
    check(ZSTD_CCtx_setParameter(encoder, ZSTD_c_checksumFlag,
                                 shape->has_checksum));
    check(ZSTD_CCtx_setParameter(encoder, ZSTD_c_windowLog, shape->window_log));
    if (!shape->is_unsized)
        check(ZSTD_CCtx_setPledgedSrcSize(encoder, size));
    while (shape->block > 0 && size - in.size > shape->block) {
        in.size += shape->block;
        check(ZSTD_compressStream2(encoder, &out, &in, ZSTD_e_flush));
    }
    in.size = size;
    check(ZSTD_compressStream2(encoder, &out, &in, ZSTD_e_end));
    ZSTD_freeCCtx(encoder);
    file_size = out.pos;
    memcpy(content + content_size, data, size);
    content_size += size;
}

/* The same for 300 times BYTE: one repeated block, as libzstd makes none. */
static void
put_repeated(unsigned char byte)
{
    static const struct shape shape = {.has_checksum = true};
    const size_t header = 7;
    unsigned char run[300];
    size_t start = file_size;

    memset(run, byte, sizeof run);
    put_frame(&shape, run, sizeof run);
    uint32_t block = sizeof run << 3 | 1 << 1 | 1;
    unsigned char *at = file + start + header;
    for (int i = 0; i < 3; i++)
        *at++ = (unsigned char)(block >> 8 * i);
    *at++ = byte;
    memmove(at, file + file_size - 4, 4); /* the checksum */
    file_size = start + header + 8;
}

static void
put_skippable(size_t size)
{
    unsigned char header[8] = {0x55, 0x2a, 0x4d, 0x18, (unsigned char)size};

    is_frame[file_size] = file_size > 0;
    memcpy(file + file_size, header, sizeof header);
    memset(file + file_size + sizeof header, 'x', size);
    file_size += sizeof header + size;
}

/* ---- reading ---- */

/* What a reader gets of the SIZE bytes at DATA. */
enum outcome {
    OUTCOME_SAME,    /* the content, and no error */
    OUTCOME_REFUSED, /* an error */
    OUTCOME_OTHER,   /* something else, and no error */
};

static enum outcome
read_damaged(const unsigned char *data, size_t size, size_t capacity)
{
    static unsigned char got[1 << 20];
    static char path[] = "damaged";
    static int fd = -1;
    char *paths[] = {path};
    /* --decompress=zstd: the first row of the table. */
    struct reading reading = {.decompress = DECOMPRESS_ONLY,
                              .read_bytes = UINT64_MAX};
    struct error error = ERROR_NONE;
    struct budget budget;
    struct inputs inputs;
    struct input_reader reader = {0};
    size_t used = 0;
    size_t last;

    if (fd < 0)
        fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)size) < 0 ||
        pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    budget_open(&budget, BUDGET_BYTES);
    if (inputs_open(&inputs, paths, 1, &reading, &budget, &error) < 0)
        abort();
    do {
        last = inputs_read(&inputs, &reader, got + used, capacity);
        used += last;
        /* Without a checksum it can become anything. */
        if (used > sizeof got - capacity)
            used = CONTENT_MAX + 1;
    } while (last == capacity);
    enum outcome outcome =
        inputs_error(&inputs, 0)->status != EXIT_DONE ? OUTCOME_REFUSED
        : used == content_size && memcmp(got, content, used) == 0
            ? OUTCOME_SAME
            : OUTCOME_OTHER;
    inputs_close(&inputs);
    budget_close(&budget);
    return outcome;
}

/* ---- damage ---- */

/* Between two frames is where a file may end, nowhere else. */
static void
test_cuts(const char *name, size_t capacity)
{
    size_t wrong = 0;

    for (size_t size = 0; size < file_size; size++) {
        enum outcome outcome = read_damaged(file, size, capacity);
        wrong += is_frame[size] != (outcome != OUTCOME_REFUSED);
    }
    ok(wrong == 0, "%s: cut off at each of %zu bytes, by %zu (%zu wrong)", name,
       file_size, capacity, wrong);
}

static void
test_flips(const char *name, bool has_checksum, size_t capacity)
{
    size_t outcomes[3] = {0};

    for (size_t at = 0; at < file_size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            file[at] ^= (unsigned char)(1 << bit);
            outcomes[read_damaged(file, file_size, capacity)]++;
            file[at] ^= (unsigned char)(1 << bit);
        }
    }
    ok(outcomes[OUTCOME_REFUSED] > 0 &&
           (!has_checksum || outcomes[OUTCOME_OTHER] == 0),
       "%s: each of %zu bits flipped, by %zu (%zu refused, %zu the same, %zu "
       "other)",
       name, file_size * 8, capacity, outcomes[OUTCOME_REFUSED],
       outcomes[OUTCOME_SAME], outcomes[OUTCOME_OTHER]);
}

/* Damage FILE, which then is empty again. */
static void
test_file(const char *name, bool has_checksum)
{
    ok(read_damaged(file, file_size, 512) == OUTCOME_SAME, "%s: as it is",
       name);
    test_cuts(name, 512);
    test_cuts(name, 7);
    test_flips(name, has_checksum, 512);
    test_flips(name, has_checksum, 7);
    memset(is_frame, 0, sizeof is_frame);
    file_size = 0;
    content_size = 0;
}

int
main(void)
{
    static const struct shape plain = {0};
    static const struct shape checked = {.has_checksum = true};
    static const struct shape unsized = {.has_checksum = true,
                                         .is_unsized = true};
    static const struct shape windows[] = {
        {true, true, 10, 0}, {true, true, 15, 0}, {true, true, 20, 0}};
    static const struct shape blocks = {.has_checksum = true, .block = 40};
    unsigned char random[64];
    char text[200];

    alarm(WATCHDOG_SECONDS);
    scratch_open();
    for (size_t i = 0; i < sizeof random; i++)
        random[i] = (unsigned char)noise();
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 61 < 40
                      ? "the quick brown fox jumps over the lazy dog"[i % 23]
                      : (char)(' ' + noise() % 64);

    put_frame(&checked, random, sizeof random);
    test_file("a raw block", true);
    put_repeated('r');
    test_file("a repeated byte", true);
    put_frame(&checked, text, sizeof text);
    test_file("a compressed block", true);
    put_frame(&unsized, text, sizeof text);
    test_file("no content size", true);
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        put_frame(&windows[i], text, 50);
        test_file("another window", true);
    }
    put_frame(&blocks, text, sizeof text);
    test_file("several blocks", true);
    put_frame(&checked, text, 60);
    put_skippable(9);
    put_frame(&checked, random, 10);
    test_file("a skippable frame between two others", true);
    put_frame(&checked, "", 0);
    test_file("no content", true);
    put_frame(&plain, text, sizeof text);
    test_file("no checksum", false);
    return done_testing();
}

/* SPDX-License-Identifier: MIT */
/*
 * test_inflate.c -- the library that inflates, between unreadable pages
 *
 * Its inner loops read and write several bytes at a time, and no sanitizer
 * watches assembler.  zlib makes the data; some are damaged.
 */

#include <stdbool.h>
#include <string.h>

#include <zlib.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "input/decode/gzip/inflate.h"

#define ARENA_BYTES ((size_t)256 << 10)
#define CONTENT_MAX 70000
#define RAW_WINDOW (-15)

static unsigned char content[CONTENT_MAX];
static unsigned char packed[2 * CONTENT_MAX];

/* The ends of two arenas: what is behind them cannot be touched. */
static unsigned char *in_end;
static unsigned char *out_end;

static struct inflate *inflater;

/* Fill CONTENT with SIZE bytes: constant, text-like or random. */
static void
make_content(size_t size, unsigned int kind)
{
    static const char text[] = "the quick brown fox ";

    for (size_t i = 0; i < size; i++) {
        uint64_t word = noise();
        size_t at = word % 100 < 90 ? i % 20 : word / 100 % 20;
        if (kind == 0)
            content[i] = 'x';
        else if (kind == 1)
            content[i] = (unsigned char)text[at];
        else
            content[i] = (unsigned char)(word >> 56);
    }
}

/* Compress SIZE bytes of CONTENT.  Returns the size of PACKED. */
static size_t
pack(size_t size, int level, int strategy)
{
    z_stream stream = {.next_in = content,
                       .avail_in = (unsigned)size,
                       .next_out = packed,
                       .avail_out = sizeof packed};

    if (deflateInit2(&stream, level, Z_DEFLATED, RAW_WINDOW, 9, strategy) !=
            Z_OK ||
        deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    deflateEnd(&stream);
    return sizeof packed - stream.avail_out;
}

/* Decode by one call, into ROOM bytes. */
static enum inflate_result
inflate_whole(size_t packed_size, size_t room, size_t *got)
{
    unsigned char *in = in_end - packed_size;
    struct inflate_span span = {in, packed_size, out_end - room, room};

    memcpy(in, packed, packed_size);
    inflate_start(inflater);
    enum inflate_result result = inflate_all(inflater, &span);
    *got = room - span.out_size;
    return result;
}

/*
 * Decode in pieces of up to STEP bytes of input, into pieces of ROOM bytes, and
 * compare with CONTENT.  Returns how many bytes were right, or -1.
 */
static long
inflate_pieces(size_t packed_size, size_t step, size_t room)
{
    size_t at = 0;    /* of the input that is consumed */
    size_t given = 0; /* of the input so far */
    size_t done = 0;
    bool is_starved = true;

    inflate_start(inflater);
    for (;;) {
        if (is_starved && given == packed_size)
            return -1;
        if (is_starved)
            given += step < packed_size - given ? step : packed_size - given;
        unsigned char *in = in_end - (given - at);
        memcpy(in, packed + at, given - at);
        struct inflate_span span = {in, given - at, out_end - room, room};
        enum inflate_result result = inflate_run(inflater, &span);
        size_t got = room - span.out_size;
        if (result == INFLATE_BAD || got > CONTENT_MAX - done ||
            memcmp(out_end - room, content + done, got) != 0)
            return -1;
        done += got;
        at = given - span.in_size;
        is_starved = span.out_size > 0;
        if (result == INFLATE_END)
            return at == packed_size ? (long)done : -1;
    }
}

/* Where a block starts: a bit of PACKED, and a byte of CONTENT. */
struct block {
    uint64_t bit;
    size_t at;
};

/* Compress CONTENT to many blocks, and find them.  Returns how many. */
static size_t
pack_blocks(struct block *block, size_t most, int strategy)
{
    static unsigned char got[CONTENT_MAX];
    z_stream stream = {.next_in = content,
                       .avail_in = CONTENT_MAX,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    size_t count = 0;
    int state = Z_OK;

    if (deflateInit2(&stream, 6, Z_DEFLATED, RAW_WINDOW, 1, strategy) != Z_OK ||
        deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    deflateEnd(&stream);
    stream = (z_stream){.next_in = packed,
                        .avail_in = sizeof packed,
                        .next_out = got,
                        .avail_out = sizeof got};
    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
        abort();
    while (state == Z_OK && count < most) {
        state = inflate(&stream, Z_BLOCK);
        block[count].bit = 8 * (uint64_t)(stream.next_in - packed) -
                           (unsigned)(stream.data_type & 7);
        block[count].at = stream.total_out;
        count += state == Z_OK && (stream.data_type & 64) == 0;
    }
    inflateEnd(&stream);
    return count;
}

/* Decode from one block to another one.  Returns whether that is right. */
static bool
is_right_between(const struct block *from, const struct block *to)
{
    const unsigned char *window = content + from->at - INFLATE_WINDOW_BYTES;
    size_t size = (size_t)((to->bit + 7) / 8 - from->bit / 8);
    size_t room = to->at - from->at + 1;
    struct inflate_span span = {in_end - size, size, out_end - room, room};

    memcpy(in_end - size, packed + from->bit / 8, size);
    inflate_start_at(inflater, &span, (unsigned)(from->bit % 8), window);
    return inflate_run(inflater, &span) == INFLATE_MORE && span.in_size == 0 &&
           span.out_size == 1 &&
           memcmp(out_end - room, content + from->at, room - 1) == 0 &&
           inflate_bits_after_block(inflater) == (int)(-to->bit & 7);
}

/* Within a block no block ends. */
static bool
is_right_within(const struct block *from)
{
    const unsigned char *window = content + from->at - INFLATE_WINDOW_BYTES;
    size_t size = (size_t)((from + 1)->bit / 8 - from->bit / 8);
    struct inflate_span span = {in_end - size, size, out_end - ARENA_BYTES,
                                ARENA_BYTES};

    memcpy(in_end - size, packed + from->bit / 8, size);
    inflate_start_at(inflater, &span, (unsigned)(from->bit % 8), window);
    return inflate_run(inflater, &span) == INFLATE_MORE &&
           ((from + 1)->bit % 8 == 0 ||
            inflate_bits_after_block(inflater) == -1);
}

/* Whether the block is not the last one and has codes of its own. */
static bool
has_codes(const struct block *block)
{
    const unsigned char *at = packed + block->bit / 8;

    return ((at[0] | (unsigned)at[1] << 8) >> block->bit % 8 & 7) == 4;
}

static void
test_blocks(int strategy)
{
    static struct block block[CONTENT_MAX];
    size_t wrong = 0;

    make_content(CONTENT_MAX, 1);
    size_t count = pack_blocks(block, CONTENT_MAX, strategy);
    size_t first = 0;
    while (first < count && block[first].at < INFLATE_WINDOW_BYTES)
        first++;
    for (size_t i = first; i < count; i++) {
        for (size_t next = i + 1; next < count; next = 2 * next - i)
            if (has_codes(&block[next]))
                wrong += !is_right_between(&block[i], &block[next]);
        if (i + 1 < count)
            wrong += !is_right_within(&block[i]);
    }
    ok(wrong == 0 && count > 50, "from block to block, of %zu (%zu wrong)",
       count, wrong);
}

int
main(void)
{
    static const size_t sizes[] = {0, 1, 7, 300, 5000, 65280, 70000};
    static const int levels[] = {0, 1, 9};
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FIXED,
                                     Z_HUFFMAN_ONLY};
    unsigned int whole = 0, cramped = 0, pieces = 0, damaged = 0, runs = 0;

    in_end = arena_open(ARENA_BYTES) + ARENA_BYTES;
    out_end = arena_open(ARENA_BYTES) + ARENA_BYTES;
    inflater = inflate_open();
    if (inflater == NULL)
        return 99;
    for (unsigned int i = 0; i < 7 * 3 * 3 * 3; i++) {
        size_t size = sizes[i % 7];
        size_t got;
        if (!has_turn(5))
            continue;
        make_content(size, i / 7 % 3);
        size_t packed_size =
            pack(size, levels[i / 21 % 3], strategies[i / 63 % 3]);
        runs++;
        for (size_t slack = 0; slack < 300; slack += 1 + slack / 4) {
            enum inflate_result result =
                inflate_whole(packed_size, size + slack, &got);
            whole += result != INFLATE_END || got != size ||
                     memcmp(out_end - size - slack, content, size) != 0;
            if (slack < size && slack > 0)
                cramped += inflate_whole(packed_size, size - slack, &got) !=
                           INFLATE_MORE;
        }
        for (size_t step = 1; step <= packed_size; step = 3 * step + 5) {
            for (size_t room = 1; room <= 100000; room = 7 * room + 1) {
                if (packed_size / step + size / room < 10000)
                    pieces +=
                        inflate_pieces(packed_size, step, room) != (long)size;
            }
        }
        /* Whatever comes out, it is within bounds. */
        for (int n = 0; n < 50; n++) {
            size_t at = (size_t)(noise() % packed_size);
            unsigned char kept = packed[at];
            packed[at] ^= (unsigned char)(1 << noise() % 8);
            size_t room = 1 + (size_t)(noise() % (2 * size + 1000));
            damaged += inflate_whole(packed_size, room, &got) == INFLATE_END &&
                       got > room;
            (void)inflate_pieces(packed_size, 1 + (size_t)noise() % 999, room);
            packed[at] = kept;
        }
    }
    ok(whole == 0, "%u streams by one call (%u wrong)", runs, whole);
    ok(cramped == 0, "... without room for all (%u wrong)", cramped);
    ok(pieces == 0, "... in pieces of all sizes (%u wrong)", pieces);
    ok(damaged == 0, "... damaged (%u wrong)", damaged);
    test_blocks(Z_DEFAULT_STRATEGY);
    test_blocks(Z_HUFFMAN_ONLY);
    inflate_close(inflater);

    static const unsigned char digits[] = "123456789";
    ok(inflate_crc(0, digits, 9) == 0xcbf43926 &&
           inflate_crc(inflate_crc(0, digits, 4), digits + 4, 5) == 0xcbf43926,
       "the CRC, at once and in pieces");
    return done_testing();
}

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
#include "input/inflate.h"

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
    inflate_begin(inflater);
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

    inflate_begin(inflater);
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
    inflate_close(inflater);

    static const unsigned char digits[] = "123456789";
    ok(inflate_crc(0, digits, 9) == 0xcbf43926 &&
           inflate_crc(inflate_crc(0, digits, 4), digits + 4, 5) == 0xcbf43926,
       "the CRC, at once and in pieces");
    return done_testing();
}

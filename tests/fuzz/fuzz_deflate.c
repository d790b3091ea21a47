/* SPDX-License-Identifier: MIT */
/*
 * fuzz_deflate.c -- pieces of deflate data, compared with what zlib makes of them
 *
 * What a piece accepts, zlib must accept, too: same content, same blocks.
 */

#include <limits.h>

#include <zlib.h>

#include "fuzz.h"
#include "input/decode/gzip/deflate_find.h"
#include "input/decode/gzip/deflate_stretch.h"

#define DATA_MAX 5000
#define CONTENT_MAX ((size_t)1 << 16)
#define BLOCKS_MAX 1000
#define RAW_WINDOW (-15)
#define AFTER_BLOCK 128 /* of data_type */
#define IN_LAST_BLOCK 64
#define HELD_BITS 7

/* What zlib makes of the data. */
static unsigned char content[CONTENT_MAX];
static struct {
    uint64_t bit;
    size_t bytes;
} block[BLOCKS_MAX];
static size_t block_count;

/* Let zlib decode the data from BIT on. */
static void
decode(const uint8_t *data, size_t size, unsigned int bit,
       const unsigned char *window)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data,
                       .avail_in = (unsigned)size,
                       .next_out = content,
                       .avail_out = CONTENT_MAX};

    block_count = 0;
    if (size == 0)
        return;
    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK ||
        inflateSetDictionary(&stream, window, INFLATE_WINDOW_BYTES) != Z_OK)
        abort();
    if (bit > 0) {
        inflatePrime(&stream, CHAR_BIT - (int)bit, *data >> bit);
        stream.next_in++;
        stream.avail_in--;
    }
    while (inflate(&stream, Z_BLOCK) == Z_OK && block_count < BLOCKS_MAX) {
        if ((stream.data_type & AFTER_BLOCK) == 0 ||
            (stream.data_type & IN_LAST_BLOCK) != 0)
            break;
        block[block_count].bit = CHAR_BIT * (uint64_t)(stream.next_in - data) -
                                 (unsigned)(stream.data_type & HELD_BITS);
        block[block_count++].bytes = stream.total_out;
    }
    inflateEnd(&stream);
}

/* Decode a piece that ends at END, and compare. */
static void
check_piece(struct deflate_stretch *piece, struct deflate_window *window,
            const unsigned char *data, unsigned int bit, uint64_t end)
{
    static struct deflate_codes codes;
    size_t i = 0;

    if (!deflate_stretch_decode(piece, &codes, data, bit, end))
        return;
    while (i < block_count && block[i].bit != end)
        i++;
    fuzz_must(i < block_count, "a block ends there");
    fuzz_must(piece->content_bytes == block[i].bytes, "as much content");
    fuzz_must(piece->content_bytes <= piece->room, "it fits");
    deflate_stretch_pass(piece, &window[0], &window[1]);
    deflate_stretch_resolve(piece, &window[0]);
    fuzz_must(memcmp(deflate_stretch_content(piece), content, block[i].bytes) ==
                  0,
              "the same content");
    const unsigned char *after = deflate_window_bytes(&window[1]);
    size_t fresh = block[i].bytes < INFLATE_WINDOW_BYTES ? block[i].bytes
                                                         : INFLATE_WINDOW_BYTES;
    fuzz_must(memcmp(after + INFLATE_WINDOW_BYTES - fresh,
                     content + block[i].bytes - fresh, fresh) == 0 &&
                  memcmp(after, deflate_window_bytes(&window[0]) + fresh,
                         INFLATE_WINDOW_BYTES - fresh) == 0,
              "the window behind it");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct deflate_finder finder;
    static struct deflate_window window[2];
    struct fuzz choices = {data, size};
    struct deflate_stretch piece;
    unsigned int bit = (unsigned)fuzz_take(&choices, 1) % CHAR_BIT;
    size_t room = (size_t)fuzz_take(&choices, 2);
    uint64_t any = fuzz_take(&choices, 2);

    if (choices.size > DATA_MAX)
        return 0;
    /* A block of its own, so that a sanitizer sees its end. */
    size = choices.size;
    unsigned char *padded = calloc(1, size + DEFLATE_STRETCH_MARGIN);
    if (padded == NULL || deflate_stretch_open(&piece, room) < 0)
        abort();
    if (size > 0)
        memcpy(padded, choices.data, size);
    deflate_window_make(&window[0]);
    for (size_t i = 0; i < INFLATE_WINDOW_BYTES; i++)
        deflate_window_bytes(&window[0])[i] = (unsigned char)(i * i >> 7);

    decode(padded, size, bit, deflate_window_bytes(&window[0]));
    for (size_t i = 0; i < block_count; i += 1 + i / 4)
        check_piece(&piece, window, padded, bit, block[i].bit);
    if (any > bit && any <= CHAR_BIT * (uint64_t)size)
        check_piece(&piece, window, padded, bit, any);

    deflate_finder_make(&finder);
    uint64_t found =
        deflate_find(&finder, padded, size + DEFLATE_STRETCH_MARGIN, bit);
    fuzz_must(found == DEFLATE_FIND_NONE ||
                  (found >= bit && found < CHAR_BIT * (uint64_t)size),
              "a start is in the data");
    deflate_stretch_close(&piece);
    free(padded);
    return 0;
}

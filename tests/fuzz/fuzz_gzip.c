/* SPDX-License-Identifier: MIT */
/*
 * fuzz_gzip.c -- gzip and BGZF, compared with what zlib alone makes of the bytes
 *
 * Few data have the right checksum.  So the data may also be taken as deflate
 * data, for which this target makes headers and trailers.
 */

#include <zlib.h>

#include "decoding.h"
#include "input/decode/gzip/gzip_header.h"

#define DECODER_BYTES ((uint64_t)256 << 10) /* gzip_stream.c */
#define GZIP_WINDOW (16 + 15)               /* with header and trailer */
#define RAW_WINDOW (-15)
#define WRAPPED_MAX 4000

/* zlib refuses codes that ISA-L accepts, if they are never used. */
static bool
is_about_codes(const char *message)
{
    return message != NULL &&
           (strstr(message, " set") != NULL ||
            strstr(message, "too many length") != NULL ||
            strstr(message, "invalid bit length repeat") != NULL ||
            strstr(message, "missing end-of-block") != NULL);
}

/* The size of the member that the extra field of BGZF states, or 0. */
static size_t
stated_size(const unsigned char *extra, size_t size)
{
    while (size >= 4) {
        size_t length = extra[2] | (size_t)extra[3] << 8;
        if (length > size - 4)
            break;
        if (extra[0] == 'B' && extra[1] == 'C' && length == 2)
            return (extra[4] | (size_t)extra[5] << 8) + 1;
        extra += 4 + length;
        size -= 4 + length;
    }
    return 0;
}

/* Decode one member at the start of DATA, and set *TAKEN to its size. */
static enum decoding_outcome
decode_member(const uint8_t *data, size_t size, unsigned char *content,
              size_t capacity, size_t *content_size, size_t *taken)
{
    static unsigned char extra[65536];
    gz_header header = {.extra = extra, .extra_max = sizeof extra};
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data,
                       .avail_in = (unsigned)size,
                       .next_out = content,
                       .avail_out = (unsigned)capacity};
    enum decoding_outcome outcome = DECODING_BAD;

    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK ||
        inflateGetHeader(&stream, &header) != Z_OK)
        abort();
    int result = inflate(&stream, Z_FINISH);
    *taken = size - stream.avail_in;
    *content_size += capacity - stream.avail_out;
    if (result == Z_STREAM_END)
        outcome = DECODING_GOOD;
    else if (result == Z_BUF_ERROR && stream.avail_out == 0)
        outcome = DECODING_LONG;
    else if (result == Z_DATA_ERROR && is_about_codes(stream.msg))
        outcome = DECODING_UNSURE;
    inflateEnd(&stream);
    size_t stated = header.done == 1 && header.extra != NULL
                        ? stated_size(extra, header.extra_len)
                        : 0;
    if (outcome == DECODING_GOOD && stated > 0 && stated != *taken)
        outcome = DECODING_BAD;
    return outcome;
}

static enum decoding_outcome
decode(const uint8_t *data, size_t size, unsigned char *content,
       size_t capacity, size_t *content_size)
{
    bool is_first = true;

    *content_size = 0;
    if (size == 0)
        return DECODING_BAD;
    while (size > 0) {
        size_t taken;
        if (!is_first && data[0] == 0) {
            while (size > 0 && data[0] == 0) {
                data++;
                size--;
            }
            return size == 0 ? DECODING_GOOD : DECODING_BAD;
        }
        if (gzip_header_match(data, size) != MAGIC_YES)
            return DECODING_BAD;
        enum decoding_outcome outcome =
            decode_member(data, size, content + *content_size,
                          capacity - *content_size, content_size, &taken);
        if (outcome != DECODING_GOOD)
            return outcome;
        data += taken;
        size -= taken;
        is_first = false;
    }
    return DECODING_GOOD;
}

static uint64_t
memory(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return DECODER_BYTES;
}

static bool
is_same_error(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void
put(unsigned char *out, size_t *at, uint64_t number, unsigned int bytes)
{
    for (unsigned int i = 0; i < bytes; i++)
        out[(*at)++] = (unsigned char)(number >> (8 * i));
}

/*
 * Append a member of the SIZE bytes of deflate data at DATA to OUT, a block of
 * BGZF or not, with the trailer that the content should have.
 */
static void
wrap(const uint8_t *data, size_t size, bool is_block, unsigned char *out,
     size_t *at)
{
    static unsigned char content[1 << 17];
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data,
                       .avail_in = (unsigned)size,
                       .next_out = content,
                       .avail_out = sizeof content};

    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
        abort();
    (void)inflate(&stream, Z_FINISH);
    size_t length = sizeof content - stream.avail_out;
    inflateEnd(&stream);
    size -= stream.avail_in;
    put(out, at, 0x00088b1f | (is_block ? 4u << 24 : 0), 4);
    put(out, at, 0, 6);
    if (is_block) {
        put(out, at, 6 | 'B' << 16 | (uint64_t)'C' << 24, 4);
        put(out, at, 2, 2);
        put(out, at, 18 + size + 8 - 1, 2);
    }
    memcpy(out + *at, data, size);
    *at += size;
    put(out, at, crc32_z(0, content, length), 4);
    put(out, at, length, 4);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct decoding gzip = {"gzip", decode, memory, is_same_error};
    static unsigned char wrapped[2 * WRAPPED_MAX];
    struct fuzz choices = {data, size};
    struct fuzz tail = {data, size};

    (void)fuzz_take(&tail, 5);
    uint64_t how = fuzz_take(&tail, 1);
    uint64_t cut = fuzz_take(&tail, 2);
    if ((how & 1) != 0 && tail.size <= WRAPPED_MAX) {
        size_t used = 0;
        cut = cut < tail.size ? cut : tail.size;
        wrap(tail.data, (size_t)cut, (how & 2) != 0, wrapped, &used);
        wrap(tail.data + cut, tail.size - (size_t)cut, (how & 4) != 0, wrapped,
             &used);
        tail = (struct fuzz){wrapped, used};
    }
    decoding_check(&gzip, &choices, tail.data, tail.size);
    return 0;
}

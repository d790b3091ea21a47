/* zstd_frame.c -- what the first bytes of a zstd frame say */

#include "zstd_frame.h"

#define MAGIC_FRAME 0xFD2FB528u
#define MAGIC_SKIPPABLE 0x184D2A50u /* the last hexadecimal digit is free */

static uint32_t
magic_of(const unsigned char *data)
{
    return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
           (uint32_t)data[3] << 24;
}

static bool
is_skippable(const unsigned char *data)
{
    return (magic_of(data) & ~0xFu) == MAGIC_SKIPPABLE;
}

bool
zstd_frame_is_magic(const unsigned char *data, size_t size)
{
    return size >= ZSTD_FRAME_MAGIC_BYTES &&
           (magic_of(data) == MAGIC_FRAME || is_skippable(data));
}

uint64_t
zstd_frame_window(const unsigned char *header, size_t size)
{
    static const unsigned char dictionary_id_bytes[4] = {0, 1, 2, 4};

    if (size < ZSTD_FRAME_MAGIC_BYTES + 2 || is_skippable(header))
        return 0;

    unsigned int descriptor = header[ZSTD_FRAME_MAGIC_BYTES];
    bool is_single_segment = descriptor >> 5 & 1;
    if (!is_single_segment) {
        unsigned int window = header[ZSTD_FRAME_MAGIC_BYTES + 1];
        uint64_t base = (uint64_t)1 << (10 + (window >> 3));
        return base + base / 8 * (window & 7);
    }

    /* The whole content is one window. */
    unsigned int log_bytes = descriptor >> 6;
    size_t content_bytes = (size_t)1 << log_bytes;
    size_t at =
        ZSTD_FRAME_MAGIC_BYTES + 1 + dictionary_id_bytes[descriptor & 3];
    uint64_t content = 0;
    if (at + content_bytes > size)
        return 0;
    for (size_t i = 0; i < content_bytes; i++)
        content |= (uint64_t)header[at + i] << (8 * i);
    /* A field of two bytes leaves out what one byte could have said. */
    return log_bytes == 1 ? content + 256 : content;
}

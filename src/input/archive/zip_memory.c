/* zip_memory.c -- the memory that libarchive takes to decode a file in a zip */

#include <string.h>

#include "base/little_endian.h"
#include "input/archive/zip_memory.h"

/* Buffers and tables beside the dictionary. */
#define OTHER_BYTES ((uint64_t)512 << 10)

/* Data of LZMA begin with a version and the size of five bytes. */
#define LZMA_DICTIONARY_AT 5
#define LZMA_BYTES 9

/* Data of xz: the header of the stream, and the first block's. */
#define XZ_STREAM_BYTES 12
#define XZ_BLOCK_BYTES 64
#define XZ_LZMA2 0x21
#define XZ_DICTIONARY_MAX 40

/* Data of PPMd begin with two bytes: order, megabytes and method. */
#define PPMD_BYTES 2
#define PPMD_SHIFT 4

/* Returns the dictionary's size of LZMA2 in the COUNT filters from byte AT on
   of an xz block, whose header has SIZE bytes at DATA; 0: not found. */
static uint64_t
find_lzma2(const unsigned char *data, size_t size, size_t at,
           unsigned int count)
{
    for (; count > 0 && at + 2 < size; count--) {
        if (data[at] == XZ_LZMA2) {
            unsigned int bits = data[at + 2];
            return bits < XZ_DICTIONARY_MAX
                       ? (uint64_t)(2 | (bits & 1)) << (bits / 2 + 11)
                       : UINT32_MAX;
        }
        at += 2 + (size_t)data[at + 1];
    }
    return 0;
}

/* The same of the block that begins in the SIZE bytes at DATA. */
static uint64_t
xz_dictionary(const unsigned char *data, size_t size)
{
    size_t at = XZ_STREAM_BYTES + 2;

    if (size <= at)
        return 0;
    unsigned int flags = data[XZ_STREAM_BYTES + 1];
    /* The sizes of the block, if they are there, have any length. */
    for (unsigned int bit = 0x40; bit <= 0x80; bit <<= 1) {
        if ((flags & bit) == 0)
            continue;
        while (at < size && (data[at] & 0x80) != 0)
            at++;
        at++;
    }
    return find_lzma2(data, size, at, (flags & 3) + 1);
}

uint64_t
zip_memory_bytes(struct archive_bytes *bytes, off_t at, const char *format)
{
    unsigned char data[XZ_STREAM_BYTES + XZ_BLOCK_BYTES];
    uint64_t dictionary = 0;

    if (format == NULL)
        return 0;
    if (strstr(format, "(lzma") == NULL && strstr(format, "(xz") == NULL &&
        strstr(format, "(ppmd") == NULL)
        return 0;
    size_t size = archive_bytes_look(bytes, at, data, sizeof data);
    if (strstr(format, "(lzma") != NULL && size >= LZMA_BYTES)
        dictionary = little_endian_32(data + LZMA_DICTIONARY_AT);
    else if (strstr(format, "(xz") != NULL)
        dictionary = xz_dictionary(data, size);
    else if (strstr(format, "(ppmd") != NULL && size >= PPMD_BYTES)
        dictionary =
            (uint64_t)((little_endian_16(data) >> PPMD_SHIFT & 0xff) + 1) << 20;
    return dictionary > 0 ? dictionary + OTHER_BYTES : 0;
}

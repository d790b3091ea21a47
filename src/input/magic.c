/* SPDX-License-Identifier: MIT */
/* magic.c -- whether the first bytes of data are a magic number */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/little_endian.h"
#include "input/magic.h"

enum magic
magic_compare(const unsigned char *head, size_t size, const void *number,
              size_t length)
{
    size_t common = size < length ? size : length;

    if (common > 0 && memcmp(head, number, common) != 0)
        return MAGIC_NO;
    return size < length ? MAGIC_SHORT : MAGIC_YES;
}

enum magic
magic_is_bzip2(const unsigned char *head, size_t size)
{
    enum magic start = magic_compare(head, size, "BZh", 3);

    if (start != MAGIC_YES)
        return start;
    if (size == 3)
        return MAGIC_SHORT;
    return head[3] >= '1' && head[3] <= '9' ? MAGIC_YES : MAGIC_NO;
}

enum magic
magic_is_lz4(const unsigned char *head, size_t size)
{
    enum magic match = magic_compare(head, size, "\x04\x22\x4d\x18", 4);

    return match != MAGIC_NO ? match
                             : magic_compare(head, size, MAGIC_LZ4_LEGACY, 4);
}

enum magic
magic_is_skippable(const unsigned char *head, size_t size)
{
    if (size == 0)
        return MAGIC_SHORT;
    /* Little-endian: 0x184D2A50 to 0x184D2A5F. */
    if (head[0] >> 4 != 5)
        return MAGIC_NO;
    return magic_compare(head + 1, size - 1, "\x2a\x4d\x18", 3);
}

#define XZ_MAGIC \
    "\xfd"       \
    "7zXZ\0"

enum magic
magic_is_xz(const unsigned char *head, size_t size)
{
    return magic_compare(head, size, XZ_MAGIC, 6);
}

enum magic
magic_looks_like_xz(const unsigned char *head, size_t size)
{
    return magic_compare(head, size, XZ_MAGIC, 4);
}

enum magic
magic_is_lzip(const unsigned char *head, size_t size)
{
    return magic_compare(head, size, "LZIP", 4);
}

/* The flags after the magic number, which are unused, and the greatest width of
   a code in bits. */
#define COMPRESS_UNUSED 0x60
#define COMPRESS_WIDTH 0x1f

enum magic
magic_is_compress(const unsigned char *head, size_t size)
{
    enum magic start = magic_compare(head, size, "\x1f\x9d", 2);

    if (start != MAGIC_YES)
        return start;
    if (size == 2)
        return MAGIC_SHORT;
    unsigned int width = head[2] & COMPRESS_WIDTH;
    return (head[2] & COMPRESS_UNUSED) == 0 && width >= 9 && width <= 16
               ? MAGIC_YES
               : MAGIC_NO;
}

#define LZMA_CONTENT_MAX ((uint64_t)1 << 38)

/* Whether SIZE, of a dictionary, is 2^n or 2^n + 2^(n - 1), or not limited. */
static bool
is_dictionary(uint32_t size)
{
    uint32_t high = size;

    while ((high & (high - 1)) != 0)
        high &= high - 1;
    return size == UINT32_MAX ||
           (size != 0 && (size == high || size == high + high / 2));
}

enum magic
magic_looks_like_lzma(const unsigned char *head, size_t size)
{
    enum magic start = magic_compare(head, size, "\x5d", 1);

    if (start != MAGIC_YES)
        return start;
    if (size >= 5 && !is_dictionary(little_endian_32(head + 1)))
        return MAGIC_NO;
    if (size < MAGIC_LZMA_BYTES)
        return MAGIC_SHORT;
    uint64_t content = little_endian_64(head + 5);
    return (content == UINT64_MAX || content < LZMA_CONTENT_MAX) &&
                   head[MAGIC_LZMA_BYTES - 1] == 0
               ? MAGIC_YES
               : MAGIC_NO;
}

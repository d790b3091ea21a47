/* magic.c -- whether the first bytes of data are a magic number */

#include <string.h>

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

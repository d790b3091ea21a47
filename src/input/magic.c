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
    if (size > 3 && (head[3] < '1' || head[3] > '9'))
        return MAGIC_NO;
    if (size <= 4)
        return MAGIC_SHORT;
    enum magic block =
        magic_compare(head + 4, size - 4, "\x31\x41\x59\x26\x53\x59", 6);
    return block != MAGIC_NO ? block
                             : magic_compare(head + 4, size - 4,
                                             "\x17\x72\x45\x38\x50\x90", 6);
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

enum magic
magic_is_xz(const unsigned char *head, size_t size)
{
    return magic_compare(head, size,
                         "\xfd"
                         "7zXZ\0",
                         6);
}

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

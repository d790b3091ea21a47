/* escape.c -- bytes that a line of text cannot have, as backslash escapes */

#include <string.h>

#include "util/escape.h"

bool
escape_is_doubled(const unsigned char *key, size_t size, size_t at)
{
    return at + 1 == size || memchr("\\tn\t\nNoei", key[at + 1], 9) != NULL;
}

/* unquote.c -- the value of a CSV field with quotes */

#include <string.h>

#include "text/unquote.h"

size_t
text_unquote(const unsigned char *data, struct text_slice slice,
             unsigned char *value)
{
    const unsigned char *from = data + slice.at + 1;
    const unsigned char *end = data + slice.at + slice.size;
    unsigned char *to = value;

    while (from < end) {
        const unsigned char *quote = memchr(from, '"', (size_t)(end - from));
        size_t part = (size_t)((quote != NULL ? quote : end) - from);
        memcpy(to, from, part);
        to += part;
        from += part;
        if (quote == NULL)
            break;
        from++;
        if (from == end || *from != '"') { /* the closing one */
            memcpy(to, from, (size_t)(end - from));
            to += end - from;
            break;
        }
        *to++ = *from++;
    }
    return (size_t)(to - value);
}

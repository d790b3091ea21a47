/* line_ends.c -- the ends of lines in a content, as far as it has been read */

#include <string.h>

#include "input/content/line_ends.h"

/* Content without the end of a line in this many bytes is taken for no text. */
#define LONG_LINE_BYTES ((size_t)64 << 10)

void
line_ends_note(atomic_uint *ends, const unsigned char *data, size_t size)
{
    unsigned int none = LINE_ENDS_NONE;
    unsigned int before = atomic_load(ends);

    if (before == LINE_ENDS_ANY || size == 0)
        return;
    if (memchr(data, '\n', size) != NULL)
        atomic_store(ends, LINE_ENDS_ANY);
    else if (before == LINE_ENDS_NONE && memchr(data, '\r', size) != NULL)
        atomic_compare_exchange_strong(ends, &none, LINE_ENDS_RETURNS);
    else if (before == LINE_ENDS_NONE && size >= LONG_LINE_BYTES)
        /* Looking at all of it would take time. */
        atomic_store(ends, LINE_ENDS_ANY);
}

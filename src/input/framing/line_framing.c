/* line_framing.c -- framing of records that end with a byte, such as lines */

#include <string.h>

#include "input/framing/line_framing.h"

static size_t
whole(const struct framing *framing, const unsigned char *data, size_t size)
{
    const unsigned char *end = memrchr(data, framing->end_byte, size);

    return end == NULL ? 0 : (size_t)(end - data) + 1;
}

static size_t
first(const struct framing *framing, const unsigned char *data, size_t size)
{
    const unsigned char *end = memchr(data, framing->end_byte, size);

    return end == NULL ? 0 : (size_t)(end - data) + 1;
}

struct framing
line_framing_make(unsigned char end_byte)
{
    static const struct framing_type type = {
        .whole = whole, .first = first, .is_local = true};

    return (struct framing){
        .type = &type, .step = SIZE_MAX, .end_byte = end_byte};
}

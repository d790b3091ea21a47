/* framing.c -- where records start and end in the content of an input */

#include "input/framing.h"

size_t
framing_whole(const struct framing *framing, const unsigned char *data,
              size_t size)
{
    return framing->type->whole(framing, data, size);
}

int
framing_end(const struct framing *framing, const char *name, size_t rest,
            struct error *error)
{
    return framing->type->end(framing, name, rest, error);
}

uint64_t
framing_align(const struct framing *framing, uint64_t offset)
{
    return offset - offset % framing->step;
}

bool
framing_begins_at(const struct framing *framing, bool is_known, uint64_t offset)
{
    return framing->step == 1 ||
           (is_known && framing_align(framing, offset) == offset);
}

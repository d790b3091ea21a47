/* fixed_framing.c -- framing of records of a fixed size, including pixels */

#include "input/framing/fixed_framing.h"

static size_t
whole(const struct framing *framing, const unsigned char *data, size_t size)
{
    (void)data;
    return (size_t)framing_align(framing, size);
}

static int
end(const struct framing *framing, const char *name, size_t rest,
    struct error *error)
{
    if (framing->drops_rest)
        return 0;
    error_set(error, EXIT_DATA,
              "%s: ends with %zu byte%s of a record of %zu "
              "(--partial=drop leaves them out)",
              name, rest, rest == 1 ? "" : "s", framing->step);
    return -1;
}

struct framing
fixed_framing_make(size_t record_bytes, bool drops_rest)
{
    static const struct framing_type type = {.whole = whole, .end = end};

    return (struct framing){
        .type = &type, .step = record_bytes, .drops_rest = drops_rest};
}

/* SPDX-License-Identifier: MIT */
/* csv_cut.c -- where data of CSV may be cut */

#include <assert.h>

#include "text/csv_cut.h"
#include "text/csv_state.h"
#include "text/scan_forms.h"

static enum csv_state
first_state(bool is_inside)
{
    return is_inside ? CSV_INSIDE : CSV_RECORD;
}

/* Go on with the SIZE bytes at DATA. */
static void
pass(struct csv_cut *cut, const unsigned char *data, size_t size)
{
    csv_cut_form *run = csv_cut_portable;

    assert(size <= SCAN_BYTES_MAX);
#ifdef SCAN_HAS_AVX2
    if (scan_avx2_is_possible())
        run = csv_cut_avx2;
#endif
#ifdef SCAN_HAS_AVX512
    if (scan_avx512_is_possible())
        run = csv_cut_avx512;
#endif
    run(cut, data, (uint32_t)size);
}

size_t
csv_cut_find(const struct text_format *format, bool is_inside,
             const unsigned char *data, size_t size)
{
    struct csv_cut cut = {.format = format, .state = first_state(is_inside)};

    pass(&cut, data, size);
    return cut.done;
}

void
csv_cut_pass(const struct text_format *format, enum csv_state *state,
             const unsigned char *data, size_t size)
{
    struct csv_cut cut = {.format = format, .state = *state};

    pass(&cut, data, size);
    *state = cut.state;
}

size_t
csv_cut_first(const struct text_format *format, bool is_inside,
              const unsigned char *data, size_t size)
{
    enum csv_state state = first_state(is_inside);

    for (size_t i = 0; i < size; i++) {
        state = csv_state_next(format, state, data[i]);
        if (state == CSV_RECORD)
            return i + 1;
    }
    return 0;
}

bool
csv_cut_is_open(const struct text_format *format, const unsigned char *data,
                size_t size, size_t *at)
{
    enum csv_state state = CSV_RECORD;

    for (size_t i = 0; i < size; i++) {
        enum csv_state next = csv_state_next(format, state, data[i]);
        if (next == CSV_INSIDE && (state == CSV_RECORD || state == CSV_FIELD))
            *at = i;
        state = next;
    }
    return state == CSV_INSIDE;
}

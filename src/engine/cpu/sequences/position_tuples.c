/* SPDX-License-Identifier: MIT */
/* position_tuples.c -- the tuples of dense tables by position, in order */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/sequences/position_tuples.h"
#include "hist/key_code.h"

/* The components of a tuple after that of the position. */
struct position_end {
    const unsigned char *byte; /* where it starts in BYTE of the tuples, when
                                  all elements are added */
    size_t at;                 /* the same before */
    uint32_t size;
    uint32_t element;
};

bool
position_tuples_are_for(const struct spec *spec, size_t histogram)
{
    const size_t dimensions = spec_dimensions(spec, histogram);

    if (spec->kind != SPEC_SEQUENCES || spec->is_spectrum ||
        spec->has_weights ||
        spec->histogram[histogram].kind != COUNTED_TUPLES || dimensions < 2)
        return false;
    for (size_t d = 0; d < dimensions; d++) {
        if (spec_codes_grow(spec, spec_axis_of(spec, histogram, d)))
            return false;
    }
    return spec->text_fields.field[spec_axis_of(spec, histogram, 0)].part ==
           TEXT_PART_POSITION;
}

enum key_result
position_tuples_open(struct position_tuples *tuples, const struct spec *spec,
                     size_t histogram, struct code_ranges *ranges,
                     struct key_counts *counts, size_t elements)
{
    *tuples = (struct position_tuples){
        .counts = counts,
        .histogram = histogram,
        .position = spec_axis_of(spec, histogram, 0),
        .room = elements,
    };
    /* Snapshots refer to tables that others must not be joined with. */
    if (elements > POSITION_ELEMENTS_MAX || counts->has_snapshots ||
        counts->sorted != NULL)
        return KEY_LIMIT;
    tuples->field = calloc(spec->text_fields.count, sizeof *tuples->field);
    tuples->end = malloc((elements + 1) * sizeof *tuples->end);
    tuples->rank = malloc((elements + 1) * sizeof *tuples->rank);
    if (tuples->field == NULL || tuples->end == NULL || tuples->rank == NULL)
        return KEY_NO_MEMORY;
    return key_codes_open(&tuples->codes, spec, ranges);
}

void
position_tuples_close(struct position_tuples *tuples)
{
    key_codes_close(&tuples->codes);
    free(tuples->field);
    free(tuples->end);
    free(tuples->byte);
    free(tuples->rank);
    free(tuples->sum);
    free(tuples->is_here);
}

/* Write the tuple of FIELD in DATA to the buffer of codes.  Sets *SIZE to its
   size, and *FIRST to that of the component of the position. */
static enum key_result
make_tuple(struct position_tuples *tuples, const unsigned char *data,
           const struct text_slice *field, size_t *size, size_t *first)
{
    struct key_codes *codes = &tuples->codes;
    struct key_component component;
    struct text_slice code;
    size_t made;
    enum key_result result =
        key_codes_make(codes, tuples->histogram, data, field, 1, &code, &made);

    if (result != KEY_OK)
        return result;
    /* The first tuple of a call is at the start of the buffer. */
    const unsigned char *end = key_code_read(
        codes->byte, codes->byte + code.size,
        spec_key_kind(codes->spec, tuples->position), false, &component);
    *size = code.size;
    *first = (size_t)(end - codes->byte);
    return KEY_OK;
}

/* Make room for SIZE more bytes of ends. */
static enum key_result
make_room(struct position_tuples *tuples, size_t size)
{
    const size_t needed = tuples->used + size;

    if (needed <= tuples->bytes)
        return KEY_OK;
    unsigned char *grown = realloc(tuples->byte, 2 * needed);
    if (grown == NULL)
        return KEY_NO_MEMORY;
    tuples->byte = grown;
    tuples->bytes = 2 * needed;
    return KEY_OK;
}

enum key_result
position_tuples_add(struct position_tuples *tuples, const unsigned char *data,
                    const struct text_slice *field, size_t element)
{
    size_t size;
    size_t first;
    enum key_result result = make_tuple(tuples, data, field, &size, &first);

    if (result != KEY_OK)
        return result;
    size -= first;
    if (size + KEY_CODE_ROOM > POSITION_TUPLE_MAX)
        return KEY_LIMIT;
    result = make_room(tuples, size);
    if (result != KEY_OK)
        return result;
    memcpy(tuples->byte + tuples->used, tuples->codes.byte + first, size);
    tuples->end[tuples->added++] =
        (struct position_end){.at = tuples->used,
                              .size = (uint32_t)size,
                              .element = (uint32_t)element};
    tuples->used += size;
    tuples->data = data;
    memcpy(tuples->field, field,
           tuples->codes.spec->text_fields.count * sizeof *field);
    return KEY_OK;
}

/* qsort(): by their bytes, an end before the longer ones that start with it. */
static int
compare_ends(const void *a, const void *b)
{
    const struct position_end *one = a;
    const struct position_end *other = b;
    const struct key_entry key_one = {.key = one->byte, .size = one->size};
    const struct key_entry key_other = {.key = other->byte,
                                        .size = other->size};

    return key_entry_compare(&key_one, &key_other);
}

enum key_result
position_tuples_start(struct position_tuples *tuples)
{
    struct position_end *end = tuples->end;

    for (size_t e = 0; e < tuples->added; e++)
        end[e].byte = tuples->byte + end[e].at;
    qsort(end, tuples->added, sizeof *end, compare_ends);
    for (size_t e = 0; e < tuples->added; e++) {
        if (e == 0 || compare_ends(&end[tuples->ranks - 1], &end[e]) != 0)
            end[tuples->ranks++] = end[e];
        tuples->rank[end[e].element] = (uint32_t)(tuples->ranks - 1);
    }
    tuples->sum = calloc(tuples->ranks + 1, sizeof *tuples->sum);
    tuples->is_here = calloc(tuples->ranks / 64 + 1, sizeof *tuples->is_here);
    if (tuples->sum == NULL || tuples->is_here == NULL)
        return KEY_NO_MEMORY;
    enum key_result result = key_counts_open_sorted(tuples->counts, 1);
    tuples->table = tuples->counts->sorted;
    return result;
}

/* Append the tuples at the position, and forget their counts. */
static enum key_result
append_tuples(struct position_tuples *tuples)
{
    const size_t words = (tuples->ranks + 63) / 64;
    unsigned char *at = tuples->first + tuples->first_size;
    enum key_result result = KEY_OK;

    for (size_t w = 0; w < words; w++) {
        uint64_t bits = tuples->is_here[w];
        tuples->is_here[w] = 0;
        for (; bits != 0 && result == KEY_OK; bits &= bits - 1) {
            const size_t rank = w * 64 + (size_t)__builtin_ctzll(bits);
            const struct position_end *end = &tuples->end[rank];
            memcpy(at, end->byte, end->size);
            result = key_counter_append(
                tuples->counts, &tuples->table, tuples->first,
                (uint32_t)tuples->first_size + end->size, tuples->sum[rank]);
            tuples->sum[rank] = 0;
        }
    }
    /* Other tuples are in the tables, so it cannot be done in another way. */
    return result == KEY_LIMIT ? KEY_NO_MEMORY : result;
}

enum key_result
position_tuples_go(struct position_tuples *tuples, uint64_t position)
{
    size_t size;
    size_t first;

    tuples->field[tuples->position] = text_slice_of_bits(position);
    enum key_result result =
        make_tuple(tuples, tuples->data, tuples->field, &size, &first);
    if (result != KEY_OK)
        return result;
    /* Several positions may be in one bin. */
    if (first == tuples->first_size &&
        memcmp(tuples->first, tuples->codes.byte, first) == 0)
        return KEY_OK;
    result = append_tuples(tuples);
    memcpy(tuples->first, tuples->codes.byte, first);
    tuples->first_size = first;
    return result;
}

enum key_result
position_tuples_end(struct position_tuples *tuples)
{
    enum key_result result = append_tuples(tuples);

    key_codes_settle(&tuples->codes);
    return result;
}

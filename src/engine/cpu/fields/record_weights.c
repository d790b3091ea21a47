/* record_weights.c -- the weights of a batch of records of text */

#include <stdlib.h>

#include "engine/cpu/fields/record_weights.h"
#include "text/short_decimals.h"

#define WIDE_MIN 64

int
record_weights_open(struct record_weights *weights, const struct spec *spec,
                    size_t records)
{
    *weights = (struct record_weights){
        .spec = spec,
        .are_counts = spec->adds == ADDS_COUNT,
        .field = {.format = &spec->text,
                  .part = spec->text_fields.field[spec->text_weight].part},
    };
    weights->weight = malloc(records * sizeof *weights->weight);
    return weights->weight != NULL ? 0 : -1;
}

void
record_weights_close(struct record_weights *weights)
{
    free(weights->weight);
    free(weights->wide);
    field_text_close(&weights->field);
}

/* Append SUM, and set *WEIGHT to what stands for it.  0, or -1: no memory. */
static int
append_wide(struct record_weights *weights, const struct decimal_sum *sum,
            int64_t *weight)
{
    if (weights->wide_count == weights->wide_room) {
        size_t room = 2 * weights->wide_room + WIDE_MIN;
        struct decimal_sum *wide = realloc(weights->wide, room * sizeof *wide);
        if (wide == NULL)
            return -1;
        weights->wide = wide;
        weights->wide_room = room;
    }
    *weight = key_weight_of_wide(weights->wide_count);
    weights->wide[weights->wide_count++] = *sum;
    return 0;
}

enum reading_result {
    READING_DONE,
    READING_MISSING, /* no value: the weight is 0 */
    READING_WRONG,
    READING_NO_MEMORY,
};

/* Read the weight of SLICE. */
static enum reading_result
read_weight(struct record_weights *weights, const unsigned char *data,
            struct text_slice slice, int64_t *weight, bool *is_number)
{
    struct text_number number;
    struct decimal_sum sum;
    binning_u32 size;

    *weight = 0;
    if (text_slice_is_missing(slice))
        return READING_MISSING;
    const unsigned char *text =
        field_text_find(&weights->field, data, slice, &size);
    if (text == NULL)
        return READING_NO_MEMORY;
    text_number_scan(text, size, &number);
    if (decimal_nano_read(weight, &number))
        return READING_DONE;
    if (field_value_is_empty(weights->field.format, &number, text, size))
        return READING_MISSING;
    *is_number = number.kind == TEXT_NUMBER_FINITE;
    if (decimal_sum_read(&sum, &number, text) < 0)
        return READING_WRONG;
    return append_wide(weights, &sum, weight) == 0 ? READING_DONE
                                                   : READING_NO_MEMORY;
}

size_t
record_weights_read(struct record_weights *weights, const unsigned char *data,
                    const struct text_slice *slice, size_t records,
                    struct wrong_amount *wrong)
{
    size_t stride = weights->spec->text_fields.count;
    bool is_number = false;

    slice += weights->spec->text_weight;
    weights->wide_count = 0;
    short_decimals_read(data, slice, records, stride, weights->weight);
    for (size_t r = 0; r < records; r++, slice += stride) {
        if (weights->weight[r] != SHORT_DECIMALS_NONE)
            continue;
        switch (read_weight(weights, data, *slice, &weights->weight[r],
                            &is_number)) {
        case READING_DONE:
            break;
        case READING_MISSING:
            weights->missing++;
            break;
        case READING_NO_MEMORY:
            return SIZE_MAX;
        default:
            *wrong = (struct wrong_amount){
                .slice = *slice,
                .noun = "weight",
                .reason = is_number ? "has more than 38 digits before or after "
                                      "the decimal point"
                                    : "is no number",
            };
            return r;
        }
    }
    return records;
}

/* missing_count.c -- count the records that have no field for a histogram */

#include "engine/cpu/fields/missing_count.h"

/* Add the weight of record R to *SUM.  Returns how often it counts. */
static uint64_t
weigh(const struct key_weights *weights, size_t r, struct decimal_sum *sum)
{
    if (weights == NULL)
        return 1;
    if (key_weights_have_sums(weights)) {
        struct decimal_sum weight = key_weight_read(weights, r);
        decimal_sum_add(sum, &weight);
    }
    return key_weights_count(weights, r);
}

void
missing_count_add(struct field_counts *sharing, size_t i,
                  const struct text_slice *slice, size_t records,
                  const struct key_weights *weights)
{
    size_t fields = sharing->spec->text_fields.count;
    struct key_field *field = &sharing->field[i];
    struct decimal_sum sum = {{0}};
    uint64_t missing = 0;
    uint64_t invalid = 0;

    slice += spec_own_axis(sharing->spec, i);
    for (size_t r = 0; r < records; r++, slice += fields) {
        /* It has no weight. */
        if (text_slice_is_invalid(*slice))
            invalid++;
        else if (text_slice_is_missing(*slice))
            missing += weigh(weights, r, &sum);
    }
    atomic_fetch_add(&field->missing, missing);
    atomic_fetch_add(&field->invalid, invalid);
    if (weights == NULL || !key_weights_have_sums(weights))
        return;
    pthread_mutex_lock(&sharing->lock);
    decimal_sum_add(&field->missing_sum, &sum);
    pthread_mutex_unlock(&sharing->lock);
}

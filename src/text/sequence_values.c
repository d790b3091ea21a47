/* sequence_values.c -- the values of reads: length, GC, qualities, name,
   sequence */

#include <string.h>

#include "text/sequence_values.h"
#include "util/exponential.h"

/* 10 log10(2) */
static const struct precise decibels = {0x1.8151824c7587fp+1,
                                        -0x1.40a64a27f478dp-53};

void
sequence_values_open(struct sequence_values *values,
                     const struct text_format *format)
{
    values->phred = format->phred;
    for (int byte = 0; byte < 256; byte++) {
        int quality = byte - (int)format->phred;
        values->error[byte] = exponential_10(-quality / 10.0);
    }
    log2_table_make(&values->log2);
}

static struct text_slice
slice_of_bits(uint64_t bits)
{
    struct text_slice slice;

    memcpy(&slice, &bits, sizeof slice);
    return slice;
}

static struct text_slice
slice_of_double(double value)
{
    return slice_of_bits(binning_double_bits(value));
}

/* ---- GC ---- */

/* How many of SIZE bytes are G or C, of either case. */
static uint32_t
count_gc(const unsigned char *data, size_t size)
{
    uint32_t count = 0;

    /* C, G, c and g are all bytes that have these bits. */
    for (size_t i = 0; i < size; i++)
        count += (data[i] & ~0x24u) == 'C';
    return count;
}

static struct text_slice
read_gc(const unsigned char *data, const struct sequence_record *record)
{
    uint32_t count;

    if (record->length == 0)
        return TEXT_SLICE_EMPTY;
    count = count_gc(data + record->bases_begin, record->length);
    return slice_of_double((double)count / record->length);
}

/* ---- qualities ---- */

/* Sets *VALUE if RECORD has no mean of qualities; returns whether it has. */
static bool
has_mean(const struct sequence_record *record, struct text_slice *value)
{
    if (record->quality_end == 0)
        *value = (struct text_slice){TEXT_SLICE_MISSING, 0};
    else if (record->length == 0)
        *value = TEXT_SLICE_EMPTY;
    else
        return true;
    return false;
}

static uint64_t
add_up(const unsigned char *data, size_t size)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum;
}

static struct text_slice
read_mean(const struct sequence_values *values, const unsigned char *data,
          const struct sequence_record *record)
{
    struct text_slice value;
    uint64_t sum;

    if (!has_mean(record, &value))
        return value;
    sum = add_up(data + record->quality_begin, record->length);
    int64_t whole =
        (int64_t)sum - (int64_t)((uint64_t)values->phred * record->length);
    return slice_of_double((double)whole / record->length);
}

/* Returns -10 log10(X); X is positive and normal. */
static double
decibels_of(const struct sequence_values *values, double x)
{
    const uint64_t fraction = ((uint64_t)1 << 52) - 1;
    uint64_t bits = binning_double_bits(x);
    int exponent = (int)(bits >> 52) - 1023;
    struct precise power = precise_add(
        precise_of(exponent - 52),
        log2_whole(&values->log2, (bits & fraction) | (fraction + 1)));

    /* Not -0. */
    return 0 - precise_multiply(power, decibels).high;
}

static struct text_slice
read_mean_error(const struct sequence_values *values, const unsigned char *data,
                const struct sequence_record *record)
{
    const unsigned char *quality = data + record->quality_begin;
    struct text_slice value;
    uint32_t occurs[256] = {0};
    double sum = 0;

    if (!has_mean(record, &value))
        return value;
    for (uint32_t i = 0; i < record->length; i++)
        occurs[quality[i]]++;
    for (unsigned int byte = 0; byte < 256; byte++) {
        if (occurs[byte] == record->length)
            return slice_of_double((double)byte - values->phred);
        if (occurs[byte] > 0)
            sum += occurs[byte] * values->error[byte];
    }
    return slice_of_double(decibels_of(values, sum / record->length));
}

/* ---- all of them ---- */

static struct text_slice
read_value(const struct sequence_values *values, enum text_part part,
           const unsigned char *data, const struct sequence_record *record)
{
    switch (part) {
    case TEXT_PART_NAME:
        return (struct text_slice){record->begin + 1,
                                   record->name_end - record->begin - 1};
    case TEXT_PART_SEQUENCE:
        return (struct text_slice){record->bases_begin, record->length};
    case TEXT_PART_LENGTH:
        return slice_of_bits(record->length);
    case TEXT_PART_GC:
        return read_gc(data, record);
    case TEXT_PART_MEAN_QUALITY:
        return read_mean(values, data, record);
    default:
        return read_mean_error(values, data, record);
    }
}

void
sequence_values_read(const struct sequence_values *values, enum text_part part,
                     const unsigned char *data,
                     const struct sequence_record *record, size_t count,
                     struct text_slice *slice, size_t stride)
{
    for (size_t i = 0; i < count; i++)
        slice[i * stride] = read_value(values, part, data, &record[i]);
}

/* SPDX-License-Identifier: MIT */
/* sequence_values.c -- the values of reads: length, GC, qualities, name,
   sequence */

#include <string.h>

#include "base/elementary.h"
#include "kernels/seq/kmer.h"
#include "seq/alignment_values.h"
#include "seq/sequence_values.h"

/* 10 log10(2) */
static const double decibels = 0x1.8151824c7587fp+1;

void
sequence_values_open(struct sequence_values *values,
                     const struct text_format *format, bool has_errors)
{
    values->phred = format->phred;
    if (!has_errors)
        return;
    for (int byte = 0; byte < 256; byte++) {
        int quality = byte - (int)format->phred;
        values->error[byte] = exponential_10(-quality / 10.0);
    }
    log2_table_make(&values->log2);
}

static struct text_slice
slice_of_double(double value)
{
    return text_slice_of_bits(binning_double_bits(value));
}

/* ---- GC ---- */

/* How many of SIZE bytes are G or C, of either case. */
static uint32_t
count_gc(const unsigned char *data, size_t size)
{
    uint32_t count = 0;

    /* Only C, G, c and g have these bits. */
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
    count = sequence_lacks_bases(record)
                ? record->quality_start
                : count_gc(data + record->bases_start, record->length);
    return slice_of_double((double)count / record->length);
}

static struct text_slice
read_gc_bases(const unsigned char *data, const struct sequence_record *record)
{
    return text_slice_of_bits(count_gc(data + record->bases_start,
                                       sequence_gc_length(record->length)));
}

/* ---- qualities ---- */

/* Sets *VALUE if RECORD has no mean of qualities; returns whether it has. */
static bool
has_mean(const struct sequence_record *record, struct text_slice *value)
{
    if (record->quality_end == 0)
        *value = TEXT_SLICE_NONE;
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
    sum = add_up(data + record->quality_start, record->length);
    int64_t whole =
        (int64_t)sum - (int64_t)((uint64_t)values->phred * record->length);
    return slice_of_double((double)whole / record->length);
}

/* How often each byte of a quality occurs.  Equal neighbours are counted in
   turns: an increment must not wait for the increment before. */
#define TURNS 4

struct occurrences {
    uint32_t of[256][TURNS];
};

static void
count_bytes(struct occurrences *occurs, const unsigned char *data, size_t size)
{
    size_t i = 0;

    for (; size - i >= TURNS; i += TURNS) {
        occurs->of[data[i]][0]++;
        occurs->of[data[i + 1]][1]++;
        occurs->of[data[i + 2]][2]++;
        occurs->of[data[i + 3]][3]++;
    }
    for (; i < size; i++)
        occurs->of[data[i]][0]++;
}

/* OCCURS is all 0 before and after. */
static struct text_slice
read_mean_error(const struct sequence_values *values, const unsigned char *data,
                const struct sequence_record *record,
                struct occurrences *occurs)
{
    const unsigned char *quality = data + record->quality_start;
    unsigned char least = 255;
    unsigned char most = 0;
    struct text_slice value;
    double sum = 0;

    if (!has_mean(record, &value))
        return value;
    for (uint32_t i = 0; i < record->length; i++) {
        least = quality[i] < least ? quality[i] : least;
        most = quality[i] > most ? quality[i] : most;
    }
    if (least == most)
        return slice_of_double((double)least - values->phred);
    count_bytes(occurs, quality, record->length);
    for (unsigned int byte = least; byte <= most; byte++) {
        uint32_t *of = occurs->of[byte];
        sum += (of[0] + of[1] + of[2] + of[3]) * values->error[byte];
        memset(of, 0, sizeof occurs->of[byte]);
    }
    /* Not -0. */
    return slice_of_double(
        0 - decibels * log2_double(&values->log2, sum / record->length));
}

/* ---- all of them ---- */

static struct text_slice
read_value(const struct sequence_values *values, enum text_part part,
           const unsigned char *data, const struct sequence_record *record,
           struct occurrences *occurs)
{
    switch (part) {
    case TEXT_PART_NAME:
        return (struct text_slice){record->start + 1,
                                   record->name_end - record->start - 1};
    case TEXT_PART_SEQUENCE:
        return (struct text_slice){record->bases_start, record->length};
    case TEXT_PART_LENGTH:
        return text_slice_of_bits(record->length);
    case TEXT_PART_GC:
        return read_gc(data, record);
    case TEXT_PART_GC_BASES:
        return read_gc_bases(data, record);
    case TEXT_PART_MEAN_QUALITY:
        return read_mean(values, data, record);
    case TEXT_PART_MEAN_ERROR_QUALITY:
        return read_mean_error(values, data, record, occurs);
    default:
        return alignment_values_read(part, data, record);
    }
}

void
sequence_values_read(const struct sequence_values *values, enum text_part part,
                     const unsigned char *data,
                     const struct sequence_record *record, size_t count,
                     struct text_slice *slice, size_t stride)
{
    struct occurrences occurs;

    if (part == TEXT_PART_MEAN_ERROR_QUALITY)
        memset(&occurs, 0, sizeof occurs);
    for (size_t i = 0; i < count; i++)
        slice[i * stride] = read_value(values, part, data, &record[i], &occurs);
}

/* ---- k-mers ---- */

size_t
sequence_value_write(const struct text_format *format,
                     const unsigned char *data, struct text_slice slice,
                     unsigned char *value)
{
    struct kmer_window window;

    kmer_start(&window);
    for (binning_u32 i = 0; i < slice.size; i++)
        (void)kmer_push(&window, data[slice.at + i], slice.size);
    kmer_write(kmer_code(&window, format->is_canonical != 0), slice.size,
               value);
    return slice.size;
}

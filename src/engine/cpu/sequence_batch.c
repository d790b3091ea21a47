/* sequence_batch.c -- the fields of the reads and of the bases of sequences */

#include <stdlib.h>

#include "engine/cpu/sequence_batch.h"
#include "engine/cpu/sequence_error.h"
#include "text/sequence_join.h"
#include "text/sequence_scan.h"

/* Records that are found at a time. */
#define RECORDS_MAX 1024

int
sequence_batch_open(struct sequence_batch *batch, const struct spec *spec)
{
    *batch = (struct sequence_batch){.spec = spec, .unit = SEQUENCE_UNITS};
    sequence_values_open(&batch->values, &spec->text);
    for (size_t i = 0; i < spec_histograms(spec); i++)
        batch->has_unit[spec_unit(spec, i)] = true;
    batch->record = malloc(RECORDS_MAX * sizeof *batch->record);
    batch->of_read = calloc(spec->text_fields.count, sizeof *batch->of_read);
    return batch->record == NULL || batch->of_read == NULL ? -1 : 0;
}

uint64_t
sequence_batch_bytes(const struct spec *spec)
{
    return RECORDS_MAX * sizeof(struct sequence_record) +
           spec->text_fields.count * sizeof(struct text_slice);
}

void
sequence_batch_close(struct sequence_batch *batch)
{
    free(batch->record);
    free(batch->of_read);
}

/* The elements of UNIT that RECORD has. */
static binning_u32
elements_of(const struct sequence_batch *batch,
            const struct sequence_record *record, enum sequence_unit unit)
{
    (void)batch;
    return unit == SEQUENCE_READS ? 1 : record->length;
}

int
sequence_batch_scan(struct sequence_batch *batch, struct chunk *chunk,
                    size_t *done, struct error *error)
{
    struct sequence_record rest;
    enum sequence_found found;

    batch->count = sequence_scan(chunk->data, chunk->used, done, true,
                                 batch->record, RECORDS_MAX, &found, &rest);
    if (found == SEQUENCE_NONE)
        *done = chunk->used;
    else if (found != SEQUENCE_RECORD)
        return sequence_error_set(chunk, found, &rest, error);
    for (size_t r = 0; r < batch->count; r++) {
        struct sequence_record *record = &batch->record[r];
        sequence_join(chunk->data, record, batch->spec->text.keeps_case);
        for (int unit = 0; unit < SEQUENCE_UNITS; unit++)
            batch->elements[unit] +=
                elements_of(batch, record, (enum sequence_unit)unit);
    }
    batch->unit = SEQUENCE_READS;
    batch->next = 0;
    batch->position = 0;
    return 0;
}

static struct text_slice
slice_of_integer(int64_t value)
{
    return text_slice_of_bits((uint64_t)value);
}

/* Write field PART of the COUNT bases of RECORD from FIRST on to SLICE; OF_READ
   is it if it is one of reads. */
static void
put_bases(const struct sequence_batch *batch, binning_u32 part,
          const unsigned char *data, const struct sequence_record *record,
          binning_u32 first, size_t count, struct text_slice of_read,
          struct text_slice *slice, size_t stride)
{
    binning_u32 base = record->bases_begin + first;
    const unsigned char *quality = data + record->quality_begin + first;
    const int64_t phred = batch->spec->text.phred;

    if (part == TEXT_PART_BASE) {
        for (size_t k = 0; k < count; k++)
            slice[k * stride] = (struct text_slice){base + (binning_u32)k, 1};
    } else if (part == TEXT_PART_POSITION) {
        for (size_t k = 0; k < count; k++)
            slice[k * stride] = slice_of_integer((int64_t)(first + k + 1));
    } else if (part == TEXT_PART_QUALITY && record->quality_end > 0) {
        for (size_t k = 0; k < count; k++)
            slice[k * stride] = slice_of_integer(quality[k] - phred);
    } else {
        for (size_t k = 0; k < count; k++)
            slice[k * stride] = of_read;
    }
}

/* Set the fields of the next read; those of its bases are missing. */
static void
take_read(struct sequence_batch *batch, const unsigned char *data)
{
    const struct field_list *list = &batch->spec->text_fields;

    for (size_t f = 0; f < list->count; f++) {
        enum text_part part = (enum text_part)list->field[f].part;
        batch->of_read[f] = TEXT_SLICE_NONE;
        if (sequence_part_unit(part) == SEQUENCE_READS)
            sequence_values_read(&batch->values, part, data,
                                 &batch->record[batch->next], 1,
                                 &batch->of_read[f], 1);
    }
}

/* Write the fields of the next reads to SLICE.  Returns how many. */
static size_t
next_reads(struct sequence_batch *batch, const unsigned char *data,
           struct text_slice *slice)
{
    const struct field_list *list = &batch->spec->text_fields;
    size_t count = batch->count - batch->next;

    count = count < SEQUENCE_BATCH ? count : SEQUENCE_BATCH;
    for (size_t f = 0; f < list->count; f++) {
        enum text_part part = (enum text_part)list->field[f].part;
        if (sequence_part_unit(part) == SEQUENCE_READS)
            sequence_values_read(&batch->values, part, data,
                                 &batch->record[batch->next], count, slice + f,
                                 list->count);
    }
    batch->next += count;
    return count;
}

/* The same of the next bases. */
static size_t
next_bases(struct sequence_batch *batch, const unsigned char *data,
           struct text_slice *slice)
{
    const struct field_list *list = &batch->spec->text_fields;
    size_t done = 0;

    while (batch->next < batch->count && done < SEQUENCE_BATCH) {
        const struct sequence_record *record = &batch->record[batch->next];
        size_t count =
            elements_of(batch, record, batch->unit) - batch->position;
        count = count < SEQUENCE_BATCH - done ? count : SEQUENCE_BATCH - done;
        if (batch->position == 0)
            take_read(batch, data);
        for (size_t f = 0; f < list->count; f++)
            put_bases(batch, list->field[f].part, data, record, batch->position,
                      count, batch->of_read[f], slice + done * list->count + f,
                      list->count);
        done += count;
        batch->position += (binning_u32)count;
        if (batch->position == elements_of(batch, record, batch->unit)) {
            batch->next++;
            batch->position = 0;
        }
    }
    return done;
}

size_t
sequence_batch_next(struct sequence_batch *batch, const unsigned char *data,
                    struct text_slice *slice, enum sequence_unit *unit)
{
    while (batch->unit < SEQUENCE_UNITS) {
        size_t count = !batch->has_unit[batch->unit] ? 0
                       : batch->unit == SEQUENCE_READS
                           ? next_reads(batch, data, slice)
                           : next_bases(batch, data, slice);
        *unit = batch->unit;
        if (count > 0)
            return count;
        batch->unit++;
        batch->next = 0;
        batch->position = 0;
    }
    return 0;
}

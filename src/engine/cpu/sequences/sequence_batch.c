/* SPDX-License-Identifier: MIT */
/* sequence_batch.c -- the fields of the reads and of the bases of sequences */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "engine/cpu/sequences/read_groups.h"
#include "engine/cpu/sequences/sequence_batch.h"
#include "kernels/seq/kmer.h"
#include "seq/alignment_values.h"
#include "seq/sequence_join.h"
#include "seq/sequence_scan.h"

/* Records that are found at a time. */
#define RECORDS_MAX SEQUENCE_COUNTER_RECORDS

/* The most bytes of an error. */
#define WRONG_TEXT_BYTES 128

/* Records that are found at a time to count them. */
#define COUNTED 64

/* A field that is set for each read. */
struct sequence_wanted {
    size_t field;
    size_t same; /* a field before it with this part; or itself */
    enum text_part part;
    bool is_run; /* of bases or qualities */
};

/* The units whose histograms need FIELD of SPEC, a bit each.  What is in no
   histogram, as a weight, each unit may need. */
static unsigned int
units_of(const struct spec *spec, size_t field)
{
    unsigned int units = 0;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        for (size_t d = 0; d < spec_dimensions(spec, i); d++)
            units |= spec_axis_of(spec, i, d) == field
                         ? 1u << read_groups_unit(spec, i)
                         : 0;
    }
    return units != 0 ? units : (1u << SEQUENCE_UNITS) - 1;
}

/* FIELD is set for each read of UNIT. */
static void
want(struct sequence_batch *batch, enum sequence_unit unit, size_t field)
{
    const struct field_list *list = &batch->spec->text_fields;
    struct sequence_wanted *wanted = batch->wanted[unit];
    struct sequence_wanted next = {
        .field = field,
        .same = field,
        .part = (enum text_part)list->field[field].part,
    };

    next.is_run = sequence_part_unit(next.part) != SEQUENCE_READS;
    for (size_t w = 0; w < batch->wants[unit]; w++) {
        if (wanted[w].part == next.part)
            next.same = wanted[w].field;
    }
    wanted[batch->wants[unit]++] = next;
}

/* Find which fields are set for each read, of each unit, and which words they
   need.  Returns 0, or -1: out of memory. */
static int
open_fields(struct sequence_batch *batch)
{
    const struct field_list *list = &batch->spec->text_fields;

    if (batch->spec->text.sums_checksums != 0)
        batch->words = ALIGNMENT_WORDS;
    else if (batch->units == SEQUENCE_UNITS || batch->filter.operations != 0)
        batch->words = alignment_line_words(TEXT_PART_CIGAR_CYCLE);
    for (int u = 0; u < SEQUENCE_UNITS; u++) {
        batch->wanted[u] = calloc(list->count, sizeof *batch->wanted[u]);
        if (batch->wanted[u] == NULL)
            return -1;
    }
    for (size_t f = 0; f < list->count; f++) {
        const enum text_part part = (enum text_part)list->field[f].part;
        const bool is_run = sequence_part_unit(part) != SEQUENCE_READS;
        const unsigned int units = units_of(batch->spec, f);
        const unsigned int words = alignment_line_words(part);

        batch->words = words > batch->words ? words : batch->words;
        for (int u = 0; u < SEQUENCE_UNITS; u++) {
            if (is_run ? batch->has_runs : (units >> u & 1) != 0)
                want(batch, (enum sequence_unit)u, f);
        }
    }
    if (batch->words == 0)
        return 0;
    batch->line = malloc(RECORDS_MAX * sizeof *batch->line);
    return batch->line != NULL ? 0 : -1;
}

int
sequence_batch_open(struct sequence_batch *batch, const struct spec *spec,
                    const struct sequence_counts *counts)
{
    bool has_errors = false;

    *batch =
        (struct sequence_batch){.spec = spec, .units = SEQUENCE_OPERATIONS};
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].unit == SEQUENCE_OPERATIONS)
            batch->units = SEQUENCE_UNITS;
        batch->joins |= counts->source[i] >= SEQUENCE_OF_QUALITY ||
                        spec->histogram[i].kind == COUNTED_KMERS;
        batch->has_runs |= read_groups_have_runs(spec, i);
    }
    for (size_t f = 0; f < spec->text_fields.count; f++) {
        binning_u32 part = spec->text_fields.field[f].part;
        batch->has_bases |= part != TEXT_PART_NAME &&
                            part != TEXT_PART_LENGTH &&
                            !alignment_values_have(part);
        has_errors |= part == TEXT_PART_MEAN_ERROR_QUALITY;
    }
    has_errors |=
        read_filter_has(&spec->conditions, TEXT_PART_MEAN_ERROR_QUALITY,
                        TEXT_PART_MEAN_ERROR_QUALITY);
    sequence_values_open(&batch->values, &spec->text, has_errors);
    batch->record = malloc(RECORDS_MAX * sizeof *batch->record);
    batch->of_read = calloc(spec->text_fields.count, sizeof *batch->of_read);
    if (batch->record == NULL || batch->of_read == NULL ||
        read_filter_open(&batch->reads, &spec->text, &spec->conditions,
                         &batch->values) < 0)
        return -1;
    element_filter_open(&batch->filter, &spec->text, &spec->conditions);
    if (open_fields(batch) < 0)
        return -1;
    batch->joins |= batch->filter.has_letters;
    batch->writes = batch->joins || batch->has_bases || batch->reads.joins ||
                    spec->text.least_quality > 0;
    if (batch->reads.mixed == 0)
        return 0;
    batch->held = calloc(RECORDS_MAX, sizeof *batch->held);
    return batch->held != NULL ? 0 : -1;
}

uint64_t
sequence_batch_bytes(const struct spec *spec)
{
    return RECORDS_MAX * (sizeof(struct sequence_record) +
                          sizeof(struct alignment_line)) +
           spec->text_fields.count *
               (sizeof(struct text_slice) +
                SEQUENCE_UNITS * sizeof(struct sequence_wanted));
}

void
sequence_batch_close(struct sequence_batch *batch)
{
    free(batch->record);
    free(batch->of_read);
    for (int u = 0; u < SEQUENCE_UNITS; u++)
        free(batch->wanted[u]);
    free(batch->line);
    free(batch->held);
    read_filter_close(&batch->reads);
}

/* Find the words of the records in DATA. */
static void
find_lines(struct sequence_batch *batch, const unsigned char *data)
{
    for (size_t r = 0; batch->line != NULL && r < batch->count; r++)
        alignment_line_find(&batch->line[r], batch->words, data,
                            &batch->record[r]);
}

/* The words of RECORD, which is in BATCH, if they are needed. */
static const struct alignment_line *
line_of(const struct sequence_batch *batch,
        const struct sequence_record *record)
{
    return batch->line + (record - batch->record);
}

/* The elements of UNIT that RECORD of DATA has. */
static binning_u32
elements_of(const struct sequence_batch *batch, const unsigned char *data,
            const struct sequence_record *record, enum sequence_unit unit)
{
    switch (unit) {
    case SEQUENCE_READS:
        return 1;
    case SEQUENCE_WINDOWS:
        return (binning_u32)kmer_windows(record->length,
                                         batch->spec->text.kmer);
    case SEQUENCE_OPERATIONS:
        return cigar_walk_count(data, line_of(batch, record));
    default:
        return record->length;
    }
}

/* ---- wrong records ---- */

/* Write the error of RECORD to TEXT. */
static void
describe(const unsigned char *data, enum sequence_found found,
         const struct sequence_record *record, char text[WRONG_TEXT_BYTES])
{
    char byte[VISIBLE_BYTE_BYTES];

    switch (found) {
    case SEQUENCE_NO_START:
        snprintf(text, WRONG_TEXT_BYTES,
                 "a record begins with > or @ at the start of a line, not %s",
                 visible_byte(byte, data[record->error]));
        return;
    case SEQUENCE_NO_BASE:
        snprintf(text, WRONG_TEXT_BYTES, "%s is no base",
                 visible_byte(byte, data[record->error]));
        return;
    case SEQUENCE_NO_PLUS:
        snprintf(text, WRONG_TEXT_BYTES,
                 "the sequence is not followed by a line that begins with +");
        return;
    default:
        snprintf(text, WRONG_TEXT_BYTES,
                 "the quality has another length than the sequence (%u bases)",
                 (unsigned int)record->length);
        return;
    }
}

/*
 * Returns the number in its input of the wrong RECORD.  The records before
 * RECORD in the bytes of ORIGIN are found again, because only errors need the
 * number.
 */
static uint64_t
number_of(const struct chunk *chunk, const struct origin *origin,
          const struct sequence_record *record)
{
    uint64_t number = origin->records + 1;
    size_t done = origin->start - origin->synthetic;
    enum sequence_found found = SEQUENCE_RECORD;
    struct sequence_record before[COUNTED];
    struct sequence_record wrong;

    while (found == SEQUENCE_RECORD && done < record->start)
        number += sequence_scan(chunk->data, record->start, &done, true, before,
                                COUNTED, &found, &wrong);
    return number;
}

/* Set *ERROR to the error WRONG of RECORD of CHUNK, whose name is known if
   HAS_NAME.  The records before it may be joined (sequence_join.h). */
static void
set_wrong(const struct chunk *chunk, const char *wrong, bool has_name,
          const struct sequence_record *record, struct error *error)
{
    size_t size = has_name ? record->name_end - record->start - (size_t)1 : 0;
    const struct origin *origin = origins_find(&chunk->origins, record->error);
    char shown[VISIBLE_BYTES];
    char name[VISIBLE_BYTES + sizeof " ()"] = "";

    if (size > 0)
        snprintf(name, sizeof name, " (%s)",
                 visible_name(shown, chunk->data + record->start + 1, size));
    if (origin == NULL)
        error_set(error, EXIT_DATA, "a record%s: %s", name, wrong);
    else
        error_set(
            error, EXIT_DATA, "%s: record %llu%s at byte %llu: %s",
            origin->name, (unsigned long long)number_of(chunk, origin, record),
            name,
            (unsigned long long)(origin->at + record->error - origin->start),
            wrong);
}

/*
 * RECORD of CHUNK is wrong: note WRONG, and leave the batch empty.  Its name is
 * known if HAS_NAME.  END is where the chunk goes on with another input or
 * place.  As sequence_batch_scan().
 */
static int
pass_wrong(struct sequence_batch *batch, struct chunk *chunk, const char *wrong,
           bool has_name, const struct sequence_record *record, size_t end,
           struct error *error)
{
    batch->count = 0;
    set_wrong(chunk, wrong, has_name, record, error);
    if (origins_note_wrong(&chunk->origins, record->error, error) < 0)
        return -1;
    /* The wrong record may go on to the last byte of its input. */
    pool_own(chunk);
    chunk->data[end - 1] = '\n';
    return 0;
}

/* Returns how many elements of UNIT the records in DATA have. */
static uint64_t
count_elements(const struct sequence_batch *batch, const unsigned char *data,
               enum sequence_unit unit)
{
    uint64_t elements = 0;

    if (unit == SEQUENCE_READS)
        return batch->count;
    for (size_t r = 0; r < batch->count; r++)
        elements += elements_of(batch, data, &batch->record[r], unit);
    return elements;
}

/* Returns the mixed conditions that hold for RECORD, which is in BATCH. */
static uint64_t
held_of(const struct sequence_batch *batch,
        const struct sequence_record *record)
{
    return batch->held != NULL ? batch->held[record - batch->record] : 0;
}

/* Returns how many elements of UNIT the filter leaves of RECORD in DATA, which
   is joined if needed. */
static uint64_t
kept_elements(const struct sequence_batch *batch, unsigned char *data,
              const struct sequence_record *record, enum sequence_unit unit)
{
    const struct element_filter *filter = &batch->filter;
    binning_u32 elements = elements_of(batch, data, record, unit);
    struct cigar_walk walk = {0};
    uint64_t kept = 0;
    uint32_t at = 0;
    uint32_t some;

    if (filter->has_bases && !batch->spec->text.keeps_case)
        sequence_join_cases(data, record);
    if (filter->operations != 0)
        (void)cigar_walk_start(&walk, data, line_of(batch, record));
    while ((some = element_filter_next(filter, data, record,
                                       held_of(batch, record), elements, &walk,
                                       &at)) > 0) {
        kept += some;
        at += some;
    }
    return kept;
}

/* Leave out the records of CHUNK that do not meet the conditions.  END and
   *DONE and the returned value are as in pass_wrong() and
   sequence_batch_scan(). */
static int
leave_out(struct sequence_batch *batch, struct chunk *chunk, size_t end,
          size_t *done, struct error *error)
{
    enum sequence_unit unit =
        batch->filter.is_used ? batch->spec->histogram[0].unit : SEQUENCE_READS;
    enum regex_result result;
    size_t kept;

    if (unit == SEQUENCE_OPERATIONS)
        find_lines(batch, chunk->data);
    const uint64_t found = count_elements(batch, chunk->data, unit);
    batch->met |= read_filter_met(&batch->reads, batch->record, batch->count);
    kept = read_filter_run(&batch->reads, chunk->data, batch->record,
                           batch->count, batch->held, &result);
    if (result == REGEX_NO_MEMORY)
        return error_fail_memory(error);
    if (result == REGEX_LIMIT) {
        struct sequence_record *record = &batch->record[kept];
        record->error = record->start;
        *done = end;
        return pass_wrong(batch, chunk,
                          "a field takes too many steps for the expression of "
                          "--where",
                          true, record, end, error);
    }
    batch->count = kept;
    batch->left_out += found - (batch->filter.is_used ? 0 : kept);
    return 0;
}

/* Make N of the bases in DATA whose quality is too low.  The conditions see
   these, too. */
static void
mask_bases(const struct sequence_batch *batch, unsigned char *data)
{
    for (size_t r = 0; r < batch->count; r++) {
        sequence_join(data, &batch->record[r]);
        sequence_join_mask(data, &batch->record[r],
                           batch->spec->text.least_quality);
    }
}

/* Add the elements of the records in DATA, which are joined if needed. */
static void
add_elements(struct sequence_batch *batch, unsigned char *data)
{
    enum sequence_unit filtered =
        batch->filter.is_used ? batch->spec->histogram[0].unit : SEQUENCE_UNITS;

    for (int u = 0; u < batch->units; u++) {
        enum sequence_unit unit = (enum sequence_unit)u;
        if (unit != filtered)
            batch->elements[unit] += count_elements(batch, data, unit);
    }
    for (size_t r = 0; filtered < SEQUENCE_UNITS && r < batch->count; r++) {
        uint64_t kept = kept_elements(batch, data, &batch->record[r], filtered);
        batch->elements[filtered] += kept;
        batch->left_out -= kept;
    }
}

/* Find the record of CHUNK, whose bases are left out. */
static void
find_long(struct sequence_batch *batch, const struct chunk *chunk)
{
    struct sequence_record *record = &batch->record[0];
    binning_u32 name_end = 1;

    while (chunk->data[name_end] != '\n')
        name_end++;
    *record = (struct sequence_record){
        .name_end = name_end,
        .bases_start = name_end + 1,
        .bases_end = name_end + 1,
        .length = (binning_u32)chunk->synthetic.length,
        .quality_start = (binning_u32)chunk->synthetic.gc,
        .next = name_end + 1,
    };
    batch->count = 1;
}

int
sequence_batch_scan(struct sequence_batch *batch, struct chunk *chunk,
                    size_t *done, struct error *error)
{
    /* What follows from another place may start with no record: then it must
       not go on the last one. */
    size_t end = origins_next(&chunk->origins, *done, chunk->used);
    struct sequence_record wrong;
    enum sequence_found found;

    if (batch->writes)
        pool_own(chunk);
    if (chunk->synthetic.is_long) {
        find_long(batch, chunk);
        found = SEQUENCE_NONE;
    } else {
        batch->count =
            sequence_scan(chunk->data, end, done, true, batch->record,
                          RECORDS_MAX, &found, &wrong);
    }
    if (found != SEQUENCE_RECORD)
        *done = end;
    if (found != SEQUENCE_RECORD && found != SEQUENCE_NONE) {
        char text[WRONG_TEXT_BYTES];
        describe(chunk->data, found, &wrong, text);
        return pass_wrong(batch, chunk, text, found != SEQUENCE_NO_START,
                          &wrong, end, error);
    }
    if (batch->spec->text.least_quality > 0)
        mask_bases(batch, chunk->data);
    if (batch->spec->conditions.count > 0 &&
        leave_out(batch, chunk, end, done, error) < 0)
        return -1;
    for (size_t r = 0; batch->joins && r < batch->count; r++)
        sequence_join(chunk->data, &batch->record[r]);
    find_lines(batch, chunk->data);
    add_elements(batch, chunk->data);
    for (size_t r = 0;
         batch->spec->text.sums_checksums != 0 && r < batch->count; r++)
        alignment_values_add_checksums(chunk->data, &batch->line[r],
                                       batch->checksum);
    return 0;
}

void
sequence_batch_start(struct sequence_batch *batch, enum sequence_unit unit,
                     const struct sequence_leftover *leftover, size_t leftovers)
{
    batch->unit = unit;
    batch->leftover = leftover;
    batch->leftovers = leftovers;
    batch->next = 0;
    batch->position = 0;
    batch->has_read = false;
}

static struct text_slice
slice_of_integer(int64_t value)
{
    return text_slice_of_bits((uint64_t)value);
}

/* Write the COUNT windows from offset AT on to SLICE; broken ones are
   missing. */
static void
put_windows(const unsigned char *data, binning_u32 at, binning_u32 k,
            size_t count, struct text_slice *slice, size_t stride)
{
    struct kmer_window window;

    kmer_start(&window);
    for (binning_u32 i = 0; i + 1 < k; i++)
        (void)kmer_push(&window, data[at + i], k);
    for (size_t w = 0; w < count; w++, at++)
        slice[w * stride] = kmer_push(&window, data[at + k - 1], k)
                                ? (struct text_slice){at, k}
                                : TEXT_SLICE_NONE;
}

/* Write field PART of the COUNT bases of RECORD from FIRST on to SLICE; OF_READ
   is it if it is one of reads. */
static void
put_bases(const struct sequence_batch *batch, binning_u32 part,
          const unsigned char *data, const struct sequence_record *record,
          binning_u32 first, size_t count, struct text_slice of_read,
          struct text_slice *slice, size_t stride)
{
    binning_u32 base = record->bases_start + first;
    const unsigned char *quality = data + record->quality_start + first;
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
    } else if (part == TEXT_PART_KMER && batch->unit == SEQUENCE_WINDOWS) {
        put_windows(data, base, batch->spec->text.kmer, count, slice, stride);
    } else {
        for (size_t k = 0; k < count; k++)
            slice[k * stride] = of_read;
    }
}

/* Write the fields of COUNT operations of the record from FIRST on to SLICE. */
static void
put_operations(struct sequence_batch *batch, const unsigned char *data,
               binning_u32 first, size_t count, struct text_slice *slice)
{
    const struct field_list *list = &batch->spec->text_fields;

    for (size_t k = 0; k < count; k++, slice += list->count) {
        const struct cigar_operation operation =
            cigar_walk_to(&batch->walk, data, first + (binning_u32)k);
        memcpy(slice, batch->of_read, list->count * sizeof *slice);
        for (size_t f = 0; f < list->count; f++) {
            const binning_u32 part = list->field[f].part;
            if (part == TEXT_PART_CIGAR_OPS)
                slice[f] = (struct text_slice){operation.letter, 1};
            else if (part == TEXT_PART_CIGAR_LENGTH)
                slice[f] = slice_of_integer(operation.length);
            else if (part == TEXT_PART_CIGAR_CYCLE)
                slice[f] = slice_of_integer((int64_t)operation.cycle);
        }
    }
}

/*
 * Returns the record of the next leftover, and sets *FIRST to its first base.
 */
static const struct sequence_record *
next_record(const struct sequence_batch *batch, binning_u32 *first)
{
    if (batch->leftover == NULL) {
        *first = 0;
        return &batch->record[batch->next];
    }
    *first = batch->leftover[batch->next].first;
    return &batch->record[batch->leftover[batch->next].record];
}

/* The run of the bases, or of the qualities, of RECORD; or missing. */
static struct text_slice
run_of(const struct sequence_record *record, enum text_part part)
{
    if (part == TEXT_PART_POSITION)
        return (struct text_slice){record->bases_start, record->length};
    if (part == TEXT_PART_QUALITY && record->quality_end > 0)
        return (struct text_slice){record->quality_start, record->length};
    return TEXT_SLICE_NONE;
}

/* Write the fields of RECORD itself that the unit needs to SLICE; the others
   are missing, or runs. */
static void
put_read(const struct sequence_batch *batch, unsigned char *data,
         const struct sequence_record *record, struct text_slice *slice)
{
    if (batch->has_bases && !sequence_lacks_bases(record)) {
        sequence_join(data, record);
        if (!batch->spec->text.keeps_case)
            sequence_join_cases(data, record);
    }
    for (size_t f = 0; f < batch->spec->text_fields.count; f++)
        slice[f] = TEXT_SLICE_NONE;
    for (size_t w = 0; w < batch->wants[batch->unit]; w++) {
        const struct sequence_wanted *wanted = &batch->wanted[batch->unit][w];
        struct text_slice *value = &slice[wanted->field];
        if (wanted->is_run)
            *value = run_of(record, wanted->part);
        else if (wanted->same < wanted->field)
            *value = slice[wanted->same];
        else if (alignment_values_have(wanted->part))
            *value =
                alignment_values_of(wanted->part, data, line_of(batch, record));
        else
            sequence_values_read(&batch->values, wanted->part, data, record, 1,
                                 value, 1);
    }
}

static size_t
next_reads(struct sequence_batch *batch, unsigned char *data,
           struct text_slice *slice)
{
    size_t fields = batch->spec->text_fields.count;
    size_t done = 0;
    binning_u32 first;

    for (; batch->next < batch->leftovers && done < SEQUENCE_BATCH;
         batch->next++) {
        put_read(batch, data, next_record(batch, &first),
                 slice + done * fields);
        done++;
    }
    return done;
}

/* Start with the elements of RECORD of DATA, from FIRST on. */
static void
start_read(struct sequence_batch *batch, unsigned char *data,
           const struct sequence_record *record, binning_u32 first)
{
    batch->position = first;
    put_read(batch, data, record, batch->of_read);
    if (batch->unit == SEQUENCE_OPERATIONS) {
        batch->of_unit =
            cigar_walk_start(&batch->walk, data, line_of(batch, record));
        batch->tested = batch->walk;
    } else {
        batch->of_unit = elements_of(batch, data, record, batch->unit);
    }
    batch->has_read = true;
}

/* Move to the next element of RECORD to count.  Returns how many follow each
   other there; 0: there are no more. */
static size_t
next_elements(struct sequence_batch *batch, const unsigned char *data,
              const struct sequence_record *record)
{
    return batch->filter.is_used
               ? element_filter_next(&batch->filter, data, record,
                                     held_of(batch, record), batch->of_unit,
                                     &batch->tested, &batch->position)
               : batch->of_unit - batch->position;
}

/* Write the fields of the next COUNT elements of RECORD to SLICE. */
static void
put_fields(struct sequence_batch *batch, const unsigned char *data,
           const struct sequence_record *record, size_t count,
           struct text_slice *slice)
{
    const struct field_list *list = &batch->spec->text_fields;
    const binning_u32 first = batch->position;

    if (batch->unit == SEQUENCE_OPERATIONS) {
        put_operations(batch, data, first, count, slice);
        return;
    }
    for (size_t f = 0; f < list->count; f++)
        put_bases(batch, list->field[f].part, data, record, first, count,
                  batch->of_read[f], slice + f, list->count);
}

static size_t
next_bases(struct sequence_batch *batch, unsigned char *data,
           struct text_slice *slice)
{
    const struct field_list *list = &batch->spec->text_fields;
    size_t done = 0;
    binning_u32 first;

    while (batch->next < batch->leftovers && done < SEQUENCE_BATCH) {
        const struct sequence_record *record = next_record(batch, &first);
        if (!batch->has_read)
            start_read(batch, data, record, first);
        size_t count = next_elements(batch, data, record);
        if (count == 0) {
            batch->next++;
            batch->has_read = false;
            continue;
        }
        count = count < SEQUENCE_BATCH - done ? count : SEQUENCE_BATCH - done;
        put_fields(batch, data, record, count, slice + done * list->count);
        done += count;
        batch->position += (binning_u32)count;
    }
    return done;
}

size_t
sequence_batch_next(struct sequence_batch *batch, unsigned char *data,
                    struct text_slice *slice)
{
    return batch->unit == SEQUENCE_READS ? next_reads(batch, data, slice)
                                         : next_bases(batch, data, slice);
}

size_t
sequence_batch_next_runs(const struct sequence_batch *batch,
                         const unsigned char *data,
                         struct sequence_place *place, struct text_slice *slice)
{
    size_t runs = 0;

    while (place->record < batch->count && runs < SEQUENCE_BATCH) {
        const struct sequence_record *record = &batch->record[place->record];
        uint32_t windows = elements_of(batch, data, record, SEQUENCE_WINDOWS);
        uint32_t some = batch->filter.is_used
                            ? element_filter_next(&batch->filter, data, record,
                                                  held_of(batch, record),
                                                  windows, NULL, &place->window)
                            : windows - place->window;

        if (some == 0) {
            place->record++;
            place->window = 0;
            continue;
        }
        slice[runs++] = (struct text_slice){
            .at = record->bases_start + place->window,
            .size = some + batch->spec->text.kmer - 1,
        };
        place->window += some;
    }
    return runs;
}

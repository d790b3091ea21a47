/*
 * fuzz_sequence.c -- FASTA and FASTQ
 *
 * The first bytes choose how a scan is asked; the rest is the text.  A scan
 * must find what the lines of the text say.  Its records must tile the text,
 * and what is read of them must lie in it: the text ends where the memory does.
 */

#include "../sequence_check.h"
#include "fuzz.h"
#include "text/field_text.h"
#include "text/sequence_values.h"

/* The parts of RECORD follow each other from byte AT on. */
static void
check_record(const unsigned char *data, size_t size, size_t at,
             const struct sequence_record *record)
{
    for (size_t i = at; i < record->begin; i++)
        fuzz_must(sequence_is_blank(data[i]) || data[i] == '\n',
                  "only blanks are between records");
    fuzz_must(record->begin >= at && record->begin < record->name_end &&
                  record->name_end <= record->bases_begin &&
                  record->bases_begin <= record->bases_end &&
                  record->length <= record->bases_end - record->bases_begin,
              "the sequence lies in its record");
    if (data[record->begin] == '>')
        fuzz_must(record->quality_begin == 0 && record->quality_end == 0 &&
                      record->next == record->bases_end,
                  "FASTA has no quality");
    else
        fuzz_must(record->bases_end < record->quality_begin &&
                      record->quality_begin <= record->quality_end &&
                      record->next == record->quality_end,
                  "the quality lies in its record");
    fuzz_must(record->next <= size, "a record lies in the text");
}

/* Read all of RECORD; BUFFER has room for it. */
static void
check_values(const struct sequence_values *values,
             const struct text_format *format, const unsigned char *data,
             size_t size, const struct sequence_record *record,
             unsigned char *buffer)
{
    struct field_text field = {.format = format, .part = TEXT_PART_SEQUENCE};
    binning_u32 length;

    for (enum text_part part = TEXT_PART_NAME;
         part <= TEXT_PART_MEAN_ERROR_QUALITY; part++) {
        struct text_slice slice;
        sequence_values_read(values, part, data, record, 1, &slice, 1);
        if (part != TEXT_PART_NAME && part != TEXT_PART_SEQUENCE)
            continue;
        fuzz_must(slice.at <= size && slice.size <= size - slice.at,
                  "a value lies in the text");
        if (part != TEXT_PART_SEQUENCE)
            continue;
        const unsigned char *text =
            field_text_find(&field, data, slice, &length);
        fuzz_must(text != NULL && length == record->length,
                  "all bases are written");
        for (size_t i = 0; i < length; i++)
            fuzz_must(sequence_is_base(text[i]) &&
                          (format->keeps_case || text[i] < 'a'),
                      "a base is a base");
    }
    field_text_close(&field);
    const unsigned char *bases = sequence_bases(data, record, buffer);
    for (size_t i = 0; i < record->length; i++)
        fuzz_must(sequence_is_base(bases[i]), "bases are bases");
    if (record->quality_end > 0) {
        const unsigned char *quality = sequence_quality(data, record, buffer);
        for (size_t i = 0; i < record->length; i++)
            fuzz_must(quality[i] != '\n', "a quality has no line end");
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    uint64_t choice = fuzz_take(&fuzz, 1);
    uint64_t most = fuzz_take(&fuzz, 1);
    struct text_format format = text_format_of(TEXT_SEQUENCES);
    static struct sequence_values values[2];
    enum sequence_found found = SEQUENCE_RECORD;
    struct sequence_record record;
    struct sequence_record rest;
    size_t done = 0;
    bool is_end = (choice & 1) != 0;

    const char *wrong =
        sequence_check_scan(fuzz.data, fuzz.size, is_end, most + 1);
    fuzz_must(wrong == NULL, wrong);
    struct sequence_values *chosen = &values[choice >> 1 & 1];
    format.phred = (choice & 2) != 0 ? '@' : '!';
    format.keeps_case = choice >> 2 & 1;
    if (chosen->phred == 0) /* not yet open */
        sequence_values_open(chosen, &format);
    unsigned char *buffer = malloc(fuzz.size + 1);
    if (buffer == NULL)
        abort();
    for (;;) {
        size_t at = done;
        if (sequence_scan(fuzz.data, fuzz.size, &done, is_end, &record, 1,
                          &found, &rest) == 0)
            break;
        check_record(fuzz.data, fuzz.size, at, &record);
        fuzz_must(done == record.next, "a scan goes on after the record");
        check_values(chosen, &format, fuzz.data, fuzz.size, &record, buffer);
    }
    free(buffer);
    return 0;
}

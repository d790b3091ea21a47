/* SPDX-License-Identifier: MIT */
/*
 * fuzz_sequence.c -- FASTA and FASTQ
 *
 * The first bytes choose how a scan is asked; the rest is the text.  A scan
 * must find what the lines of the text say.  Its records must tile the text,
 * and what is read of them must lie in it: the text ends where the memory does.
 * Text is cut at records only.
 */

#include "../sequence_check.h"
#include "fuzz.h"
#include "seq/sequence_cut.h"
#include "seq/sequence_join.h"
#include "seq/sequence_values.h"

/* The parts of RECORD follow each other from byte AT on. */
static void
check_record(const unsigned char *data, size_t size, size_t at,
             const struct sequence_record *record)
{
    for (size_t i = at; i < record->start; i++)
        fuzz_must(sequence_is_blank(data[i]) || data[i] == '\n',
                  "only blanks are between records");
    fuzz_must(record->start >= at && record->start < record->name_end &&
                  record->name_end <= record->bases_start &&
                  record->bases_start <= record->bases_end &&
                  record->length <= record->bases_end - record->bases_start,
              "the sequence lies in its record");
    if (data[record->start] == '>')
        fuzz_must(record->quality_start == 0 && record->quality_end == 0 &&
                      record->next == record->bases_end,
                  "FASTA has no quality");
    else
        fuzz_must(record->bases_end < record->quality_start &&
                      record->quality_start <= record->quality_end &&
                      record->next == record->quality_end,
                  "the quality lies in its record");
    fuzz_must(record->next <= size, "a record lies in the text");
}

/* Join RECORD of the SIZE bytes of DATA, and read it. */
static void
check_values(const struct sequence_values *values, bool keeps_case,
             unsigned char *data, size_t size, bool is_end,
             struct sequence_record *record)
{
    struct sequence_record again;
    const unsigned char *base = data + record->bases_start;

    sequence_join(data, record);
    if (!keeps_case)
        sequence_join_cases(data, record);
    for (size_t i = 0; i < record->length; i++)
        fuzz_must(sequence_is_base(base[i]) && (keeps_case || base[i] < 'a'),
                  "a base is a base");
    for (size_t i = 0; i < record->length && record->quality_end > 0; i++)
        fuzz_must(data[record->quality_start + i] != '\n',
                  "a quality has no line end");
    fuzz_must(sequence_find(data, (binning_u32)size, record->start, is_end,
                            &again) == SEQUENCE_RECORD &&
                  again.length == record->length &&
                  again.bases_start == record->bases_start &&
                  again.quality_start == record->quality_start &&
                  again.next <= record->next,
              "a joined record is the same");
    for (enum text_part part = TEXT_PART_NAME;
         part <= TEXT_PART_MEAN_ERROR_QUALITY; part++) {
        struct text_slice slice;
        sequence_values_read(values, part, data, record, 1, &slice, 1);
        if (part == TEXT_PART_NAME || part == TEXT_PART_SEQUENCE)
            fuzz_must(slice.at <= record->next &&
                          slice.size <= record->next - slice.at,
                      "a value lies in its record");
    }
}

/*
 * Cut DATA, of which PIECE bytes are known at a time.  Up to the first error,
 * each cut is behind a record or a line of blanks, and no whole record is
 * behind the last cut.
 */
static void
check_cuts(const unsigned char *data, size_t size, size_t piece)
{
    struct sequence_cut cut = {0};
    struct sequence_record record = {0};
    enum sequence_found found = SEQUENCE_RECORD;
    size_t end = 0;  /* of the records up to the last cut */
    size_t last = 0; /* this cut */

    for (size_t at = 0; at < size; at += piece) {
        size_t left = size - at < piece ? size - at : piece;
        struct text_ends ends =
            sequence_cut_find(&cut, data + at, left, false, NULL);
        if (!ends.has_any)
            continue;
        fuzz_must(ends.first <= ends.last && ends.last <= left,
                  "a cut lies in the text");
        size_t cuts[2] = {at + ends.first, at + ends.last};
        for (int i = 0; i < 2; i++) {
            last = cuts[i];
            while (found == SEQUENCE_RECORD) {
                found = sequence_find(data, (binning_u32)size, (binning_u32)end,
                                      1, &record);
                if (found != SEQUENCE_RECORD || record.next > last)
                    break;
                end = record.next;
            }
            if (found > SEQUENCE_MORE && last > record.start)
                return; /* behind an error */
            fuzz_must(last == end ||
                          (last <= record.start && data[last - 1] == '\n'),
                      "a cut is behind a record");
        }
    }
    found =
        sequence_find(data, (binning_u32)size, (binning_u32)last, 0, &record);
    fuzz_must(found != SEQUENCE_RECORD, "nothing whole is behind the last cut");
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
    struct sequence_record tail;
    size_t done = 0;
    bool is_end = (choice & 1) != 0;

    const char *wrong =
        sequence_check_scan(fuzz.data, fuzz.size, is_end, most + 1);
    fuzz_must(wrong == NULL, wrong);
    struct sequence_values *chosen = &values[choice >> 1 & 1];
    check_cuts(fuzz.data, fuzz.size, 1 + most % 64);
    format.phred = (choice & 2) != 0 ? '@' : '!';
    format.keeps_case = choice >> 2 & 1;
    if (chosen->phred == 0) /* not yet open */
        sequence_values_open(chosen, &format, true);
    unsigned char *copy = malloc(fuzz.size > 0 ? fuzz.size : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, fuzz.data, fuzz.size);
    for (;;) {
        size_t at = done;
        if (sequence_scan(copy, fuzz.size, &done, is_end, &record, 1, &found,
                          &tail) == 0)
            break;
        check_record(copy, fuzz.size, at, &record);
        fuzz_must(done == record.next, "a scan goes on after the record");
        check_values(chosen, format.keeps_case, copy, fuzz.size, is_end,
                     &record);
    }
    free(copy);
    return 0;
}

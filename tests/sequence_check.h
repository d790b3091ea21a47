/* SPDX-License-Identifier: MIT */
/*
 * sequence_check.h -- sequence.h beside another way to find records of FASTA
 * and FASTQ: cut lines first, and then ask what each of them is
 */

#ifndef GPUHIST_SEQUENCE_CHECK_H
#define GPUHIST_SEQUENCE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "seq/sequence_scan.h"
#include "text/scan_forms.h"

/* ---- by lines ---- */

struct sequence_line {
    const unsigned char *text;
    size_t start;
    size_t size; /* without '\n' */
    size_t next;
};

/* Returns the line at AT, which is below SIZE. */
static inline struct sequence_line
sequence_check_line(const unsigned char *data, size_t size, size_t at)
{
    const unsigned char *text = data + at;
    const unsigned char *end = memchr(text, '\n', size - at);
    size_t length = end != NULL ? (size_t)(end - text) : size - at;

    return (struct sequence_line){text, at, length,
                                  at + length + (end != NULL)};
}

/* How many bytes of LINE, from byte I on, are not blanks; IS_BLANK: are. */
static inline size_t
sequence_check_run(struct sequence_line line, size_t i, bool is_blank)
{
    size_t start = i;

    while (i < line.size && (line.text[i] == ' ' || line.text[i] == '\t' ||
                             line.text[i] == '\r') == is_blank)
        i++;
    return i - start;
}

/* Add up the bases of LINE.  Returns how many bytes are before one that is
   neither base nor blank: all, if there is none. */
static inline size_t
sequence_check_bases(struct sequence_line line, binning_u32 *length)
{
    static const char bases[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz*-.";
    size_t i;

    for (i = 0; i < line.size; i++) {
        if (memchr(bases, line.text[i], sizeof bases - 1) != NULL)
            ++*length;
        else if (sequence_check_run(line, i, true) == 0)
            break;
    }
    return i;
}

/* What the line to come may be. */
enum sequence_check_state {
    SEQUENCE_BEFORE_ALL,
    SEQUENCE_AT_BASES,
    SEQUENCE_AT_QUALITY,
};

/* An error at AT. */
static inline enum sequence_found
sequence_check_error(enum sequence_found what, size_t at,
                     struct sequence_record *record)
{
    record->error = (binning_u32)at;
    return what;
}

/*
 * LINE is one of the sequence, or the one after it.  Returns what is found, or
 * SEQUENCE_NONE: nothing yet.
 */
static inline enum sequence_found
sequence_check_sequence(struct sequence_line line, bool is_fastq,
                        enum sequence_check_state *state,
                        struct sequence_record *record)
{
    unsigned char first = line.size > 0 ? line.text[0] : 0;

    record->bases_end = record->next = (binning_u32)line.start;
    if ((first == '>' || first == '@') && !is_fastq)
        return SEQUENCE_RECORD;
    if (first == '>' || first == '@')
        return SEQUENCE_NO_PLUS;
    if (first == '+' && is_fastq) {
        record->quality_start = (binning_u32)line.next;
        *state = SEQUENCE_AT_QUALITY;
        return SEQUENCE_NONE;
    }
    size_t right = sequence_check_bases(line, &record->length);
    if (right < line.size)
        return sequence_check_error(SEQUENCE_NO_BASE, line.start + right,
                                    record);
    record->bases_end = record->next = (binning_u32)line.next;
    return SEQUENCE_NONE;
}

/* The same for one of the quality, of which SUM bytes are known. */
static inline enum sequence_found
sequence_check_quality(struct sequence_line line, size_t *sum,
                       struct sequence_record *record)
{
    if (line.size > 0 && line.text[line.size - 1] == '\r')
        line.size--;
    *sum += line.size;
    record->quality_end = record->next = (binning_u32)line.next;
    return *sum < record->length    ? SEQUENCE_NONE
           : *sum == record->length ? SEQUENCE_RECORD
                                    : SEQUENCE_OTHER_SIZE;
}

/* As sequence_find(). */
static inline enum sequence_found
sequence_check_find(const unsigned char *data, size_t size, size_t at,
                    bool is_end, struct sequence_record *record)
{
    enum sequence_check_state state = SEQUENCE_BEFORE_ALL;
    enum sequence_found found = SEQUENCE_NONE;
    struct sequence_line line;
    size_t sum = 0;
    bool is_fastq = false;

    *record = (struct sequence_record){0};
    for (; at < size && found == SEQUENCE_NONE; at = line.next) {
        line = sequence_check_line(data, size, at);
        bool is_whole = is_end || data[line.next - 1] == '\n';
        size_t blanks = sequence_check_run(line, 0, true);
        if (state == SEQUENCE_AT_BASES) {
            found = sequence_check_sequence(line, is_fastq, &state, record);
            if (state == SEQUENCE_AT_QUALITY && !is_whole)
                return SEQUENCE_MORE;
        } else if (state == SEQUENCE_AT_QUALITY) {
            if (!is_whole)
                return SEQUENCE_MORE;
            found = sequence_check_quality(line, &sum, record);
        } else if (blanks < line.size) {
            record->start = record->error = (binning_u32)(at + blanks);
            if (blanks > 0 || (*line.text != '>' && *line.text != '@'))
                return SEQUENCE_NO_START;
            is_fastq = *line.text == '@';
            record->name_end =
                (binning_u32)(at + 1 + sequence_check_run(line, 1, false));
            record->bases_start = (binning_u32)line.next;
            record->bases_end = record->next = (binning_u32)line.next;
            state = SEQUENCE_AT_BASES;
        }
    }
    if (state == SEQUENCE_BEFORE_ALL)
        record->start = record->error = (binning_u32)size;
    if (state == SEQUENCE_BEFORE_ALL || found != SEQUENCE_NONE)
        return found;
    if (!is_end)
        return SEQUENCE_MORE;
    if (state == SEQUENCE_AT_BASES)
        return is_fastq ? SEQUENCE_NO_PLUS : SEQUENCE_RECORD;
    record->quality_end = record->next = (binning_u32)size;
    return sum == record->length ? SEQUENCE_RECORD : SEQUENCE_OTHER_SIZE;
}

/* ---- the forms ---- */

static const struct {
    const char *name;
    sequence_scan_form *run;
    bool (*is_possible)(void); /* NULL: anywhere */
} sequence_check_forms[] = {
    {"portable", sequence_scan_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", sequence_scan_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", sequence_scan_avx512, scan_avx512_is_possible},
#endif
};
#define SEQUENCE_CHECK_FORMS \
    (sizeof sequence_check_forms / sizeof *sequence_check_forms)

/* As they do, by sequence.h alone. */
static inline size_t
sequence_check_reference(const unsigned char *data, size_t size, size_t *done,
                         bool is_end, struct sequence_record *record,
                         size_t records_max, enum sequence_found *found,
                         struct sequence_record *tail)
{
    size_t count = 0;

    *found = SEQUENCE_RECORD;
    while (count < records_max) {
        *found = sequence_find(data, (binning_u32)size, (binning_u32)*done,
                               is_end, tail);
        if (*found != SEQUENCE_RECORD)
            break;
        record[count++] = *tail;
        *done = tail->next;
    }
    return count;
}

/* ---- comparing ---- */

/* Whether both, what is found and where, are the same as far as it is set. */
static inline bool
sequence_check_is_same(enum sequence_found found_a,
                       const struct sequence_record *a,
                       enum sequence_found found_b,
                       const struct sequence_record *b)
{
    if (found_a != found_b || a->start != b->start)
        return false;
    if (found_a == SEQUENCE_NONE || found_a == SEQUENCE_MORE)
        return true;
    if (found_a != SEQUENCE_RECORD)
        return a->error == b->error;
    return memcmp(a, b, sizeof *a) == 0;
}

/*
 * Let FORM scan DATA, at most RECORDS_MAX records at a time.  Returns NULL, or
 * what differs from what its lines say.
 */
static inline const char *
sequence_check_form(sequence_scan_form *form, const unsigned char *data,
                    size_t size, bool is_end, size_t records_max)
{
    /* A record has a byte of its own; what is after the last must not be
       written. */
    size_t most = size < records_max ? size + 1 : records_max;
    struct sequence_record *record = malloc((most + 1) * sizeof *record);
    struct sequence_record *untouched = record + most;
    enum sequence_found found = SEQUENCE_RECORD;
    struct sequence_record tail;
    const char *wrong = NULL;
    size_t done = 0;

    if (record == NULL)
        abort();
    while (found == SEQUENCE_RECORD && wrong == NULL) {
        enum sequence_found want = SEQUENCE_RECORD;
        struct sequence_record expected = {0};
        size_t at = done;
        memset(untouched, 0x55, sizeof *untouched);
        struct sequence_record pattern = *untouched;
        size_t count =
            form(data, size, &done, is_end, record, most, &found, &tail);
        for (size_t i = 0; i < count && wrong == NULL; i++) {
            want = sequence_check_find(data, size, at, is_end, &expected);
            if (!sequence_check_is_same(SEQUENCE_RECORD, &record[i], want,
                                        &expected))
                wrong = "a record";
            at = expected.next;
        }
        if (wrong == NULL && at != done)
            wrong = "the end of the last record";
        if (memcmp(untouched, &pattern, sizeof pattern) != 0)
            wrong = "a record too many";
        if (count == most || wrong != NULL)
            continue;
        want = sequence_check_find(data, size, at, is_end, &expected);
        if (!sequence_check_is_same(found, &tail, want, &expected))
            wrong = "what ends the scan";
    }
    free(record);
    return wrong;
}

/* The same for sequence.h, and then for all forms; or the name of a form. */
static inline const char *
sequence_check_scan(const unsigned char *data, size_t size, bool is_end,
                    size_t records_max)
{
    const char *wrong = sequence_check_form(sequence_check_reference, data,
                                            size, is_end, records_max);

    for (size_t f = 0; f < SEQUENCE_CHECK_FORMS && wrong == NULL; f++) {
        if (sequence_check_forms[f].is_possible != NULL &&
            !sequence_check_forms[f].is_possible())
            continue;
        if (sequence_check_form(sequence_check_forms[f].run, data, size, is_end,
                                records_max) != NULL)
            wrong = sequence_check_forms[f].name;
    }
    return wrong;
}

#endif

/* SPDX-License-Identifier: MIT */
/* scan_check.h -- the forms of a scan against fields.h, byte by byte */

#ifndef GPUHIST_SCAN_CHECK_H
#define GPUHIST_SCAN_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/text/clf.h"
#include "plain_check.h"
#include "text/scan.h"

static const struct {
    const char *name;
    scan_form *run;
    bool (*is_possible)(void); /* NULL: anywhere */
} scan_check_forms[] = {
    {"portable", scan_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", scan_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", scan_avx512, scan_avx512_is_possible},
#endif
};
#define SCAN_CHECK_FORMS (sizeof scan_check_forms / sizeof *scan_check_forms)

/*
 * As a scan does, by fields.h and clf.h alone.  LIST is that from which the
 * scan was made.
 */
static inline size_t
scan_check_reference(const struct scan *scan, const struct field_list *list,
                     const unsigned char *data, size_t size, size_t *done,
                     struct text_slice *slice, size_t records_max,
                     struct scan_ledger *ledger)
{
    size_t records = 0;
    struct text_record record;

    while (records < records_max) {
        if (!fields_record(&scan->format, data, (uint32_t)size, (uint32_t)*done,
                           &record)) {
            *done = size;
            break;
        }
        *done = record.next;
        if (record.is_comment) {
            ledger->comments++;
            continue;
        }
        uint32_t at = record.start;
        bool is_clf = scan->format.kind == TEXT_CLF;
        struct text_record line = record;
        struct text_slice vhost;
        if (is_clf && clf_misfit(data, &line, &at, &vhost) != 0 &&
            ledger->misfits++ == 0)
            ledger->first.slice.at = at == record.end ? record.start : at;
        for (at = record.start; at < record.end && fields_is_blank(data[at]);)
            at++;
        ledger->blanks += is_clf && at == record.end;
        for (size_t i = 0; i < list->count; i++)
            *slice++ = clf_find(&scan->format, data, &record, list->field[i]);
        records++;
    }
    return records;
}

/*
 * Scan the data with each form, RECORDS_MAX records at a time.  Returns NULL,
 * or the name of a form that does anything else than the reference.
 */
static inline const char *
scan_check(const struct scan *scan, const struct field_list *list,
           const unsigned char *data, size_t size, size_t records_max)
{
    const char *wrong = NULL;
    /* Each record has a byte of its own; the slice after the last must not be
       written. */
    size_t most = size < records_max ? size : records_max;
    size_t bytes = (most + 1) * list->count * sizeof(struct text_slice);
    struct text_slice *want = malloc(bytes);
    struct text_slice *got = malloc(bytes);

    if (want == NULL || got == NULL)
        abort();
    for (size_t f = 0; f < SCAN_CHECK_FORMS && wrong == NULL; f++) {
        struct scan scan_of_form = *scan;
        size_t done = 0;
        scan_of_form.run = scan_check_forms[f].run;
        if (scan_check_forms[f].is_possible != NULL &&
            !scan_check_forms[f].is_possible())
            continue;
        while (done < size && wrong == NULL) {
            size_t end[2] = {done, done};
            struct scan_ledger wanted = {0};
            struct scan_ledger ledger = {0};
            memset(want, 0x55, bytes);
            memset(got, 0x55, bytes);
            size_t records = scan_check_reference(
                scan, list, data, size, &end[0], want, records_max, &wanted);
            if (scan_records(&scan_of_form, data, size, &end[1], got,
                             records_max, &ledger) != records ||
                end[0] != end[1] || wanted.comments != ledger.comments ||
                wanted.misfits != ledger.misfits ||
                wanted.first.slice.at != ledger.first.slice.at ||
                wanted.blanks != ledger.blanks ||
                memcmp(want, got, bytes) != 0 ||
                !plain_check(&scan->format, data, got, records * list->count,
                             ledger.are_plain))
                wrong = scan_check_forms[f].name;
            done = end[0];
        }
    }
    free(want);
    free(got);
    return wrong;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * pattern_check.h -- the forms of a scan of lines of a log against its
 * definition
 *
 * The definition, pattern_match(), is tested by examples and by a reader in
 * Python (tests/cli/log_format_oracle.py).
 */

#ifndef GPUHIST_PATTERN_CHECK_H
#define GPUHIST_PATTERN_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/pattern/log_formats.h"
#include "text/pattern_scan.h"
#include "text/scan.h"

static const struct {
    const char *name;
    scan_form *run;
    bool (*is_possible)(void); /* NULL: anywhere */
} pattern_check_forms[] = {
    {"portable", scan_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", scan_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", scan_avx512, scan_avx512_is_possible},
#endif
};
#define PATTERN_CHECK_FORMS \
    (sizeof pattern_check_forms / sizeof *pattern_check_forms)

struct pattern_forms {
    struct text_format format;
    struct field_list list; /* has sources only */
    struct scan scan;
};

/* Make a scan of TEXT, the argument of --log-format, that wants all fields and
   all parts of a request.  Returns false, with nothing to close, if TEXT is
   wrong. */
static inline bool
pattern_check_open(struct pattern_forms *check, const char *text,
                   int32_t comment, bool counts_invalid)
{
    static const char *const parts[] = {
        "method", "target", "path", "query", "protocol",
    };
    const size_t part_count = sizeof parts / sizeof *parts;
    struct error error = ERROR_NONE;
    struct log_patterns patterns;
    bool is_right = log_patterns_open(&patterns, text, &error) == 0;

    *check = (struct pattern_forms){.format = text_format_of(TEXT_PATTERN)};
    check->format.comment = comment;
    check->format.counts_invalid = counts_invalid;
    if (is_right) {
        const struct pattern *first = &patterns.pattern[0];
        check->list.expression = text;
        check->list.count = first->count + part_count;
        check->list.source = calloc(check->list.count, sizeof(char *));
        for (size_t i = 0; i < check->list.count; i++) {
            const char *name = i < first->count ? first->field[i].spelled
                                                : parts[i - first->count];
            check->list.source[i] = strdup(name);
        }
        if (scan_open(&check->scan, &check->format, &check->list, &error) < 0)
            abort();
    }
    log_patterns_close(&patterns);
    error_clear(&error);
    return is_right;
}

static inline void
pattern_check_close(struct pattern_forms *check)
{
    scan_close(&check->scan);
    for (size_t i = 0; i < check->list.count; i++)
        free(check->list.source[i]);
    free(check->list.source);
}

static inline bool
pattern_check_same_wrong(const struct json_wrong *a, const struct json_wrong *b)
{
    return a->reason == b->reason && a->slice.at == b->slice.at &&
           a->slice.size == b->slice.size;
}

static inline bool
pattern_check_same(const struct scan_ledger *a, const struct scan_ledger *b)
{
    return a->records == b->records && a->comments == b->comments &&
           a->bytes == b->bytes && a->blanks == b->blanks &&
           a->misfits == b->misfits &&
           pattern_check_same_wrong(&a->wrong, &b->wrong) &&
           pattern_check_same_wrong(&a->first, &b->first);
}

/*
 * Scan the data with each form, RECORDS_MAX records at a time.  Returns NULL,
 * or the name of a form that does anything else than the definition.
 */
static inline const char *
pattern_check_data(const struct pattern_forms *check, const unsigned char *data,
                   size_t size, size_t records_max)
{
    const char *wrong = NULL;
    size_t most = size < records_max ? size : records_max;
    size_t bytes = (most + 1) * check->list.count * sizeof(struct text_slice);
    struct text_slice *want = malloc(bytes);
    struct text_slice *got = malloc(bytes);

    if (want == NULL || got == NULL)
        abort();
    for (size_t f = 0; f < PATTERN_CHECK_FORMS && wrong == NULL; f++) {
        struct scan scan[2] = {check->scan, check->scan};
        struct scan_ledger ledger[2] = {{0}, {0}};
        size_t done[2] = {0, 0};
        scan[0].run = pattern_scan_bytes;
        scan[1].run = pattern_check_forms[f].run;
        if (pattern_check_forms[f].is_possible != NULL &&
            !pattern_check_forms[f].is_possible())
            continue;
        while (done[0] < size && wrong == NULL &&
               ledger[0].wrong.reason == NULL) {
            size_t records = scan_records(&scan[0], data, size, &done[0], want,
                                          records_max, &ledger[0]);
            (void)scan_records(&scan[1], data, size, &done[1], got, records_max,
                               &ledger[1]);
            if (done[0] != done[1] ||
                !pattern_check_same(&ledger[0], &ledger[1]) ||
                memcmp(want, got, records * check->list.count * sizeof *want) !=
                    0)
                wrong = pattern_check_forms[f].name;
        }
    }
    free(want);
    free(got);
    return wrong;
}

#endif

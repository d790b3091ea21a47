/* SPDX-License-Identifier: MIT */
/*
 * logfmt_check.h -- the forms of a scan of logfmt against a simple reader
 *
 * The reader is another one than that of src/: a machine of states that looks
 * at each byte once.
 */

#ifndef GPUHIST_LOGFMT_CHECK_H
#define GPUHIST_LOGFMT_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/json_text.h"
#include "text/logfmt_scan.h"
#include "text/scan.h"

static const struct {
    const char *name;
    scan_form *run;
    bool (*is_possible)(void); /* NULL: anywhere */
} logfmt_check_forms[] = {
    {"bytes", logfmt_scan_bytes, NULL},
    {"portable", scan_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", scan_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", scan_avx512, scan_avx512_is_possible},
#endif
};
#define LOGFMT_CHECK_FORMS \
    (sizeof logfmt_check_forms / sizeof *logfmt_check_forms)

/* Some names are prefixes of others; one is longer than a block. */
#define LOGFMT_CHECK_LONG                                                     \
    "k0123456789012345678901234567890123456789012345678901234567890123456789" \
    "z"

/* The keys that are looked for; the last list has more than the masks take. */
static const char *const logfmt_check_lists[] = {
    "a",
    "b,a",
    "aa,a",
    "status",
    "x\"y,x\\y",
    LOGFMT_CHECK_LONG ",k",
    "a,b,aa,ab,status,level,msg,k",
    "a,b,aa,ab,ba,bb,status,level,msg,k,x\"y,\xc3\xa9",
};
#define LOGFMT_CHECK_LISTS \
    (sizeof logfmt_check_lists / sizeof *logfmt_check_lists)

struct logfmt_check {
    struct text_format format;
    struct field_list list;
    struct scan scan;
};

static inline void
logfmt_check_open(struct logfmt_check *check, size_t list, int32_t comment)
{
    struct error error = ERROR_NONE;

    check->format = text_format_of(TEXT_LOGFMT);
    check->format.comment = comment;
    if (field_list_parse(&check->list, &check->format, "fields",
                         logfmt_check_lists[list % LOGFMT_CHECK_LISTS],
                         &error) < 0 ||
        scan_open(&check->scan, &check->format, &check->list, &error) < 0)
        abort();
}

static inline void
logfmt_check_close(struct logfmt_check *check)
{
    scan_close(&check->scan);
    field_list_close(&check->list);
}

/* ---- the simple reader ---- */

enum logfmt_state {
    LOGFMT_BETWEEN,
    LOGFMT_KEY,
    LOGFMT_EQUALS,
    LOGFMT_BARE,
    LOGFMT_QUOTED,
    LOGFMT_ESCAPED,
};

/* A pair of a line. */
struct logfmt_pair {
    uint32_t key;
    uint32_t key_end;
    uint32_t value;
    bool has_escapes;
};

/* The pair ends at AT.  If it was in quotes, IS_QUOTED. */
static inline void
logfmt_check_end(const struct logfmt_check *check, const unsigned char *data,
                 const struct logfmt_pair *pair, uint32_t at, bool is_quoted,
                 struct text_slice *slice)
{
    struct text_slice value = {pair->value, at - pair->value};
    const char *wrong = NULL;

    if (is_quoted && pair->has_escapes &&
        json_string_end(data, pair->value - 1, at + 1, &wrong) == at + 1 &&
        wrong == NULL)
        value = (struct text_slice){pair->value - 1, at - pair->value + 2};
    for (size_t i = 0; i < check->list.count; i++) {
        const char *name = check->list.name[i];
        if (strlen(name) == pair->key_end - pair->key &&
            memcmp(name, data + pair->key, strlen(name)) == 0)
            slice[i] = value;
    }
}

/* The line from AT to END.  Returns whether it has pairs. */
static inline bool
logfmt_check_line(const struct logfmt_check *check, const unsigned char *data,
                  uint32_t at, uint32_t end, struct text_slice *slice)
{
    enum logfmt_state state = LOGFMT_BETWEEN;
    struct logfmt_pair pair = {0};
    bool has_pairs = false;

    for (size_t i = 0; i < check->list.count; i++)
        slice[i] = TEXT_SLICE_NONE;
    for (; at < end; at++) {
        unsigned char byte = data[at];
        bool is_blank = byte <= ' ';
        if (state == LOGFMT_BETWEEN && !is_blank) {
            state = LOGFMT_KEY;
            pair = (struct logfmt_pair){.key = at};
            has_pairs = true;
        }
        if (state == LOGFMT_KEY && (is_blank || byte == '=')) {
            pair.key_end = at;
            pair.value = at + (byte == '=');
            state = LOGFMT_EQUALS;
            if (byte == '=')
                continue;
        }
        if (state == LOGFMT_EQUALS) {
            state = byte == '"' ? LOGFMT_QUOTED : LOGFMT_BARE;
            pair.value += byte == '"';
            if (byte == '"')
                continue;
        }
        if (state == LOGFMT_BARE && is_blank) {
            logfmt_check_end(check, data, &pair, at, false, slice);
            state = LOGFMT_BETWEEN;
        } else if (state == LOGFMT_ESCAPED) {
            state = LOGFMT_QUOTED;
        } else if (state == LOGFMT_QUOTED && byte == '\\') {
            pair.has_escapes = true;
            state = LOGFMT_ESCAPED;
        } else if (state == LOGFMT_QUOTED && byte == '"') {
            logfmt_check_end(check, data, &pair, at, true, slice);
            state = LOGFMT_BETWEEN;
        }
    }
    if (state == LOGFMT_KEY)
        pair.key_end = pair.value = end;
    if (state != LOGFMT_BETWEEN)
        logfmt_check_end(check, data, &pair, end, false, slice);
    return has_pairs;
}

/* As a form of a scan. */
static inline size_t
logfmt_check_read(const struct logfmt_check *check, const unsigned char *data,
                  size_t size, size_t *done, struct text_slice *slice,
                  size_t records_max, uint64_t *comments)
{
    size_t records = 0;

    while (records < records_max && *done < size) {
        uint32_t start = (uint32_t)*done;
        uint32_t end = start;
        while (end < size && data[end] != '\n')
            end++;
        *done = end + (end < size);
        if (end > start && data[start] == check->format.comment) {
            (*comments)++;
        } else if (logfmt_check_line(check, data, start, end, slice)) {
            slice += check->list.count;
            records++;
        }
    }
    return records;
}

/* ---- the comparison ---- */

/*
 * Scan the data with each form, RECORDS_MAX records at a time.  Returns NULL,
 * or the name of a form that does anything else than the reader.
 */
static inline const char *
logfmt_check_data(const struct logfmt_check *check, const unsigned char *data,
                  size_t size, size_t records_max)
{
    const char *wrong = NULL;
    /* Each record has a byte of its own. */
    size_t most = size < records_max ? size : records_max;
    size_t bytes = most * check->list.count * sizeof(struct text_slice);
    struct text_slice *want = malloc(bytes + 1);
    struct text_slice *got = malloc(bytes + 1);

    if (want == NULL || got == NULL)
        abort();
    for (size_t f = 0; f < LOGFMT_CHECK_FORMS && wrong == NULL; f++) {
        struct scan scan_of_form = check->scan;
        size_t done = 0;
        scan_of_form.run = logfmt_check_forms[f].run;
        if (logfmt_check_forms[f].is_possible != NULL &&
            !logfmt_check_forms[f].is_possible())
            continue;
        while (done < size && wrong == NULL) {
            size_t end[2] = {done, done};
            uint64_t comments = 0;
            struct scan_ledger ledger = {0};
            size_t records = logfmt_check_read(check, data, size, &end[0], want,
                                               records_max, &comments);
            size_t used = records * check->list.count * sizeof *want;
            if (scan_records(&scan_of_form, data, size, &end[1], got,
                             records_max, &ledger) != records ||
                end[0] != end[1] || comments != ledger.comments ||
                memcmp(want, got, used) != 0)
                wrong = logfmt_check_forms[f].name;
            done = end[0];
        }
    }
    free(want);
    free(got);
    return wrong;
}

#endif

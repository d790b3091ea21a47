/* SPDX-License-Identifier: MIT */
/* scan.c -- find the wanted fields of all records of a chunk */

#include <assert.h>
#include <stdlib.h>

#include "kernels/text/clf.h"
#include "text/logfmt_scan.h"
#include "text/pattern_scan.h"
#include "text/regex/regex.h"
#include "text/regex_scan.h"
#include "text/scan.h"

static int
compare(const void *a, const void *b)
{
    uint32_t x = ((const struct scan_field *)a)->number;
    uint32_t y = ((const struct scan_field *)b)->number;

    return (x > y) - (x < y);
}

/* Make SCAN find the fields of LIST, all of each. */
static int
open_whole(struct scan *scan, const struct text_format *format,
           const struct field_list *list, struct error *error)
{
    *scan = (struct scan){.format = *format, .wanted = list->count};
    scan->head = calloc(list->count + 1, sizeof *scan->head);
    scan->tail = calloc(list->count + 1, sizeof *scan->tail);
    if (scan->head == NULL || scan->tail == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < list->count; i++) {
        struct scan_field field = {
            .number = list->field[i].number,
            .column = (uint32_t)i,
        };
        if (list->field[i].is_from_last)
            scan->tail[scan->tails++] = field;
        else
            scan->head[scan->heads++] = field;
    }
    qsort(scan->head, scan->heads, sizeof *scan->head, compare);
    qsort(scan->tail, scan->tails, sizeof *scan->tail, compare);
    for (size_t i = 0; i < scan->heads; i++)
        scan->head[i].skip =
            scan->head[i].number - 1 - (i > 0 ? scan->head[i - 1].number : 0);
    scan->run = scan_fastest(scan_portable);
    return 0;
}

/* ---- parts of fields, of CLF ---- */

/* Returns the place of field NUMBER in LIST, which has room for it. */
static uint32_t
place_field(struct field_list *list, uint32_t number)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->field[i].number == number)
            return (uint32_t)i;
    }
    list->field[list->count] = (struct text_field){.number = number};
    return (uint32_t)list->count++;
}

/* Returns the last field of LIST; 0: it is after the agent. */
static uint32_t
near_number_of(const struct field_list *list)
{
    uint32_t last = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (list->field[i].number > last)
            last = list->field[i].number;
    }
    return last > CLF_AGENT ? 0 : last;
}

/* Whether all fields of LIST are from the time to the bytes. */
static bool
are_middle(const struct field_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        uint32_t number = list->field[i].number;
        if (list->field[i].part == TEXT_PART_VHOST || number < CLF_TIME ||
            number > CLF_BYTES)
            return false;
    }
    return true;
}

/* As scan_open(), if LIST has a part of a field. */
static int
open_parts(struct scan *scan, const struct text_format *format,
           const struct field_list *list, struct error *error)
{
    struct scan_part *part = calloc(list->count, sizeof *part);
    struct field_list whole = {
        .field = calloc(2 * list->count + 2, sizeof *whole.field)};
    uint32_t bytes_column = 0;
    uint32_t referer_column = 0;

    if (part == NULL || whole.field == NULL) {
        (void)error_fail_memory(error);
        free(part);
        free(whole.field);
        return -1;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct text_field *field = &list->field[i];
        if (field->part == TEXT_PART_VHOST) {
            part[i] =
                (struct scan_part){.part = TEXT_PART_ALL, .column = SCAN_VHOST};
            continue;
        }
        part[i].part = field->part;
        part[i].number = field->number;
        part[i].column = place_field(&whole, field->number);
        if (field->part < TEXT_PART_COMBINED)
            continue;
        bytes_column = place_field(&whole, CLF_BYTES);
        referer_column = place_field(&whole, CLF_REFERER);
        if (field->part == TEXT_PART_MORE)
            part[i].common = place_field(&whole, field->number - 2);
    }
    assert(whole.count <= SCAN_PARTS_SLICES);
    int result = open_whole(scan, format, &whole, error);
    free(whole.field);
    scan->part = part;
    scan->near_number = near_number_of(list);
    scan->is_middle = format->comment < 0 && are_middle(list);
    scan->wanted = list->count;
    scan->bytes_column = bytes_column;
    scan->referer_column = referer_column;
    return result;
}

static int
open_fields(struct scan *scan, const struct text_format *format,
            const struct field_list *list, struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->field[i].part != TEXT_PART_ALL)
            return open_parts(scan, format, list, error);
    }
    return open_whole(scan, format, list, error);
}

/* ---- JSON ---- */

/* As a form. */
static size_t
run_json(const struct scan *scan, const unsigned char *data, size_t size,
         size_t *done, struct text_slice *slice, size_t records_max,
         struct scan_ledger *ledger)
{
    struct json_scan json = {
        .format = &scan->format,
        .paths = &scan->paths,
        .data = data,
        .size = (uint32_t)size,
        .at = (uint32_t)*done,
        .slice = slice,
        .records_max = records_max,
        .kept = ledger->kept,
    };

    scan->run_json(&json);
    *done = json.at;
    ledger->comments += json.comments;
    ledger->wrong = json.wrong;
    ledger->are_plain = !json.has_escapes;
    return json.records;
}

static int
open_json(struct scan *scan, const struct text_format *format,
          const struct field_list *list, struct error *error)
{
    *scan = (struct scan){
        .format = *format, .wanted = list->count, .run = run_json};
    scan->run_json = json_scan_portable;
#ifdef SCAN_HAS_AVX2
    if (scan_avx2_is_possible())
        scan->run_json = json_scan_avx2;
#endif
#ifdef SCAN_HAS_AVX512
    if (scan_avx512_is_possible())
        scan->run_json = json_scan_avx512;
#endif
    return json_paths_open(&scan->paths, list->name, list->count, error);
}

/* A form of scan_open(), for a SCAN that is all 0. */
typedef int scan_opening(struct scan *scan, const struct text_format *format,
                         const struct field_list *list, struct error *error);

int
scan_open(struct scan *scan, const struct text_format *format,
          const struct field_list *list, struct error *error)
{
    static scan_opening *const opening[TEXT_SCANS] = {
        [TEXT_SCAN_FIELDS] = open_fields,
        [TEXT_SCAN_JSON] = open_json,
        [TEXT_SCAN_LOGFMT] = logfmt_scan_open,
        [TEXT_SCAN_REGEX] = regex_scan_open,
        [TEXT_SCAN_PATTERN] = pattern_scan_open,
    };

    *scan = (struct scan){0};
    return opening[text_type_of(format->kind)->scan](scan, format, list, error);
}

size_t
scan_records(const struct scan *scan, const unsigned char *data, size_t size,
             size_t *done, struct text_slice *slice, size_t records_max,
             struct scan_ledger *ledger)
{
    size_t start = *done;
    size_t records = 0;

    ledger->wrong.reason = NULL;
    ledger->are_plain = false;
    if (start < size)
        records = scan->run(scan, data, size, done, slice, records_max, ledger);
    ledger->records += records;
    ledger->bytes += *done - start;
    return records;
}

size_t
scan_kept_bytes(const struct scan *scan)
{
    return scan->run_json != NULL && scan->run_json != json_scan_portable
               ? JSON_KEPT_BYTES
               : 0;
}

void
scan_close(struct scan *scan)
{
    json_paths_close(&scan->paths);
    regex_free(scan->regex);
    pattern_scan_free(scan->log);
    free(scan->part);
    free(scan->head);
    free(scan->tail);
    *scan = (struct scan){0};
}

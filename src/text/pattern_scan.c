/* pattern_scan.c -- find the wanted values of all lines of a log of a chunk */

#include <stdlib.h>
#include <string.h>

#include "kernels/text/clf.h"
#include "text/field_chain.h"
#include "text/pattern/endpoint.h"
#include "text/pattern/pattern_match.h"
#include "text/pattern/pattern_names.h"
#include "text/pattern_scan.h"

/* ---- names ---- */

/* Put the modifiers that TEXT has before those of CHAIN.  Returns 0, or -1 with
   *ERROR set. */
static int
prepend(struct modifiers *chain, const char *text, struct error *error)
{
    struct modifiers first;

    if (field_chain_parse(&first, "log-format", text, strlen(text), error) <
            0 ||
        !modifiers_append(&first, chain)) {
        (void)error_fail_memory(error);
        modifiers_close(&first);
        return -1;
    }
    *chain = first;
    return 0;
}

int
pattern_scan_resolve(struct field_list *list, struct error *error)
{
    struct log_patterns patterns;
    int result = log_patterns_open(&patterns, list->expression, error);

    for (size_t i = 0; result == 0 && i < list->count; i++) {
        struct pattern_column column;
        result = pattern_names_find_first(&patterns, list->source[i], &column,
                                          error);
        if (result == 0 && column.chain != NULL)
            result = prepend(&list->chain[i], column.chain, error);
    }
    log_patterns_close(&patterns);
    return result;
}

/* ---- lines ---- */

/* The patterns of a scan, and where each pattern has the wanted columns. */
struct pattern_scan {
    struct log_patterns patterns;

    /* Of each pattern, the wanted columns; a place of PATTERN_FIELDS_MAX: the
       pattern has none. */
    struct pattern_column *column;
};

/* Whether the line from AT to END has nothing but blanks. */
static bool
is_blank(const unsigned char *data, uint32_t at, uint32_t end)
{
    while (at < end && (data[at] == ' ' || data[at] == '\t'))
        at++;
    return at == end;
}

/* Write the columns COLUMN of a line with VALUE to SLICE. */
static void
put_columns(const struct scan *scan, const struct pattern_column *column,
            const unsigned char *data, const struct text_slice *value,
            struct text_slice *slice)
{
    for (size_t i = 0; i < scan->wanted; i++) {
        if (column[i].place == PATTERN_FIELDS_MAX)
            slice[i] = TEXT_SLICE_NONE;
        else if (column[i].part == TEXT_PART_ALL)
            slice[i] = value[column[i].place];
        else if (column[i].part == TEXT_PART_ADDRESS ||
                 column[i].part == TEXT_PART_PORT)
            slice[i] =
                endpoint_part(data, value[column[i].place], column[i].part);
        else
            slice[i] =
                clf_request(data, value[column[i].place], column[i].part);
    }
}

/* Note in *WRONG the misfit from START to END, which FAULT explains. */
static void
set_wrong(struct json_wrong *wrong, const struct pattern_fault *fault,
          uint32_t start, uint32_t end)
{
    uint32_t at = fault->at < end ? fault->at : start;

    *wrong = (struct json_wrong){
        .slice = {at, end - at},
        .reason = fault->reason,
    };
}

/* Write the columns of the line from START to END to SLICE.  Returns whether
   the line is a record: a misfit is one if the format counts these. */
static bool
read_line(const struct scan *scan, const unsigned char *data, uint32_t start,
          uint32_t end, struct text_slice *slice, struct scan_ledger *ledger)
{
    const struct log_patterns *patterns = &scan->log->patterns;
    struct text_slice value[PATTERN_FIELDS_MAX];
    struct pattern_fault farthest = {0};

    for (size_t i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        pattern_matcher *match =
            pattern->match != NULL ? pattern->match : pattern_match;
        struct pattern_fault fault;
        if (match(pattern, data, start, end, value, &fault)) {
            put_columns(scan, scan->log->column + i * scan->wanted, data, value,
                        slice);
            return true;
        }
        if (i == 0 || fault.at > farthest.at)
            farthest = fault;
    }
    bool has_nothing = is_blank(data, start, end);
    for (size_t i = 0; i < scan->wanted; i++)
        slice[i] = has_nothing ? TEXT_SLICE_NONE : TEXT_SLICE_INVALID;
    ledger->blanks += has_nothing;
    if (has_nothing)
        return true;
    if (!scan->format.counts_invalid) {
        set_wrong(&ledger->wrong, &farthest, start, end);
        return false;
    }
    if (ledger->misfits == 0)
        set_wrong(&ledger->first, &farthest, start, end);
    ledger->misfits++;
    return true;
}

/* As a form. */
static size_t
run_lines(const struct scan *scan, const unsigned char *data, size_t size,
          size_t *done, struct text_slice *slice, size_t records_max,
          struct scan_ledger *ledger)
{
    uint32_t at = (uint32_t)*done;
    size_t records = 0;

    while (records < records_max && at < size) {
        const unsigned char *found = memchr(data + at, '\n', size - at);
        uint32_t end =
            found != NULL ? (uint32_t)(found - data) : (uint32_t)size;
        uint32_t next = end + (found != NULL);
        end -= end > at && data[end - 1] == '\r';
        if (end > at &&
            fields_is_comment(&scan->format, data, (uint32_t)size, at)) {
            ledger->comments++;
        } else {
            if (!read_line(scan, data, at, end, slice, ledger))
                break;
            slice += scan->wanted;
            records++;
        }
        at = next;
    }
    *done = at;
    return records;
}

/* Find the columns of LIST in each pattern of LOG. */
static void
find_columns(struct pattern_scan *log, const struct field_list *list)
{
    for (size_t p = 0; p < log->patterns.count; p++) {
        for (size_t i = 0; i < list->count; i++) {
            struct pattern_column both[2];
            bool is_there =
                pattern_names_find(&log->patterns.pattern[p], list->source[i],
                                   both) == PATTERN_FOUND;
            if (!is_there)
                both[0].place = PATTERN_FIELDS_MAX;
            log->column[p * list->count + i] = both[0];
        }
    }
}

int
pattern_scan_open(struct scan *scan, const struct text_format *format,
                  const struct field_list *list, struct error *error)
{
    *scan = (struct scan){
        .format = *format, .wanted = list->count, .run = run_lines};
    scan->log = calloc(1, sizeof *scan->log);
    if (scan->log == NULL)
        return error_fail_memory(error);
    if (log_patterns_open(&scan->log->patterns, list->expression, error) < 0)
        return -1;
    scan->log->column = calloc(scan->log->patterns.count * list->count + 1,
                               sizeof *scan->log->column);
    if (scan->log->column == NULL)
        return error_fail_memory(error);
    find_columns(scan->log, list);
    return 0;
}

void
pattern_scan_free(struct pattern_scan *log)
{
    if (log == NULL)
        return;
    log_patterns_close(&log->patterns);
    free(log->column);
    free(log);
}

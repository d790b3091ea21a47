/* SPDX-License-Identifier: MIT */
/* pattern_scan.c -- find the wanted values of all lines of a log of a chunk */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/field_chain.h"
#include "text/pattern/w3c_line.h"
#include "text/pattern_line.h"
#include "text/pattern_scan.h"

/* ---- names ---- */

/* Whether the modifiers of CHAIN may follow those of FIRST; otherwise sets
   *ERROR. */
static bool
may_follow(const struct modifiers *first, const struct modifiers *chain,
           struct error *error)
{
    if (chain->count == 0)
        return true;
    const struct modifier_type *before = first->modifier[first->count - 1].type;
    const struct modifier_type *after = chain->modifier[0].type;
    if (modifiers_may_follow(before, after))
        return true;
    field_chain_fail_order("log-format", before, after, error);
    return false;
}

/* Put the modifiers that TEXT has before those of CHAIN.  Returns 0, or -1 with
   *ERROR set. */
static int
prepend(struct modifiers *chain, const char *text, struct error *error)
{
    struct modifiers first;
    int result =
        field_chain_parse(&first, "log-format", text, strlen(text), error);

    if (result == 0 && !may_follow(&first, chain, error))
        result = -1;
    if (result == 0 && !modifiers_append(&first, chain))
        result = error_fail_memory(error);
    if (result < 0)
        modifiers_close(&first);
    else
        *chain = first;
    return result;
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

/* Returns the name of field I of PATTERN: its own if no other field has that
   name; NULL: it has none. */
static const char *
name_of(const struct pattern *pattern, size_t i)
{
    const struct pattern_field *field = &pattern->field[i];
    struct pattern_column column[2];

    if (field->is_left_out)
        return NULL;
    bool has_own =
        pattern_names_find(pattern, field->own, column) == PATTERN_FOUND &&
        column[0].place == i && column[0].chain == NULL;
    return has_own ? field->own : field->spelled;
}

/* Whether a pattern of PATTERNS before P, or a field of P before I, has
   NAME. */
static bool
is_listed(const struct log_patterns *patterns, size_t p, size_t i,
          const char *name)
{
    for (size_t q = 0; q <= p; q++) {
        const struct pattern *pattern = &patterns->pattern[q];
        for (size_t k = 0; k < (q < p ? pattern->count : i); k++) {
            const char *other = name_of(pattern, k);
            if (other != NULL && strcmp(other, name) == 0)
                return true;
        }
    }
    return false;
}

/* Put NAME between quotes, after a comma unless IS_FIRST. */
static void
put_name(FILE *out, const char *name, bool is_first)
{
    fputs(is_first ? "\"" : ",\"", out);
    for (; *name != '\0'; name++) {
        if (*name == '"')
            putc('"', out);
        putc(*name, out);
    }
    putc('"', out);
}

int
pattern_scan_names(const char *expression, char **names, struct error *error)
{
    struct log_patterns patterns;
    bool is_first = true;
    size_t size;

    *names = NULL;
    int result = log_patterns_open(&patterns, expression, error);
    FILE *out = result == 0 ? open_memstream(names, &size) : NULL;
    if (result == 0 && out == NULL)
        result = error_fail_memory(error);
    for (size_t p = 0; result == 0 && p < patterns.count; p++) {
        for (size_t i = 0; i < patterns.pattern[p].count; i++) {
            const char *name = name_of(&patterns.pattern[p], i);
            if (name == NULL || is_listed(&patterns, p, i, name))
                continue;
            put_name(out, name, is_first);
            is_first = false;
        }
    }
    if (out != NULL && fclose(out) != 0)
        result = error_fail_memory(error);
    log_patterns_close(&patterns);
    return result;
}

/* ---- lines ---- */

/* Whether the comment from START to END changes the names of the fields, which
   is an error. */
static bool
changes_fields(const struct scan *scan, const unsigned char *data,
               uint32_t start, uint32_t end, struct scan_ledger *ledger)
{
    const char *names = scan->log->patterns.names;

    if (names == NULL || !w3c_line_changes(names, data, start, end))
        return false;
    ledger->wrong = (struct json_wrong){
        .slice = {start, end - start},
        .reason = "has other fields than the first #Fields: line: split the "
                  "log there, count each part with --state=FILE, and add the "
                  "states up with --merge",
    };
    return true;
}

size_t
pattern_scan_bytes(const struct scan *scan, const unsigned char *data,
                   size_t size, size_t *done, struct text_slice *slice,
                   size_t records_max, struct scan_ledger *ledger)
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
            if (changes_fields(scan, data, at, end, ledger))
                break;
            ledger->comments++;
        } else {
            if (!pattern_line_read(scan, data, at, end, slice, ledger))
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
    *scan = (struct scan){.format = *format,
                          .wanted = list->count,
                          .run = scan_fastest(pattern_scan_bytes)};
    scan->log = calloc(1, sizeof *scan->log);
    if (scan->log == NULL)
        return error_fail_memory(error);
    if (log_patterns_open(&scan->log->patterns, list->expression, error) < 0)
        return -1;
    scan->log->column = calloc(scan->log->patterns.count * list->count + 1,
                               sizeof *scan->log->column);
    if (scan->log->column == NULL)
        return error_fail_memory(error);
    /* The forms do not look at comments. */
    if (scan->log->patterns.names != NULL)
        scan->run = pattern_scan_bytes;
    find_columns(scan->log, list);
    for (size_t i = 0; i < scan->log->patterns.count; i++) {
        if (pattern_steps_open(&scan->log->steps[i],
                               &scan->log->patterns.pattern[i], error) < 0)
            return -1;
    }
    return 0;
}

void
pattern_scan_free(struct pattern_scan *log)
{
    if (log == NULL)
        return;
    for (size_t i = 0; i < LOG_PATTERNS_MAX; i++)
        pattern_steps_close(&log->steps[i]);
    log_patterns_close(&log->patterns);
    free(log->column);
    free(log);
}

/* SPDX-License-Identifier: MIT */
/* regex_scan.c -- find what a regular expression matches in lines of a chunk */

#include <stdlib.h>
#include <string.h>

#include "base/near_names.h"
#include "text/field_number.h"
#include "text/regex/regex.h"
#include "text/regex_scan.h"

/* The name of the option, for messages. */
static const char *
option_of(const struct text_format *format)
{
    return format->kind == TEXT_MATCHES ? "matches" : "regex";
}

/* ---- names ---- */

/*
 * Set *NUMBER to the number of the field that is group NAME of REGEX: that of
 * the group and 1, as no field has number 0.  Returns whether there is one.
 */
static bool
find_group(const struct regex *regex, const char *name, binning_u32 *number)
{
    size_t groups = regex_groups(regex);
    binning_u32 group = 0;
    const char *end = field_number_parse(name, &group);

    *number = 1;
    if (strcmp(name, "0") == 0 || (groups == 0 && strcmp(name, "1") == 0))
        return true;
    if (end == NULL || *end != '\0')
        group = (binning_u32)regex_group(regex, name, strlen(name));
    *number = group + 1;
    return group > 0 && group <= groups;
}

/* Returns name I of an expression, for messages. */
static const void *
name_at(const void *context, size_t i, size_t *size)
{
    const char *name = regex_name(context, i);

    *size = strlen(name);
    return name;
}

/* Set *ERROR: REGEX, the argument of OPTION, has no group NAME. */
static void
fail_group(const struct regex *regex, const char *option, const char *name,
           struct error *error)
{
    const struct near_names names = {name_at, regex, regex_names(regex), "'"};
    bool has_names = names.count > 0;
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES] = "";

    if (has_names)
        near_names_list(&names, name, strlen(name), list);
    error_set(error, EXIT_USAGE,
              "--%s: the expression has no group '%s': it has %zu%s%s%s, and 0 "
              "is the whole match",
              option, visible_name(shown, name, strlen(name)),
              regex_groups(regex), has_names ? " (" : "", list,
              has_names ? ")" : "");
}

int
regex_scan_resolve(struct field_list *list, const struct text_format *format,
                   struct error *error)
{
    struct regex *regex = regex_new(option_of(format), list->expression, error);
    size_t i = 0;

    if (regex == NULL)
        return -1;
    while (i < list->count &&
           find_group(regex, list->source[i], &list->field[i].number))
        i++;
    if (i < list->count)
        fail_group(regex, option_of(format), list->source[i], error);
    bool is_found = i == list->count;
    regex_free(regex);
    return is_found ? 0 : -1;
}

/* ---- lines ---- */

/* A run of the scan. */
struct regex_run {
    const struct scan *scan;
    const unsigned char *data;
    uint32_t size;
    struct text_slice *slice; /* of the next record */
    size_t records;
    size_t records_max;
    struct regex_matcher *matcher;
    bool has_needed;
    uint32_t needed; /* where the next byte that a match needs is; or SIZE */
    struct scan_ledger *ledger;
};

/* Whether the line from AT to END has the byte that each match needs. */
static bool
may_match(struct regex_run *run, uint32_t at, uint32_t end)
{
    int byte = run->scan->regex_byte;

    if (byte < 0)
        return true;
    if (!run->has_needed || run->needed < at) {
        const unsigned char *found =
            memchr(run->data + at, byte, run->size - at);
        run->needed = found != NULL ? (uint32_t)(found - run->data) : run->size;
        run->has_needed = true;
    }
    return run->needed < end;
}

/* Write the groups of the last match, in the line at AT, as a record. */
static void
put_match(struct regex_run *run, uint32_t at)
{
    const size_t *place = regex_places(run->matcher);
    const struct scan *scan = run->scan;

    for (size_t i = 0; i < scan->heads; i++) {
        const size_t *own = place + 2 * (scan->head[i].number - 1);
        struct text_slice *slice = &run->slice[scan->head[i].column];
        if (own[0] == REGEX_UNSET)
            *slice = TEXT_SLICE_NONE;
        else /* \K in a group may end it before its start. */
            *slice = (struct text_slice){
                at + (uint32_t)own[0],
                own[1] > own[0] ? (uint32_t)(own[1] - own[0]) : 0};
    }
    run->slice += scan->wanted;
    run->records++;
    run->ledger->matches++;
}

/* Note that the line from AT to END ends the scan.  Returns false. */
static bool
fail_line(struct regex_run *run, enum regex_result result, uint32_t at,
          uint32_t end)
{
    run->ledger->wrong = (struct json_wrong){
        .slice = {at, end - at},
        .reason = result == REGEX_LIMIT
                      ? "takes too many steps for the expression"
                      : "leaves no memory for the expression",
    };
    return false;
}

/* The line from AT to END is a record.  Returns false: its match fails. */
static bool
read_line(struct regex_run *run, uint32_t at, uint32_t end)
{
    enum regex_result result = REGEX_NO_MATCH;

    if (may_match(run, at, end))
        result = regex_match(run->matcher, run->data + at, end - at, 0);
    if (result == REGEX_MATCH) {
        put_match(run, at);
        return true;
    }
    if (result != REGEX_NO_MATCH)
        return fail_line(run, result, at, end);
    for (size_t i = 0; i < run->scan->wanted; i++)
        run->slice[i] = TEXT_SLICE_NONE;
    run->slice += run->scan->wanted;
    run->records++;
    return true;
}

/*
 * Each match from *FROM on, in the line from AT to END, is a record.  Moves
 * *FROM to where the next match is looked for; or to END, after the last one.
 * Returns false: a match fails.
 */
static bool
read_matches(struct regex_run *run, uint32_t at, uint32_t end, uint32_t *from)
{
    while (run->records < run->records_max) {
        enum regex_result result = REGEX_NO_MATCH;
        if (*from <= end && may_match(run, *from, end))
            result =
                regex_match(run->matcher, run->data + at, end - at, *from - at);
        if (result == REGEX_NO_MATCH) {
            *from = end;
            return true;
        }
        if (result != REGEX_MATCH)
            return fail_line(run, result, at, end);
        const size_t *place = regex_places(run->matcher);
        uint32_t stop = at + (uint32_t)place[1];
        if (place[1] > place[0])
            put_match(run, at);
        /* As grep -o: after a match of no byte, from the next byte on. */
        *from = stop > *from && place[1] > place[0] ? stop : *from + 1;
    }
    return true;
}

/* Returns where the line that has byte AT starts. */
static uint32_t
line_start(const struct regex_run *run, uint32_t at)
{
    const unsigned char *before =
        at > 0 ? memrchr(run->data, (int)run->scan->format.end, at) : NULL;

    return before != NULL ? (uint32_t)(before - run->data) + 1 : 0;
}

/*
 * Read the line at *AT, or the rest of the line there, and move *AT to the
 * next line; to the next match of this line, if there is room for no more
 * records.  Returns false: the scan ends before the line.
 */
static bool
read_next(struct regex_run *run, uint32_t *at)
{
    const struct text_format *format = &run->scan->format;
    uint32_t start = line_start(run, *at);
    const unsigned char *found =
        memchr(run->data + *at, (int)format->end, run->size - *at);
    uint32_t end = found != NULL ? (uint32_t)(found - run->data) : run->size;
    uint32_t next = end + (found != NULL);
    uint32_t from = *at;

    end -= format->end == '\n' && end > start && run->data[end - 1] == '\r';
    if (end > start && *at == start &&
        fields_is_comment(format, run->data, run->size, start)) {
        run->ledger->comments++;
        *at = next;
        return true;
    }
    if (format->kind != TEXT_MATCHES) {
        bool is_read = read_line(run, start, end);
        *at = is_read ? next : start;
        return is_read;
    }
    if (!read_matches(run, start, end, &from)) {
        *at = from;
        return false;
    }
    *at = run->records < run->records_max || from == end ? next : from;
    return true;
}

/* As a form. */
static size_t
run_lines(const struct scan *scan, const unsigned char *data, size_t size,
          size_t *done, struct text_slice *slice, size_t records_max,
          struct scan_ledger *ledger)
{
    struct regex_run run = {
        .scan = scan,
        .data = data,
        .size = (uint32_t)size,
        .slice = slice,
        .records_max = records_max,
        .matcher = regex_matcher_new(scan->regex),
        .ledger = ledger,
    };
    uint32_t at = (uint32_t)*done;

    if (run.matcher == NULL) {
        (void)fail_line(&run, REGEX_NO_MEMORY, at, at);
        return 0;
    }
    while (run.records < records_max && at < size && read_next(&run, &at))
        continue;
    regex_matcher_free(run.matcher);
    *done = at;
    return run.records;
}

int
regex_scan_open(struct scan *scan, const struct text_format *format,
                const struct field_list *list, struct error *error)
{
    *scan = (struct scan){
        .format = *format, .wanted = list->count, .run = run_lines};
    scan->head = calloc(list->count + 1, sizeof *scan->head);
    if (scan->head == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < list->count; i++)
        scan->head[scan->heads++] = (struct scan_field){
            .number = list->field[i].number, .column = (uint32_t)i};
    scan->regex = regex_new(option_of(format), list->expression, error);
    if (scan->regex == NULL)
        return -1;
    scan->regex_byte = regex_needed_byte(scan->regex);
    return 0;
}

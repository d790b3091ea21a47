/* SPDX-License-Identifier: MIT */
/* pattern_line.c -- the wanted values of a line of a log: the definition */

#include "text/pattern_line.h"
#include "kernels/text/clf.h"
#include "text/pattern/endpoint.h"
#include "text/pattern/pattern_match.h"

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

bool
pattern_line_read(const struct scan *scan, const unsigned char *data,
                  uint32_t start, uint32_t end, struct text_slice *slice,
                  struct scan_ledger *ledger)
{
    const struct log_patterns *patterns = &scan->log->patterns;
    struct text_slice value[PATTERN_FIELDS_MAX];
    /* Without patterns, no names have been found. */
    struct pattern_fault farthest = {start, "has fields without names"};

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

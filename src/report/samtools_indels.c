/* SPDX-License-Identifier: MIT */
/* samtools_indels.c -- insertions and deletions of samtools stats */

#include <string.h>

#include "report/samtools_indels.h"
#include "report/samtools_rows.h"
#include "report/samtools_text.h"

/* Longer ones are in no line of ID. */
#define LENGTH_MAX 300

/* The columns. */
enum {
    CYCLE,
    OPERATION,
    LENGTH,
    FLAG,
    HAS_BASES,
};

/* Returns the letter of the operation in the current line of ROWS; '\0': it
   does not count. */
static char
operation_of(const struct rows *rows)
{
    const struct key_component *letter = &rows->column[OPERATION].component;

    return letter->tag == KEY_TAG_VALUE && letter->text_size == 1 &&
                   samtools_rows_is_mapped(rows, FLAG, HAS_BASES)
               ? (char)*letter->text
               : '\0';
}

void
samtools_indels_sum(struct samtools_summary *summary,
                    const struct report *report, size_t i)
{
    struct rows rows;

    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        const char operation = operation_of(&rows);
        if (operation != '\0' && strchr("MI=X", operation) != NULL)
            summary->count[SAMTOOLS_BASES_CIGAR] +=
                samtools_rows_number(&rows, LENGTH) * rows.amount.count;
    }
}

/* Whether the current line of ROWS is of insertions or deletions. */
static bool
is_indel(const struct rows *rows)
{
    const char operation = operation_of(rows);

    return (operation == 'I' || operation == 'D') &&
           samtools_rows_number(rows, CYCLE) != 0 &&
           samtools_rows_number(rows, LENGTH) != 0;
}

static void
put_lengths(const struct report *report, size_t i, struct writer *out)
{
    uint64_t count[1 + LENGTH_MAX][2] = {{0}};
    struct rows rows;

    samtools_put_title(out, "Indel distribution", "ID",
                       "length, number of insertions, number of deletions");
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        const uint64_t length = samtools_rows_number(&rows, LENGTH);
        if (is_indel(&rows) && length <= LENGTH_MAX)
            count[length][operation_of(&rows) == 'D'] += rows.amount.count;
    }
    for (uint64_t length = 1; length <= LENGTH_MAX; length++) {
        const uint64_t *of = count[length];
        if (of[0] > 0 || of[1] > 0)
            samtools_put_line(out, "ID", (uint64_t[]){length, of[0], of[1]}, 3);
    }
}

/* The numbers of a line of IC. */
enum {
    LINE_CYCLE,
    LINE_INSERTIONS, /* of first fragments, then of last ones */
    LINE_DELETIONS = LINE_INSERTIONS + 2,
    LINE_NUMBERS = LINE_DELETIONS + 2
};

static void
put_cycle(struct writer *out, const uint64_t *line)
{
    for (size_t n = LINE_INSERTIONS; n < LINE_NUMBERS; n++) {
        if (line[n] == 0)
            continue;
        samtools_put_line(out, "IC", line, LINE_NUMBERS);
        return;
    }
}

static void
put_cycles(const struct report *report, size_t i, struct writer *out)
{
    uint64_t line[LINE_NUMBERS] = {0};
    struct rows rows;

    samtools_put_title(out, "Indels per cycle", "IC",
                       "cycle, number of insertions (fwd), .. (rev) , number "
                       "of deletions (fwd), .. (rev)");
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        const enum samtools_fragment fragment =
            samtools_fragment_of(samtools_rows_flag(&rows, FLAG));
        if (!is_indel(&rows) || fragment == SAMTOOLS_OTHER)
            continue;
        if (samtools_rows_number(&rows, CYCLE) != line[LINE_CYCLE]) {
            put_cycle(out, line);
            memset(line, 0, sizeof line);
            line[LINE_CYCLE] = samtools_rows_number(&rows, CYCLE);
        }
        line[(operation_of(&rows) == 'I' ? LINE_INSERTIONS : LINE_DELETIONS) +
             (fragment == SAMTOOLS_LAST)] += rows.amount.count;
    }
    put_cycle(out, line);
}

void
samtools_indels_put(const struct report *report, size_t i, struct writer *out)
{
    put_lengths(report, i, out);
    put_cycles(report, i, out);
}

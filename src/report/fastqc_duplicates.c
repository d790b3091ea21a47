/* SPDX-License-Identifier: MIT */
/* fastqc_duplicates.c -- reads that start with the same bases */

#include <math.h>
#include <stdlib.h>

#include "report/fastqc_duplicates.h"
#include "report/key_text.h"
#include "report/rows.h"

/* The limits of the different sequences, in percent of the reads ... */
#define DIFFERENT_WARN 70
#define DIFFERENT_FAIL 50

/* ... and of the reads with the most frequent sequence. */
#define FREQUENT_WARN 0.1
#define FREQUENT_FAIL 1

/* ---- reading ---- */

/* The least number of reads of each level. */
static const struct {
    uint64_t reads;
    const char *name;
} levels[FASTQC_LEVELS] = {
    {1, "1"},      {2, "2"},      {3, "3"},      {4, "4"},
    {5, "5"},      {6, "6"},      {7, "7"},      {8, "8"},
    {9, "9"},      {10, ">10"},   {51, ">50"},   {101, ">100"},
    {501, ">500"}, {1001, ">1k"}, {5001, ">5k"}, {10001, ">10k+"},
};

static size_t
level_of(uint64_t reads)
{
    size_t level = FASTQC_LEVELS - 1;

    while (level > 0 && reads < levels[level].reads)
        level--;
    return level;
}

/* The percentage of COUNT in all reads. */
static double
share_of(const struct fastqc_duplicates *duplicates, uint64_t count)
{
    return (double)count / (double)duplicates->reads * 100;
}

/* The most frequent one first; those that are as frequent in the order of their
   bytes. */
static int
compare(const void *a, const void *b)
{
    const struct fastqc_overrepresented *one = a;
    const struct fastqc_overrepresented *other = b;

    if (one->count != other->count)
        return one->count > other->count ? -1 : 1;
    return one->row < other->row ? -1 : one->row > other->row;
}

void
fastqc_duplicates_read(struct fastqc_duplicates *duplicates, uint64_t reads,
                       const struct report *report, size_t i)
{
    struct rows rows;

    *duplicates = (struct fastqc_duplicates){.reads = reads};
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        uint64_t count = rows.amount.count;
        duplicates->different++;
        duplicates->level[level_of(count)] += count;
        /* A state that was not counted may have more such reads than reads. */
        if (share_of(duplicates, count) > FREQUENT_WARN &&
            duplicates->frequents < FASTQC_OVERREPRESENTED_MAX)
            duplicates->frequent[duplicates->frequents++] =
                (struct fastqc_overrepresented){rows.next - 1, count};
    }
    qsort(duplicates->frequent, duplicates->frequents,
          sizeof *duplicates->frequent, compare);
}

/* ---- printing ---- */

void
fastqc_duplicates_put_levels(const struct fastqc_duplicates *duplicates,
                             struct writer *out)
{
    double different = duplicates->reads > 0
                           ? share_of(duplicates, duplicates->different)
                           : 100;

    fastqc_put_start(out, "Sequence Duplication Levels",
                     different < DIFFERENT_FAIL   ? FASTQC_FAIL
                     : different < DIFFERENT_WARN ? FASTQC_WARN
                                                  : FASTQC_PASS);
    writer_put_text(out, "#Total Deduplicated Percentage\t");
    fastqc_put_double(out, different);
    writer_put_text(out, "\n#Duplication Level\tPercentage of total\n");
    for (size_t l = 0; l < FASTQC_LEVELS; l++) {
        writer_put_text(out, levels[l].name);
        writer_put_char(out, '\t');
        fastqc_put_double(out, share_of(duplicates, duplicates->level[l]));
        writer_put_char(out, '\n');
    }
    fastqc_put_end(out);
}

/* Put the sequence of the current row. */
static void
put_sequence(struct rows *rows, struct writer *out)
{
    struct key_text text;

    rows_set_labels(rows);
    if (!rows->column[0].has_key)
        return;
    key_text_open(&text, &rows->column[0].key, out);
    key_text_put_raw(out, text.byte, text.size);
    key_text_close(&text);
}

void
fastqc_duplicates_put_frequent(const struct fastqc_duplicates *duplicates,
                               const struct report *report, size_t i,
                               struct writer *out)
{
    double most = duplicates->frequents > 0
                      ? share_of(duplicates, duplicates->frequent[0].count)
                      : 0;
    struct rows rows;

    fastqc_put_start(out, "Overrepresented sequences",
                     fastqc_verdict_above(most, FREQUENT_WARN, FREQUENT_FAIL));
    if (duplicates->frequents > 0)
        writer_put_text(out, "#Sequence\tCount\tPercentage\tPossible Source\n");
    rows_open(&rows, report, i);
    for (size_t f = 0; f < duplicates->frequents; f++) {
        rows_seek(&rows, duplicates->frequent[f].row, 1);
        if (!rows_next(&rows))
            break;
        put_sequence(&rows, out);
        writer_put_char(out, '\t');
        writer_put_number(out, duplicates->frequent[f].count);
        writer_put_char(out, '\t');
        fastqc_put_double(out,
                          share_of(duplicates, duplicates->frequent[f].count));
        writer_put_text(out, "\tNot searched\n");
    }
    fastqc_put_end(out);
}

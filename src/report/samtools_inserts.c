/* SPDX-License-Identifier: MIT */
/* samtools_inserts.c -- insert sizes of samtools stats */

#include <math.h>
#include <string.h>

#include "report/samtools_inserts.h"
#include "report/samtools_rows.h"
#include "report/samtools_text.h"

/* Larger ones are counted as this one. */
#define SIZE_MAX_COUNTED 8000

/* The share of pairs that are the bulk, with the digits of a float. */
#define BULK_SHARE ((double)0.99f)

/* The columns. */
enum {
    SIZE,
    ORIENTATION,
    HAS_BASES,
};

enum orientation {
    INWARD,
    OUTWARD,
    OTHER,
    ORIENTATIONS
};

/* The pairs of one size. */
struct insert {
    uint64_t size;
    uint64_t pairs[ORIENTATIONS];
};

/* ---- one size after the other ---- */

struct inserts {
    struct rows rows;
    bool is_row; /* whether there is a current line */
};

static void
start(struct inserts *inserts, const struct report *report, size_t i)
{
    rows_open(&inserts->rows, report, i);
    inserts->is_row = rows_next(&inserts->rows);
}

static enum orientation
orientation_of(const struct rows *rows)
{
    static const char *const names[] = {
        [INWARD] = "inward", [OUTWARD] = "outward"};
    const struct key_component *name = &rows->column[ORIENTATION].component;

    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        if (name->text_size == strlen(names[n]) &&
            memcmp(name->text, names[n], name->text_size) == 0)
            return (enum orientation)n;
    }
    return OTHER;
}

static uint64_t
size_of(const struct rows *rows)
{
    const uint64_t size = samtools_rows_number(rows, SIZE);

    return size < SIZE_MAX_COUNTED ? size : SIZE_MAX_COUNTED;
}

/* Set INSERT to the next size.  Returns false at the end.  Each pair is counted
   twice, once for each record. */
static bool
next(struct inserts *inserts, struct insert *insert)
{
    struct rows *rows = &inserts->rows;

    while (inserts->is_row && rows->column[SIZE].component.tag != KEY_TAG_VALUE)
        inserts->is_row = rows_next(rows);
    if (!inserts->is_row)
        return false;
    *insert = (struct insert){.size = size_of(rows)};
    for (;
         inserts->is_row && rows->column[SIZE].component.tag == KEY_TAG_VALUE &&
         size_of(rows) == insert->size;
         inserts->is_row = rows_next(rows)) {
        if (samtools_rows_number(rows, HAS_BASES) != 0)
            insert->pairs[orientation_of(rows)] += rows->amount.count;
    }
    for (size_t o = 0; o < ORIENTATIONS; o++)
        insert->pairs[o] /= 2;
    return true;
}

static uint64_t
pairs_of(const struct insert *insert)
{
    return insert->pairs[INWARD] + insert->pairs[OUTWARD] +
           insert->pairs[OTHER];
}

/* ---- figures ---- */

/* Returns how many sizes the bulk of PAIRS pairs has, with the mean of the
   sizes in *MEAN and its pairs in *COUNT. */
static uint64_t
find_bulk(const struct report *report, size_t i, uint64_t pairs, double *mean,
          uint64_t *count)
{
    struct inserts inserts;
    struct insert insert;
    uint64_t bulk = 0;
    double sum = 0;

    *count = 0;
    start(&inserts, report, i);
    while (next(&inserts, &insert)) {
        if (pairs_of(&insert) == 0)
            continue;
        bulk = insert.size + 1;
        *count += pairs_of(&insert);
        sum += (double)(insert.size * pairs_of(&insert));
        if ((double)*count / (double)pairs > BULK_SHARE)
            break;
    }
    *mean = sum / (double)(*count > 0 ? *count : 1);
    return bulk;
}

/* The standard deviation of the BULK of the sizes, PAIRS pairs, from MEAN.  In
   the order of samtools, with its rounding. */
static double
deviation_of(const struct report *report, size_t i, uint64_t bulk, double mean,
             uint64_t pairs)
{
    struct inserts inserts;
    struct insert insert;
    double sum = 0;

    start(&inserts, report, i);
    while (next(&inserts, &insert) && insert.size < bulk) {
        const double distance = (double)insert.size - mean;
        if (insert.size > 0)
            sum +=
                (double)pairs_of(&insert) * distance * distance / (double)pairs;
    }
    return sqrt(sum);
}

uint64_t
samtools_inserts_sum(struct samtools_summary *summary,
                     const struct report *report, size_t i)
{
    uint64_t *count = summary->count;
    struct inserts inserts;
    struct insert insert;
    uint64_t pairs;
    double mean;

    start(&inserts, report, i);
    while (next(&inserts, &insert)) {
        count[SAMTOOLS_INWARD] += insert.pairs[INWARD];
        count[SAMTOOLS_OUTWARD] += insert.pairs[OUTWARD];
        count[SAMTOOLS_OTHER_PAIRS] += insert.pairs[OTHER];
    }
    pairs = count[SAMTOOLS_INWARD] + count[SAMTOOLS_OUTWARD] +
            count[SAMTOOLS_OTHER_PAIRS];
    const uint64_t bulk = find_bulk(report, i, pairs, &mean, &pairs);
    summary->real[SAMTOOLS_INSERT_AVERAGE] = mean;
    summary->real[SAMTOOLS_INSERT_DEVIATION] =
        deviation_of(report, i, bulk, mean, pairs > 0 ? pairs : 1);
    return bulk;
}

void
samtools_inserts_put(const struct report *report, size_t i, uint64_t bulk,
                     struct writer *out)
{
    static const struct insert none = {0};
    struct inserts inserts;
    struct insert insert;

    samtools_put_title(out, "Insert sizes", "IS",
                       "insert size, pairs total, inward oriented pairs, "
                       "outward oriented pairs, other pairs");
    start(&inserts, report, i);
    bool is_there = next(&inserts, &insert);
    for (uint64_t size = 0; size < bulk; size++) {
        const bool is_next = is_there && insert.size == size;
        const struct insert *at = is_next ? &insert : &none;
        samtools_put_line(out, "IS",
                          (uint64_t[]){size, pairs_of(at), at->pairs[INWARD],
                                       at->pairs[OUTWARD], at->pairs[OTHER]},
                          5);
        is_there = is_next ? next(&inserts, &insert) : is_there;
    }
}

/* SPDX-License-Identifier: MIT */
/* fastqc_adapters.c -- how many reads have an adapter up to a position */

#include "report/fastqc_adapters.h"
#include "report/base_groups.h"
#include "report/rows.h"

/* The limits of the reads with an adapter, in percent. */
#define WARN 5
#define FAIL 10

/* The bases of an adapter. */
#define BASES 12

#define NAME(name, bases) name,

static const char *const names[] = {FASTQC_ADAPTERS(NAME)};

/* The percentages of the reads that have an adapter at a position or before: of
   each group of positions, the mean. */
struct shares {
    double share[FASTQC_ADAPTER_COUNT][BASE_GROUPS_MAX];
    struct base_group range[BASE_GROUPS_MAX];
    size_t groups;
};

/* Returns the position of the current row; 0: no adapter. */
static uint64_t
position_of(struct rows *rows)
{
    struct column *column = &rows->column[0];

    return column_is_number(column) ? (uint64_t)column_number(column).real : 0;
}

/* Set the percentages of adapter A of ALL reads from histogram I.  FastQC adds
   up the percentages of all positions in their order, and so rounds. */
static void
read_adapter(struct shares *shares, size_t a, uint64_t all,
             const struct report *report, size_t i)
{
    uint64_t count = 0;
    struct rows rows;

    rows_open(&rows, report, i);
    bool is_row = rows_next(&rows);
    for (size_t g = 0; g < shares->groups; g++) {
        const struct base_group *range = &shares->range[g];
        double sum = 0;
        for (uint64_t p = range->first; p <= range->last; p++) {
            for (; is_row && position_of(&rows) <= p; is_row = rows_next(&rows))
                count += position_of(&rows) > 0 ? rows.amount.count : 0;
            sum += (double)count * 100 / (double)all;
        }
        shares->share[a][g] = sum / (double)(range->last - range->first + 1);
    }
}

static enum fastqc_verdict
verdict_of(const struct shares *shares)
{
    double most = 0;

    for (size_t a = 0; a < FASTQC_ADAPTER_COUNT; a++) {
        for (size_t g = 0; g < shares->groups; g++) {
            double share = shares->share[a][g];
            most = share > most ? share : most;
        }
    }
    return fastqc_verdict_above(most, WARN, FAIL);
}

static void
put_table(const struct shares *shares, struct writer *out)
{
    writer_put_text(out, "#Position");
    for (size_t a = 0; a < FASTQC_ADAPTER_COUNT; a++) {
        writer_put_char(out, '\t');
        writer_put_text(out, names[a]);
    }
    writer_put_char(out, '\n');
    for (size_t g = 0; g < shares->groups; g++) {
        fastqc_put_range(out, shares->range[g].first, shares->range[g].last);
        for (size_t a = 0; a < FASTQC_ADAPTER_COUNT; a++) {
            writer_put_char(out, '\t');
            fastqc_put_double(out, shares->share[a][g]);
        }
        writer_put_char(out, '\n');
    }
}

void
fastqc_adapters_put(const struct fastqc_reads *reads,
                    const struct report *report, size_t first,
                    struct writer *out)
{
    struct shares shares;
    /* FastQC has no positions for reads of exactly the bases of an adapter. */
    bool has_any = reads->most > BASES;

    shares.groups =
        has_any ? base_groups_make(reads->most - BASES + 1, shares.range) : 0;
    for (size_t a = 0; a < FASTQC_ADAPTER_COUNT; a++)
        read_adapter(&shares, a, reads->count, report, first + a);
    fastqc_put_start(out, "Adapter Content",
                     has_any ? verdict_of(&shares) : FASTQC_WARN);
    if (has_any)
        put_table(&shares, out);
    fastqc_put_end(out);
}

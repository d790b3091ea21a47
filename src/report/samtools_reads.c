/* SPDX-License-Identifier: MIT */
/* samtools_reads.c -- records, lengths and GC of samtools stats */

#include <math.h>
#include <stdio.h>

#include "report/samtools_reads.h"
#include "report/samtools_rows.h"
#include "report/samtools_text.h"

/* ---- records ---- */

/* The columns of records. */
enum {
    FULL_LENGTH,
    FLAG,
    LENGTH,
    MAPQ,
    ELSEWHERE,
    OUT_OF_ORDER,
};

static void
raise_to(uint64_t *most, uint64_t value)
{
    *most = *most < value ? value : *most;
}

/* Add reads to COUNT: those of the current line of ROWS, as many as TIMES. */
static void
add_reads(uint64_t *count, const struct rows *rows, uint64_t times)
{
    static const enum samtools_line reads[SAMTOOLS_FRAGMENTS] = {
        [SAMTOOLS_FIRST] = SAMTOOLS_FIRSTS, [SAMTOOLS_LAST] = SAMTOOLS_LASTS};
    static const enum samtools_line bases[SAMTOOLS_FRAGMENTS] = {
        [SAMTOOLS_FIRST] = SAMTOOLS_FIRST_LENGTH,
        [SAMTOOLS_LAST] = SAMTOOLS_LAST_LENGTH};
    const unsigned int flag = samtools_rows_flag(rows, FLAG);
    const enum samtools_fragment fragment = samtools_fragment_of(flag);
    const uint64_t length = times * samtools_rows_number(rows, LENGTH);
    const bool is_mapped = (flag & ALIGNMENT_UNMAPPED) == 0;
    const bool is_paired = (flag & ALIGNMENT_PAIRED) != 0;
    const bool are_mapped =
        is_paired && is_mapped && (flag & ALIGNMENT_MATE_UNMAPPED) == 0;

    count[SAMTOOLS_SEQUENCES] += times;
    count[SAMTOOLS_LENGTH] += length;
    if (fragment != SAMTOOLS_OTHER) {
        count[reads[fragment]] += times;
        count[bases[fragment]] += length;
    }
    count[SAMTOOLS_QC_FAILED] += (flag & ALIGNMENT_QCFAIL) != 0 ? times : 0;
    count[SAMTOOLS_PAIRED] += is_paired ? times : 0;
    count[is_mapped ? SAMTOOLS_MAPPED : SAMTOOLS_UNMAPPED] += times;
    count[SAMTOOLS_BASES_MAPPED] += is_mapped ? length : 0;
    if (is_mapped && samtools_rows_number(rows, MAPQ) == 0)
        count[SAMTOOLS_MQ0] += times;
    if (!are_mapped)
        return;
    count[SAMTOOLS_MAPPED_PAIRED] += times;
    count[SAMTOOLS_PROPER] += (flag & ALIGNMENT_PROPER_PAIR) != 0 ? times : 0;
    if (samtools_rows_number(rows, ELSEWHERE) != 0)
        count[SAMTOOLS_ELSEWHERE] += times;
}

/* Add the current line of ROWS to COUNT. */
static void
add_records(uint64_t *count, const struct rows *rows)
{
    static const enum samtools_line longest[SAMTOOLS_FRAGMENTS] = {
        [SAMTOOLS_FIRST] = SAMTOOLS_LONGEST_FIRST,
        [SAMTOOLS_LAST] = SAMTOOLS_LONGEST_LAST,
        [SAMTOOLS_OTHER] = SAMTOOLS_LONGEST};
    const unsigned int flag = samtools_rows_flag(rows, FLAG);
    const uint64_t full = samtools_rows_number(rows, FULL_LENGTH);
    const uint64_t length = samtools_rows_number(rows, LENGTH);
    const uint64_t times = rows->amount.count;

    if ((flag & ALIGNMENT_SECONDARY) != 0) {
        count[SAMTOOLS_SECONDARY] += times;
        return;
    }
    if ((flag & ALIGNMENT_SUPPLEMENTARY) != 0)
        count[SAMTOOLS_SUPPLEMENTARY] += times;
    if (length == 0 || times == 0)
        return;
    if ((flag & ALIGNMENT_DUPLICATE) != 0) {
        count[SAMTOOLS_DUPLICATED] += times;
        count[SAMTOOLS_BASES_DUPLICATED] += times * length;
    }
    raise_to(&count[SAMTOOLS_LONGEST], full);
    raise_to(&count[longest[samtools_fragment_of(flag)]], full);
    if (samtools_rows_number(rows, OUT_OF_ORDER) != 0)
        count[SAMTOOLS_SORTED] = 0;
    if (samtools_is_read(flag))
        add_reads(count, rows, times);
}

void
samtools_reads_sum(struct samtools_summary *summary,
                   const struct report *report, size_t i)
{
    uint64_t *count = summary->count;
    struct rows rows;

    count[SAMTOOLS_SORTED] = 1;
    rows_open(&rows, report, i);
    while (rows_next(&rows))
        add_records(count, &rows);
    count[SAMTOOLS_FILTERED] = report->left_out;
    count[SAMTOOLS_RAW] = report->left_out + count[SAMTOOLS_SEQUENCES];
    count[SAMTOOLS_ELSEWHERE] /= 2;
}

void
samtools_reads_sum_distances(struct samtools_summary *summary,
                             const struct report *report, size_t i)
{
    struct rows rows;

    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        if (rows.column[0].component.tag == KEY_TAG_VALUE &&
            samtools_rows_is_mapped(&rows, 1, 2))
            summary->count[SAMTOOLS_MISMATCHES] +=
                samtools_rows_number(&rows, 0) * rows.amount.count;
    }
}

/* ---- lengths ---- */

/* The sections; SAMTOOLS_FRAGMENTS: of all reads. */
static const struct {
    const char *title;
    const char *name;
    enum samtools_fragment fragment;
} length_sections[] = {
    {"Read lengths", "RL", SAMTOOLS_FRAGMENTS},
    {"Read lengths - first fragments", "FRL", SAMTOOLS_FIRST},
    {"Read lengths - last fragments", "LRL", SAMTOOLS_LAST},
};

static void
put_length(struct writer *out, const char *name, uint64_t length,
           uint64_t reads)
{
    if (reads > 0)
        samtools_put_line(out, name, (uint64_t[]){length, reads}, 2);
}

/* Put the lines of section NAME: reads of each length, of FRAGMENT. */
static void
put_lengths(const struct report *report, size_t i, const char *name,
            enum samtools_fragment fragment, struct writer *out)
{
    uint64_t length = 0;
    uint64_t reads = 0;
    struct rows rows;

    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        const unsigned int flag = samtools_rows_flag(&rows, FLAG);
        if (!samtools_is_read(flag) ||
            samtools_rows_number(&rows, LENGTH) == 0 ||
            (fragment != SAMTOOLS_FRAGMENTS &&
             samtools_fragment_of(flag) != fragment))
            continue;
        if (samtools_rows_number(&rows, FULL_LENGTH) != length) {
            put_length(out, name, length, reads);
            length = samtools_rows_number(&rows, FULL_LENGTH);
            reads = 0;
        }
        reads += rows.amount.count;
    }
    put_length(out, name, length, reads);
}

void
samtools_reads_put_lengths(const struct report *report, size_t i,
                           struct writer *out)
{
    const size_t sections = sizeof length_sections / sizeof *length_sections;

    for (size_t s = 0; s < sections; s++) {
        const char *name = length_sections[s].name;
        samtools_put_title(out, length_sections[s].title, name,
                           "read length, count");
        put_lengths(report, i, name, length_sections[s].fragment, out);
    }
}

/* ---- mapping qualities ---- */

#define MAPQ_VALUES 256 /* a byte of BAM */

/* Whether the mapping quality of a record with FLAG counts. */
static bool
is_placed(unsigned int flag)
{
    const unsigned int others =
        ALIGNMENT_UNMAPPED | ALIGNMENT_QCFAIL | ALIGNMENT_DUPLICATE;

    return samtools_is_read(flag) && (flag & others) == 0;
}

void
samtools_reads_put_mapqs(const struct report *report, size_t i,
                         struct writer *out)
{
    uint64_t reads[MAPQ_VALUES] = {0};
    struct rows rows;

    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        if (is_placed(samtools_rows_flag(&rows, FLAG)) &&
            samtools_rows_number(&rows, LENGTH) > 0)
            reads[samtools_rows_number(&rows, MAPQ) % MAPQ_VALUES] +=
                rows.amount.count;
    }
    samtools_put_title(
        out, "Mapping qualities for reads !(UNMAP|SECOND|SUPPL|QCFAIL|DUP)",
        "MAPQ", "mapq, count");
    for (uint64_t q = 0; q < MAPQ_VALUES; q++) {
        if (reads[q] > 0)
            samtools_put_line(out, "MAPQ", (uint64_t[]){q, reads[q]}, 2);
    }
}

/* ---- GC ---- */

/* The classes of GC, from 0 to 100 %; a read is in all between its own number
   of G and C and the next one, without the upper. */
#define GC_CLASSES 200

struct gc_classes {
    uint64_t reads[SAMTOOLS_FRAGMENTS][GC_CLASSES];
};

/* Add the current line of ROWS: length, gc and flag. */
static void
add_gc(struct gc_classes *classes, const struct rows *rows)
{
    const unsigned int flag = samtools_rows_flag(rows, 2);
    const uint64_t length = samtools_rows_number(rows, 0);

    if (length == 0 || !samtools_is_read(flag))
        return;
    uint64_t *reads = classes->reads[samtools_fragment_of(flag)];
    const double share = column_number(&rows->column[1]).real;
    const uint64_t gc = (uint64_t)llround(share * (double)length);
    uint64_t end = (gc + 1) * (GC_CLASSES - 1) / length;
    end = end < GC_CLASSES ? end : GC_CLASSES - 1;
    for (uint64_t c = gc * (GC_CLASSES - 1) / length; c < end; c++)
        reads[c] += rows->amount.count;
}

/* Put a line for each run of classes with equal numbers of READS, but the last
   one. */
static void
put_gc(struct writer *out, const char *name, const uint64_t *reads)
{
    char middle[32];
    size_t first = 0;

    for (size_t c = 0; c < GC_CLASSES; c++) {
        if (reads[c] == reads[first])
            continue;
        snprintf(middle, sizeof middle, "\t%.2f\t",
                 (double)(c + first) * 0.5 * 100. / (GC_CLASSES - 1));
        writer_put_text(out, name);
        writer_put_text(out, middle);
        writer_put_number(out, reads[first]);
        writer_put_char(out, '\n');
        first = c;
    }
}

void
samtools_reads_put_gc(const struct report *report, size_t i, struct writer *out)
{
    struct gc_classes classes = {{{0}}};
    struct rows rows;

    rows_open(&rows, report, i);
    while (rows_next(&rows))
        add_gc(&classes, &rows);
    samtools_put_title(out, "GC Content of first fragments", "GCF", NULL);
    put_gc(out, "GCF", classes.reads[SAMTOOLS_FIRST]);
    samtools_put_title(out, "GC Content of last fragments", "GCL", NULL);
    put_gc(out, "GCL", classes.reads[SAMTOOLS_LAST]);
}

/* SPDX-License-Identifier: MIT */
/* fastqc_reads.c -- lengths, GC and mean qualities of reads, as in FastQC */

#include <math.h>

#include "kernels/seq/sequence.h"
#include "report/fastqc_reads.h"
#include "report/rows.h"

/* The most frequent mean quality must be above these. */
#define QUALITY_WARN 27
#define QUALITY_FAIL 20

/* The most steps from the shortest length to the longest. */
#define LENGTH_STEPS 50

/* ---- reading ---- */

/* The columns of a row. */
enum {
    LENGTH,
    GC_BASES,
};

static uint64_t
number_of(const struct rows *rows, size_t column)
{
    return rows->column[column].component.integer.low;
}

void
fastqc_reads_read(struct fastqc_reads *reads, const struct report *report,
                  size_t i)
{
    struct rows rows;

    *reads = (struct fastqc_reads){.count = 0};
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        uint64_t length = number_of(&rows, LENGTH);
        if (reads->count == 0)
            reads->least = length;
        reads->most = length;
        reads->has_empty |= length == 0;
        reads->count += rows.amount.count;
        fastqc_gc_add(&reads->gc, sequence_gc_length((uint32_t)length),
                      number_of(&rows, GC_BASES), rows.amount.count);
    }
}

/* ---- GC ---- */

void
fastqc_reads_put_gc(const struct fastqc_reads *reads, struct writer *out)
{
    fastqc_put_start(out, "Per sequence GC content",
                     fastqc_gc_verdict(&reads->gc));
    writer_put_text(out, "#GC Content\tCount\n");
    for (size_t p = 0; p < FASTQC_PERCENTAGES; p++) {
        writer_put_number(out, p);
        writer_put_char(out, '\t');
        fastqc_put_double(out, reads->gc.count[p]);
        writer_put_char(out, '\n');
    }
    fastqc_put_end(out);
}

/* ---- lengths ---- */

/* Returns the width of the bins from FIRST to LAST: 1, 2, 5, 10 ... */
static uint64_t
width_of(uint64_t first, uint64_t last)
{
    static const uint64_t steps[] = {1, 2, 5};
    uint64_t scale = 1;
    size_t i = 0;

    while ((last - first) / (steps[i] * scale) > LENGTH_STEPS) {
        if (++i == sizeof steps / sizeof *steps) {
            i = 0;
            scale *= 10;
        }
    }
    return steps[i] * scale;
}

void
fastqc_reads_put_lengths(const struct fastqc_reads *reads,
                         const struct report *report, size_t i,
                         struct writer *out)
{
    /* FastQC's picture has a bin before and after, unless these are empty. */
    uint64_t last = reads->most + 1;
    uint64_t first = reads->least > 0 ? reads->least - 1 : 0;
    uint64_t width = width_of(first, last);
    struct rows rows;

    fastqc_put_start(out, "Sequence Length Distribution",
                     reads->has_empty             ? FASTQC_FAIL
                     : reads->most > reads->least ? FASTQC_WARN
                                                  : FASTQC_PASS);
    writer_put_text(out, "#Length\tCount\n");
    rows_open(&rows, report, i);
    bool is_row = rows_next(&rows);
    for (uint64_t bin = first / width * width; bin <= last; bin += width) {
        bool is_end = bin <= first || bin + width > last;
        uint64_t count = 0;
        for (; is_row && number_of(&rows, LENGTH) < bin + width;
             is_row = rows_next(&rows))
            count += rows.amount.count;
        if (is_end && count == 0)
            continue;
        fastqc_put_range(out, bin, bin + width > last ? last : bin + width - 1);
        writer_put_char(out, '\t');
        fastqc_put_double(out, (double)count);
        writer_put_char(out, '\n');
    }
    fastqc_put_end(out);
}

/* ---- mean qualities ---- */

/* How many reads have each mean, as a byte. */
struct means {
    uint64_t count[256];
    unsigned int least;
    unsigned int most;
};

/* Returns whether histogram I has any. */
static bool
read_means(struct means *means, const struct fastqc_bases *bases,
           const struct report *report, size_t i)
{
    bool has_any = false;
    struct rows rows;

    *means = (struct means){.least = 255};
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        struct column *column = &rows.column[0];
        if (!column_is_number(column))
            continue;
        double mean = column_number(column).real;
        unsigned int byte = fastqc_bases_byte(bases, (int64_t)floor(mean));
        means->count[byte] += rows.amount.count;
        means->least = byte < means->least ? byte : means->least;
        means->most = byte > means->most ? byte : means->most;
        has_any = true;
    }
    return has_any;
}

/* Returns what FastQC thinks of the most frequent mean, the first of
   several. */
static enum fastqc_verdict
means_verdict(const struct means *means, unsigned int offset)
{
    unsigned int mode = means->least;

    for (unsigned int byte = means->least; byte <= means->most; byte++) {
        if (means->count[byte] > means->count[mode])
            mode = byte;
    }
    return mode <= QUALITY_FAIL + offset   ? FASTQC_FAIL
           : mode <= QUALITY_WARN + offset ? FASTQC_WARN
                                           : FASTQC_PASS;
}

void
fastqc_reads_put_qualities(const struct fastqc_bases *bases,
                           const struct report *report, size_t i,
                           struct writer *out)
{
    struct means means;

    if (!read_means(&means, bases, report, i))
        return;
    fastqc_put_start(out, "Per sequence quality scores",
                     means_verdict(&means, bases->offset));
    writer_put_text(out, "#Quality\tCount\n");
    for (unsigned int byte = means.least; byte <= means.most; byte++) {
        writer_put_signed(out, (int64_t)byte - (int64_t)bases->offset);
        writer_put_char(out, '\t');
        fastqc_put_double(out, (double)means.count[byte]);
        writer_put_char(out, '\n');
    }
    fastqc_put_end(out);
}

/* SPDX-License-Identifier: MIT */
/* format_flagstat.c -- how many records have which flags, as samtools
   flagstat */

#include <inttypes.h>
#include <stdio.h>

#include "kernels/seq/alignment_words.h"
#include "report/format.h"
#include "report/rows.h"

/* A mapping quality that samtools calls sure. */
#define SURE_MAPQ 5

/* The lines that samtools prints, in their order. */
enum line {
    LINE_TOTAL,
    LINE_PRIMARY,
    LINE_SECONDARY,
    LINE_SUPPLEMENTARY,
    LINE_DUPLICATES,
    LINE_PRIMARY_DUPLICATES,
    LINE_MAPPED,
    LINE_PRIMARY_MAPPED,
    LINE_PAIRED,
    LINE_READ1,
    LINE_READ2,
    LINE_PROPER,
    LINE_BOTH_MAPPED,
    LINE_SINGLETONS,
    LINE_ELSEWHERE,
    LINE_ELSEWHERE_SURE,
    LINES
};

/* The text of each line, and the line that is 100 percent; a line that needs no
   percentage is its own. */
static const struct {
    const char *text;
    enum line all;
} lines[LINES] = {
    [LINE_TOTAL] = {"in total (QC-passed reads + QC-failed reads)", LINE_TOTAL},
    [LINE_PRIMARY] = {"primary", LINE_PRIMARY},
    [LINE_SECONDARY] = {"secondary", LINE_SECONDARY},
    [LINE_SUPPLEMENTARY] = {"supplementary", LINE_SUPPLEMENTARY},
    [LINE_DUPLICATES] = {"duplicates", LINE_DUPLICATES},
    [LINE_PRIMARY_DUPLICATES] = {"primary duplicates", LINE_PRIMARY_DUPLICATES},
    [LINE_MAPPED] = {"mapped", LINE_TOTAL},
    [LINE_PRIMARY_MAPPED] = {"primary mapped", LINE_PRIMARY},
    [LINE_PAIRED] = {"paired in sequencing", LINE_PAIRED},
    [LINE_READ1] = {"read1", LINE_READ1},
    [LINE_READ2] = {"read2", LINE_READ2},
    [LINE_PROPER] = {"properly paired", LINE_PAIRED},
    [LINE_BOTH_MAPPED] = {"with itself and mate mapped", LINE_BOTH_MAPPED},
    [LINE_SINGLETONS] = {"singletons", LINE_PAIRED},
    [LINE_ELSEWHERE] = {"with mate mapped to a different chr", LINE_ELSEWHERE},
    [LINE_ELSEWHERE_SURE] = {"with mate mapped to a different chr (mapQ>=5)",
                             LINE_ELSEWHERE_SURE},
};

/* The counts of a line: without and with QCFAIL. */
struct flag_counts {
    uint64_t of[LINES][2];
};

/* Returns a bit, 1 << line, for each line that counts a record. */
static unsigned int
lines_of(unsigned int flag, unsigned int mapq, bool is_elsewhere)
{
    const bool is_mapped = (flag & ALIGNMENT_UNMAPPED) == 0;
    const bool is_mate_mapped = (flag & ALIGNMENT_MATE_UNMAPPED) == 0;
    unsigned int of = 1u << LINE_TOTAL;

    of |= is_mapped ? 1u << LINE_MAPPED : 0;
    of |= (flag & ALIGNMENT_DUPLICATE) != 0 ? 1u << LINE_DUPLICATES : 0;
    if ((flag & ALIGNMENT_SECONDARY) != 0)
        return of | 1u << LINE_SECONDARY;
    if ((flag & ALIGNMENT_SUPPLEMENTARY) != 0)
        return of | 1u << LINE_SUPPLEMENTARY;
    of |= 1u << LINE_PRIMARY;
    of |= is_mapped ? 1u << LINE_PRIMARY_MAPPED : 0;
    of |= (flag & ALIGNMENT_DUPLICATE) != 0 ? 1u << LINE_PRIMARY_DUPLICATES : 0;
    if ((flag & ALIGNMENT_PAIRED) == 0)
        return of;
    of |= 1u << LINE_PAIRED;
    of |= (flag & ALIGNMENT_READ1) != 0 ? 1u << LINE_READ1 : 0;
    of |= (flag & ALIGNMENT_READ2) != 0 ? 1u << LINE_READ2 : 0;
    if (!is_mapped)
        return of;
    of |= (flag & ALIGNMENT_PROPER_PAIR) != 0 ? 1u << LINE_PROPER : 0;
    if (!is_mate_mapped)
        return of | 1u << LINE_SINGLETONS;
    of |= 1u << LINE_BOTH_MAPPED;
    of |= is_elsewhere ? 1u << LINE_ELSEWHERE : 0;
    of |= is_elsewhere && mapq >= SURE_MAPQ ? 1u << LINE_ELSEWHERE_SURE : 0;
    return of;
}

/* Add the current line of ROWS.  The columns are flag, mapq and
   mate-elsewhere. */
static void
add_line(struct flag_counts *counts, const struct rows *rows)
{
    unsigned int flag = (unsigned int)rows->column[0].component.integer.low;
    unsigned int of =
        lines_of(flag, (unsigned int)rows->column[1].component.integer.low,
                 rows->column[2].component.integer.low != 0);

    for (size_t i = 0; i < LINES; i++) {
        if ((of & 1u << i) != 0)
            counts->of[i][(flag & ALIGNMENT_QCFAIL) != 0] += rows->amount.count;
    }
}

/* Write PART of ALL as samtools does, with a quotient of floats. */
static void
put_percent(struct writer *out, uint64_t part, uint64_t all)
{
    char text[32];

    if (all == 0) {
        writer_put_text(out, "N/A");
        return;
    }
    const float quotient = (float)part / (float)all;
    snprintf(text, sizeof text, "%.2f%%", (double)quotient * 100.0);
    writer_put_text(out, text);
}

int
format_check_flag(const struct report *report, const char *format,
                  struct error *error)
{
    const struct spec *spec = report->spec;
    size_t flag = 0;
    struct rows rows;

    while (spec->text_fields.field[spec_axis_of(spec, 0, flag)].part !=
           TEXT_PART_FLAG)
        flag++;
    rows_open(&rows, report, 0);
    while (rows_next(&rows)) {
        if (rows.column[flag].component.tag == KEY_TAG_VALUE)
            continue;
        error_set(error, EXIT_DATA,
                  "--format=%s is of BAM and SAM; reads of FASTA and FASTQ "
                  "have no flag, %" PRIu64 " in all",
                  format, rows.amount.count);
        return -1;
    }
    return 0;
}

int
format_flagstat_check(const struct report *report, struct error *error)
{
    return format_check_flag(report, "flagstat", error);
}

void
format_flagstat(struct writer *out, const struct report *report)
{
    struct flag_counts counts = {{{0}}};
    struct rows rows;

    rows_open(&rows, report, 0);
    while (rows_next(&rows)) {
        if (rows.amount.count > 0)
            add_line(&counts, &rows);
    }
    for (size_t i = 0; i < LINES; i++) {
        const uint64_t *of = counts.of[i];
        const uint64_t *all = counts.of[lines[i].all];
        writer_put_number(out, of[0]);
        writer_put_text(out, " + ");
        writer_put_number(out, of[1]);
        writer_put_char(out, ' ');
        writer_put_text(out, lines[i].text);
        if (of != all) {
            writer_put_text(out, " (");
            put_percent(out, of[0], all[0]);
            writer_put_text(out, " : ");
            put_percent(out, of[1], all[1]);
            writer_put_char(out, ')');
        }
        writer_put_char(out, '\n');
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * format_fastqc.c -- fastqc_data.txt, which FastQC writes and MultiQC reads
 *
 * The modules are FastQC's, in its order, each with its verdict.  What FastQC
 * finds in a sample of the reads is found in all of them here.
 */

#include <math.h>
#include <string.h>

#include "report/fastqc_adapters.h"
#include "report/fastqc_bases.h"
#include "report/fastqc_duplicates.h"
#include "report/fastqc_reads.h"
#include "report/fastqc_text.h"
#include "report/fastqc_tiles.h"
#include "report/format.h"

/* The histograms, in the order of the lists. */
enum {
    LIST_LETTERS,
    LIST_QUALITIES,
    LIST_LENGTHS,
    LIST_MEANS,
    LIST_DUPLICATES,
    LIST_ADAPTERS, /* as many as adapters */
};

const char *const fastqc_fields[] = {
    [LIST_LETTERS] = FASTQC_LETTERS_FIELD,
    [LIST_QUALITIES] = FASTQC_QUALITIES_FIELD,
    [LIST_LENGTHS] = "length,fastqc-gc",
    [LIST_MEANS] = "mean-quality",
    [LIST_DUPLICATES] = FASTQC_DUPLICATES_FIELD,
    [LIST_ADAPTERS] = FASTQC_ADAPTERS(FASTQC_ADAPTER_FIELD) NULL,
};

/* The version of FastQC whose report this is. */
#define VERSION_OF_FASTQC "0.12.1"

/* Not a line of FastQC.  It is in no module, so readers skip it. */
#define NOTE                                                           \
    "##gpuhist\ttiles, duplication and overrepresented sequences are " \
    "of all reads\n"

/* ---- basic statistics ---- */

/* Put the name of the input without its folders, as FastQC does. */
static void
put_name(struct writer *out, const struct provenance *from)
{
    if (from->path_count == 0 || strcmp(from->paths[0], "-") == 0) {
        writer_put_text(out, "stdin");
    } else {
        const char *slash = strrchr(from->paths[0], '/');
        writer_put_text(out, slash != NULL ? slash + 1 : from->paths[0]);
    }
    if (from->path_count > 1) {
        writer_put_text(out, " and ");
        writer_put_number(out, from->path_count - 1);
        writer_put_text(out, " more");
    }
}

/* Put BASES with one decimal, cut off, unless it is 0: 999 bp, 1.5 kbp, 2
   Mbp. */
static void
put_size(struct writer *out, uint64_t bases)
{
    static const struct {
        uint64_t bases;
        const char *name;
    } units[] = {
        {1000000000, " Gbp"}, {1000000, " Mbp"}, {1000, " kbp"}, {1, " bp"}};
    size_t i = 0;

    while (units[i].bases > 1 && bases < units[i].bases)
        i++;
    writer_put_number(out, bases / units[i].bases);
    uint64_t tenth = bases % units[i].bases * 10 / units[i].bases;
    if (tenth > 0) {
        writer_put_char(out, '.');
        writer_put_number(out, tenth);
    }
    writer_put_text(out, units[i].name);
}

static void
put_statistics(struct writer *out, const struct report *report,
               const struct fastqc_bases *bases,
               const struct fastqc_reads *reads)
{
    const uint64_t *letter = bases->letter;
    uint64_t gc = letter[FASTQC_G] + letter[FASTQC_C];
    uint64_t known = gc + letter[FASTQC_A] + letter[FASTQC_T];

    fastqc_put_start(out, "Basic Statistics", FASTQC_PASS);
    writer_put_text(out, "#Measure\tValue\nFilename\t");
    put_name(out, report->provenance);
    writer_put_text(out, "\nFile type\tConventional base calls\nEncoding\t");
    writer_put_text(out, fastqc_bases_encoding(bases));
    writer_put_text(out, "\nTotal Sequences\t");
    writer_put_number(out, reads->count);
    writer_put_text(out, "\nTotal Bases\t");
    put_size(out, known + letter[FASTQC_N] + letter[FASTQC_OTHER]);
    writer_put_text(out, "\nSequences flagged as poor quality\t0"
                         "\nSequence length\t");
    fastqc_put_range(out, reads->least, reads->most);
    writer_put_text(out, "\n%GC\t");
    writer_put_number(out, known > 0 ? gc * 100 / known : 0);
    writer_put_char(out, '\n');
    fastqc_put_end(out);
}

/* ---- the report ---- */

void
format_fastqc(struct writer *out, const struct report *report)
{
    struct fastqc_bases bases;
    struct fastqc_reads reads;
    struct fastqc_duplicates duplicates;

    fastqc_bases_read(&bases, report, LIST_LETTERS, LIST_QUALITIES);
    fastqc_reads_read(&reads, report, LIST_LENGTHS);
    fastqc_duplicates_read(&duplicates, reads.count, report, LIST_DUPLICATES);
    writer_put_text(out, "##FastQC\t" VERSION_OF_FASTQC "\n" NOTE);
    put_statistics(out, report, &bases, &reads);
    fastqc_bases_put_quality(&bases, out);
    fastqc_tiles_put(&bases, report, LIST_QUALITIES, out);
    fastqc_reads_put_qualities(&bases, report, LIST_MEANS, out);
    fastqc_bases_put_content(&bases, out);
    fastqc_reads_put_gc(&reads, out);
    fastqc_bases_put_n(&bases, out);
    fastqc_reads_put_lengths(&reads, report, LIST_LENGTHS, out);
    fastqc_duplicates_put_levels(&duplicates, out);
    fastqc_duplicates_put_frequent(&duplicates, report, LIST_DUPLICATES, out);
    fastqc_adapters_put(&reads, report, LIST_ADAPTERS, out);
}

/* SPDX-License-Identifier: MIT */
/*
 * format_seqkit.c -- the figures of seqkit stats -a
 *
 * The columns and the rounding are those of seqkit 2.10 to 2.13.  Where seqkit
 * departs from its own help, this does, too: N50_num is a number of lengths,
 * and with tabs some columns lose their decimals.
 */

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_style.h"
#include "report/align_lines.h"
#include "report/format.h"
#include "report/key_text.h"
#include "report/rows.h"

/* The histograms of the format, in the order of its fields. */
enum {
    LENGTHS,
    BASES,
    QUALITIES,
};

const char *const format_seqkit_fields[] = {"length", "base", "quality", NULL};

/* The first columns are texts; the others are numbers. */
#define TEXT_COLUMNS 3

static const char header[] =
    "file\tformat\ttype\tnum_seqs\tsum_len\tmin_len\tavg_len\tmax_len\tQ1\tQ2\t"
    "Q3\tsum_gap\tN50\tN50_num\tQ20(%)\tQ30(%)\tAvgQual\tGC(%)\tsum_n\n";

/* The columns behind the type. */
#define NUMBER_COLUMNS 16

/* A quartile is the mean of the lengths at two ranks, which may be one. */
struct quartile {
    uint64_t rank[2]; /* from 0 on */
    uint64_t length[2];
};

struct read_lengths {
    uint64_t count;
    uint64_t bases;
    uint64_t least;
    uint64_t most;
    uint64_t n50;
    uint64_t n50_lengths; /* different ones, from n50 on */
    struct quartile quartile[3];
};

struct base_totals {
    bool occurs[256]; /* in upper case */
    bool has_quality;
    uint64_t gaps;
    uint64_t gc;
    uint64_t n;
    uint64_t x;
    uint64_t from_20; /* with a quality of 20 or more */
    uint64_t from_30;
    double errors; /* the sum of their probabilities */
};

/* ---- lengths ---- */

/* The middle of COUNT ranks from FIRST on. */
static struct quartile
middle_of(uint64_t first, uint64_t count)
{
    uint64_t upper = first + count / 2;
    uint64_t lower = count % 2 == 0 && count > 0 ? upper - 1 : upper;

    return (struct quartile){.rank = {lower, upper}};
}

/* Go to the next line with a number.  Returns false at the end. */
static bool
next_number(struct rows *rows, struct wide *number)
{
    while (rows_next(rows)) {
        if (column_is_special(&rows->column[0]) || rows->amount.count == 0)
            continue;
        *number = column_number(&rows->column[0]).integer;
        return true;
    }
    return false;
}

/* Find all about READS that needs no order. */
static void
sum_lengths(struct read_lengths *reads, const struct report *report)
{
    struct wide number;
    struct rows rows;

    rows_open(&rows, report, LENGTHS);
    while (next_number(&rows, &number)) {
        uint64_t length = number.low;
        if (reads->count == 0)
            reads->least = length;
        reads->most = length;
        reads->count += rows.amount.count;
        reads->bases += rows.amount.count * length;
    }
}

/* Find the quartiles of READS and N50: the greatest length such that shorter
   reads have at most half of the bases. */
static void
rank_lengths(struct read_lengths *reads, const struct report *report)
{
    uint64_t shorter = 0; /* reads */
    uint64_t before = 0;  /* their bases */
    struct wide number;
    struct rows rows;

    rows_open(&rows, report, LENGTHS);
    while (next_number(&rows, &number)) {
        uint64_t length = number.low;
        uint64_t count = rows.amount.count;
        for (size_t i = 0; i < 3 * 2; i++) {
            struct quartile *quartile = &reads->quartile[i / 2];
            uint64_t rank = quartile->rank[i % 2];
            if (rank >= shorter && rank < shorter + count)
                quartile->length[i % 2] = length;
        }
        reads->n50_lengths++;
        if (before <= reads->bases - before) {
            reads->n50 = length;
            reads->n50_lengths = 1;
        }
        shorter += count;
        before += count * length;
    }
}

static struct read_lengths
find_reads(const struct report *report)
{
    struct read_lengths reads = {0};

    sum_lengths(&reads, report);
    /* The quartiles are the medians of both halves; the median of an odd number
       is in both. */
    uint64_t half = reads.count - reads.count / 2;
    reads.quartile[0] = middle_of(0, half);
    reads.quartile[1] = middle_of(0, reads.count);
    reads.quartile[2] = middle_of(reads.count / 2, half);
    rank_lengths(&reads, report);
    return reads;
}

/* ---- bases ---- */

static void
add_qualities(struct base_totals *bases, const struct report *report)
{
    struct wide quality;
    struct rows rows;

    rows_open(&rows, report, QUALITIES);
    while (next_number(&rows, &quality)) {
        uint64_t count = rows.amount.count;
        bases->has_quality = true;
        bases->errors += (double)count * pow(10, wide_double(quality) / -10);
        if (wide_is_negative(quality))
            continue;
        bases->from_20 += quality.low >= 20 ? count : 0;
        bases->from_30 += quality.low >= 30 ? count : 0;
    }
}

static struct base_totals
find_bases(const struct report *report)
{
    struct base_totals bases = {0};
    struct rows rows;

    rows_open(&rows, report, BASES);
    while (rows_next(&rows)) {
        struct column *column = &rows.column[0];
        uint64_t count = rows.amount.count;
        rows_set_labels(&rows);
        if (!column->has_key || count == 0)
            continue;
        unsigned char base = *column->key.text;
        bases.occurs[base] = true;
        bases.gaps += base == '-' || base == '.' ? count : 0;
        bases.gc += base == 'G' || base == 'C' ? count : 0;
        bases.n += base == 'N' ? count : 0;
        bases.x += base == 'X' ? count : 0;
    }
    add_qualities(&bases, report);
    return bases;
}

/* Whether all bases that occur are in LETTERS. */
static bool
are_all_of(const struct base_totals *bases, const char *letters)
{
    for (int base = 1; base < 256; base++) {
        if (bases->occurs[base] && strchr(letters, base) == NULL)
            return false;
    }
    return true;
}

/* The kind of the sequences, from their letters: those of IUPAC. */
static const char *
type_of(const struct read_lengths *reads, const struct base_totals *bases)
{
    if (reads->count == 0)
        return "";
    if (reads->bases == 0)
        return "Unlimit";
    if (are_all_of(bases, "ACGTRYSWKMBDHVN-."))
        return "DNA";
    return are_all_of(bases, "ACGURYSWKMBDHVN-.") ? "RNA" : "Protein";
}

static const char *
format_of(const struct read_lengths *reads, const struct base_totals *bases)
{
    if (reads->count == 0)
        return "";
    return bases->has_quality ? "FASTQ" : "FASTA";
}

/* ---- cells ---- */

/* Put VALUE as seqkit does for people: with separators of thousands; or with
   DECIMALS, as it does with -T. */
static void
put_double(struct writer *out, double value, bool is_for_people,
           unsigned int decimals)
{
    const struct number_style style = {.has_thousands = true};
    char text[NUMBER_STYLE_TEXT_MAX];
    char shown[NUMBER_STYLE_BYTES];

    writer_put_char(out, '\t');
    if (isnan(value)) {
        writer_put_text(out, "NaN");
    } else if (is_for_people) {
        size_t size = (size_t)(number_put_double(value, text) - text);
        char *end = number_style_put(&style, text, size, shown);
        writer_put_bytes(out, shown, (size_t)(end - shown));
    } else {
        snprintf(text, sizeof text, "%.*f", (int)decimals, value);
        writer_put_text(out, text);
    }
}

static void
put_count(struct writer *out, uint64_t count, bool is_for_people)
{
    const struct number_style style = {.has_thousands = is_for_people};
    char text[NUMBER_TEXT_BYTES];
    char shown[NUMBER_STYLE_BYTES];
    size_t size = (size_t)(number_put(count, text) - text);
    char *end = number_style_put(&style, text, size, shown);

    writer_put_char(out, '\t');
    writer_put_bytes(out, shown, (size_t)(end - shown));
}

/* Round VALUE to 1 / UNIT, as seqkit does. */
static double
round_to(double value, double unit)
{
    return trunc((value + 0.5 / unit) * unit) / unit;
}

/* The percentage of PART in all bases of READS; without bases, NaN. */
static double
percent_of(uint64_t part, const struct read_lengths *reads)
{
    if (reads->count == 0)
        return 0;
    if (reads->bases == 0)
        return (double)NAN;
    return round_to((double)part / (double)reads->bases * 100, 100);
}

/* The quality of the mean probability of an error. */
static double
mean_quality(const struct base_totals *bases, const struct read_lengths *reads)
{
    if (!bases->has_quality)
        return 0;
    return round_to(-10 * log10(bases->errors / (double)reads->bases), 100);
}

/* The name of the input; of several together, that of standard input. */
static const char *
file_of(const struct report *report)
{
    if (report->file != NULL)
        return report->file;
    return report->provenance->path_count == 1 ? report->provenance->paths[0]
                                               : "-";
}

/* Put the columns of BASES, of all bases of READS with this TYPE. */
static void
put_bases(struct writer *out, const struct base_totals *bases,
          const struct read_lengths *reads, const char *type,
          bool is_for_people)
{
    bool has_acid = strcmp(type, "DNA") == 0 || strcmp(type, "RNA") == 0;
    uint64_t gc = has_acid ? bases->gc : 0;
    uint64_t unknown = has_acid ? bases->n : bases->x;

    put_double(out, percent_of(bases->from_20, reads), is_for_people, 0);
    put_double(out, percent_of(bases->from_30, reads), is_for_people, 0);
    put_double(out, mean_quality(bases, reads), is_for_people, 2);
    put_double(out, percent_of(gc, reads), is_for_people, 2);
    put_count(out, unknown, is_for_people);
}

/* Put the line of REPORT, and a header unless there is one. */
static void
put_lines(struct writer *out, const struct report *report, bool is_for_people)
{
    const struct read_lengths reads = find_reads(report);
    const struct base_totals bases = find_bases(report);
    const char *file = file_of(report);
    const char *type = type_of(&reads, &bases);
    double mean = reads.count > 0
                      ? round_to((double)reads.bases / (double)reads.count, 10)
                      : 0;

    if (!report->is_continued)
        writer_put_text(out, header);
    key_text_put_tsv(out, (const unsigned char *)file, strlen(file));
    writer_put_char(out, '\t');
    writer_put_text(out, format_of(&reads, &bases));
    writer_put_char(out, '\t');
    writer_put_text(out, type);
    put_count(out, reads.count, is_for_people);
    put_count(out, reads.bases, is_for_people);
    put_count(out, reads.least, is_for_people);
    put_double(out, mean, is_for_people, 1);
    put_count(out, reads.most, is_for_people);
    for (size_t q = 0; q < 3; q++) {
        const uint64_t *length = reads.quartile[q].length;
        put_double(out, (double)(length[0] + length[1]) / 2, is_for_people, 0);
    }
    put_count(out, bases.gaps, is_for_people);
    put_count(out, reads.n50, is_for_people);
    put_count(out, reads.n50_lengths, is_for_people);
    put_bases(out, &bases, &reads, type, is_for_people);
    writer_put_char(out, '\n');
}

/* ---- the formats ---- */

void
format_seqkit_tsv(struct writer *out, const struct report *report)
{
    put_lines(out, report, false);
}

void
format_seqkit_align(struct writer *out, const char *lines, size_t size)
{
    align_lines(out, lines, size, TEXT_COLUMNS);
}

/* Never called: there is room for all lines. */
static void
keep(struct writer *lines)
{
    assert(false);
    lines->at = lines->room;
}

void
format_seqkit(struct writer *out, const struct report *report)
{
    size_t size = sizeof header + 2 * strlen(file_of(report)) +
                  NUMBER_COLUMNS * NUMBER_STYLE_TEXT_MAX +
                  4 * WRITER_PIECE_BYTES;
    struct writer lines;

    /* Lines of several files are aligned together. */
    if (report->file != NULL) {
        put_lines(out, report, true);
        return;
    }
    char *room = malloc(size);
    if (room == NULL) {
        writer_fail_memory(out);
        return;
    }
    writer_open_room(&lines, room, size, keep, NULL);
    put_lines(&lines, report, true);
    format_seqkit_align(out, room, (size_t)(lines.at - room));
    free(room);
}

/* SPDX-License-Identifier: MIT */
/* format_fqchk.c -- base composition and quality by position, as seqtk fqchk */

#include <stdio.h>

#include "base/elementary.h"
#include "report/format.h"
#include "report/rows.h"

#define LETTERS 5
#define QUALITIES 94

/* seqtk's, too. */
#define LOW_DEFAULT 20

/* The letters of the columns; any other base is the last letter. */
static const char letters[] = "ACGTN";

/* The probability that a base with a quality is wrong: 10^(-quality / 10),
   except for the least qualities, which mean random bases in seqtk. */
static const double errors[QUALITIES] = {
    .5,
    .5,
    .5,
    .5,
    0.3981071705534972,
    0.31622776601683794,
    0.25118864315095796,
    0.19952623149688792,
    0.15848931924611134,
    0.12589254117941673,
    0.1,
    0.07943282347242814,
    0.0630957344480193,
    0.05011872336272722,
    0.03981071705534971,
    0.03162277660168379,
    0.025118864315095794,
    0.01995262314968879,
    0.015848931924611134,
    0.012589254117941668,
    0.01,
    0.007943282347242814,
    0.00630957344480193,
    0.005011872336272719,
    0.003981071705534969,
    0.0031622776601683794,
    0.0025118864315095794,
    0.001995262314968879,
    0.0015848931924611126,
    0.0012589254117941662,
    0.001,
    0.0007943282347242813,
    0.000630957344480193,
    0.000501187233627272,
    0.0003981071705534969,
    0.00031622776601683794,
    0.00025118864315095795,
    0.00019952623149688788,
    0.00015848931924611126,
    0.0001258925411794166,
    0.0001,
    7.943282347242806e-05,
    6.309573444801929e-05,
    5.011872336272725e-05,
    3.9810717055349695e-05,
    3.1622776601683795e-05,
    2.511886431509577e-05,
    1.9952623149688786e-05,
    1.5848931924611107e-05,
    1.2589254117941661e-05,
    1e-05,
    7.943282347242805e-06,
    6.30957344480193e-06,
    5.011872336272715e-06,
    3.981071705534969e-06,
    3.162277660168379e-06,
    2.511886431509577e-06,
    1.9952623149688787e-06,
    1.584893192461111e-06,
    1.2589254117941661e-06,
    1e-06,
    7.943282347242805e-07,
    6.30957344480193e-07,
    5.011872336272714e-07,
    3.981071705534969e-07,
    3.162277660168379e-07,
    2.511886431509577e-07,
    1.9952623149688787e-07,
    1.584893192461111e-07,
    1.2589254117941662e-07,
    1e-07,
    7.943282347242805e-08,
    6.30957344480193e-08,
    5.0118723362727144e-08,
    3.981071705534969e-08,
    3.162277660168379e-08,
    2.511886431509577e-08,
    1.9952623149688786e-08,
    1.584893192461111e-08,
    1.2589254117941661e-08,
    1e-08,
    7.943282347242822e-09,
    6.309573444801917e-09,
    5.011872336272715e-09,
    3.981071705534969e-09,
    3.1622776601683795e-09,
    2.511886431509582e-09,
    1.9952623149688745e-09,
    1.584893192461111e-09,
    1.2589254117941663e-09,
    1e-09,
    7.943282347242822e-10,
    6.309573444801917e-10,
    5.011872336272714e-10,
};

/* The bases at a position, or at all. */
struct bases {
    uint64_t letter[LETTERS];
    uint64_t quality[QUALITIES];
    uint64_t count;
};

/* The first line's facts about the reads. */
struct reads {
    uint64_t count;
    uint64_t least; /* the length of the shortest read with bases */
    uint64_t most;
};

struct printing {
    struct writer *out;
    struct log2_table logarithms;
    unsigned int low; /* lesser qualities are low; 0: a column for each */
    bool has_quality[QUALITIES];
};

/* ---- reading ---- */

static size_t
index_of_letter(unsigned char base)
{
    size_t i = 0;

    while (i + 1 < LETTERS && letters[i] != base)
        i++;
    return i;
}

/* The nearest quality with a place. */
static size_t
index_of_quality(struct wide quality)
{
    if (wide_is_negative(quality))
        return 0;
    return quality.low < QUALITIES ? (size_t)quality.low : QUALITIES - 1;
}

/* Go to the next line with a quality.  Returns the position of the line, or 0
   at the end.  The columns are position, base and quality. */
static uint64_t
next_line(struct rows *rows)
{
    while (rows_next(rows)) {
        if (rows->column[2].component.tag == KEY_TAG_VALUE)
            return rows->column[0].component.integer.low;
    }
    return 0;
}

/* Add the line of ROWS to BASES. */
static void
add_line(struct bases *bases, const struct rows *rows)
{
    uint64_t count = rows->amount.count;
    size_t quality = index_of_quality(rows->column[2].component.integer);

    bases->letter[index_of_letter(*rows->column[1].component.text)] += count;
    bases->quality[quality] += count;
    bases->count += count;
}

/* Read all bases, and find the lengths of reads from the positions. */
static struct reads
read_all(const struct report *report, struct bases *all)
{
    struct reads reads = {0};
    uint64_t here = 0; /* bases at the current position */
    struct rows rows;

    rows_open(&rows, report, 0);
    for (uint64_t at = next_line(&rows); at > 0; at = next_line(&rows)) {
        if (at != reads.most) {
            if (reads.most > 0 && reads.least == 0 && here < reads.count)
                reads.least = reads.most - 1;
            reads.most = at;
            here = 0;
        }
        add_line(all, &rows);
        here += rows.amount.count;
        if (at == 1)
            reads.count += rows.amount.count;
    }
    if (reads.least == 0)
        reads.least = here < reads.count ? reads.most - 1 : reads.most;
    return reads;
}

/* ---- printing ---- */

static void
put_number(struct writer *out, unsigned int digits, double value)
{
    writer_put_char(out, '\t');
    writer_put_fixed(out, value, digits);
}

/* PART of 100 percent of COUNT. */
static double
percent(uint64_t part, uint64_t count)
{
    return count > 0 ? 100. * (double)part / (double)count : 0;
}

/* Print the figures of BASES. */
static void
put_bases(struct printing *printing, const struct bases *bases)
{
    struct writer *out = printing->out;
    uint64_t sum = 0;
    uint64_t low = 0;
    double wrong = 0;

    writer_put_char(out, '\t');
    writer_put_number(out, bases->count);
    for (size_t i = 0; i < LETTERS; i++)
        put_number(out, 1, percent(bases->letter[i], bases->count));
    for (size_t q = 0; q < QUALITIES; q++) {
        sum += bases->quality[q] * q;
        wrong += (double)bases->quality[q] * errors[q];
        low += q < printing->low ? bases->quality[q] : 0;
    }
    put_number(out, 1,
               bases->count > 0 ? (double)sum / (double)bases->count : 0);
    /* As seqtk: log is natural, and an error has 4.343 of log. */
    double error = (wrong + 1e-6) / ((double)bases->count + 1e-6);
    double logarithm = log2_double(&printing->logarithms, error);
    put_number(out, 1,
               logarithm != 0 ? -4.343 * logarithm * 0.69314718055994531 : 0);
    if (printing->low > 0) {
        put_number(out, 1, percent(low, bases->count));
        put_number(out, 1, percent(bases->count - low, bases->count));
    }
    for (size_t q = 0; q < QUALITIES && printing->low == 0; q++) {
        if (printing->has_quality[q])
            put_number(out, 2, percent(bases->quality[q], bases->count));
    }
    writer_put_char(out, '\n');
}

static void
put_header(struct printing *printing, const struct reads *reads,
           const struct bases *all)
{
    char text[160];
    unsigned int qualities = 0;
    double mean =
        reads->count > 0 ? (double)all->count / (double)reads->count : 0;

    for (size_t q = 0; q < QUALITIES; q++) {
        printing->has_quality[q] = all->quality[q] > 0;
        qualities += all->quality[q] > 0;
    }
    snprintf(text, sizeof text,
             "min_len: %llu; max_len: %llu; avg_len: %.2f; %u distinct quality "
             "values\n",
             (unsigned long long)reads->least, (unsigned long long)reads->most,
             mean, qualities);
    writer_put_text(printing->out, text);
    writer_put_text(printing->out,
                    "POS\t#bases\t%A\t%C\t%G\t%T\t%N\tavgQ\terrQ");
    if (printing->low > 0)
        writer_put_text(printing->out, "\t%low\t%high");
    for (size_t q = 0; q < QUALITIES && printing->low == 0; q++) {
        snprintf(text, sizeof text, "\t%%Q%zu", q);
        if (printing->has_quality[q])
            writer_put_text(printing->out, text);
    }
    writer_put_char(printing->out, '\n');
}

const char *
format_fqchk_wrong(const struct spec *spec)
{
    return spec_chooses_elements(spec)
               ? "--format=fqchk is of all bases: no conditions on base, "
                 "position or quality"
               : NULL;
}

void
format_fqchk(struct writer *out, const struct report *report)
{
    unsigned int low = report->options->low_quality;
    struct printing printing = {
        .out = out, .low = low == REPORT_LOW_DEFAULT ? LOW_DEFAULT : low};
    struct bases bases = {{0}, {0}, 0};
    struct reads reads = read_all(report, &bases);
    struct rows rows;

    log2_table_make(&printing.logarithms);
    put_header(&printing, &reads, &bases);
    writer_put_text(out, "ALL");
    put_bases(&printing, &bases);
    rows_open(&rows, report, 0);
    for (uint64_t at = next_line(&rows); at > 0 && !writer_has_failed(out);) {
        uint64_t here = at;
        bases = (struct bases){{0}, {0}, 0};
        for (; at == here; at = next_line(&rows))
            add_line(&bases, &rows);
        writer_put_number(out, here);
        put_bases(&printing, &bases);
    }
}

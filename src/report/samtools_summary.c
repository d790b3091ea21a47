/* SPDX-License-Identifier: MIT */
/* samtools_summary.c -- the section SN of samtools stats */

#include <stdio.h>

#include "report/samtools_summary.h"
#include "report/samtools_text.h"

/* How a line is written: as a whole number, or a real one with a form. */
enum form {
    FORM_COUNT,
    FORM_ROUNDED,
    FORM_TENTHS,
    FORM_SCIENTIFIC,
};

static const struct {
    const char *name;
    enum form form;
    const char *remark; /* or NULL */
} lines[SAMTOOLS_LINES] = {
    [SAMTOOLS_RAW] = {"raw total sequences", FORM_COUNT,
                      "excluding supplementary and secondary reads"},
    [SAMTOOLS_FILTERED] = {"filtered sequences", FORM_COUNT, NULL},
    [SAMTOOLS_SEQUENCES] = {"sequences", FORM_COUNT, NULL},
    [SAMTOOLS_SORTED] = {"is sorted", FORM_COUNT, "sorted by coordinate"},
    [SAMTOOLS_FIRSTS] = {"1st fragments", FORM_COUNT, NULL},
    [SAMTOOLS_LASTS] = {"last fragments", FORM_COUNT, NULL},
    [SAMTOOLS_MAPPED] = {"reads mapped", FORM_COUNT, NULL},
    [SAMTOOLS_MAPPED_PAIRED] =
        {"reads mapped and paired", FORM_COUNT,
         "paired-end technology bit set + both mates mapped"},
    [SAMTOOLS_UNMAPPED] = {"reads unmapped", FORM_COUNT, NULL},
    [SAMTOOLS_PROPER] = {"reads properly paired", FORM_COUNT,
                         "proper-pair bit set"},
    [SAMTOOLS_PAIRED] = {"reads paired", FORM_COUNT,
                         "paired-end technology bit set"},
    [SAMTOOLS_DUPLICATED] = {"reads duplicated", FORM_COUNT,
                             "PCR or optical duplicate bit set"},
    [SAMTOOLS_MQ0] = {"reads MQ0", FORM_COUNT, "mapped and MQ=0"},
    [SAMTOOLS_QC_FAILED] = {"reads QC failed", FORM_COUNT, NULL},
    [SAMTOOLS_SECONDARY] = {"non-primary alignments", FORM_COUNT, NULL},
    [SAMTOOLS_SUPPLEMENTARY] = {"supplementary alignments", FORM_COUNT, NULL},
    [SAMTOOLS_LENGTH] = {"total length", FORM_COUNT, "ignores clipping"},
    [SAMTOOLS_FIRST_LENGTH] = {"total first fragment length", FORM_COUNT,
                               "ignores clipping"},
    [SAMTOOLS_LAST_LENGTH] = {"total last fragment length", FORM_COUNT,
                              "ignores clipping"},
    [SAMTOOLS_BASES_MAPPED] = {"bases mapped", FORM_COUNT, "ignores clipping"},
    [SAMTOOLS_BASES_CIGAR] = {"bases mapped (cigar)", FORM_COUNT,
                              "more accurate"},
    [SAMTOOLS_BASES_TRIMMED] = {"bases trimmed", FORM_COUNT, NULL},
    [SAMTOOLS_BASES_DUPLICATED] = {"bases duplicated", FORM_COUNT, NULL},
    [SAMTOOLS_MISMATCHES] = {"mismatches", FORM_COUNT, "from NM fields"},
    [SAMTOOLS_ERROR_RATE] = {"error rate", FORM_SCIENTIFIC,
                             "mismatches / bases mapped (cigar)"},
    [SAMTOOLS_AVERAGE_LENGTH] = {"average length", FORM_ROUNDED, NULL},
    [SAMTOOLS_AVERAGE_FIRST] = {"average first fragment length", FORM_ROUNDED,
                                NULL},
    [SAMTOOLS_AVERAGE_LAST] = {"average last fragment length", FORM_ROUNDED,
                               NULL},
    [SAMTOOLS_LONGEST] = {"maximum length", FORM_COUNT, NULL},
    [SAMTOOLS_LONGEST_FIRST] = {"maximum first fragment length", FORM_COUNT,
                                NULL},
    [SAMTOOLS_LONGEST_LAST] = {"maximum last fragment length", FORM_COUNT,
                               NULL},
    [SAMTOOLS_AVERAGE_QUALITY] = {"average quality", FORM_TENTHS, NULL},
    [SAMTOOLS_INSERT_AVERAGE] = {"insert size average", FORM_TENTHS, NULL},
    [SAMTOOLS_INSERT_DEVIATION] = {"insert size standard deviation",
                                   FORM_TENTHS, NULL},
    [SAMTOOLS_INWARD] = {"inward oriented pairs", FORM_COUNT, NULL},
    [SAMTOOLS_OUTWARD] = {"outward oriented pairs", FORM_COUNT, NULL},
    [SAMTOOLS_OTHER_PAIRS] = {"pairs with other orientation", FORM_COUNT, NULL},
    [SAMTOOLS_ELSEWHERE] = {"pairs on different chromosomes", FORM_COUNT, NULL},
    [SAMTOOLS_PERCENT_PROPER] = {"percentage of properly paired reads (%)",
                                 FORM_TENTHS, NULL},
};

/* A quotient of floats, as samtools computes it; of nothing, 0. */
static double
quotient(uint64_t part, uint64_t all)
{
    const float result = all > 0 ? (float)part / (float)all : 0;

    return (double)result;
}

/* Set the quotients of SUMMARY. */
static void
divide(struct samtools_summary *summary, uint64_t qualities)
{
    const uint64_t *count = summary->count;
    const uint64_t reads = count[SAMTOOLS_SEQUENCES];
    const uint64_t bases = count[SAMTOOLS_LENGTH];
    double *real = summary->real;

    real[SAMTOOLS_ERROR_RATE] =
        quotient(count[SAMTOOLS_MISMATCHES], count[SAMTOOLS_BASES_CIGAR]);
    real[SAMTOOLS_AVERAGE_LENGTH] = quotient(bases, reads);
    real[SAMTOOLS_AVERAGE_FIRST] =
        quotient(count[SAMTOOLS_FIRST_LENGTH], count[SAMTOOLS_FIRSTS]);
    real[SAMTOOLS_AVERAGE_LAST] =
        quotient(count[SAMTOOLS_LAST_LENGTH], count[SAMTOOLS_LASTS]);
    real[SAMTOOLS_AVERAGE_QUALITY] =
        bases > 0 ? (double)qualities / (double)bases : 0;
    real[SAMTOOLS_PERCENT_PROPER] =
        quotient(100 * count[SAMTOOLS_PROPER], reads);
}

static void
put_real(struct writer *out, double value, enum form form)
{
    char text[64];

    if (form == FORM_SCIENTIFIC)
        snprintf(text, sizeof text, "%e", value);
    else
        snprintf(text, sizeof text, "%.*f", form == FORM_TENTHS ? 1 : 0, value);
    writer_put_text(out, text);
}

void
samtools_summary_put(struct samtools_summary *summary, uint64_t qualities,
                     struct writer *out)
{
    divide(summary, qualities);
    samtools_put_title(out, "Summary Numbers", "SN", NULL);
    for (size_t i = 0; i < SAMTOOLS_LINES; i++) {
        writer_put_text(out, "SN\t");
        writer_put_text(out, lines[i].name);
        writer_put_text(out, ":\t");
        if (lines[i].form == FORM_COUNT)
            writer_put_signed(out, (int64_t)summary->count[i]);
        else
            put_real(out, summary->real[i], lines[i].form);
        if (lines[i].remark != NULL) {
            writer_put_text(out, "\t# ");
            if (i == SAMTOOLS_SORTED && summary->count[i] == 0)
                writer_put_text(out, "not ");
            writer_put_text(out, lines[i].remark);
        }
        writer_put_char(out, '\n');
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * format.h -- the ways to print a report; gpuhist-format(5) defines them
 *
 * Each function prints all of REPORT to OUT.  If OUT fails, the function may
 * return early; the caller checks OUT.  rows.h decides on the lines.
 */

#ifndef GPUHIST_FORMAT_H
#define GPUHIST_FORMAT_H

#include "base/error.h"
#include "base/writer.h"
#include "report/request.h"

/* Returns the name of the metric of REPORT. */
static inline const char *
format_metric(const struct report *report)
{
    const char *metric = report->options->metric;

    return metric != NULL ? metric : "gpuhist_values";
}

/* Tables of text, with different widths of columns, quotes and headers. */
void format_tsv(struct writer *out, const struct report *report);
void format_csv(struct writer *out, const struct report *report);
void format_uniq(struct writer *out, const struct report *report);

/* For a single histogram, a spectrum. */
void format_histo(struct writer *out, const struct report *report);

/* Aligned columns, for people. */
void format_table(struct writer *out, const struct report *report);

/* Put the last line of these tables if a part of the input is missing. */
void format_put_mark(struct writer *out, const struct report *report);

void format_md(struct writer *out, const struct report *report);
void format_json(struct writer *out, const struct report *report);
void format_jsonl(struct writer *out, const struct report *report);
void format_prom(struct writer *out, const struct report *report);
void format_npy(struct writer *out, const struct report *report);
void format_uhi(struct writer *out, const struct report *report);

/* The bins of --scale, closed on the right: points.h. */
void format_otlp(struct writer *out, const struct report *report);
void format_prom_native(struct writer *out, const struct report *report);

/* For some bins of --log.  Unplaced values of histogram I have no place in
   format_hdr(). */
void format_hdr(struct writer *out, const struct report *report);
uint64_t format_hdr_unplaced(const struct report *report, size_t i);

/* For a single histogram with position, base and quality of sequences. */
const char *format_fqchk_wrong(const struct spec *spec);
void format_fqchk(struct writer *out, const struct report *report);

/* For the histograms of these fields, of sequences: aligned columns, or columns
   with tabs between.  format_seqkit_align() aligns the lines of several
   files, SIZE bytes that format_seqkit() put. */
extern const char *const format_seqkit_fields[];
void format_seqkit(struct writer *out, const struct report *report);
void format_seqkit_tsv(struct writer *out, const struct report *report);
void format_seqkit_align(struct writer *out, const char *lines, size_t size);

/* Check, for FORMAT, that all lines of the first histogram have a flag, which
   is one of its fields: that they are of alignments. */
int format_check_flag(const struct report *report, const char *format,
                      struct error *error);

/* For a single histogram with flag, mapq and mate-elsewhere of alignments. */
int format_flagstat_check(const struct report *report, struct error *error);
void format_flagstat(struct writer *out, const struct report *report);

/* For a single histogram with rname-number, rname, rname-length, unmapped. */
int format_idxstats_check(const struct report *report, struct error *error);
void format_idxstats(struct writer *out, const struct report *report);

/* For the histograms of SAMTOOLS_STATS_FIELDS, of alignments. */
extern const char *const samtools_stats_fields[];
int format_samtools_stats_check(const struct report *report,
                                struct error *error);
void format_samtools_stats(struct writer *out, const struct report *report);

/* For the histograms of FASTQC_FIELDS, of sequences. */
extern const char *const fastqc_fields[];
void format_fastqc(struct writer *out, const struct report *report);

/* The needs of formats with one kind of bins. */
#define FORMAT_OTLP_NEEDS                                          \
    "--format=otlp needs --scale and --closed=right: the bins of " \
    "OpenTelemetry, with their upper edges"
#define FORMAT_PROM_NATIVE_NEEDS                                  \
    "--format=prom-native needs --scale and --closed=right: the " \
    "native buckets of Prometheus, with their upper edges"
#define FORMAT_HDR_NEEDS                                              \
    "--format=hdr needs whole numbers, --log and --subdiv=4, 7, 10, " \
    "14 or 17, for 1 to 5 significant digits; and a range from 1 on"

/* Check that the format can print SPEC with OPTIONS.  Returns 0, or -1 with
   *ERROR set. */
int format_prom_check(const struct spec *spec,
                      const struct report_options *options,
                      struct error *error);

/* Returns why the format cannot print SPEC; NULL: the format can. */
const char *format_npy_wrong(const struct spec *spec);
const char *format_uhi_wrong(const struct spec *spec);
const char *format_otlp_wrong(const struct spec *spec);
const char *format_prom_native_wrong(const struct spec *spec);
const char *format_hdr_wrong(const struct spec *spec);
const char *format_histo_wrong(const struct spec *spec);

#endif

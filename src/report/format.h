/*
 * format.h -- the ways to print a report; gpuhist-format(5) defines them
 *
 * Each prints all of REPORT to OUT, whose errors are for the caller to check.
 * What the lines are is for rows.h to say.
 */

#ifndef GPUHIST_FORMAT_H
#define GPUHIST_FORMAT_H

#include <stdio.h>

#include "report/report.h"

/* Tables of text: the widths of columns, quotes and headers differ. */
void format_tsv(FILE *out, const struct report *report);
void format_csv(FILE *out, const struct report *report);
void format_uniq(FILE *out, const struct report *report);

void format_json(FILE *out, const struct report *report);
void format_jsonl(FILE *out, const struct report *report);
void format_prom(FILE *out, const struct report *report);
void format_npy(FILE *out, const struct report *report);

/* What of SPEC the format has no place for; NULL: nothing. */
const char *format_prom_wrong(const struct spec *spec);
const char *format_npy_wrong(const struct spec *spec);

#endif

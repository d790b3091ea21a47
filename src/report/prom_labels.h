/* SPDX-License-Identifier: MIT */
/*
 * prom_labels.h -- names and values of labels for Prometheus
 *
 * A label has the name of its column.  Each character but letters, digits and
 * "_" of ASCII becomes "_", and a name that starts with a digit gets a "_"
 * before the digit.
 */

#ifndef GPUHIST_PROM_LABELS_H
#define GPUHIST_PROM_LABELS_H

#include "base/error.h"
#include "base/writer.h"
#include "report/column.h"
#include "report/column_names.h"

/* The most bytes of the name of a label, and a NUL. */
#define PROM_NAME_BYTES 128

/* Write the label of the column that is called COLUMN to NAME.  Returns 0, or
   -1: NAME is too short. */
int prom_labels_map(const char *column, char name[PROM_NAME_BYTES]);

/*
 * Check that the first KEYS columns of histogram I of REPORT, of which the spec
 * and the options are set, have names of labels that differ, of at most 127
 * bytes, and are free: not "le", nor "__...", nor "field" if there are several
 * histograms.  FORMAT is for messages.  Returns 0, or -1 with *ERROR set.
 */
int prom_labels_check(const struct report *report, const char *format, size_t i,
                      size_t keys, struct error *error);

/*
 * Put the label of COLUMN, which is called COLUMN_NAME: city="Oslo".  COLUMN
 * has labels (column_set_labels()).  A row without a key has its name of tsv,
 * "\N"; a key that could be such a name gets one more backslash.  The name of a
 * key that is not UTF-8 ends with "_hex", and the value has two hexadecimal
 * digits for each byte.
 */
void prom_labels_put(struct writer *out, const char *column_name,
                     const struct column *column);

/* Put the label NAME="VALUE". */
void prom_labels_put_text(struct writer *out, const char *name,
                          const char *value);

#endif

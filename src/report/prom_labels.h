/*
 * prom_labels.h -- names and values of labels for Prometheus
 *
 * The label of a field has the name of the field.  Each character but letters,
 * digits and "_" of ASCII becomes "_", and a name that starts with a digit gets
 * a "_" before the digit; a field without a name is "field2", or "line", "word"
 * or "kmer".
 */

#ifndef GPUHIST_PROM_LABELS_H
#define GPUHIST_PROM_LABELS_H

#include "base/error.h"
#include "base/writer.h"
#include "hist/spec.h"
#include "report/column.h"

/*
 * Check that the first KEYS axes of histogram I of SPEC have names of labels
 * that differ, of at most 127 bytes, and are free: not "le", nor "__...", nor
 * "field" if SPEC has several histograms.  Returns 0, or -1 with *ERROR set.
 */
int prom_labels_check(const struct spec *spec, size_t i, size_t keys,
                      struct error *error);

/*
 * Put the label of COLUMN, axis I of SPEC: city="Oslo".  COLUMN has labels
 * (column_set_labels()).  A row without a key has the name of tsv, as "\N"; a
 * key that could be such a name gets one more backslash.  The name of a key
 * that is not UTF-8 ends with "_hex", and the value has two hexadecimal digits
 * for each byte.
 */
void prom_labels_put(struct writer *out, const struct spec *spec, size_t i,
                     const struct column *column);

/* Put the label NAME="VALUE". */
void prom_labels_put_text(struct writer *out, const char *name,
                          const char *value);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * text_axis.h -- the axis of a field of text: keys, or numbers
 *
 * A field is a number if a type or an option for bins is given for the field.
 * Numbers are doubles ("num") or integers of 64 bits with a sign ("int"), in
 * the byte order of this machine.  Without bins, each number that occurs is a
 * bin: AXIS_NUMBERS.  Such an axis may also have decimals, which are not
 * rounded ("decimal").
 */

#ifndef GPUHIST_TEXT_AXIS_H
#define GPUHIST_TEXT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "hist/axis.h"
#include "hist/axis_parse.h"
#include "seq/sequence_names.h"
#include "text/field_list.h"
#include "text/text_format.h"

/* Returns the name of type I, from 0 on, or NULL after the last. */
const char *text_axis_type(size_t i);

/* Whether a field of text may have TYPE. */
bool text_axis_is_type(const char *type);

/* Make *AXIS the axis of keys in text of FORMAT; if IS_MODIFIED, a value of the
   field may be invalid. */
void text_axis_make_key(struct binning_axis *axis,
                        const struct text_format *format, bool is_modified);

/*
 * Make *AXIS from the options TEXTS, TYPE and CLOSED, as axis_make() does, for
 * field I of LIST, of text of FORMAT.  If TYPE is NULL, the field has decimals
 * if its modifiers give decimals.  Returns 0, or -1 with *ERROR set.
 */
int text_axis_make(struct binning_axis *axis, struct axis_edges *edges,
                   const struct text_format *format,
                   const struct field_list *list, size_t i,
                   const struct axis_texts *texts, const char *type,
                   enum binning_closed closed, struct error *error);

/* As text_axis_make(), for a field that always has TYPE. */
int text_axis_make_typed(struct binning_axis *axis, struct axis_edges *edges,
                         const struct axis_texts *texts,
                         enum sequence_type type, enum binning_closed closed,
                         struct error *error);

/* The most bases of k-mers with a bin each: 2^26 bins. */
#define TEXT_AXIS_KMER_MAX 13

/*
 * Make *AXIS the axis of k-mers of KMER bases.  Short k-mers have a bin each,
 * if that takes at most MOST_BINS bins.  Else the bins are the k-mers that
 * occur: keys of KMER letters.
 */
void text_axis_make_kmer(struct binning_axis *axis, unsigned int kmer,
                         uint64_t most_bins);

/*
 * Returns how many bins AXIS has, which has names and is alone in its
 * histogram.  Short k-mers of KMER bases count as if each had a bin, for any
 * MOST_BINS.
 */
uint64_t text_axis_bins(const struct binning_axis *axis, unsigned int kmer);

#endif

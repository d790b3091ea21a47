/*
 * text_axis.h -- the axis of a field of text: keys, or numbers
 *
 * A field is a number if a type is given for it, or an option for bins.  Its
 * numbers are doubles ("num") or integers of 64 bits with a sign ("int"), in
 * the byte order of this machine.  Without bins, each number that occurs is
 * one: the axis is sparse.  Then it may also have decimals, which are not
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
#include "text/text_format.h"

/* Returns the name of type I, from 0 on, or NULL after the last. */
const char *text_axis_type(size_t i);

/* Whether TYPE is one that a field of text may have. */
bool text_axis_is_type(const char *type);

/* Make *AXIS that of keys in text of FORMAT. */
void text_axis_make_key(struct binning_axis *axis,
                        const struct text_format *format);

/*
 * Make *AXIS from the options TEXTS, TYPE, which may be NULL, and CLOSED, as
 * axis_make() does, for text of FORMAT.  Returns 0, or -1 with *ERROR set.
 */
int text_axis_make(struct binning_axis *axis, struct axis_edges *edges,
                   const struct text_format *format,
                   const struct axis_texts *texts, const char *type,
                   enum binning_closed closed, struct error *error);

/* The same for a field that always has TYPE. */
int text_axis_make_typed(struct binning_axis *axis, struct axis_edges *edges,
                         const struct axis_texts *texts,
                         enum sequence_type type, enum binning_closed closed,
                         struct error *error);

/* The bases of k-mers that may have a bin each: 2^26 of them. */
#define TEXT_AXIS_KMER_MAX 13

/*
 * Make *AXIS that of k-mers of KMER bases.  Their bins are those that occur,
 * which are keys of KMER letters; or all there are, if there are at most
 * MOST_BINS, and they are short enough.
 */
void text_axis_make_kmer(struct binning_axis *axis, unsigned int kmer,
                         uint64_t most_bins);

/*
 * Returns how many bins AXIS has, which has names and is alone in its
 * histogram.  Of k-mers of KMER bases, if that is short, these are all there
 * are, whatever MOST_BINS was.
 */
uint64_t text_axis_bins(const struct binning_axis *axis, unsigned int kmer);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * read_filter.h -- which sequences meet all conditions
 *
 * Conditions are on the fields of whole records, as in sequence_values.h; those
 * on bases are not looked at (element_filter.h).  A length is compared exactly.
 * GC and the mean qualities are doubles, which are rounded: they are compared
 * with the double nearest to the condition's value, so a GC of 1/10 is equal to
 * 0.1.
 */

#ifndef GPUHIST_READ_FILTER_H
#define GPUHIST_READ_FILTER_H

#include "seq/sequence_values.h"
#include "text/condition.h"

struct read_filter {
    const struct text_format *format;
    const struct condition_list *conditions;
    const struct sequence_values *values;
    struct condition_choice
        choice[CONDITIONS_MAX]; /* CHOICES on whole records */
    size_t choices;
    uint64_t mixed; /* bit I: condition I is on whole records, and bases have a
                       condition of the same choice */
    struct condition_matchers matchers;
    bool joins;          /* some condition is on bases or qualities */
    unsigned char *text; /* of modifiers: ROOM bytes, owned */
    size_t room;
};

/*
 * Prepare for CONDITIONS on sequences of FORMAT, whose parts are set.  VALUES
 * must be open for all of them.  All outlive FILTER.  Returns 0, or -1: out of
 * memory.  The caller calls read_filter_close() in both cases.
 */
int read_filter_open(struct read_filter *filter,
                     const struct text_format *format,
                     const struct condition_list *conditions,
                     const struct sequence_values *values);

/* Also of a FILTER that is all 0. */
void read_filter_close(struct read_filter *filter);

/* Whether a condition of LIST is on a part from FIRST to LAST. */
bool read_filter_has(const struct condition_list *list, enum text_part first,
                     enum text_part last);

/*
 * Returns a bit for each condition of FILTER whose field some of the COUNT
 * records has, the first condition's lowest.  FASTA lacks qualities; the fields
 * of alignments need words after the name.
 */
uint64_t read_filter_met(const struct read_filter *filter,
                         const struct sequence_record *record, size_t count);

/*
 * Move the records, of the COUNT records of DATA, that meet all conditions to
 * the start of RECORD, and set HELD of each, unless it is NULL, to a bit for
 * each mixed condition that holds.  Joins records in DATA (sequence_join.h).
 * Returns the number of moved records.  If *RESULT is not REGEX_MATCH then, it
 * is the number of the record whose field takes too many steps or memory.
 */
size_t read_filter_run(struct read_filter *filter, unsigned char *data,
                       struct sequence_record *record, size_t count,
                       uint64_t *held, enum regex_result *result);

#endif

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
    bool joins; /* some condition is on bases or qualities */
};

/*
 * Returns a filter for CONDITIONS on sequences of FORMAT, whose parts are set.
 * VALUES must be open for all of them.  All outlive the filter.
 */
struct read_filter read_filter_of(const struct text_format *format,
                                  const struct condition_list *conditions,
                                  const struct sequence_values *values);

/* Whether a condition of LIST is on a part from FIRST to LAST. */
bool read_filter_has(const struct condition_list *list, enum text_part first,
                     enum text_part last);

/*
 * Returns a bit for each condition of FILTER whose field some of the COUNT
 * records has, the first condition's lowest.  Only FASTA lacks fields.
 */
uint64_t read_filter_met(const struct read_filter *filter,
                         const struct sequence_record *record, size_t count);

/*
 * Move the records, of the COUNT records of DATA, that meet all conditions to
 * the start of RECORD.  Joins records in DATA (sequence_join.h).  Returns the
 * number of moved records.
 */
size_t read_filter_run(const struct read_filter *filter, unsigned char *data,
                       struct sequence_record *record, size_t count);

#endif

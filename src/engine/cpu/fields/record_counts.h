/*
 * record_counts.h -- how often each record of a batch of text counts
 *
 * A record says so itself: `value TAB count`, or what uniq -c prints.
 */

#ifndef GPUHIST_RECORD_COUNTS_H
#define GPUHIST_RECORD_COUNTS_H

#include "engine/cpu/fields/wrong_amount.h"
#include "hist/spec.h"

/*
 * Read the counts of *RECORDS records of SPEC, which has counts: SLICE has its
 * fields, record by record, in the chunk at DATA.  Keeps in SLICE the records
 * whose count is not 0, and sets *RECORDS to their number and COUNT to their
 * counts, the bits of uint64_t.  A field that stands for none is missing then,
 * and a slice has no count before its value.  Returns false if a record is
 * wrong: *WRONG tells the first one.
 */
bool record_counts_read(const struct spec *spec, const unsigned char *data,
                        struct text_slice *slice, size_t *records,
                        int64_t *count, struct wrong_amount *wrong);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * csv_cut.h -- where data of CSV may be cut
 *
 * Data may be cut only after an end outside of quotes.  Whether an end is
 * outside depends on all quotes before, from a record's start on.
 */

#ifndef GPUHIST_CSV_CUT_H
#define GPUHIST_CSV_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/csv_state.h"
#include "text/text_format.h"

/*
 * Returns how many of the SIZE bytes, at most SCAN_BYTES_MAX, belong to records
 * that end among these bytes, ends included.  A record starts at DATA, or, if
 * IS_INSIDE, DATA is inside of quotes.
 */
size_t csv_cut_find(const struct text_format *format, bool is_inside,
                    const unsigned char *data, size_t size);

/*
 * Returns the number of bytes up to the first end of a record, end included; 0:
 * no end is found.  IS_INSIDE is as for csv_cut_find().
 */
size_t csv_cut_first(const struct text_format *format, bool is_inside,
                     const unsigned char *data, size_t size);

/*
 * Move *STATE over the SIZE bytes at DATA, at most SCAN_BYTES_MAX, which may
 * start and end anywhere.
 */
void csv_cut_pass(const struct text_format *format, enum csv_state *state,
                  const unsigned char *data, size_t size);

/*
 * Whether the record at DATA, whose end is not among the SIZE bytes, ends
 * inside of quotes.  If so, sets *AT to the offset of the quote.
 */
bool csv_cut_is_open(const struct text_format *format,
                     const unsigned char *data, size_t size, size_t *at);

#endif

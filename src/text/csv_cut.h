/*
 * csv_cut.h -- where data of CSV may be cut
 *
 * Data may be cut only after an end that is outside of quotes.  Whether it is
 * depends on all quotes before it, from a record's begin on.
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
 * that end among them, with their ends.  A record begins at DATA, or, if
 * IS_INSIDE, DATA is inside of quotes.
 */
size_t csv_cut_find(const struct text_format *format, bool is_inside,
                    const unsigned char *data, size_t size);

/*
 * Returns how many of the SIZE bytes there are up to the first end of a record,
 * with it; 0: there is none.  IS_INSIDE is as for csv_cut_find().
 */
size_t csv_cut_first(const struct text_format *format, bool is_inside,
                     const unsigned char *data, size_t size);

/*
 * Move *STATE from before the SIZE bytes at DATA, at most SCAN_BYTES_MAX, to
 * behind them.  They may begin and end anywhere.
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

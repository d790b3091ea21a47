/* SPDX-License-Identifier: MIT */
/*
 * scan.h -- find the wanted fields of all records of a chunk
 *
 * kernels/text/fields.h and clf.h define fields.  The three forms are portable,
 * AVX2 and AVX-512.  All give the same slices, and none reads a byte outside of
 * the data, whatever the data are.  The forms for JSON are in json_scan.h.
 */

#ifndef GPUHIST_SCAN_H
#define GPUHIST_SCAN_H

#include "text/field_list.h"
#include "text/scan_forms.h"

/*
 * Make a scan for the fields of LIST, which is not used afterwards.  Returns 0,
 * or -1 with *ERROR set; the caller calls scan_close() in both cases.
 */
int scan_open(struct scan *scan, const struct text_format *format,
              const struct field_list *list, struct error *error);

/*
 * Scan the records of DATA from offset *DONE on, where a record starts, until
 * SIZE or until RECORDS_MAX records, at least 1, are found.  SIZE is at most
 * SCAN_BYTES_MAX.  The end of the data ends the last record: so the data are
 * whole records.  Writes scan->wanted slices for each record to SLICE, record
 * by record; TEXT_SLICE_MISSING for a missing field.  Moves *DONE, and adds to
 * *LEDGER.  Returns the number of records.  All data are scanned when *DONE is
 * SIZE; a call may return 0 records if only comments follow.  A line that is
 * not an object of JSON, or does not fit CLF, ends the scan before the line
 * where the format does not count such lines; else its slices are
 * TEXT_SLICE_INVALID.
 */
size_t scan_records(const struct scan *scan, const unsigned char *data,
                    size_t size, size_t *done, struct text_slice *slice,
                    size_t records_max, struct scan_ledger *ledger);

/* The bytes that SCAN may keep in a ledger; 0: none.  Then a call may also stop
   after a piece of the data, so that the text of its records is in a near
   cache.  The data must not change until a call starts at offset 0. */
size_t scan_kept_bytes(const struct scan *scan);

void scan_close(struct scan *scan);

#endif

/* device_rest.h -- the records that a device has left of a chunk */

#ifndef GPUHIST_DEVICE_REST_H
#define GPUHIST_DEVICE_REST_H

#include <stddef.h>

#include "hist/spec.h"
#include "sync/pool.h"
#include "text/scan.h"

/*
 * Set SLICE to the fields of COUNT records of the rest of CHUNK, from record
 * FIRST of it on, record by record.  Adds to the blanks and misfits of LEDGER;
 * the rest is in any order, so its first misfit is the first one of the chunk.
 */
void device_rest_read(const struct spec *spec, const struct chunk *chunk,
                      size_t first, size_t count, struct text_slice *slice,
                      struct scan_ledger *ledger);

#endif

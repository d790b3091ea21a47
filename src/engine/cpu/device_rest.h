/* device_rest.h -- the records that a device has left of a chunk */

#ifndef GPUHIST_DEVICE_REST_H
#define GPUHIST_DEVICE_REST_H

#include <stddef.h>

#include "hist/spec.h"
#include "sync/pool.h"
#include "text/text_slice.h"

/*
 * Set SLICE to the fields of COUNT records of the rest of CHUNK, from record
 * FIRST of it on, record by record.
 */
void device_rest_read(const struct spec *spec, const struct chunk *chunk,
                      size_t first, size_t count, struct text_slice *slice);

#endif

/* zstd_stream.h -- decode the zstd frames of a source with libzstd */

#ifndef GPUHIST_ZSTD_STREAM_H
#define GPUHIST_ZSTD_STREAM_H

#include <stddef.h>
#include <sys/types.h>

#include "budget.h"
#include "source.h"

/*
 * A decoder for SOURCE, which must stay in place.  Its window is reserved
 * from BUDGET before it is allocated.  NULL with SOURCE->error set, always so
 * in a build without libzstd.
 */
struct zstd_stream *zstd_open(struct source *source, struct budget *budget);

/*
 * Decode into BUFFER, as source_read().  Concatenated and skippable frames
 * are one stream; it must end where a frame ends.
 */
ssize_t zstd_read(struct zstd_stream *stream, void *buffer, size_t capacity);

/* Accepts NULL. */
void zstd_close(struct zstd_stream *stream);

#endif

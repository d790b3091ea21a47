/* zstd_stream.h -- decode the zstd frames of a source with libzstd */

#ifndef GPUHIST_ZSTD_STREAM_H
#define GPUHIST_ZSTD_STREAM_H

#include <stddef.h>
#include <sys/types.h>

#include "input/source.h"
#include "sync/budget.h"

/*
 * A decoder for SOURCE, from where it is; SOURCE must stay in place.  It is
 * *SPARE, which becomes NULL, if there is one: a decoder that has not failed,
 * with nothing more to read from its source.  Else it is a new one.  Its
 * window is reserved from BUDGET before it is allocated.  NULL with
 * SOURCE->error set, always so in a build without libzstd.
 */
struct zstd_stream *zstd_open(struct source *source, struct budget *budget,
                              struct zstd_stream **spare);

/*
 * Decode into BUFFER, as source_read().  Concatenated and skippable frames
 * are one stream; it must end where a frame ends.  Pauses at
 * SOURCE->pause_at.
 */
ssize_t zstd_read(struct zstd_stream *stream, void *buffer, size_t capacity);

/* Accepts NULL. */
void zstd_close(struct zstd_stream *stream);

#endif

/* zstd_absent.c -- what a build without libzstd does with zstd data */

#include "input/zstd_stream.h"

struct zstd_stream *
zstd_open(struct source *source, struct budget *budget,
          struct zstd_stream **spare)
{
    (void)budget;
    (void)spare;
    error_set(&source->error, EXIT_DATA,
              "%s: zstd data, but this gpuhist is built without zstd "
              "(--decompress=none counts the compressed bytes)",
              source->display_name);
    return NULL;
}

/* Never called: there is no stream to call it with. */
ssize_t
zstd_read(struct zstd_stream *stream, void *buffer, size_t capacity)
{
    (void)stream;
    (void)buffer;
    (void)capacity;
    return -1;
}

void
zstd_close(struct zstd_stream *stream)
{
    (void)stream;
}

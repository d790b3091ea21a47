/* SPDX-License-Identifier: MIT */
/* spool.c -- text that waits: a little in memory, more in a temporary file */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/spool.h"

#define ROOM_BYTES ((size_t)256 << 10)

/* Move the bytes in the buffer to the file. */
static void
drain(struct writer *writer)
{
    struct spool *spool = writer->context;
    size_t size = (size_t)(writer->at - writer->room);

    writer->at = writer->room;
    if (writer->reason != 0)
        return;
    bool is_open = spool->file.directory != NULL ||
                   scratch_file_open(&spool->file, &spool->failure) == 0;
    if (!is_open || scratch_file_append(&spool->file, writer->room, size,
                                        &spool->failure) < 0)
        writer->reason = EIO; /* FAILURE says why */
}

int
spool_open(struct spool *spool, const char *what, struct error *error)
{
    *spool = (struct spool){.what = what, .room = malloc(ROOM_BYTES)};
    if (spool->room == NULL)
        return error_fail_memory(error);
    writer_open_room(&spool->writer, spool->room, ROOM_BYTES, drain, spool);
    return 0;
}

int
spool_check(const struct spool *spool, struct error *error)
{
    if (!writer_has_failed(&spool->writer))
        return 0;
    error_set(error, spool->failure.status, "%s: %s", spool->what,
              spool->failure.text);
    return -1;
}

int
spool_end(struct spool *spool, struct error *error)
{
    spool->size = (uint64_t)(spool->writer.at - spool->room);
    if (spool->file.directory != NULL) {
        (void)writer_flush(&spool->writer);
        spool->size = spool->file.size;
    }
    return spool_check(spool, error);
}

int
spool_piece(struct spool *spool, uint64_t at, const char **bytes, size_t *size,
            struct error *error)
{
    uint64_t left = spool->size - at;

    assert(at < spool->size);
    *bytes = spool->room;
    if (spool->file.directory == NULL) {
        *bytes += at;
        *size = (size_t)left;
        return 0;
    }
    *size = left < ROOM_BYTES ? (size_t)left : ROOM_BYTES;
    return scratch_file_read(&spool->file, at, spool->room, *size, error);
}

void
spool_close(struct spool *spool)
{
    free(spool->room);
    scratch_file_close(&spool->file);
    error_clear(&spool->failure);
    *spool = (struct spool){0};
}

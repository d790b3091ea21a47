/* waiting_rows.c -- what --per-file prints, until every input has ended well */

#include <errno.h>
#include <stdlib.h>

#include "base/output.h"
#include "cli/waiting_rows.h"

#define ROOM_BYTES ((size_t)256 << 10)

/* Move what is in the buffer to the file. */
static void
drain(struct writer *writer)
{
    struct waiting_rows *rows = writer->context;
    size_t size = (size_t)(writer->at - writer->room);

    writer->at = writer->room;
    if (writer->reason != 0)
        return;
    bool is_open = rows->file.directory != NULL ||
                   scratch_file_open(&rows->file, &rows->failure) == 0;
    if (!is_open || scratch_file_append(&rows->file, writer->room, size,
                                        &rows->failure) < 0)
        writer->reason = EIO; /* FAILURE says why */
}

int
waiting_rows_open(struct waiting_rows *rows, struct error *error)
{
    *rows = (struct waiting_rows){.room = malloc(ROOM_BYTES)};
    if (rows->room == NULL)
        return error_fail_memory(error);
    writer_open_room(&rows->writer, rows->room, ROOM_BYTES, drain, rows);
    return 0;
}

int
waiting_rows_check(struct waiting_rows *rows, struct error *error)
{
    if (!writer_has_failed(&rows->writer))
        return 0;
    error_set(error, rows->failure.status, "rows of --per-file: %s",
              rows->failure.text);
    return -1;
}

int
waiting_rows_copy(struct waiting_rows *rows, int fd, struct error *error)
{
    if (waiting_rows_check(rows, error) < 0)
        return -1;
    if (rows->file.size == 0)
        return output_write(fd, rows->room,
                            (size_t)(rows->writer.at - rows->room));
    (void)writer_flush(&rows->writer);
    if (waiting_rows_check(rows, error) < 0)
        return -1;
    uint64_t size = rows->file.size;
    for (uint64_t at = 0; at < size;) {
        uint64_t left = size - at;
        size_t part = left < ROOM_BYTES ? (size_t)left : ROOM_BYTES;
        if (scratch_file_read(&rows->file, at, rows->room, part, error) < 0 ||
            output_write(fd, rows->room, part) < 0)
            return -1;
        at += part;
    }
    return 0;
}

void
waiting_rows_close(struct waiting_rows *rows)
{
    free(rows->room);
    scratch_file_close(&rows->file);
    error_clear(&rows->failure);
    *rows = (struct waiting_rows){0};
}

/* SPDX-License-Identifier: MIT */
/* align_lines.c -- lines of cells separated by tabs, aligned */

#include <assert.h>
#include <string.h>

#include "report/align_lines.h"

/* Between two columns. */
#define GAP "  "

/* The characters of the SIZE bytes at CELL. */
static size_t
width_of(const char *cell, size_t size)
{
    size_t width = 0;

    for (size_t i = 0; i < size; i++)
        width += ((unsigned char)cell[i] & 0xc0) != 0x80;
    return width;
}

/* The bytes of the cell at CELL, up to a tab or the end of the line. */
static size_t
size_of(const char *cell, const char *end)
{
    const char *at = cell;

    while (at < end && *at != '\t' && *at != '\n')
        at++;
    assert(at < end);
    return (size_t)(at - cell);
}

static void
put_blanks(struct writer *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        writer_put_char(out, ' ');
}

void
align_lines(struct writer *out, const char *lines, size_t size, size_t texts)
{
    size_t most[ALIGN_LINES_CELLS] = {0};
    const char *end = lines + size;
    size_t cell_size;
    size_t column = 0;

    for (const char *cell = lines; cell < end; cell += cell_size + 1) {
        cell_size = size_of(cell, end);
        size_t width = width_of(cell, cell_size);
        assert(column < ALIGN_LINES_CELLS);
        if (most[column] < width)
            most[column] = width;
        column = cell[cell_size] == '\n' ? 0 : column + 1;
    }
    column = 0;
    for (const char *cell = lines; cell < end && !writer_has_failed(out);
         cell += cell_size + 1) {
        cell_size = size_of(cell, end);
        bool is_last = cell[cell_size] == '\n';
        size_t blanks = most[column] - width_of(cell, cell_size);
        put_blanks(out, column < texts ? 0 : blanks);
        writer_put_bytes(out, cell, cell_size);
        put_blanks(out, column < texts && !is_last ? blanks : 0);
        writer_put_text(out, is_last ? "\n" : GAP);
        column = is_last ? 0 : column + 1;
    }
}

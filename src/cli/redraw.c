/* SPDX-License-Identifier: MIT */
/* redraw.c -- a text on a terminal that replaces the one before it */

#include <string.h>
#include <wchar.h>

#include "cli/redraw.h"

/* ECMA-48: up N rows, and erase the row, or the rest of the screen. */
#define UP "\033[%zuA"
#define ERASE_ROW "\033[2K"
#define ERASE_REST "\033[J"
/* Terminals that know mode 2026 show what is between these at once. */
#define HOLD "\033[?2026h"
#define SHOW "\033[?2026l"

#define TAB_STOP 8

/* Returns the column after CHARACTER at COLUMN of a row of COLUMNS. */
static size_t
column_after(wchar_t character, size_t column, size_t columns)
{
    int width = wcwidth(character);

    if (character == L'\t') {
        column += TAB_STOP - column % TAB_STOP;
        return column < columns ? column : columns - 1;
    }
    return width > 0 ? column + (size_t)width : column;
}

/* Returns how many more rows than one the LENGTH bytes at LINE take on a
   terminal of COLUMNS. */
static size_t
count_wraps(const char *line, size_t length, size_t columns)
{
    mbstate_t state = {0};
    size_t wraps = 0;
    size_t column = 0;

    for (const char *end = line + length; line < end;) {
        wchar_t wide = L'?';
        size_t bytes = mbrtowc(&wide, line, (size_t)(end - line), &state);
        if (*line == '\033') { /* a colour */
            bytes = strcspn(line, "m");
        } else if (bytes == 0 || bytes > (size_t)(end - line)) {
            state = (mbstate_t){0};
            bytes = 1;
        }
        column = *line == '\033' ? column : column_after(wide, column, columns);
        if (column > columns) {
            wraps++;
            column -= columns;
        }
        line += bytes + (*line == '\033');
    }
    return wraps;
}

/* Returns the rows of TEXT on a terminal of COLUMNS, and adds those in which a
   line goes on to *WRAPS. */
static size_t
count_rows(const char *text, size_t columns, size_t *wraps)
{
    size_t lines = 0;

    for (; *text != '\0'; lines++) {
        size_t length = strcspn(text, "\n");
        *wraps += count_wraps(text, length, columns);
        text += length + (text[length] == '\n');
    }
    return lines + *wraps;
}

/* A tab erases nothing, so each row is erased before; or all are, if lines take
   several rows. */
static void
put_over(FILE *out, size_t rows, const char *text, bool has_wraps)
{
    fprintf(out, HOLD UP "\r%s", rows, has_wraps ? ERASE_REST : "");
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(out, ERASE_ROW "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
    fputs(ERASE_REST SHOW, out);
}

void
redraw_put(struct redraw *redraw, FILE *out, const struct terminal *terminal,
           const char *text)
{
    unsigned int intrusions =
        redraw->intrusions != NULL ? atomic_load(redraw->intrusions) : 0;
    bool is_there = redraw->rows > 0 && redraw->rows < terminal->rows &&
                    redraw->columns == terminal->columns &&
                    redraw->intrusions_then == intrusions;

    size_t wraps = 0;
    size_t rows = count_rows(text, terminal->columns, &wraps);

    if (is_there)
        put_over(out, redraw->rows, text, wraps > 0);
    else
        fputs(text, out);
    redraw->rows = rows;
    redraw->columns = terminal->columns;
    redraw->intrusions_then = intrusions;
}

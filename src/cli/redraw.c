/* redraw.c -- a text on a terminal that replaces the one before it */

#include <string.h>

#include "cli/redraw.h"

/* ECMA-48: up N rows, and erase to the end of the row, or of the screen. */
#define UP "\033[%zuA"
#define ERASE_ROW "\033[K"
#define ERASE_REST "\033[J"
/* Terminals that know mode 2026 show what is between these at once. */
#define HOLD "\033[?2026h"
#define SHOW "\033[?2026l"

static size_t
count_rows(const char *text)
{
    size_t rows = 0;

    for (const char *end = text; (end = strchr(end, '\n')) != NULL; end++)
        rows++;
    return rows;
}

static void
put_over(FILE *out, size_t rows, const char *text)
{
    fprintf(out, HOLD UP "\r", rows);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%.*s" ERASE_ROW "\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
    fputs(ERASE_REST SHOW, out);
}

void
redraw_put(struct redraw *redraw, FILE *out, const struct terminal *terminal,
           const char *text)
{
    unsigned int stops = redraw->stops != NULL ? atomic_load(redraw->stops) : 0;
    bool is_there = redraw->rows > 0 && redraw->rows < terminal->rows &&
                    redraw->columns == terminal->columns &&
                    redraw->stops_then == stops;

    if (is_there)
        put_over(out, redraw->rows, text);
    else
        fputs(text, out);
    redraw->rows = count_rows(text);
    redraw->columns = terminal->columns;
    redraw->stops_then = stops;
}

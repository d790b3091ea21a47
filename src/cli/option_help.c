/* option_help.c -- the text of --help */

#include <string.h>

#include "cli/option_help.h"
#include "cli/option_table.h"

/* The column, from 0, in which the descriptions of options start. */
#define TEXT_COLUMN 26
#define COLUMNS_MAX 79

static const char *const introduction =
    "Usage: gpuhist [OPTION]... [FILE]...\n"
    "Count how often each value occurs in the FILEs.  Print one line for each\n"
    "value: the value, a tab, the count; or for each bin: both edges, the\n"
    "count.  Without options, the values are bytes.\n"
    "\n"
    "Without FILE, or if FILE is -, read standard input.  The counts of\n"
    "several inputs are added up.\n";

static const char *const conclusion =
    "\n"
    "SIZE is a number of bytes with an optional unit: k M G T are powers of\n"
    "1000, Ki Mi Gi Ti of 1024; a B may follow.  Examples: 1e6, 1.5GiB,\n"
    "0x1000.\n"
    "The N of --bins and --top takes the same units.\n"
    "\n"
    "Exit status: 0 everything is counted and printed, 1 bad input or output,\n"
    "2 wrong usage, 3 the requested device is not usable.\n";

/* Print "  -f, --fields=LIST".  Returns the number of characters printed. */
static size_t
put_names(FILE *out, const struct option_row *row)
{
    int length;

    if (row->letter != '\0')
        length = fprintf(out, "  -%c, --%s", row->letter, row->name);
    else
        length = fprintf(out, "      --%s", row->name);
    if (row->argument != NULL)
        length +=
            fprintf(out, row->is_optional ? "[=%s]" : "=%s", row->argument);
    return length > 0 ? (size_t)length : 0;
}

/* Print TEXT, wrapped, on a line that already has COLUMN characters.  A line
   feed in TEXT is a blank. */
static void
put_text(FILE *out, size_t column, const char *text)
{
    /* A long name has a line of its own. */
    if (column >= TEXT_COLUMN) {
        putc('\n', out);
        column = 0;
    }
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        size_t gap = column < TEXT_COLUMN ? TEXT_COLUMN - column : 1;

        if (column + gap + length > COLUMNS_MAX) {
            putc('\n', out);
            column = 0;
            gap = TEXT_COLUMN;
        }
        fprintf(out, "%*s%.*s", (int)gap, "", (int)length, text);
        column += gap + length;
        text += length + (text[length] != '\0');
    }
    putc('\n', out);
}

static void
put_row(FILE *out, const struct option_row *row)
{
    const char *place = strstr(row->help, "%w");
    char words[OPTION_LIST_BYTES];
    char text[2 * OPTION_LIST_BYTES];

    if (place == NULL) {
        snprintf(text, sizeof text, "%s", row->help);
    } else {
        option_row_list_words(row, words);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(place - row->help),
                 row->help, words, place + 2);
    }
    put_text(out, put_names(out, row), text);
}

void
option_help_put(FILE *out)
{
    fputs(introduction, out);
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].heading != NULL)
            fprintf(out, "\n%s:\n", option_table[i].heading);
        put_row(out, &option_table[i]);
    }
    fputs(conclusion, out);
}

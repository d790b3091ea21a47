/* SPDX-License-Identifier: MIT */
/* help.c -- what -h and --help print */

#include <string.h>

#include "base/word_list.h"
#include "cli/help.h"
#include "cli/help_topics.h"
#include "cli/option_table.h"

/* The column, from 0, in which the descriptions of options start. */
#define TEXT_COLUMN 26
#define COLUMNS_MAX 79

/* ---- -h ---- */

static const char *const usage =
    "Usage: gpuhist [OPTION]... [FILE]...\n"
    "Count how often each value occurs in the FILEs, or in standard input.\n"
    "\n"
    "  gpuhist big.bin                         bytes\n"
    "  gpuhist --dtype=f4 -b20 --plot=only x   floats "
    "in round bins, as a picture\n"
    "  gpuhist -l --top=10 FILE                the most frequent lines\n"
    "  gpuhist -W -f1 --top=10 FILE            the "
    "first field between blanks\n"
    "  gpuhist --clf -f status logs/*.gz       a field of a web server's log\n"
    "  gpuhist --csv -g city -f price --columns=count,mean,p99 FILE\n"
    "                                          figures for each city\n"
    "  gpuhist --csv --profile --format=table FILE\n"
    "                                          all columns at a glance\n"
    "  gpuhist --jsonl -f user.id FILE         a member of objects of JSON\n"
    "  gpuhist --seq -g position -f quality --columns=mean FILE\n"
    "                                          reads of FASTQ\n"
    "  gpuhist --members -l logs.tar.zst       the "
    "lines of files in an archive\n"
    "\n"
    "What to count (bytes, if nothing else is asked for):\n"
    "  --dtype=TYPE, --record=TYPE,...  numbers: u1 "
    "i2 u4 i8 f4 f8 and others\n"
    "  --npy, --safetensors, --image    arrays and pictures\n"
    "  -l, --words                      lines; words\n"
    "  -d C, --tsv, --csv, -W           fields: "
    "between C, tabs, commas, blanks;\n"
    "                                   -H: the first line has names\n"
    "  --clf, --log-format='$status \"$request\" rt=$rt', "
    "--jsonl, --logfmt,\n"
    "  --regex=RE                       fields of logs, by name\n"
    "  --seq, --kmers=K [--canonical]   FASTA, FASTQ, BAM and SAM\n"
    "  -f LIST, -g LIST                 which fields; "
    "for each value of these\n"
    "  -f time:hour, time:floor=10min, path:ext, ...  parts of fields\n"
    "  --where='status>=500&&path=~^/a' only such "
    "records; || is or; 6=x: the sixth\n"
    "  -b N, --bin-width=W, --range=LO,HI, --edges=A,B,C, --log[=10]  bins\n"
    "What to print:\n"
    "  --top=N, --nonzero, --sort=count, p99, "
    "--percent[=group], --per-file, --pivot\n"
    "  --columns=count,sum,mean,p99,n50,entropy,...  "
    "figures instead of counts;\n"
    "      of several fields: price:mean,quantity:sum; "
    "--header-out has the names\n"
    "  --format=tsv, csv, md, table, json, jsonl, prom, npy, ...; -o FILE\n"
    "  --plot=only, --svg=FILE          pictures\n"
    "  --state=FILE, later --merge      counts that add up\n"
    "\n"
    "More: --help, all options; --help=TOPIC of text, "
    "logs, bins, figures, seq,\n"
    "archives, output, gpu, state; man gpuhist; the "
    "cookbook, with 100 recipes.\n";

void
help_put_usage(FILE *out)
{
    fputs(usage, out);
}

/* ---- options ---- */

/* Print "  -f, --fields=LIST", or "KEY=VALUE" of a key.  Returns the number of
   characters printed. */
static size_t
put_names(FILE *out, const struct option_row *row)
{
    int length;

    if (row->is_key)
        length = fprintf(out, "      %s", row->name);
    else if (row->letter != '\0')
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

/* ---- --help ---- */

static const char *const introduction =
    "Usage: gpuhist [OPTION]... [FILE]...\n"
    "Count how often each value occurs in the FILEs.  "
    "Print one line for each\n"
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
    "Exit status: 0 everything is counted and "
    "printed, 1 bad input or output,\n"
    "2 wrong usage, 3 the requested device is not usable.\n";

static void
put_all(FILE *out)
{
    fputs(introduction, out);
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].heading != NULL)
            fprintf(out, "\n%s:\n", option_table[i].heading);
        if (!option_table[i].is_key)
            put_row(out, &option_table[i]);
    }
    fputs(conclusion, out);
}

/* ---- topics ---- */

/* Print the keys of --tune. */
static void
put_keys(FILE *out)
{
    fputs("\nKeys of --tune:\n\n", out);
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].is_key)
            put_row(out, &option_table[i]);
    }
}

static void
put_topic(FILE *out, const struct help_topic *topic)
{
    fprintf(out, "%s:\n\n%s\n", topic->title, topic->examples);
    for (size_t i = 0; i < option_count; i++) {
        const char *name = option_table[i].name;
        if (word_list_has(topic->options, name, strlen(name)))
            put_row(out, &option_table[i]);
    }
    if (word_list_has(topic->options, "tune", strlen("tune")))
        put_keys(out);
    fprintf(out, "\nMore: %s; --help has all options.\n", topic->page);
}

void
help_put(FILE *out, unsigned int topic)
{
    if (topic == 0) {
        put_all(out);
        return;
    }
    size_t i = topic - 1;
    while (help_topics[i].title == NULL)
        i--;
    put_topic(out, &help_topics[i]);
}

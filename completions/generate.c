/* SPDX-License-Identifier: MIT */
/*
 * generate.c -- the parts of completions that come from the table of options
 *
 *     generate bash|zsh|fish <SCRIPT >NEW
 *
 * Copies a script.  What is between the lines with BEGIN and END is replaced
 * by what src/cli/option_table.c says.  `make completions` does that to all
 * three; tests/cli/completions.sh fails when it has been forgotten.
 */

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_find.h"
#include "cli/option_set.h"

#define LINE_BYTES 4096
#define COLUMNS_MAX 79

static const char *
brief_of(const struct option_row *row)
{
    return row->brief != NULL ? row->brief : row->help;
}

/* The option after ROW that completions show; as option_find_next(). */
static const struct option_row *
next_shown(const struct option_row *row)
{
    do
        row = option_find_next(row);
    while (row != NULL && row->is_key);
    return row;
}

static bool
has_words(const struct option_row *row)
{
    const char *remark;

    return option_row_word(row, 0, &remark) != NULL;
}

/* Print the words of ROW with a space between them. */
static void
put_words(const struct option_row *row)
{
    const char *remark;
    const char *word;

    for (size_t i = 0; (word = option_row_word(row, i, &remark)) != NULL; i++)
        printf("%s%s", i > 0 ? " " : "", word);
}

/* ---- bash ---- */

/* Print TEXT after a space, or on a new line; COLUMN is where it ends. */
static void
put_wrapped(const char *text, size_t *column)
{
    if (*column + 1 + strlen(text) > COLUMNS_MAX) {
        printf("\n       ");
        *column = 7;
    }
    printf(" %s", text);
    *column += 1 + strlen(text);
}

/*
 * Begin a list: the names of options behind which something is.  Those with a
 * letter are there once more, with it.
 */
static void
put_list(const char *name, bool (*is_in)(const struct option_row *row))
{
    size_t column = COLUMNS_MAX;
    char text[64];

    printf("    local %s='", name);
    for (const struct option_row *row = next_shown(NULL); row != NULL;
         row = next_shown(row)) {
        if (!is_in(row))
            continue;
        snprintf(text, sizeof text, "--%s", row->name);
        put_wrapped(text, &column);
        if (row->letter == '\0')
            continue;
        snprintf(text, sizeof text, "-%c", row->letter);
        put_wrapped(text, &column);
    }
    printf("\n        '\n");
}

static bool
is_optional(const struct option_row *row)
{
    return row->is_optional;
}

/* An argument for which there is nothing to offer. */
static bool
is_free(const struct option_row *row)
{
    return row->argument != NULL && !has_words(row) &&
           row->completion == OPTION_COMPLETE_NONE;
}

static bool
is_at_file(const struct option_row *row)
{
    return row->completion == OPTION_COMPLETE_AT_FILE;
}

static void
put_bash(void)
{
    size_t column = COLUMNS_MAX;
    char text[64];

    /* What may have a value and may not is there twice. */
    printf("    local options='");
    for (const struct option_row *row = next_shown(NULL); row != NULL;
         row = next_shown(row)) {
        snprintf(text, sizeof text, "--%s", row->name);
        if (row->argument == NULL || row->is_optional)
            put_wrapped(text, &column);
        strcat(text, "=");
        if (row->argument != NULL)
            put_wrapped(text, &column);
    }
    printf("\n        '\n");
    put_list("optional", is_optional);
    put_list("free", is_free);
    put_list("at_file", is_at_file);
    printf("    local -A words_of=(\n");
    for (const struct option_row *row = next_shown(NULL); row != NULL;
         row = next_shown(row)) {
        if (!has_words(row))
            continue;
        printf("        [--%s]='", row->name);
        put_words(row);
        printf("'\n");
    }
    printf("    )\n");
}

/* ---- zsh ---- */

/* Print TEXT where a colon or a bracket would mean something. */
static void
put_escaped(const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr(":[]\\", *text) != NULL)
            putchar('\\');
        putchar(*text);
    }
}

/* Print "[brief]". */
static void
put_zsh_brief(const struct option_row *row)
{
    putchar('[');
    put_escaped(brief_of(row));
    putchar(']');
}

/* Print what begins an option: what it excludes, or that it may be repeated. */
static void
put_zsh_names(const struct option_row *row)
{
    const char *joined = row->argument == NULL ? ""
                         : row->is_optional    ? "=-"
                                               : "=";
    bool is_repeated = row->set == option_set_axis;
    bool is_last = row->set == option_set_constant && row->letter != '\0';

    if (row->letter == '\0') {
        printf("'%s--%s%s", is_repeated ? "*" : "", row->name, joined);
        return;
    }
    if (is_repeated)
        printf("'*'");
    else if (is_last)
        printf("'(- *)'");
    else
        printf("'(-%c --%s)'", row->letter, row->name);
    if (row->is_optional) { /* the letter takes no argument */
        printf("'-%c", row->letter);
        put_zsh_brief(row);
        printf("'\n    '(-%c --%s)--%s%s", row->letter, row->name, row->name,
               joined);
        return;
    }
    printf("{-%c%s,--%s%s}'", row->letter, row->argument != NULL ? "+" : "",
           row->name, joined);
}

static void
put_zsh(void)
{
    for (const struct option_row *row = next_shown(NULL); row != NULL;
         row = next_shown(row)) {
        printf("    ");
        put_zsh_names(row);
        put_zsh_brief(row);
        if (row->argument != NULL) {
            printf(row->is_optional ? "::" : ":");
            put_escaped(row->argument);
            putchar(':');
        }
        if (has_words(row)) {
            putchar('(');
            put_words(row);
            putchar(')');
        } else if (row->completion == OPTION_COMPLETE_FILE) {
            printf("_files");
        } else if (row->completion == OPTION_COMPLETE_AT_FILE) {
            printf("_gpuhist_at_file");
        }
        printf("'\n");
    }
}

/* ---- fish ---- */

static void
put_fish(void)
{
    for (const struct option_row *row = next_shown(NULL); row != NULL;
         row = next_shown(row)) {
        const char *brief = brief_of(row);
        printf("complete -c gpuhist");
        if (row->letter != '\0')
            printf(" -s %c", row->letter);
        if (row->letter != '\0' && row->is_optional)
            printf(" -d '%c%s'\ncomplete -c gpuhist",
                   toupper((unsigned char)*brief), brief + 1);
        printf(" -l %s", row->name);
        if (row->is_optional)
            printf(" -f");
        else if (row->argument != NULL)
            printf(row->completion == OPTION_COMPLETE_NONE ? " -x" : " -r");
        if (has_words(row)) {
            printf(" -a '");
            put_words(row);
            putchar('\'');
        }
        printf(" -d '%c%s'\n", toupper((unsigned char)*brief), brief + 1);
    }
}

/* ---- scripts ---- */

static bool
is_marked(const char *line, const char *mark)
{
    line += strspn(line, " ");
    return strncmp(line, "# ", 2) == 0 &&
           strncmp(line + 2, mark, strlen(mark)) == 0;
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*put)(void);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    char line[LINE_BYTES];
    void (*put)(void) = NULL;
    bool is_replaced = false;

    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (argc == 2 && strcmp(argv[1], shells[i].name) == 0)
            put = shells[i].put;
    }
    if (put == NULL) {
        fputs("usage: generate bash|zsh|fish <SCRIPT >NEW\n", stderr);
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (is_marked(line, "END"))
            is_replaced = false;
        if (!is_replaced)
            fputs(line, stdout);
        if (is_marked(line, "BEGIN")) {
            is_replaced = true;
            put();
        }
    }
    return ferror(stdin) || fflush(stdout) != 0 || is_replaced;
}

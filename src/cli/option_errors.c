/* option_errors.c -- messages about unknown options */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/near_names.h"
#include "cli/option_errors.h"
#include "cli/option_find.h"
#include "cli/option_foreign.h"

/* The option most similar to the LENGTH letters of NAME; NULL if none is. */
static const char *
find_near(const char *name, size_t length)
{
    /* One letter in three may be wrong, as in rustc. */
    size_t nearest = (length < 3 ? 3 : length) / 3 + 1;
    const char *near = NULL;

    for (const struct option_row *row = option_find_next(NULL); row != NULL;
         row = option_find_next(row)) {
        size_t distance = spelling_distance(name, length, row->name);
        if (distance < nearest && distance < length) {
            nearest = distance;
            near = row->name;
        }
    }
    return near;
}

/* List the options that start with the LENGTH letters of NAME. */
static void
list_beginning(const char *name, size_t length, char list[OPTION_LIST_BYTES])
{
    list[0] = '\0';
    for (const struct option_row *row = option_find_next(NULL); row != NULL;
         row = option_find_next(row)) {
        size_t used = strlen(list);
        if (strncmp(row->name, name, length) == 0)
            snprintf(list + used, OPTION_LIST_BYTES - used, "%s--%s",
                     used > 0 ? ", " : "", row->name);
    }
}

/*
 * Set *ERROR: there is no option WORD, which is "--name", "--name=value" or
 * letters after one "-".  The message shows the first SHOWN characters of TEXT
 * and HERE, the answer of option_foreign.h; if HERE is NULL, a similar option.
 */
static void
set_unknown(const char *word, const char *text, size_t shown, const char *here,
            struct error *error)
{
    const char *name = word + strspn(word, "-");
    const char *near = find_near(name, strcspn(name, "="));

    if (here != NULL)
        error_set(error, EXIT_USAGE, "unknown option '%.*s' (here: %s)",
                  (int)shown, text, here);
    else if (near != NULL)
        error_set(error, EXIT_USAGE,
                  "unknown option '%.*s' (did you mean --%s?)", (int)shown,
                  text, near);
    else
        error_set(error, EXIT_USAGE, "unknown option '%.*s' (try --help)",
                  (int)shown, text);
}

void
option_errors_set_name(const char *word, struct error *error)
{
    char list[OPTION_LIST_BYTES];
    size_t length = strcspn(word + 2, "=");
    const char *here = option_foreign_name(word + 2, length);

    list_beginning(word + 2, length, list);
    if (length == 0)
        error_set(error, EXIT_USAGE, "'%s' is not an option (try --help)",
                  word);
    else if (here == NULL && list[0] != '\0')
        error_set(error, EXIT_USAGE, "option '%.*s' is ambiguous: %s",
                  (int)length + 2, word, list);
    else
        set_unknown(word, word, length + 2, here, error);
}

void
option_errors_set_letter(char letter, const char *word, struct error *error)
{
    const char shown[] = {'-', letter};
    const char *name = word + 1;
    /* "-top=3" is a word with one "-" too few. */
    bool is_word = find_near(name, strcspn(name, "=")) != NULL;

    set_unknown(word, shown, sizeof shown,
                is_word ? NULL : option_foreign_letter(letter), error);
}

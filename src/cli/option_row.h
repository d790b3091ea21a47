/* option_row.h -- what describes one option */

#ifndef GPUHIST_OPTION_ROW_H
#define GPUHIST_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "util/error.h"

/* What shells offer for an argument, beside its words. */
enum option_completion {
    OPTION_COMPLETE_NONE,
    OPTION_COMPLETE_FILE,
    OPTION_COMPLETE_AT_FILE, /* a file behind an @ */
};

/* Where in struct options the argument is kept. */
struct option_field {
    size_t offset;
    size_t bytes;
};

/*
 * What an option goes with.  NEEDS and EXCLUDES are terms with a space between
 * them: a term is "name", that option is given, or "name=word", its argument is
 * that word, given or by default.
 */
struct option_rule {
    const char *when;     /* only with this word; NULL: always */
    const char *needs;    /* one of these at least; NULL: nothing */
    const char *excludes; /* all of these; NULL: nothing */
    const char *message;  /* if the rule is broken; NULL: the usual one */
};

/* What of a report the option is about. */
struct option_use {
    unsigned int feature; /* enum report_feature; 0: nothing */
    const char *when;     /* only with this word; NULL: always */
};

struct option_row {
    const char *heading;  /* of --help, above this row; NULL: none */
    const char *name;     /* without the "--" */
    char letter;          /* 0: none */
    bool is_optional;     /* the argument may be left out */
    const char *argument; /* its name; NULL: there is none */

    /*
     * For --help: a line feed begins a new line; "%w" is the list of words.
     * And in a few words, for shells; NULL: the same.
     */
    const char *help;
    const char *brief;

    /*
     * The words that the argument may be, or some of what it may be; NULL
     * behind the last.  Or a function that returns word I, or NULL behind the
     * last, and sets *REMARK on it, or leaves it.  Or neither.
     */
    const char *const *words;
    const char *(*word_at)(size_t i, const char **remark);
    enum option_completion completion;

    /*
     * Apply the option to OPTIONS; VALUE is the argument, into argv, or NULL.
     * Returns 0, or -1 with *ERROR set.
     */
    int (*set)(const struct option_row *row, struct options *options,
               const char *value, struct error *error);
    struct option_field field;
    unsigned int first;  /* a word: the enumerator of the first one */
    unsigned int absent; /* a word: the enumerator if there is no argument */
    uint64_t least;      /* a size: between these ... */
    uint64_t most;       /* ... or from LEAST on, if this is 0 */
    const char *wanted;  /* for messages: what the argument must be */

    struct option_rule rule[2];
    struct option_use use[2];
};

/* Room for a list of words or options, and its end. */
#define OPTION_LIST_BYTES 512

/* Word I of ROW, or NULL behind the last; *REMARK on it, or NULL. */
const char *option_row_word(const struct option_row *row, size_t i,
                            const char **remark);

/* Which word of ROW the LENGTH bytes at TEXT are; or -1. */
int option_row_find_word(const struct option_row *row, const char *text,
                         size_t length);

/* Set TEXT to "a, b or c", the words of ROW; with or without the remarks. */
void option_row_list_words(const struct option_row *row, bool has_remarks,
                           char text[OPTION_LIST_BYTES]);

/* The enumerator in the field of ROW, which has words or is a constant. */
unsigned int option_row_enumerator(const struct option_row *row,
                                   const struct options *options);

#endif

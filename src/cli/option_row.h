/* SPDX-License-Identifier: MIT */
/* option_row.h -- the description of one option */

#ifndef GPUHIST_OPTION_ROW_H
#define GPUHIST_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/options.h"

/* The completions that shells offer for an argument, besides its words. */
enum option_completion {
    OPTION_COMPLETE_NONE,
    OPTION_COMPLETE_FILE,
    OPTION_COMPLETE_AT_FILE, /* "@" and a file */
};

/* The member of struct options that keeps the argument. */
struct option_field {
    size_t offset;
    size_t bytes;
};

/*
 * A rule for combinations.  NEEDS and EXCLUDES are terms separated by spaces.
 * The term "name" is true if the option is given.  The term "name=word" is true
 * if the option's value is the word, given or by default.
 */
struct option_rule {
    const char *when;     /* the rule applies with this word; NULL: always */
    const char *needs;    /* at least one must be true; NULL: no condition */
    const char *excludes; /* none may be true; NULL: no condition */
    const char *message;  /* if the rule is broken; NULL: the default one */
};

/* The feature of a report that an option asks for. */
struct option_use {
    unsigned int feature; /* enum report_feature; 0: none */
    const char *when;     /* only with this word; NULL: always */
};

struct option_row {
    const char *heading;  /* printed above this row in --help; NULL: none */
    const char *name;     /* without the "--" */
    bool is_counting;     /* decides on the counts: states record the
                             option */
    bool is_key;          /* a key of --tune, which is before its keys; the
                             option of this name works, but --help and
                             completions do not show it */
    bool is_new;          /* since 0.2: abbreviations of an older option mean
                             that option */
    char letter;          /* 0: none */
    bool is_optional;     /* the argument may be left out; the letter takes
                             none */
    const char *argument; /* its name in --help; NULL: no argument */

    /*
     * The text in --help.  A line feed starts a new line; "%w" stands for the
     * list of words.
     */
    const char *help;
    const char *brief; /* a short text, for shells; NULL: the same as HELP */

    /*
     * The words for the argument; NULL after the last.  The option may accept
     * other arguments, too.  Instead of WORDS, WORD_AT returns word I, or NULL
     * after the last, and may set *REMARK to a remark on the word.  Both are
     * NULL if there are no words.
     */
    const char *const *words;
    const char *(*word_at)(size_t i, const char **remark);
    enum option_completion completion;

    /*
     * Apply the option to OPTIONS.  VALUE, which points into argv, is the
     * argument; NULL if there is none.  Returns 0, or -1 with *ERROR set.
     */
    int (*set)(const struct option_row *row, struct options *options,
               const char *value, struct error *error);
    struct option_field field;
    unsigned int first;  /* words: the enumerator of the first word */
    unsigned int absent; /* words: the enumerator without an argument */
    uint64_t least;      /* numbers: the smallest valid one */
    uint64_t most;       /* numbers: the largest valid one; 0: no limit */
    const char *wanted;  /* for messages: a description of valid arguments */

    struct option_rule rule[4];
    struct option_use use[3];
};

/* Enough bytes for a list of words or options, with the NUL. */
#define OPTION_LIST_BYTES 512

/*
 * Word I of ROW, or NULL after the last.  Sets *REMARK to a remark on the word,
 * or to NULL.
 */
const char *option_row_word(const struct option_row *row, size_t i,
                            const char **remark);

/* The index of the word of ROW that is the LENGTH bytes at TEXT; -1: none. */
int option_row_find_word(const struct option_row *row, const char *text,
                         size_t length);

/* Write "a, b (remark) or c" to TEXT: the words of ROW and their remarks. */
void option_row_list_words(const struct option_row *row,
                           char text[OPTION_LIST_BYTES]);

/* Returns what is before the name of ROW in messages: "--", or "--tune=". */
const char *option_row_dashes(const struct option_row *row);

/* The enumerator in the field of ROW, which has words or sets a constant. */
unsigned int option_row_enumerator(const struct option_row *row,
                                   const struct options *options);

#endif

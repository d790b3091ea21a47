/* SPDX-License-Identifier: MIT */
/*
 * regex.h -- regular expressions of PCRE2, whose library is loaded when used
 *
 * The text is bytes, not UTF-8: no byte is invalid, and '.' is one byte.
 * Capitals are ASCII.  A match is the match that PCRE2 finds first, as that of
 * Perl, Python and grep -P.
 *
 * The interpreter and the compiled code of PCRE2 count their steps differently.
 * So which text needs too many steps depends on the build; a match does not.
 */

#ifndef GPUHIST_REGEX_H
#define GPUHIST_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* An expression, which threads may share. */
struct regex;

/* An expression and the places of its last match, of one thread. */
struct regex_matcher;

enum regex_result {
    REGEX_MATCH,
    REGEX_NO_MATCH,
    REGEX_LIMIT, /* the text needs too many steps */
    REGEX_NO_MEMORY,
};

/* A place without a text: the group is not part of the match. */
#define REGEX_UNSET ((size_t)-1)

/*
 * Compile EXPRESSION, the argument of OPTION.  Returns NULL with *ERROR set:
 * the expression is wrong, or the library is missing.  The caller calls
 * regex_free().
 */
struct regex *regex_new(const char *option, const char *expression,
                        struct error *error);

void regex_free(struct regex *regex);

/* Returns how many groups there are beside the whole match. */
size_t regex_groups(const struct regex *regex);

/* Returns the number of the group that the LENGTH bytes at NAME name; 0: none
   has this name.  A name for several groups is that of the first one. */
size_t regex_group(const struct regex *regex, const char *name, size_t length);

/* Returns how many names the groups have. */
size_t regex_names(const struct regex *regex);

/* Returns name I of regex_names(), in alphabetical order; valid as long as
   REGEX. */
const char *regex_name(const struct regex *regex, size_t i);

/* Returns the byte that each match has, or -1: none is known. */
int regex_needed_byte(const struct regex *regex);

/* Returns NULL: out of memory.  REGEX outlives the matcher. */
struct regex_matcher *regex_matcher_new(const struct regex *regex);

void regex_matcher_free(struct regex_matcher *matcher);

/*
 * Find the first match from FROM on in the SIZE bytes at TEXT, which start a
 * line and end it: ^ and \b see the bytes before FROM.
 */
enum regex_result regex_match(struct regex_matcher *matcher,
                              const unsigned char *text, size_t size,
                              size_t from);

/*
 * After REGEX_MATCH: the offsets where group I, 0 for the whole match, starts
 * (2 * I) and ends (2 * I + 1), or REGEX_UNSET twice.  Valid until the next
 * match.
 */
const size_t *regex_places(const struct regex_matcher *matcher);

/* Print one line for --version: the library, which is loaded, or why it is
   missing. */
void regex_put(FILE *out);

#endif

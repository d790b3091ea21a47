/* SPDX-License-Identifier: MIT */
/* near_names.h -- existing names, for a message about an unknown name */

#ifndef GPUHIST_NEAR_NAMES_H
#define GPUHIST_NEAR_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/visible.h"

/* The most names that a message lists. */
#define NEAR_NAMES_MAX 24

/* Room for them with quotes and commas, and for " and N more" and a NUL. */
#define NEAR_NAMES_BYTES (NEAR_NAMES_MAX * (VISIBLE_BYTES + 4) + 40)

/* The names that exist. */
struct near_names {
    /* Returns name I of CONTEXT and sets *SIZE to its bytes. */
    const void *(*name_at)(const void *context, size_t i, size_t *size);
    const void *context;
    size_t count;
    /* The quotes around each name in the list: "'" or "". */
    const char *quote;
};

/* For names that are strings: CONTEXT is an array of them, const char *const *.
 */
const void *near_names_string(const void *context, size_t i, size_t *size);

/*
 * Write up to NEAR_NAMES_MAX of NAMES, each in the form of visible_name(), and
 * the number of further names to TEXT.  Names that resemble the SIZE bytes at
 * WANTED come first, the nearest name at the start.  Two names resemble each
 * other if at most a third of the letters differ, or if one contains the other.
 * Capitals, and blanks and quotes around a name, do not count.  All other names
 * keep their order.  Returns TEXT.
 */
const char *near_names_list(const struct near_names *names, const void *wanted,
                            size_t size, char text[NEAR_NAMES_BYTES]);

/* ---- spelling ---- */

/* The most letters that spelling_distance() compares. */
#define SPELLING_LENGTH_MAX 31

/*
 * The "optimal string alignment" distance between the first LENGTH letters of A
 * and B: the smallest number of edits from A to B.  An edit inserts, deletes or
 * replaces a letter, or swaps two adjacent letters; no letter is edited twice.
 * Returns SIZE_MAX if a word is longer than SPELLING_LENGTH_MAX.
 *
 * (R. A. Wagner and M. J. Fischer, The String-to-String Correction Problem,
 * J. ACM 21, 1974; swaps: F. J. Damerau, Commun. ACM 7, 1964.)
 */
size_t spelling_distance(const char *a, size_t length, const char *b);

#endif

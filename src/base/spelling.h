/* spelling.h -- the edit distance between two words */

#ifndef GPUHIST_SPELLING_H
#define GPUHIST_SPELLING_H

#include <stddef.h>

/* The most letters that spelling_distance() compares. */
#define SPELLING_LENGTH_MAX 31

/*
 * The "optimal string alignment" distance between the first LENGTH letters of A
 * and B: the smallest number of edits that turns one into the other.  An edit
 * inserts, deletes or replaces a letter, or swaps two adjacent ones; no letter
 * is edited twice.  Returns SIZE_MAX if a word is longer than
 * SPELLING_LENGTH_MAX.
 *
 * (R. A. Wagner and M. J. Fischer, The String-to-String Correction Problem,
 * J. ACM 21, 1974; swaps: F. J. Damerau, Commun. ACM 7, 1964.)
 */
size_t spelling_distance(const char *a, size_t length, const char *b);

#endif

/* spelling.h -- how far a word is from the one that may have been meant */

#ifndef GPUHIST_SPELLING_H
#define GPUHIST_SPELLING_H

#include <stddef.h>

/* A word that is longer is far from all others. */
#define SPELLING_LENGTH_MAX 31

/*
 * The least number of letters to insert, leave out or replace, and of
 * neighbours to exchange, that makes B of the first LENGTH letters of A, where
 * no letter is touched twice; SIZE_MAX if one of them is too long.  (The
 * "optimal string alignment" distance: R. A. Wagner and M. J. Fischer, The
 * String-to-String Correction Problem, J. ACM 21, 1974; with the exchange that
 * F. J. Damerau found to be a common mistake, Commun. ACM 7, 1964.)
 */
size_t spelling_distance(const char *a, size_t length, const char *b);

#endif

/* random.h -- words that nobody can guess */

#ifndef GPUHIST_RANDOM_H
#define GPUHIST_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Set the COUNT words at WORD, at most 2, to random ones; without a source of
   them, to other ones in each run. */
void random_words(uint64_t *word, size_t count);

#endif

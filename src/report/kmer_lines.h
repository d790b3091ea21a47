/*
 * kmer_lines.h -- many lines of k-mers at a time
 *
 * The lines of neighbouring k-mers differ in few letters, and most counts are
 * small.  So a line is put together from texts that are ready.
 */

#ifndef GPUHIST_KMER_LINES_H
#define GPUHIST_KMER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/writer.h"
#include "report/rows.h"

/* Neighbours differ only in their last letters: this many, with 2 bits each. */
#define KMER_LINES_LETTERS 4
#define KMER_LINES_WORDS (1u << 2 * KMER_LINES_LETTERS)

/* Lower counts have a text that is ready. */
#define KMER_LINES_COUNTS 256

/* What follows the letters. */
struct kmer_lines_tail {
    char text[7];
    uint8_t line; /* bytes of the whole line; 0: it is not shown */
};

struct kmer_lines {
    const char *between; /* what is between the letters and the count */
    unsigned int k;
    uint64_t least; /* the count of a line that is shown */
    char word[KMER_LINES_WORDS][KMER_LINES_LETTERS];
    struct kmer_lines_tail tail[KMER_LINES_COUNTS];
};

/*
 * Prepare to put lines of ROWS: a k-mer, BETWEEN and the count.  BETWEEN has 2
 * bytes at most.  Returns false, with nothing done, if ROWS are not in the
 * order of all k-mers, or their lines have anything else.
 */
bool kmer_lines_open(struct kmer_lines *lines, const struct rows *rows,
                     const char *between);

/*
 * Put all lines of k-mers that follow the current line of ROWS, which
 * rows_next() has returned.
 */
void kmer_lines_put(const struct kmer_lines *lines, struct writer *out,
                    struct rows *rows);

#endif

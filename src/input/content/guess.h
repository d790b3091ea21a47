/*
 * guess.h -- what the first bytes of content look like
 *
 * For messages: which other program reads it, or which option counts it.
 */

#ifndef GPUHIST_GUESS_H
#define GPUHIST_GUESS_H

#include "input/content/sniff.h"

struct reading;

/* A content that this program reads only in part or not at all, up to
   GUESS_JSON_SPREAD, or one that an option is for. */
enum guess {
    GUESS_NONE,
    GUESS_PARQUET,
    GUESS_SQLITE,
    GUESS_BAM,
    GUESS_CRAM,
    GUESS_SAFETENSORS,
    GUESS_WAV,
    GUESS_UTF16,
    GUESS_SAM,
    GUESS_GENBANK,
    GUESS_JSON_ARRAY,
    GUESS_JSON_SPREAD, /* an object in several lines */
    GUESS_JSON,        /* an object in each line */
    GUESS_NPY,
    GUESS_IMAGE,
    GUESS_OTHER_IMAGE, /* that other programs convert */
    GUESS_FASTA,
    GUESS_FASTQ,
    GUESS_CSV,
    GUESS_TSV,
    GUESS_LINES,
};

/* Returns what the bytes in SNIFF look like. */
enum guess guess_of(const struct sniff *sniff);

/* Returns the length, in bytes, of the header of safetensors. */
uint64_t guess_safetensors_header(const struct sniff *sniff);

/*
 * Whether what READING asks for is a mistake for content that looks like GUESS;
 * HAS_FAILED: it could not be counted.
 */
bool guess_is_wrong(const struct reading *reading, enum guess guess,
                    bool has_failed);

#endif

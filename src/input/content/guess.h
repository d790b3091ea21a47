/* SPDX-License-Identifier: MIT */
/*
 * guess.h -- guess the kind of a content by its first bytes
 *
 * For messages that name another program for such content, or an option, and
 * for plans that need to know how fast the content can be divided.
 */

#ifndef GPUHIST_GUESS_H
#define GPUHIST_GUESS_H

#include "input/content/sniff.h"

struct reading;

/* Kinds of content.  Up to GUESS_JSON_SPREAD, this program reads them only in
   part or not at all; an option counts each of the others. */
enum guess {
    GUESS_NONE,
    GUESS_PARQUET,
    GUESS_SQLITE,
    GUESS_CRAM,
    GUESS_WAV,
    GUESS_UTF16,
    GUESS_GENBANK,
    GUESS_JSON_ARRAY,
    GUESS_JSON_SPREAD, /* an object in several lines */
    GUESS_JSON,        /* an object in each line */
    GUESS_NPY,
    GUESS_SAFETENSORS,
    GUESS_IMAGE,
    GUESS_OTHER_IMAGE, /* other programs convert it */
    GUESS_BAM,
    GUESS_SAM,
    GUESS_FASTA,
    GUESS_FASTQ,
    GUESS_CSV,
    GUESS_TSV,
    GUESS_LINES,
};

/* Returns the guess at a content that starts with the bytes in SNIFF. */
enum guess guess_of(const struct sniff *sniff);

/* Whether READING asks for a wrong kind of content, if content looks like
   GUESS; HAS_FAILED: the content could not be counted. */
bool guess_is_wrong(const struct reading *reading, enum guess guess,
                    bool has_failed);

#endif

/* SPDX-License-Identifier: MIT */
/* gen_text.h -- text: bases, lines of a log, English-like words */

#ifndef GPUHIST_GEN_TEXT_H
#define GPUHIST_GEN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen_alias.h"
#include "gen_random.h"

enum gen_text_kind {
    GEN_TEXT_ACGT,
    GEN_TEXT_LOG,
    GEN_TEXT_WORDS,
};

struct gen_text {
    enum gen_text_kind kind;
    struct gen_random random;
    char bases[256][4];       /* ACGT: the four bases for each byte */
    uint64_t time_ms;         /* LOG: since midnight */
    struct gen_alias words;   /* WORDS */
    unsigned int column;      /* WORDS: in the line */
    bool is_sentence_started; /* WORDS: if not, the next has a capital */
};

/* gen_text_fill() leaves less than this many bytes unused. */
#define GEN_TEXT_PIECE_MAX 4096

/*
 * Prepare TEXT.  Returns 0, or -1: out of memory.  The caller calls
 * gen_text_close() only after 0.
 */
int gen_text_open(struct gen_text *text, enum gen_text_kind kind,
                  uint64_t seed);

/* Write whole pieces to OUT, at most ROOM bytes.  Returns the bytes written. */
size_t gen_text_fill(struct gen_text *text, unsigned char *out, size_t room);

/* Release everything in TEXT. */
void gen_text_close(struct gen_text *text);

#endif

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
    char bases[256][4];       /* ACGT: four for each byte */
    uint64_t time_ms;         /* LOG: since midnight */
    struct gen_alias words;   /* WORDS */
    unsigned int column;      /* of the line */
    bool is_sentence_started; /* or else the next word has a capital */
};

/* No call of gen_text_fill() fills less than the room less so many bytes. */
#define GEN_TEXT_PIECE_MAX 4096

/* Returns 0, or -1: out of memory; gen_text_close() is due only after 0. */
int gen_text_open(struct gen_text *text, enum gen_text_kind kind,
                  uint64_t seed);

/* Write whole pieces into ROOM bytes; returns how many bytes they have. */
size_t gen_text_fill(struct gen_text *text, unsigned char *out, size_t room);

void gen_text_close(struct gen_text *text);

#endif

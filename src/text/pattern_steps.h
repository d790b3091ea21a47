/* SPDX-License-Identifier: MIT */
/*
 * pattern_steps.h -- the texts between the names of a pattern, as the forms of
 * a scan look for them
 *
 * pattern/pattern_match.h is the definition.
 */

#ifndef GPUHIST_PATTERN_STEPS_H
#define GPUHIST_PATTERN_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "text/pattern/pattern.h"

/* The most kinds of bytes that texts of a pattern start with. */
#define PATTERN_BYTES_MAX 8

/* The places of the bytes that end values of quoted_line.h. */
enum pattern_quoted_byte {
    PATTERN_QUOTED_BLANK,
    PATTERN_QUOTED_QUOTE,
    PATTERN_QUOTED_BRACKET,
    PATTERN_QUOTED_BYTES
};

/* A text that ends a value, or is within it; or a value of quoted_line.h. */
struct pattern_step {
    const char *text;   /* SIZE bytes, of the pattern */
    uint64_t word;      /* its first bytes, the first one lowest */
    uint64_t word_mask; /* all bits of the bytes that WORD has */
    uint32_t size;
    unsigned char place; /* of its first byte in the bytes of struct
                            pattern_steps */
    unsigned char check; /* enum pattern_check, of the value before it */
    bool is_hard;        /* more than WORD decides whether the text is there */
    bool is_plain;       /* the value ends, and may be any; a block is longer
                            than the text, which is there once */
    bool is_within;      /* the value goes on */
    bool is_list;        /* the value may be a list */
    bool is_padded;      /* the text may be there several times */
    unsigned char opening; /* of quoted_line.h: the mark that opens the value,
                              or 0; PLACE is that of the byte that ends it */
};

struct pattern_steps {
    bool is_quoted_line; /* each step is a value of quoted_line.h ... */
    size_t needed;       /* ... which each line has, of the first ones */
    const char *before;  /* BEFORE_SIZE bytes, of the pattern */
    uint32_t before_size;
    bool is_open;        /* the last value extends to the line's end */
    bool has_quoted;     /* values in which a backslash protects a byte */
    unsigned char check; /* of the last value, if IS_OPEN */
    uint32_t bytes;      /* of BYTE that are used; 0: no steps */
    unsigned char byte[PATTERN_BYTES_MAX];
    uint32_t count;
    struct pattern_step *step; /* COUNT of them, owned */
};

/*
 * Set *STEPS to those of PATTERN, which must live as long as *STEPS; without
 * any step if only the definition finds the values.  Returns 0, or -1 with
 * *ERROR set; the caller calls pattern_steps_close() in both cases.
 */
int pattern_steps_open(struct pattern_steps *steps,
                       const struct pattern *pattern, struct error *error);

void pattern_steps_close(struct pattern_steps *steps);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * sniff.h -- whether the first bytes of content look like text, .npy or a state
 *
 * Values wider than a byte are binary data.  Counting text as such values, a
 * .npy file with its header as values of any type, or the bytes of a state, is
 * possible but meaningless, so the user gets a warning or an error.
 */

#ifndef GPUHIST_SNIFF_H
#define GPUHIST_SNIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/npy_header.h"

enum {
    SNIFF_BYTES = 512, /* the limit of bytes to look at */
    SNIFF_HEAD_BYTES = 16,
};

_Static_assert(SNIFF_HEAD_BYTES >= (int)NPY_HEADER_START_BYTES,
               "the head has what npy_header_bytes() wants");

enum {
    SNIFF_LINES = 3
};

/* The first lines. */
struct sniff_lines {
    unsigned char ends;               /* of lines, up to SNIFF_LINES */
    bool is_within;                   /* the next byte is not a line's first */
    unsigned char first[SNIFF_LINES]; /* the first byte of each line */
    unsigned char commas[2];          /* in each of the first two ... */
    unsigned char tabs[2];            /* ... modulo 256 */
};

/* All 0: no bytes yet. */
struct sniff {
    size_t bytes; /* looked at so far */
    unsigned char head[SNIFF_HEAD_BYTES];
    uint64_t seen[4];       /* a bit for each value of a byte */
    bool is_binary;         /* some byte cannot be text */
    unsigned int following; /* bytes missing of the last character; ... */
    unsigned char least;    /* ... the next byte is from LEAST ... */
    unsigned char most;     /* ... to MOST */
    bool has_zero[2];       /* some byte is 0: at an even offset, at an odd */
    bool has_other[2];      /* some byte is not */
    struct sniff_lines lines;
};

/* Look at the next SIZE bytes of the content, at DATA. */
void sniff_add(struct sniff *sniff, const void *data, size_t size);

/*
 * Whether all bytes are printable characters or white space in ASCII or UTF-8,
 * with some white space.  False for fewer than 16 bytes (32 if some are not
 * ASCII), and for fewer than 3 different values, as in constant data.  About
 * one in a million sequences of 16 random bytes passes, but none of 512 bytes
 * in practice.
 */
bool sniff_is_text(const struct sniff *sniff);

/* Whether some bytes are line feeds, and all others may be text, however few:
   for options that want a value of each line. */
bool sniff_has_lines(const struct sniff *sniff);

/* Returns the length, in bytes, of a .npy header; 0: the bytes start none. */
uint64_t sniff_npy_header(const struct sniff *sniff);

/* Whether the bytes are those of a state (state/state_read.h). */
bool sniff_is_state(const struct sniff *sniff);

#endif

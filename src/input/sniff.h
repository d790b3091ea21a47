/*
 * sniff.h -- whether the first bytes of some content look like text or .npy
 *
 * Numbers wider than a byte are counted from binary data.  Text, or an array
 * of numpy with its header, can be counted as well, but the result means
 * nothing; so the user is told.
 */

#ifndef GPUHIST_SNIFF_H
#define GPUHIST_SNIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SNIFF_BYTES = 512, /* no more are looked at */
    SNIFF_HEAD_BYTES = 12
};

/* Start from zeros. */
struct sniff {
    size_t bytes; /* looked at so far */
    unsigned char head[SNIFF_HEAD_BYTES];
    uint64_t seen[4];       /* a bit for each value of a byte */
    bool is_binary;         /* something that text does not have */
    unsigned int following; /* bytes that the last character still has ... */
    unsigned char least;    /* ... of which the next is one from here ... */
    unsigned char most;     /* ... to here */
};

/* The next SIZE bytes of the content are those at DATA. */
void sniff_add(struct sniff *sniff, const void *data, size_t size);

/*
 * Whether all bytes are characters in ASCII or UTF-8 that text has, with white
 * space among them.  Not where there are fewer than 16 bytes (32 where they are
 * not all ASCII), or only one or two different ones, as constant data may
 * have.  So 16 random bytes are taken for text once in some million times, 512
 * never.
 */
bool sniff_is_text(const struct sniff *sniff);

/* How long the header of a .npy file is, if the bytes begin one; else 0. */
uint64_t sniff_npy_header(const struct sniff *sniff);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * modifier.h -- changes of the value of a field before the value is counted
 *
 * The user writes FIELD:NAME[=ARGUMENT][:NAME[=ARGUMENT]...], wherever a field
 * is named: time:hour, size:size=iec, url:path:dir.  Each NAME is a row of
 * modifiers.c, whose function makes another text of a text.  The modifiers of a
 * field are a chain: the text that the first one makes is that of the second.
 *
 * A function reads its text only, keeps nothing between two calls, and gives
 * the same text on every machine, whatever the locale and the time zone are.
 */

#ifndef GPUHIST_MODIFIER_H
#define GPUHIST_MODIFIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A modifier makes at most so many bytes more than its text has. */
#define MODIFIER_ROOM 64

/* What the modifier makes. */
enum modifier_gives {
    MODIFIER_GIVES_KEY,
    MODIFIER_GIVES_DECIMAL, /* a number, as --dtype=decimal reads it */
    MODIFIER_GIVES_PARTS,   /* several texts, each an element */
};

/* What the modifier reads. */
enum modifier_reads {
    MODIFIER_READS_BYTES,  /* bytes: a decimal is a text as any other */
    MODIFIER_READS_DIGITS, /* of decimals only those with the digits of their
                              text, such as seconds since 1970 */
    MODIFIER_READS_TEXT,   /* a text, such as a URL; not a decimal */
};

enum modifier_argument {
    MODIFIER_WITHOUT_ARGUMENT,
    MODIFIER_MAY_HAVE_ARGUMENT,
    MODIFIER_NEEDS_ARGUMENT,
};

struct modifier_type;

/* A modifier as the user wrote it. */
struct modifier {
    const struct modifier_type *type;
    char *text;         /* its argument, owned, SIZE bytes and a NUL; or NULL */
    size_t size;        /* of TEXT */
    uint64_t number[2]; /* what parse() has made of the argument */
};

struct modifier_type {
    const char *name;
    enum modifier_argument argument;
    enum modifier_gives gives;
    bool keeps_digits; /* the decimal has the digits of its text */
    bool keeps_bytes;  /* the text is a part of its text */
    enum modifier_reads reads;
    unsigned int choice; /* for functions that serve several rows */
    const char *wants;   /* the argument in a message: "a number of bytes" */

    /* Check the argument, and set number[].  Returns whether it is one.  NULL:
       any text is an argument. */
    bool (*parse)(struct modifier *modifier);

    /*
     * Make another text of the *SIZE bytes at *TEXT: set *TEXT and *SIZE to a
     * part of these bytes, or to bytes at OUT, which has room for *SIZE +
     * MODIFIER_ROOM bytes and does not overlap the text.  Returns false where
     * the text has no such value: it is invalid.  NULL: the row gives parts.
     */
    bool (*apply)(const struct modifier *modifier, const unsigned char **text,
                  size_t *size, unsigned char *out);
};

#endif

/* SPDX-License-Identifier: MIT */
/*
 * python_literal.h -- the tokens of a literal of Python, in a header
 *
 * Every access is inside of the data.  The first failure sets the error.
 */

#ifndef GPUHIST_PYTHON_LITERAL_H
#define GPUHIST_PYTHON_LITERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string has at most this many bytes in UTF-8. */
#define PYTHON_STRING_BYTES_MAX 255

struct python_literal {
    const unsigned char *data; /* SIZE bytes */
    size_t size;
    size_t at;    /* the next byte */
    bool is_utf8; /* else the data are Latin-1 */

    char error[160]; /* "": none */
    size_t error_at;
};

/* A string in UTF-8, and a NUL. */
struct python_string {
    char bytes[PYTHON_STRING_BYTES_MAX + 1];
    size_t size;
};

/* Set the error to the text, at byte AT.  Returns -1. */
int python_literal_fail(struct python_literal *literal, size_t at,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Skip white space.  Returns the next byte, or 0 at the end. */
unsigned char python_literal_peek(struct python_literal *literal);

/* Skip white space, and BYTE if it is next.  Returns whether BYTE was there. */
bool python_literal_skip(struct python_literal *literal, unsigned char byte);

/* The same, but another byte is an error.  Returns 0, or -1. */
int python_literal_expect(struct python_literal *literal, unsigned char byte);

/*
 * After an item of a list: skip a comma.  Returns whether a comma was there and
 * END does not follow.
 */
bool python_literal_has_next(struct python_literal *literal, unsigned char end);

/*
 * Take a string, which may have the u or b of Python 2.  The escape of a
 * control character is kept, because strings are printed on terminals and in
 * lines.  Returns 0, or -1.
 */
int python_literal_string(struct python_literal *literal,
                          struct python_string *string);

/* Take a number from 0 on; it may have the L of Python 2.  Returns 0, or -1. */
int python_literal_number(struct python_literal *literal, uint64_t *number);

/* Take True or False.  Returns 0, or -1. */
int python_literal_boolean(struct python_literal *literal);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * pattern.h -- the text of a line with names in it
 *
 * Three spellings are read:
 *
 *     nginx    $remote_addr, ${remote_addr}   log_format of nginx
 *     Apache   %h, %>s, %!200,304s, %{Referer}i, %{%F}t, %%
 *              (mod_log_config); %t has brackets around it
 *     dissect  %{ip}, %{}, %{name->}          dissect of Logstash, Elastic
 *
 * %{x} followed by one of "i o e n C t" is Apache's.  Everywhere \" and \\ are
 * a quote and a backslash, as in a configuration.
 *
 * A value ends before the first occurrence of the text that follows its name;
 * the last value extends to the line's end.  If the name is between "...", a
 * backslash protects the next byte of the value.
 */

#ifndef GPUHIST_PATTERN_H
#define GPUHIST_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "text/pattern/server_names.h"

/* More names are probably a mistake. */
#define PATTERN_FIELDS_MAX 256

/* A name in a pattern, and the text that follows. */
struct pattern_field {
    char *spelled; /* owned: as in the pattern, $status or %>s */
    char *own;     /* owned: status, Referer; of most of Apache's, SPELLED */
    const struct pattern_known *known; /* or NULL */
    char *after;                       /* owned, AFTER_SIZE bytes; 0: the line's
                                          end follows */
    size_t after_size;
    size_t inside;    /* so many of AFTER are within each value */
    char *lacks;      /* owned: the reason if AFTER is not there */
    bool is_left_out; /* it has no name */
    bool is_padded;   /* AFTER may be there several times */
    bool is_quoted;
};

struct pattern;
struct text_slice;
struct pattern_fault;

/* Finds the values of a line; its contract is that of pattern_match(). */
typedef bool pattern_matcher(const struct pattern *pattern,
                             const unsigned char *data, uint32_t at,
                             uint32_t end, struct text_slice *value,
                             struct pattern_fault *fault);

struct pattern {
    char *before; /* owned, BEFORE_SIZE bytes: the text before the first name */
    size_t before_size;
    char *lacks;                 /* owned: the reason if it is not there */
    struct pattern_field *field; /* COUNT of them, owned, at least 1 */
    size_t count;

    /* Of a format with a name whose lines one pattern cannot describe; NULL: of
       any other pattern, whose lines pattern_match() reads. */
    pattern_matcher *match;
    size_t needed; /* for MATCH: the first fields, which each line has */
};

/*
 * Parse TEXT into *PATTERN.  KNOWN, which ends with an empty row, says what is
 * known of the names; NULL: what the documentation of nginx and Apache says.
 * Returns 0, or -1 with *ERROR set, which names --log-format; the caller calls
 * pattern_close() in both cases.
 */
int pattern_parse(struct pattern *pattern, const struct pattern_known *known,
                  const char *text, struct error *error);

void pattern_close(struct pattern *pattern);

#endif

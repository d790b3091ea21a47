/* SPDX-License-Identifier: MIT */
/*
 * json_word.h -- the grammar of JSON over 64 tokens at once, for the forms of
 * a scan
 *
 * A mask has a bit for each token of a word, the lowest bit for the first
 * token, so that a shift gives the next tokens.  Most rules say which two
 * tokens may be neighbours: what may follow a colon, a comma, a bracket or a
 * name.
 *
 * Which token may follow a comma depends on the innermost bracket.  A colon
 * marks the bracket as an object's, a bare element as an array's: an element is
 * a value other than a string, or a string without a colon after it, after a
 * comma or a bracket.  Colons and elements are marks.  Between one bracket and
 * the next, all marks must be of one kind, and fit the first bracket if this
 * opens.  If the first bracket closes, only the list of open brackets tells
 * which marks fit: the first mark is an event, as each bracket is.  So few
 * tokens of a line are looked at one by one.
 */

#ifndef GPUHIST_JSON_WORD_H
#define GPUHIST_JSON_WORD_H

#include "text/json_index.h"

/* The state before a word: in the lowest bit, or 0. */
struct json_before {
    uint64_t comma; /* or the end of a line */
    uint64_t open;
    uint64_t colon;
    uint64_t name; /* or a string that is an element */
    uint64_t line;
    uint64_t last; /* of a line, or such an end */
    uint64_t in_object;
    uint64_t in_array;
    uint64_t closed;
};

struct json_word {
    uint64_t candidates; /* for wanted names */
    uint64_t scalars;    /* any other token than a string, bracket, comma or
                            colon */
    uint64_t open;
    uint64_t close;
    uint64_t brace; /* a bracket of an object */
    uint64_t colon;
    uint64_t comma;
    uint64_t line; /* its end */
    uint64_t after_colon;
    uint64_t after_line;
    uint64_t closed; /* the first bracket or mark after a closing bracket */
    uint64_t events; /* tokens to look at one by one, except scalars */
    uint64_t wrong;
};

/* A line starts. */
INLINE void
json_before_start(struct json_before *before)
{
    *before = (struct json_before){.comma = 1, .line = 1, .last = 1};
}

/* The tokens after the tokens of MASK. */
INLINE uint64_t
json_following(uint64_t *before, uint64_t mask)
{
    uint64_t following = mask << 1 | *before;

    *before = mask >> (JSON_WORD - 1);
    return following;
}

/* The first token of STOPS after each token of MASK.  A sum carries through the
   tokens between. */
INLINE uint64_t
json_next_stop(uint64_t *before, uint64_t mask, uint64_t stops)
{
    uint64_t starts = mask << 1 | *before;
    uint64_t sum = (starts & ~stops) + ~stops;

    *before = mask >> (JSON_WORD - 1) | (sum < (starts & ~stops));
    return (sum | starts) & stops;
}

/* Look at the first tokens, COUNT at most, whose bytes are KINDS. */
INLINE void
json_word_read(struct json_word *word, struct json_before *before, block kinds,
               uint32_t count, const struct json_paths *paths)
{
    uint64_t known = bits_below(count);
    uint64_t brace_open = block_match(kinds, '{') & known;
    uint64_t brace_close = block_match(kinds, '}') & known;
    uint64_t open = brace_open | (block_match(kinds, '[') & known);
    uint64_t close = brace_close | (block_match(kinds, ']') & known);
    uint64_t colon = block_match(kinds, ':') & known;
    uint64_t comma = block_match(kinds, ',') & known;
    uint64_t line = block_match(kinds, '\n') & known;
    uint64_t candidate = block_match(kinds, JSON_CANDIDATE) & known;
    uint64_t string = (block_match(kinds, '"') & known) | candidate;
    uint64_t scalar = known & ~(open | close | colon | comma | line | string);
    uint64_t value = string | scalar | open;

    uint64_t after_comma = json_following(&before->comma, comma | line);
    uint64_t after_open = json_following(&before->open, open);
    uint64_t after_colon = json_following(&before->colon, colon);
    uint64_t after_either = after_comma | after_open;
    uint64_t after_string =
        json_following(&before->name, string & after_either);
    uint64_t wrong = (value & ~(after_either | after_colon)) |
                     (after_colon & ~value) | (after_comma & ~(value | line)) |
                     (after_open & ~(value | close)) | (colon & ~after_string) |
                     (line & ~json_following(&before->last, close | line));

    uint64_t element =
        (after_either & (scalar | open)) | (after_string & ~colon & known);
    uint64_t bracket = open | close | line;
    uint64_t stops = bracket | colon | element;
    uint64_t in_object =
        json_next_stop(&before->in_object, colon | brace_open, stops);
    uint64_t in_array = json_next_stop(
        &before->in_array, (element & ~bracket) | (open & ~brace_open), stops);
    uint64_t closed = json_next_stop(&before->closed, close, stops);
    wrong |= (in_object & element) | (in_array & colon);
    wrong |= element & brace_close;

    if (paths->marks > JSON_MARKS_MAX)
        candidate = string;
    candidate &= after_either;
    word->candidates = candidate;
    word->scalars = scalar;
    word->open = open;
    word->close = close;
    word->brace = brace_open | brace_close;
    word->colon = colon;
    word->comma = comma;
    word->line = line;
    word->after_colon = after_colon;
    word->after_line = json_following(&before->line, line);
    word->closed = closed;
    word->events =
        bracket | closed | candidate | (paths->has_elements ? comma : 0);
    word->wrong = wrong & known;
}

#endif

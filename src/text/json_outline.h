/* SPDX-License-Identifier: MIT */
/*
 * json_outline.h -- lines of JSON that have the tokens of a line before, for
 * the forms of a scan
 *
 * The lines of a log are often alike: they differ only inside of their strings
 * and scalars.  An outline has the kinds of the tokens of a right line, and the
 * tokens that the wanted values were.  A line with the same kinds keeps the
 * grammar, and needs no walk: only its scalars, and the strings that may be
 * wanted names, are looked at.  This is the idea of Mison (Y. Li and others,
 * 2017), which guesses where fields are; here the guess is checked.
 */

#ifndef GPUHIST_JSON_OUTLINE_H
#define GPUHIST_JSON_OUTLINE_H

#include "text/json_value.h"

enum {
    JSON_OUTLINES = 64,
    JSON_OUTLINE_WORDS = JSON_LINE_TOKENS / JSON_WORD,
    JSON_OUTLINE_NAMES = 64,
    JSON_OUTLINE_COLUMNS = 64,

    /* Learning a line costs as much as this many lines with outlines save. */
    JSON_LESSON = 8,
    JSON_LESSONS_FIRST = 16,
    /* After this many lines of one outline, it is the first guess. */
    JSON_REPEATS = 4,
    /* After lines without outlines, this many words are read as words, at
       most. */
    JSON_WAIT_MAX = 32,
};

/* A string that may be a wanted name. */
struct json_outline_name {
    uint32_t token;
    uint32_t child; /* the first node that it may be */
    uint32_t node;  /* which node it was, or JSON_NONE */
};

/* The tokens of a line, which are numbered from 0. */
struct json_outline {
    uint32_t tokens; /* with the end of the line; 0: no line has been learned */
    uint32_t names;
    uint32_t scalars;
    unsigned char scalar[JSON_LINE_TOKENS];
    /* A token's kind, as in an index, has these bits of MASK: all but the mark
       of a string that is not a wanted name; none of a scalar, and after the
       line. */
    unsigned char kind[JSON_LINE_TOKENS];
    unsigned char mask[JSON_LINE_TOKENS];
    uint64_t no_string[JSON_OUTLINE_WORDS]; /* scalars, as bits */
    struct json_outline_name name[JSON_OUTLINE_NAMES];
    struct text_slice value[JSON_OUTLINE_COLUMNS]; /* in tokens, not bytes */
};

struct json_outlines {
    struct json_outline *last; /* that a line had ... */
    uint32_t repeats;          /* ... and as many lines before */
    uint32_t credit;           /* for lessons */
    uint32_t wait;             /* words before the next look */
    uint32_t next_wait;
    struct json_outline *missed; /* for a line without an outline ... */
    uint32_t tokens;             /* ... which has so many tokens, or 0 */
    uint32_t lesson; /* tokens that are left of the line that is learned */
    struct json_outline outline[JSON_OUTLINES];
};

INLINE void
json_outlines_open(struct json_outlines *outlines,
                   const struct json_paths *paths)
{
    for (int i = 0; i < JSON_OUTLINES; i++)
        outlines->outline[i].tokens = 0;
    outlines->last = outlines->outline;
    outlines->repeats = JSON_REPEATS;
    outlines->credit = JSON_LESSONS_FIRST * JSON_LESSON;
    outlines->wait = paths->columns <= JSON_OUTLINE_COLUMNS ? 0 : UINT32_MAX;
    outlines->next_wait = 1;
    outlines->lesson = 0;
}

/* The strings among tokens of KINDS. */
INLINE uint64_t
json_strings(block kinds)
{
    return block_either(kinds, '"', JSON_CANDIDATE);
}

/* Whether the next line of the list has the kinds of OUTLINE; a token of the
   line may be no scalar where OUTLINE has a scalar. */
INLINE bool
json_outline_fits(const struct json_outline *outline,
                  const struct json_index *index)
{
    uint32_t tokens = outline->tokens;

    if (tokens == 0 || tokens > index->known.count - index->first)
        return false;
    for (uint32_t i = 0; i < tokens; i += JSON_WORD) {
        block kinds = block_load(index->kind + index->first + i);
        if (!block_is_same(kinds, block_load(outline->mask + i),
                           block_load(outline->kind + i)) ||
            (json_strings(kinds) & outline->no_string[i / JSON_WORD]) != 0)
            return false;
    }
    return true;
}

/* Returns the outline of the next line of the list, or NULL: then it sets
   OUTLINES->missed. */
INLINE struct json_outline *
json_outlines_find(struct json_outlines *outlines,
                   const struct json_index *index)
{
    uint32_t left =
        lower_of(index->known.count - index->first, JSON_LINE_TOKENS);
    uint64_t hash = 0;
    uint64_t line = 0;
    uint32_t tokens = 0;

    if (outlines->repeats >= JSON_REPEATS &&
        json_outline_fits(outlines->last, index))
        return outlines->last;
    for (uint32_t i = 0; i < left && line == 0; i += JSON_WORD) {
        block kinds = block_load(index->kind + index->first + i);
        uint64_t string = json_strings(kinds);
        line = block_match(kinds, '\n') & bits_below(left - i);
        uint64_t before = bits_below(bit_first(line));
        hash =
            hash * UINT64_C(0x9e3779b97f4a7c15) +
            (string & before) * UINT64_C(0xd6e8feb86659fd93) +
            (block_match(kinds, ':') & before) * UINT64_C(0xa0761d6478bd642f);
        tokens = line != 0 ? i + bit_first(line) + 1 : 0;
    }
    struct json_outline *outline = &outlines->outline[hash >> 58];
    if (tokens > 0 && tokens == outline->tokens &&
        json_outline_fits(outline, index)) {
        outlines->repeats =
            outline == outlines->last ? outlines->repeats + 1 : 0;
        outlines->last = outline;
        return outline;
    }
    outlines->missed = outline;
    outlines->tokens = tokens;
    return NULL;
}

/* The next line of the list has no outline: learn the line, or wait. */
INLINE void
json_outlines_miss(struct json_outlines *outlines,
                   const struct json_index *index)
{
    if (outlines->tokens > 1 && index->kind[index->first] == '{' &&
        outlines->credit >= JSON_LESSON) {
        outlines->credit -= JSON_LESSON;
        outlines->lesson = outlines->tokens;
        return;
    }
    outlines->wait = outlines->next_wait;
    outlines->next_wait = lower_of(2 * outlines->wait, JSON_WAIT_MAX);
}

/* How many of the LEFT tokens of the list to read as a word: as many as it
   takes up to the start of a line, if the line may have an outline. */
INLINE uint32_t
json_outlines_size(const struct json_outlines *outlines,
                   const struct json_index *index, uint32_t left)
{
    uint32_t size = lower_of(left, JSON_WORD);

    if (outlines->lesson > 0)
        return lower_of(size, outlines->lesson);
    if (outlines->wait > 0)
        return size;
    uint64_t line = block_match(block_load(index->kind + index->first), '\n') &
                    bits_below(size);
    return line != 0 ? bit_last(line) + 1 : size;
}

/* ---- learning ---- */

/* Token I of the line is a string that is not a wanted name, marked or not. */
static inline void
json_outline_string(struct json_outline *outline, uint32_t i)
{
    outline->kind[i] = '"';
    outline->mask[i] = (unsigned char)~JSON_CANDIDATE_BIT;
}

/* Token I of the line is a scalar. */
static inline void
json_outline_scalar(struct json_outline *outline, uint32_t i)
{
    outline->kind[i] = 0;
    outline->mask[i] = 0;
    outline->no_string[i / JSON_WORD] |= (uint64_t)1 << i % JSON_WORD;
    outline->scalar[outline->scalars++] = (unsigned char)i;
}

/* Token I of the line is the name of the next value.  Returns the node of the
   value, or JSON_NONE. */
static inline uint32_t
json_outline_name(struct json_outline *outline, struct json_walk *walk,
                  const struct json_index *index, uint32_t first, uint32_t i)
{
    bool may_be_wanted = index->kind[first + i] == JSON_CANDIDATE ||
                         walk->paths->marks > JSON_MARKS_MAX;
    uint32_t at = index->token[first + i];
    uint32_t child = walk->child;
    uint32_t node = JSON_NONE;

    if (child == JSON_NONE)
        json_outline_string(outline, i);
    else if (may_be_wanted) {
        node = json_walk_name(walk, at, index->token[first + i + 1],
                              at < index->known.escaped);
        if (outline->names < JSON_OUTLINE_NAMES)
            outline->name[outline->names] =
                (struct json_outline_name){i, child, node};
        outline->names++;
    }
    return node;
}

/*
 * Make OUTLINE that of the line of TOKENS tokens that starts with token FIRST
 * of the list.  The line is right.  If it has too many names, nothing has the
 * outline.
 */
TARGET static __attribute__((noinline)) void
json_outline_learn(struct json_outline *outline, const struct json_index *index,
                   uint32_t first, uint32_t tokens)
{
    struct json_level level[JSON_STEPS_MAX + 1];
    struct json_walk walk = {
        .paths = index->paths,
        .data = index->view.data,
        .size = index->view.size,
        .level = level,
    };
    const unsigned char *kind = index->kind + first;
    uint32_t node = JSON_NONE;
    uint64_t is_array = 0; /* as of struct json_reading */

    outline->names = 0;
    outline->scalars = 0;
    memset(outline->no_string, 0, sizeof outline->no_string);
    memset(outline->kind, 0, sizeof outline->kind);
    memset(outline->mask, 0, sizeof outline->mask);
    memcpy(outline->kind, kind, tokens);
    memset(outline->mask, 0xff, tokens);
    json_walk_start(&walk, 0, outline->value);
    for (uint32_t i = 1; i < tokens - 1; i++) {
        bool is_string = kind[i] == '"' || kind[i] == JSON_CANDIDATE;
        if (kind[i] == ',' || kind[i] == ':')
            continue;
        if (kind[i] == '}' || kind[i] == ']') {
            is_array >>= 1;
            json_walk_close(&walk, i);
            continue;
        }
        if (is_string && kind[i + 1] == ':') {
            node = json_outline_name(outline, &walk, index, first, i);
            continue;
        }
        if ((is_array & 1) != 0)
            node = json_walk_element(&walk);
        if (kind[i] == '{' || kind[i] == '[') {
            is_array = is_array << 1 | (kind[i] == '[');
            json_walk_open(&walk, node, i);
            continue;
        }
        if (is_string)
            json_outline_string(outline, i);
        else
            json_outline_scalar(outline, i);
        if (node != JSON_NONE)
            json_walk_set(&walk, node, (struct text_slice){i, 1});
    }
    outline->tokens = outline->names <= JSON_OUTLINE_NAMES ? tokens : 0;
}

/* A word of SIZE tokens before index->first has been read. */
INLINE void
json_outlines_pass(struct json_outlines *outlines,
                   const struct json_index *index, uint32_t size)
{
    if (outlines->lesson > 0) {
        outlines->lesson -= size;
        if (outlines->lesson > 0)
            return;
        json_outline_learn(outlines->missed, index,
                           index->first - outlines->tokens, outlines->tokens);
        outlines->last = outlines->missed;
        outlines->repeats = 0;
    } else if (outlines->wait > 0) {
        outlines->wait--;
    }
}

/* ---- reading ---- */

/* Read the next line of the list, which has OUTLINE.  Returns whether the line
   is right, and its names are those of OUTLINE: then OUT is set. */
INLINE bool
json_outline_read(const struct json_outline *outline,
                  const struct json_index *index, const struct json_walk *walk,
                  struct text_slice *out)
{
    const struct json_paths *paths = walk->paths;
    uint32_t first = index->first;

    for (uint32_t i = 0; i < outline->scalars; i++) {
        const uint32_t *token = index->token + first + outline->scalar[i];
        if (!json_is_scalar(&index->view, token[0], token[1]))
            return false;
    }
    for (uint32_t i = 0; i < outline->names; i++) {
        const struct json_outline_name *name = &outline->name[i];
        uint32_t at = index->token[first + name->token];
        uint32_t end = index->token[first + name->token + 1];
        bool has_escapes = at < index->known.escaped;
        uint64_t word = json_walk_word(walk, at);
        /* Names of the same object differ. */
        if (name->node != JSON_NONE
                ? !json_walk_is_name(walk, &paths->node[name->node], word, at,
                                     end, has_escapes)
                : json_walk_find(walk, name->child, at, end, has_escapes) !=
                      JSON_NONE)
            return false;
    }
    for (uint32_t c = 0; c < paths->columns; c++) {
        struct text_slice value = outline->value[c];
        if (value.at == TEXT_SLICE_MISSING)
            out[c] = TEXT_SLICE_NONE;
        else if (value.size == 1)
            out[c] = json_value_slice(index, first + value.at);
        else
            out[c] =
                slice_of(index->token[first + value.at],
                         index->token[first + value.at + value.size - 1] + 1);
    }
    return true;
}

#endif

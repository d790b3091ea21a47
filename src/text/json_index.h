/* SPDX-License-Identifier: MIT */
/*
 * json_index.h -- where the tokens of lines of JSON start, for the forms of a
 * scan
 *
 * A form defines block_load(), block_match(), block_either(), block_gaps(),
 * block_signs(), block_controls(), block_has_rare(), block_escapes(),
 * block_with(), block_high(), block_wrong_utf8(), block_bytes, block_add(),
 * block_mark(), block_is_same(), block_store(), bit_count(), bit_first() and
 * prefix_xor().
 * The idea is simdjson's, by G. Langdale and D. Lemire: masks of 64 bytes tell
 * which quotes have no backslash before them, a prefix sum of these bits which
 * bytes are inside of strings, and then a token starts at each sign outside of
 * strings, and at each other byte that follows a blank, a sign or a quote.
 *
 * Lines end at line feeds, even inside of strings.  So the masks also find
 * bytes that no string may have: control characters, wrong escapes, and broken
 * UTF-8.  The list of tokens ends before the first such byte, and its line is
 * read byte by byte.
 *
 * Next to the list are the first bytes of its tokens, so that many can be
 * looked at together.  Strings that may be a wanted name have a byte there that
 * starts no token.
 */

#ifndef GPUHIST_JSON_INDEX_H
#define GPUHIST_JSON_INDEX_H

#include "base/utf8.h"
#include "text/json_scan.h"
#include "text/scan_block.h"

enum {
    /* So many blocks are listed at once: few enough for the first cache. */
    JSON_BATCH_BLOCKS = 64,
    /* The same if few lines may be read. */
    JSON_BLOCKS_FEW = 24,
    /* This many tokens are looked at together, and some tokens after them. */
    JSON_WORD = 64,
    JSON_AHEAD = 3,
    /* A longer line has no outline: see json_outline.h. */
    JSON_LINE_TOKENS = 4 * JSON_WORD,
    /* More tokens are listed before fewer are looked at. */
    JSON_TOKENS_FEW = JSON_LINE_TOKENS + JSON_AHEAD,
    JSON_TOKENS_MAX = JSON_BATCH_BLOCKS * BLOCK_BYTES + JSON_TOKENS_FEW,
};

#define JSON_NOWHERE 0xffffffffu

/* The kind of a string that may be a wanted name: a quote with a high bit,
   a byte that starts no character of UTF-8. */
#define JSON_CANDIDATE ('"' | JSON_CANDIDATE_BIT)
#define JSON_CANDIDATE_BIT 0x80

/* The state before a block. */
struct json_known {
    /* Of the byte before the block, or of its first bytes. */
    uint64_t is_inside;  /* all bits: the byte is inside of a string, or the
                            quote of a string */
    uint64_t is_escaped; /* 1: the next byte follows a backslash */
    uint64_t is_word;    /* 1: it is part of a scalar */
    uint64_t digits;     /* bits of the next bytes that must be hexadecimal */
    bool has_high;       /* the block before has bytes outside of ASCII */
    bool is_rare;        /* it has, or one of the two above is not 0 */

    uint32_t bad;     /* the first byte that is wrong, or JSON_NOWHERE */
    uint32_t escaped; /* the end of the last block with a backslash, or 0 */
    uint32_t count;   /* tokens in the list */
};

struct json_index {
    const struct json_paths *paths;
    struct text_view view;
    uint32_t scanned; /* where the next block starts */
    struct json_known known;
    uint32_t first; /* token that is not done */
    /* Of the blocks that are listed together: where tokens start, and
       backslashes. */
    uint64_t starts[JSON_BATCH_BLOCKS];
    uint64_t backslash[JSON_BATCH_BLOCKS];
    uint32_t token[JSON_TOKENS_MAX + BLOCK_BYTES];
    /* The byte at each, or JSON_CANDIDATE. */
    unsigned char kind[JSON_TOKENS_MAX + BLOCK_BYTES];
};

/* Forget all; the next block starts at AT, where a line does. */
INLINE void
json_index_start(struct json_index *index, uint32_t at)
{
    index->scanned = at;
    index->known = (struct json_known){.bad = JSON_NOWHERE};
    index->first = 0;
}

/* How many marks to look for: none if any string may be a wanted name. */
INLINE uint32_t
json_index_marks(const struct json_index *index)
{
    uint32_t marks = index->paths->marks;

    return marks <= JSON_MARKS_MAX ? marks : 0;
}

/* Whether all tokens are listed. */
INLINE bool
json_index_is_whole(const struct json_index *index)
{
    return index->known.bad != JSON_NOWHERE ||
           index->scanned == index->view.size;
}

/* The errors in the bytes ESCAPED of the block X. */
INLINE uint64_t
json_wrong_escapes(struct json_known *known, block x, uint64_t escaped)
{
    block classes = block_escapes(x);
    uint64_t unicode = escaped & block_high(classes); /* ESCAPE_UNICODE */
    uint64_t wanted = known->digits | unicode << 1 | unicode << 2 |
                      unicode << 3 | unicode << 4;

    known->digits =
        unicode >> 63 | unicode >> 62 | unicode >> 61 | unicode >> 60;
    return (escaped & ~unicode & ~block_with(classes, ESCAPE_SHORT)) |
           (wanted & ~block_with(classes, ESCAPE_HEX));
}

/* The errors in the block at BASE, one character after the other. */
INLINE uint64_t
json_wrong_slowly(const struct text_view *view, uint32_t base, uint64_t high,
                  bool has_before)
{
    const unsigned char *data = view->data;
    uint32_t at = base;

    /* The start of a character that goes on here. */
    while (has_before && at > 0 && base - at < 3 &&
           (data[at - 1] & 0xc0) == 0x80)
        at--;
    if (has_before && at > 0 && data[at - 1] >= 0xc0) {
        uint32_t bytes =
            (uint32_t)utf8_character(data + at - 1, view->size - at + 1);
        if (bytes == 0)
            return 1;
        if (at - 1 + bytes > base)
            high &= ~bits_below(at - 1 + bytes - base);
    }
    while (high != 0) {
        uint32_t i = bit_first(high);
        uint32_t bytes =
            (uint32_t)utf8_character(data + base + i, view->size - base - i);
        if (bytes == 0)
            return bit_at(i);
        high &= ~bits_below(i + bytes);
    }
    return 0;
}

/* Whether three bytes are before the block at BASE, and a block after it. */
INLINE bool
json_is_inner(const struct text_view *view, uint32_t base)
{
    return base >= 3 && view->size - base >= 2 * BLOCK_BYTES;
}

/* The bytes of X, the block at BASE, but JSON_CANDIDATE for quotes of what may
   be wanted names, which have the MARKS marks MARK. */
INLINE block
json_marked(const struct text_view *view, block x, uint32_t base,
            const bool is_inner, const struct json_mark *mark,
            const uint32_t marks)
{
    block_bytes some = {0};

#pragma GCC unroll 8
    for (uint32_t i = 0; i < marks; i++) {
        uint32_t at = base + mark[i].place;
        uint32_t after = at + 1;
        if (!is_inner) {
            at = lower_of(at, view->size);
            after = lower_of(after, view->size);
        }
        some = block_add(some, load(view, at, is_inner), mark[i].byte[0],
                         load(view, after, is_inner), mark[i].byte[1]);
    }
    return block_mark(x, some, JSON_CANDIDATE_BIT);
}

/* A name with escapes has no mark, but may be wanted: strings with BACKSLASH in
   a block whose tokens are TOKEN, the last ones of COUNT in the list. */
INLINE void
json_mark_escaped(struct json_index *index, uint32_t count, uint64_t token,
                  uint64_t backslash)
{
    for (; backslash != 0; backslash &= backslash - 1) {
        uint64_t later = token & ~bits_below(bit_first(backslash));
        uint32_t tokens = count - bit_count(later);
        if (tokens > 0 && index->kind[tokens - 1] == '"')
            index->kind[tokens - 1] = JSON_CANDIDATE;
    }
}

/* Returns where tokens start in the block at BASE.  IS_INNER: see
   json_is_inner().  Sets *BACKSLASH. */
INLINE uint64_t
json_index_masks(const struct text_view *view, struct json_known *known,
                 uint32_t base, const bool is_inner, uint64_t *backslash)
{
    block x = load(view, base, is_inner);
    uint64_t escaped = 0;
    uint64_t bad = 0;

    *backslash = 0;
    /* Usual blocks keep their constants in registers. */
    if (__builtin_expect(known->is_rare || block_has_rare(x), 0)) {
        uint64_t high = block_high(x);
        *backslash = block_match(x, '\\');
        if ((*backslash | known->is_escaped | known->digits) != 0) {
            escaped = escaped_bytes(*backslash, &known->is_escaped);
            known->escaped = base + BLOCK_BYTES;
            bad = json_wrong_escapes(known, x, escaped);
        }
        if (high != 0 || known->has_high)
            bad |= is_inner
                       ? block_wrong_utf8(view->data + base)
                       : json_wrong_slowly(view, base, high, known->has_high);
        known->has_high = high != 0;
        known->is_rare =
            known->has_high || (known->is_escaped | known->digits) != 0;
    }
    uint64_t quote = block_match(x, '"') & ~escaped;
    uint64_t end = block_match(x, '\n');
    uint64_t gap = block_gaps(x);
    uint64_t sign = block_signs(x);
    uint64_t inside = prefix_xor(quote) ^ known->is_inside;
    known->is_inside = 0 - (inside >> (BLOCK_BYTES - 1));
    bad |= inside & block_controls(x);

    /* A quote that closes, and the bytes inside of a string, start no token. */
    uint64_t tail = inside ^ quote;
    uint64_t word = ~(gap | sign);
    uint64_t solid = word & ~quote;
    uint64_t starts = (sign | (word & ~(solid << 1 | known->is_word))) & ~tail;
    known->is_word = solid >> (BLOCK_BYTES - 1);

    uint64_t token = starts | end;
    if (!is_inner)
        token &= bits_below(view->size - base);
    if (bad != 0) {
        known->bad = base + bit_first(bad);
        token &= bits_below(bit_first(bad));
    }
    return token;
}

/* List the tokens TOKEN of the block at BASE, which has BACKSLASH, after COUNT
   tokens.  Returns how many are listed then. */
INLINE uint32_t
json_index_list(struct json_index *index, uint32_t base, uint32_t count,
                uint64_t token, uint64_t backslash, const bool is_inner,
                const struct json_mark *mark, const uint32_t marks)
{
    block x = load(&index->view, base, is_inner);

    x = json_marked(&index->view, x, base, is_inner, mark, marks);
    count +=
        block_store(index->token + count, index->kind + count, x, base, token);
    if (backslash != 0)
        json_mark_escaped(index, count, token, backslash);
    return count;
}

TARGET static __attribute__((noinline)) void
json_index_edge(struct json_index *index, uint32_t base)
{
    uint64_t backslash;
    uint64_t token =
        json_index_masks(&index->view, &index->known, base, false, &backslash);

    index->known.count =
        json_index_list(index, base, index->known.count, token, backslash,
                        false, index->paths->mark, json_index_marks(index));
}

/* Find where tokens start in blocks from BASE on, MOST at most, that
   json_is_inner().  Returns their number. */
TARGET static __attribute__((noinline)) uint32_t
json_index_inner(struct json_index *index, uint32_t base, uint32_t most)
{
    const struct text_view view = index->view;
    struct json_known known = index->known;
    uint32_t blocks = 0;

    for (; blocks < most && json_is_inner(&view, base) &&
           known.bad == JSON_NOWHERE;
         blocks++, base += BLOCK_BYTES) {
        load_ahead(&view, base);
        index->starts[blocks] = json_index_masks(&view, &known, base, true,
                                                 &index->backslash[blocks]);
    }
    index->known = known;
    return blocks;
}

/* List the tokens of BLOCKS blocks from BASE on. */
INLINE void
json_index_list_all(struct json_index *index, uint32_t base, uint32_t blocks,
                    const uint32_t marks)
{
    struct json_mark mark[JSON_MARKS_MAX]; /* nothing else points to them */
    uint32_t count = index->known.count;

#pragma GCC unroll 8
    for (uint32_t i = 0; i < marks; i++)
        mark[i] = index->paths->mark[i];
    for (uint32_t i = 0; i < blocks; i++, base += BLOCK_BYTES)
        count = json_index_list(index, base, count, index->starts[i],
                                index->backslash[i], true, mark, marks);
    index->known.count = count;
}

/* The same, with a loop for each number of marks. */
INLINE void
json_index_list_blocks(struct json_index *index, uint32_t base, uint32_t blocks)
{
    _Static_assert(JSON_MARKS_MAX == 8, "as many loops");
    switch (json_index_marks(index)) {
    case 1:
        json_index_list_all(index, base, blocks, 1);
        break;
    case 2:
        json_index_list_all(index, base, blocks, 2);
        break;
    case 3:
        json_index_list_all(index, base, blocks, 3);
        break;
    case 4:
        json_index_list_all(index, base, blocks, 4);
        break;
    case 5:
        json_index_list_all(index, base, blocks, 5);
        break;
    case 6:
        json_index_list_all(index, base, blocks, 6);
        break;
    case 7:
        json_index_list_all(index, base, blocks, 7);
        break;
    case 8:
        json_index_list_all(index, base, blocks, 8);
        break;
    default:
        json_index_list_all(index, base, blocks, 0);
        break;
    }
}

/* List the tokens of MOST more blocks, if few are left.  First all masks are
   made, then all lists: so the processor works on several blocks at a time. */
TARGET static __attribute__((noinline)) void
json_index_fill(struct json_index *index, uint32_t most)
{
    const struct text_view *view = &index->view;
    uint32_t left = index->known.count - index->first;

    if (left >= JSON_TOKENS_FEW)
        return;
    memmove(index->token, index->token + index->first,
            left * sizeof *index->token);
    memmove(index->kind, index->kind + index->first, left);
    index->first = 0;
    index->known.count = left;
    while (most > 0) {
        uint32_t blocks = json_index_inner(index, index->scanned, most);
        json_index_list_blocks(index, index->scanned, blocks);
        index->scanned += blocks * BLOCK_BYTES;
        most -= blocks;
        if (json_index_is_whole(index))
            return;
        if (most > 0) {
            json_index_edge(index, index->scanned);
            index->scanned +=
                lower_of(BLOCK_BYTES, view->size - index->scanned);
            most--;
        }
    }
}

/* The line at AT is the next line.  Returns false if its tokens are not known;
   then json_index_start() is needed. */
INLINE bool
json_index_skip(struct json_index *index, uint32_t at)
{
    if (at > index->scanned || at > index->known.bad)
        return false;
    while (index->first < index->known.count && index->token[index->first] < at)
        index->first++;
    return true;
}

#endif

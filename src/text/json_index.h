/*
 * json_index.h -- where the tokens of lines of JSON begin, for the forms of a
 * scan
 *
 * A form defines what scan_loop.h says, block_gaps(), block_signs(),
 * block_between(), block_high(), block_store(), block_wrong_utf8() and
 * prefix_xor().  The idea is that of simdjson, by G. Langdale and D. Lemire:
 * masks of 64 bytes tell which quotes have no backslash before them, a prefix
 * sum of these bits what is inside of a string, and then a token begins at each
 * sign outside of strings, and at each other byte that follows a blank, a sign
 * or a quote.
 *
 * Here lines end at line feeds, whatever is in them.  So the masks also find
 * what no string may have: control characters, wrong escapes, and what is no
 * UTF-8.  The list of tokens ends in front of the first such byte, and the line
 * that has it is looked at byte by byte.
 */

#ifndef GPUHIST_JSON_INDEX_H
#define GPUHIST_JSON_INDEX_H

#include "text/json_scan.h"
#include "text/scan_block.h"
#include "text/scan_cut.h"
#include "util/utf8.h"

enum {
    /* The list is made for so many bytes at once, and the line that they end
       in. */
    JSON_BATCH_BYTES = 16 << 10,
    JSON_TOKENS_MAX = 16 << 10,
};

#define JSON_NOWHERE 0xffffffffu

struct json_index {
    uint32_t scanned; /* where the next block begins */
    uint32_t bad;     /* the first byte that is wrong, or JSON_NOWHERE */

    /* Of the byte before the next block, or of the next one. */
    uint64_t is_inside;  /* all bits: it is inside of a string, or its quote */
    uint64_t is_escaped; /* 1: the next byte follows a backslash */
    uint64_t is_word;    /* 1: it is part of a scalar */
    uint64_t digits;     /* bits of the next bytes that must be hexadecimal */
    bool has_high;       /* the block before has bytes that are no ASCII */

    bool has_escapes; /* in what the tokens are of */
    uint32_t count;   /* tokens ... */
    uint32_t whole;   /* ... of which those of whole lines */
    uint32_t token[JSON_TOKENS_MAX + BLOCK_BYTES + STORE_MORE];
};

/* Forget all; the next block begins at AT, where a line does. */
INLINE void
json_index_begin(struct json_index *index, uint32_t at)
{
    index->scanned = at;
    index->bad = JSON_NOWHERE;
    index->is_inside = index->is_escaped = index->is_word = index->digits = 0;
    index->has_high = false;
    index->has_escapes = false;
    index->count = index->whole = 0;
}

/* The bytes that follow a backslash which none escapes. */
INLINE uint64_t
json_escaped(struct json_index *index, uint64_t backslash)
{
    const uint64_t odd = UINT64_C(0xaaaaaaaaaaaaaaaa);
    uint64_t before = index->is_escaped;

    /* In a run of backslashes, the first one, the third one and so on escape.
       The difference carries through the runs that begin at an even bit. */
    uint64_t first = backslash & ~before;
    uint64_t series = ((first << 1 | odd) - first) ^ odd;
    index->is_escaped = (series & backslash) >> (BLOCK_BYTES - 1);
    return series ^ (backslash | before);
}

/* Hexadecimal digits. */
INLINE uint64_t
json_digits(block x)
{
    return block_between(x, '0', '9') | block_between(x, 'a', 'f') |
           block_between(x, 'A', 'F');
}

/* What is wrong with the bytes ESCAPED of the block X. */
INLINE uint64_t
json_wrong_escapes(struct json_index *index, block x, uint64_t escaped)
{
    uint64_t unicode = escaped & block_match(x, 'u');
    uint64_t others = block_match(x, '"') | block_match(x, '\\') |
                      block_match(x, '/') | block_match(x, 'b') |
                      block_match(x, 'f') | block_match(x, 'n') |
                      block_match(x, 'r') | block_match(x, 't');
    uint64_t wanted = index->digits | unicode << 1 | unicode << 2 |
                      unicode << 3 | unicode << 4;

    index->digits =
        unicode >> 63 | unicode >> 62 | unicode >> 61 | unicode >> 60;
    return (escaped & ~unicode & ~others) | (wanted & ~json_digits(x));
}

/*
 * What is wrong with the block at BASE, one character after the other: for a
 * block that is not all data, or has no three bytes before it.
 */
INLINE uint64_t
json_wrong_slowly(const struct chunk *chunk, uint32_t base, uint64_t high,
                  bool has_before)
{
    const unsigned char *data = chunk->data;
    uint32_t at = base;

    /* The begin of a character that goes on here. */
    while (has_before && at > 0 && base - at < 3 &&
           (data[at - 1] & 0xc0) == 0x80)
        at--;
    if (has_before && at > 0 && data[at - 1] >= 0xc0) {
        uint32_t bytes =
            (uint32_t)utf8_character(data + at - 1, chunk->size - at + 1);
        if (bytes == 0)
            return 1;
        if (at - 1 + bytes > base)
            high &= ~bits_below(at - 1 + bytes - base);
    }
    while (high != 0) {
        uint32_t i = bit_first(high);
        uint32_t bytes =
            (uint32_t)utf8_character(data + base + i, chunk->size - base - i);
        if (bytes == 0)
            return bit_at(i);
        high &= ~bits_below(i + bytes);
    }
    return 0;
}

/* What is wrong with the block at BASE, which has bytes HIGH that are no ASCII,
   or the block before it has some. */
INLINE uint64_t
json_wrong_characters(struct json_index *index, const struct chunk *chunk,
                      uint32_t base, uint64_t high)
{
    bool has_before = index->has_high;

    index->has_high = high != 0;
    return base >= 3 && chunk->size - base >= BLOCK_BYTES
               ? block_wrong_utf8(chunk->data + base)
               : json_wrong_slowly(chunk, base, high, has_before);
}

/* Look at the block X, which is at BASE; the data end in it, or behind it. */
INLINE void
json_index_block(struct json_index *index, const struct chunk *chunk, block x,
                 uint32_t base)
{
    uint64_t backslash = block_match(x, '\\');
    uint64_t quote = block_match(x, '"');
    uint64_t end = block_match(x, '\n');
    uint64_t gap = block_gaps(x);
    uint64_t sign = block_signs(x);
    uint64_t high = block_high(x);
    uint64_t bad = 0;

    if ((backslash | index->is_escaped | index->digits) != 0) {
        uint64_t escaped = json_escaped(index, backslash);
        index->has_escapes = true;
        bad = json_wrong_escapes(index, x, escaped);
        quote &= ~escaped;
    }
    if (high != 0 || index->has_high)
        bad |= json_wrong_characters(index, chunk, base, high);
    uint64_t inside = prefix_xor(quote) ^ index->is_inside;
    index->is_inside = 0 - (inside >> (BLOCK_BYTES - 1));
    bad |= inside & block_between(x, 0, ' ' - 1);

    /* A quote that closes, and what is between, begin no token. */
    uint64_t tail = inside ^ quote;
    uint64_t word = ~(gap | sign);
    uint64_t solid = word & ~quote;
    uint64_t begins = (sign | (word & ~(solid << 1 | index->is_word))) & ~tail;
    index->is_word = solid >> (BLOCK_BYTES - 1);

    uint64_t token = (begins | end) & bits_below(chunk->size - base);
    if (bad != 0) {
        index->bad = base + bit_first(bad);
        token &= bits_below(bit_first(bad));
    }
    end &= token;
    if (end != 0)
        index->whole =
            index->count +
            bit_count(token &
                      bits_below(BLOCK_BYTES - (uint32_t)__builtin_clzll(end)));
    index->count += block_store(index->token + index->count, base, token);
}

/*
 * List the tokens of more blocks: until there are those of whole lines, unless
 * there is no room for these, something is wrong or the data end.
 */
INLINE void
json_index_fill(struct json_index *index, const struct chunk *chunk)
{
    uint32_t begin = index->scanned;
    uint32_t base = begin;

    index->has_escapes &= index->count > 0;
    while (index->bad == JSON_NOWHERE && index->count < JSON_TOKENS_MAX &&
           (base - begin < JSON_BATCH_BYTES || index->whole == 0)) {
        if (chunk->size - base < BLOCK_BYTES) {
            if (base < chunk->size)
                json_index_block(index, chunk, load(chunk, base, false), base);
            base = chunk->size;
            break;
        }
        json_index_block(index, chunk, load(chunk, base, true), base);
        base += BLOCK_BYTES;
    }
    index->scanned = base;
}

/* Remove the tokens of the whole lines. */
INLINE void
json_index_drop(struct json_index *index)
{
    index->count -= index->whole;
    memmove(index->token, index->token + index->whole,
            index->count * sizeof *index->token);
    index->whole = 0;
}

#endif

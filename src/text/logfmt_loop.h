/* SPDX-License-Identifier: MIT */
/*
 * logfmt_loop.h -- the wanted values of a line of logfmt, for the forms of a
 * scan
 *
 * Masks of 64 bytes tell where keys start.  Quotes open and close in turns, so
 * the parity of the quotes before a byte tells whether the byte is inside of a
 * value in quotes.  This holds while each quote that opens follows the first
 * equals sign of its pair, and the line closes the last one; any other line is
 * read byte by byte.  A backslash outside of quotes may hide a quote from the
 * masks, but only a quote that opens nothing: one that opens follows '='.
 *
 * Of the keys that start, only those with the first and the last byte of a
 * wanted key are compared with the wanted keys.
 */

#ifndef GPUHIST_LOGFMT_LOOP_H
#define GPUHIST_LOGFMT_LOOP_H

#include "text/logfmt_line.h"
#include "text/logfmt_names.h"
#include "text/scan_block.h"
#include "text/scan_split.h"

enum {
    /* With more wanted keys, each key of a line is compared. */
    LOGFMT_KEYS_MAX = 8,
};

/* The first byte of a wanted key, and a later one, as a rule the last one. */
struct logfmt_key {
    uint32_t place; /* of the later one, less than a block */
    unsigned char first;
    unsigned char later;
};

struct logfmt_keys {
    struct logfmt_key key[LOGFMT_KEYS_MAX];
    uint32_t count; /* 0: too many */
};

/* The state before a block of a line. */
struct logfmt_known {
    uint64_t inside;  /* all bits: a quote is open */
    uint64_t escaped; /* 1: the next byte follows a backslash */
    uint64_t before;  /* 1: the byte before ends a pair */
    uint64_t in_key;  /* 1: the byte before is of a key */
    uint64_t equals;  /* 1: the byte before is the equals sign after a key */
    uint64_t odd;     /* not 0: the masks are not right */
};

INLINE struct logfmt_keys
logfmt_keys_of(const struct json_paths *paths)
{
    struct logfmt_keys keys = {.count = 0};
    uint32_t n = paths->node[0].child;

    for (; n != JSON_NONE; n = paths->node[n].next) {
        const struct json_node *node = &paths->node[n];
        uint32_t place = lower_of(node->size, BLOCK_BYTES) - 1;
        if (keys.count == LOGFMT_KEYS_MAX) {
            keys.count = 0;
            break;
        }
        keys.key[keys.count++] =
            (struct logfmt_key){place, node->name[0], node->name[place]};
    }
    return keys;
}

/* Where keys start in the block X, of which VALID is of the line. */
INLINE uint64_t
logfmt_starts(struct logfmt_known *known, block x, uint64_t valid)
{
    uint64_t quote = block_match(x, '"') & valid;
    uint64_t backslash = block_match(x, '\\');
    uint64_t blank = block_lows(x) | ~valid;
    uint64_t equals = block_match(x, '=') & valid;

    if ((backslash | known->escaped) != 0)
        quote &= ~escaped_bytes(backslash, &known->escaped);
    uint64_t inside = prefix_xor(quote) ^ known->inside;
    uint64_t after = (blank & ~inside) | (quote & ~inside);
    uint64_t starts = (after << 1 | known->before) & ~blank & ~inside;
    uint64_t name = ~(blank | equals | inside);
    /* The sum carries from the start of each key through its name. */
    uint64_t first = starts | known->in_key;
    uint64_t sum = (first & name) + name;
    uint64_t stop = ((sum & ~name) | first) & equals & ~inside;
    known->odd |= quote & inside & ~(stop << 1 | known->equals);
    known->in_key = sum < name;
    known->equals = stop >> (BLOCK_BYTES - 1);
    known->before = after >> (BLOCK_BYTES - 1);
    known->inside = 0 - (inside >> (BLOCK_BYTES - 1));
    return starts;
}

/* Those of STARTS, in the block X at AT, that may be wanted keys. */
INLINE uint64_t
logfmt_candidates(const struct logfmt_keys *keys, const struct text_view *view,
                  block x, uint32_t at, uint64_t starts, const bool is_inner)
{
    uint64_t candidates = keys->count == 0 ? starts : 0;

    for (uint32_t i = 0; i < keys->count; i++) {
        const struct logfmt_key *key = &keys->key[i];
        uint32_t later = at + key->place;
        if (!is_inner)
            later = lower_of(later, view->size);
        candidates |= block_match(x, key->first) &
                      block_match(load(view, later, is_inner), key->later);
    }
    return candidates & starts;
}

/* The first blank from AT on, or END. */
INLINE uint32_t
logfmt_stop(const struct text_view *view, uint32_t at, uint32_t end,
            const bool is_inner)
{
    for (; at < end; at += BLOCK_BYTES) {
        uint64_t mask = block_lows(load(view, at, is_inner));
        if (mask != 0)
            return lower_of(at + bit_first(mask), end);
    }
    return end;
}

/* The value that starts at AT, in quotes or not, of a line that ends at END. */
INLINE struct text_slice
logfmt_value(const struct text_view *view, uint32_t at, uint32_t end,
             const bool is_inner)
{
    struct text_slice value;

    if (at == end || view->data[at] != '"')
        return slice_of(at, logfmt_stop(view, at, end, is_inner));
    block x = load(view, at, is_inner);
    uint64_t mask = block_either(x, '"', '\\');
    mask &= mask - 1; /* without the quote at AT */
    uint32_t stop = at + bit_first(mask);
    if (mask != 0 && stop < end && view->data[stop] == '"')
        return slice_of(at + 1, stop);
    (void)logfmt_line_quoted(view->data, at, end, &value);
    return value;
}

/* If a wanted key starts at AT of a line that ends at END, set its columns in
   OUT to its value. */
INLINE void
logfmt_take(const struct json_paths *paths, const struct text_view *view,
            uint32_t at, uint32_t end, struct text_slice *out,
            const bool is_inner)
{
    const unsigned char *key = view->data + at;
    uint32_t n = paths->node[0].child;

    for (; n != JSON_NONE; n = paths->node[n].next) {
        const struct json_node *node = &paths->node[n];
        uint32_t size = node->size;
        if (size > end - at || memcmp(key, node->name, size) != 0 ||
            (size < end - at && key[size] != '=' &&
             !logfmt_is_blank(key[size])))
            continue;
        struct text_slice value = slice_of(at + size, at + size);
        if (size < end - at && key[size] == '=')
            value = logfmt_value(view, at + size + 1, end, is_inner);
        for (uint32_t c = node->column; c != JSON_NONE;
             c = paths->next_column[c])
            out[c] = value;
        return;
    }
}

/*
 * Set the columns in OUT to the values of the line RECORD, which has a byte.
 * Returns whether the line has more than blanks.
 */
INLINE bool
logfmt_split(const struct json_paths *paths, const struct logfmt_keys *keys,
             const struct text_view *view, struct text_span record,
             struct text_slice *out, const bool is_inner)
{
    struct logfmt_known known = {.before = 1};
    uint64_t all = 0;

    for (uint32_t i = 0; i < paths->columns; i++)
        out[i] = TEXT_SLICE_NONE;
    logfmt_line_set(paths, slice_of(record.start, record.end), out);
    for (uint32_t at = record.start; at < record.end; at += BLOCK_BYTES) {
        block x = load(view, at, is_inner);
        uint64_t starts = logfmt_starts(&known, x, bits_below(record.end - at));
        uint64_t mask = logfmt_candidates(keys, view, x, at, starts, is_inner);
        all |= starts;
        for (; mask != 0; mask &= mask - 1)
            logfmt_take(paths, view, at + bit_first(mask), record.end, out,
                        is_inner);
    }
    if ((known.odd | known.inside) != 0)
        return logfmt_line_read(paths, view->data, record.start, record.end,
                                out);
    return all != 0;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * scan_marks.h -- several wanted fields of a long record from the same masks,
 * for the forms of a scan
 *
 * Two blocks are looked at together, as in scan_split.h.  Their marks, the
 * starts of fields, are taken from the first to the last wanted mark; a field's
 * end is looked for from its start on.
 *
 * In CLF, a separator plays the part of a blank in WHITESPACE: a blank outside
 * of quotes and brackets, or the byte that closes them.  Quotes are opened and
 * closed in turns, so the parity of the quotes before a byte tells whether the
 * byte is inside.  A subtraction finds the bytes inside of brackets: each [
 * borrows until its ].  Where fields.h has another rule, as at a backslash or
 * at a quote inside of a field, a mask says so, and the record is split in
 * another way.
 */

#ifndef GPUHIST_SCAN_MARKS_H
#define GPUHIST_SCAN_MARKS_H

#include "text/scan_block.h"
#include "text/scan_split.h"

/* The marks of two blocks that are not taken yet. */
struct marks {
    struct pair starts;
    uint32_t at;        /* of the first block */
    uint64_t before;    /* 1: the byte before the next block ends a field */
    uint64_t quoted;    /* all bits: quotes are open there */
    uint64_t bracketed; /* 1: a bracket is open there */
    uint64_t odd;       /* CLF: where the masks are not right, of both blocks */
};

/* The separators of a block of CLF; adds those of COUNTED to marks->odd. */
INLINE uint64_t
clf_separators(struct marks *marks, block x, uint64_t counted)
{
    uint64_t quote = block_match(x, '"');
    uint64_t inside = prefix_xor(quote) ^ marks->quoted;
    uint64_t separators = (block_blanks(x) | quote) & ~inside;
    uint64_t opens = quote & inside;
    uint64_t odd = 0;

    marks->quoted = 0 - (inside >> 63);
    /* As a rule, only the time has brackets. */
    if ((block_brackets(x) | marks->bracketed) != 0) {
        uint64_t open = block_match(x, '[') & ~inside;
        uint64_t close = block_match(x, ']') & ~inside;
        uint64_t enclosed = close - open - marks->bracketed;
        odd = block_match(x, '\\') | (enclosed & (quote | close)) |
              (open & ~enclosed);
        separators = (separators & ~enclosed) | close;
        opens |= open;
        marks->bracketed = enclosed >> 63;
    }
    odd |= opens & ~(separators << 1 | marks->before);
    marks->odd |= odd & counted;
    return separators;
}

/* The starts of fields in the block at AT of a record that ends at END. */
INLINE uint64_t
marks_of(struct marks *marks, const struct text_view *view, uint32_t at,
         uint32_t end, unsigned char delimiter, const enum text_kind kind,
         const bool is_inner)
{
    block x = load(view, at, is_inner);
    uint64_t separators;
    uint64_t follows;

    if (kind == TEXT_DELIMITED)
        separators = block_match(x, delimiter);
    else if (kind == TEXT_WHITESPACE)
        separators = block_blanks(x);
    else
        separators = clf_separators(marks, x, bits_below(end - at));
    follows = separators << 1 | marks->before;
    marks->before = separators >> 63;
    return kind == TEXT_DELIMITED ? follows : follows & ~separators;
}

/* Look at the two blocks at marks->at, which is at most END. */
INLINE void
marks_look(struct marks *marks, const struct text_view *view, uint32_t end,
           unsigned char delimiter, const enum text_kind kind,
           const bool is_inner)
{
    uint32_t second = marks->at + BLOCK_BYTES;

    marks->starts.first =
        marks_of(marks, view, marks->at, end, delimiter, kind, is_inner);
    marks->starts.second = 0;
    if ((is_inner && kind != TEXT_CLF) || second <= end)
        marks->starts.second =
            marks_of(marks, view, second, end, delimiter, kind, is_inner);
}

/* Take the mark after SKIP other marks, which exist.  Returns its offset. */
INLINE uint32_t
marks_take(struct marks *marks, uint32_t skip)
{
    uint64_t first = marks->starts.first;
    uint64_t second = marks->starts.second;
    uint32_t count = bit_count(first);
    uint64_t is_second = 0 - (uint64_t)(count <= skip);
    uint64_t mask = bits_from_nth(first ^ ((first ^ second) & is_second),
                                  skip - (count & (uint32_t)is_second));
    uint64_t later = mask & (mask - 1);

    marks->starts.first = later & ~is_second;
    marks->starts.second = second ^ ((second ^ later) & is_second);
    return marks->at + (BLOCK_BYTES & (uint32_t)is_second) + bit_first(mask);
}

/*
 * Set *SLICE to the field of CLF that starts at AT, before END.  Returns false
 * if the field has a backslash in its quotes.
 */
INLINE bool
clf_field(const struct text_view *view, uint32_t at, uint32_t end,
          struct text_slice *slice, const bool is_inner)
{
    unsigned char first = view->data[at];
    uint32_t stop;
    uint64_t mask;

    if (first == '"') {
        block x = load(view, ++at, is_inner);
        mask = block_quotes(x);
        stop = mask != 0 ? lower_of(at + bit_first(mask), end)
                         : find_either(view, at, end, '"', '\\', false);
        *slice = slice_of(at, stop);
        return stop == end || view->data[stop] == '"';
    }
    if (first == '[') {
        mask = block_match(load(view, ++at, is_inner), ']');
        stop = mask != 0 ? lower_of(at + bit_first(mask), end)
                         : delimited_stop_far(view, at, end, ']');
    } else {
        mask = block_blanks(load(view, at, is_inner));
        stop = mask != 0 ? lower_of(at + bit_first(mask), end)
                         : whitespace_stop_far(view, at, end);
    }
    *slice = slice_of(at, stop);
    return true;
}

/* The field that starts at AT, at most END; false as clf_field(). */
INLINE bool
marks_field(const struct text_view *view, uint32_t at, uint32_t end,
            unsigned char delimiter, struct text_slice *slice,
            const enum text_kind kind, const bool is_inner)
{
    uint64_t mask;
    uint32_t stop;

    if (kind == TEXT_CLF)
        return clf_field(view, at, end, slice, is_inner);
    if (kind == TEXT_DELIMITED)
        mask = block_match(load(view, at, is_inner), delimiter);
    else
        mask = block_blanks(load(view, at, is_inner));
    if (mask != 0)
        stop = lower_of(at + bit_first(mask), end);
    else if (kind == TEXT_DELIMITED)
        stop = delimited_stop_far(view, at, end, delimiter);
    else
        stop = whitespace_stop_far(view, at, end);
    *slice = slice_of(at, stop);
    return true;
}

/*
 * Take the mark after SKIP other marks.  Returns its offset; with fewer marks,
 * an offset from LIMIT on, where no field of the record can start.
 */
INLINE uint32_t
marks_next(struct marks *marks, const struct text_view *view, uint32_t end,
           uint32_t limit, unsigned char delimiter, uint32_t skip,
           const enum text_kind kind, const bool is_inner)
{
    for (;;) {
        uint32_t count =
            bit_count(marks->starts.first) + bit_count(marks->starts.second);
        if (count > skip)
            return marks_take(marks, skip);
        skip -= count;
        marks->at += 2 * BLOCK_BYTES;
        if (marks->at >= limit)
            return limit;
        marks_look(marks, view, end, delimiter, kind, is_inner);
    }
}

/*
 * The wanted fields from HEAD on, where RECORD, whose start may be left out,
 * has SKIP fields before the first one; of CLF, without the carriage return.
 * DELIMITER is that of DELIMITED.  Returns false if a record of CLF must be
 * split in another way.
 */
INLINE bool
marks_split_from(const struct scan *scan, const struct text_view *view,
                 struct text_span record, const struct scan_field *head,
                 uint32_t skip, unsigned char delimiter, struct text_slice *out,
                 const enum text_kind kind, const bool is_inner)
{
    const struct scan_field *const heads_end = scan->head + scan->heads;
    const uint32_t limit = record.end + (kind == TEXT_DELIMITED);
    struct marks marks = {.at = record.start, .before = 1};

    marks_look(&marks, view, record.end, delimiter, kind, is_inner);
    while (head < heads_end) {
        uint32_t at = marks_next(&marks, view, record.end, limit, delimiter,
                                 skip, kind, is_inner);
        if (at >= limit)
            break;
        if (!marks_field(view, at, record.end, delimiter, &out[head->column],
                         kind, is_inner))
            return false;
        /* The array has room for an entry after the last one. */
        skip = (++head)->skip;
    }
    for (; head < heads_end; head++)
        out[head->column] = slice_missing();
    return marks.odd == 0;
}

/* The same of all wanted fields of RECORD with numbers from the first field. */
INLINE bool
marks_split(const struct scan *scan, const struct text_view *view,
            struct text_span record, unsigned char delimiter,
            struct text_slice *out, const enum text_kind kind,
            const bool is_inner)
{
    return marks_split_from(scan, view, record, scan->head, scan->head->skip,
                            delimiter, out, kind, is_inner);
}

#endif

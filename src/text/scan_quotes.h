/* SPDX-License-Identifier: MIT */
/*
 * scan_quotes.h -- the fields of a record with quotes, CLF and CSV, for the
 * forms of a scan
 *
 * Field by field.  The masks of a block, the window, are kept until the next
 * field starts after it: so as a rule a step is a shift and a search for a bit.
 */

#ifndef GPUHIST_SCAN_QUOTES_H
#define GPUHIST_SCAN_QUOTES_H

#include "text/scan_block.h"
#include "text/scan_split.h"

/*
 * The places of the bytes to look for, in the block at BASE.  The bits from the
 * end on are set in all masks, so that each search ends there.
 */
struct window {
    uint32_t base;
    uint32_t end;
    uint64_t quote; /* CLF: also a backslash */
    uint64_t stop;  /* CLF: blanks; CSV: delimiters and ends */
    uint64_t close; /* CLF: ] */
};

INLINE void
window_move(struct window *window, const struct text_format *format,
            const struct text_view *view, uint32_t base,
            const enum text_kind kind)
{
    block x = load(view, base, false);
    uint64_t after = ~bits_below(window->end - base);

    window->base = base;
    window->quote = block_match(x, '"') | after;
    if (kind == TEXT_CLF) {
        window->quote |= block_match(x, '\\');
        window->stop = block_blanks(x) | after;
        window->close = block_match(x, ']') | after;
    } else {
        window->stop = block_match(x, (unsigned char)format->delimiter) |
                       block_match(x, (unsigned char)format->end) | after;
    }
}

/* Make the window have a bit for AT, which is at most the end. */
INLINE void
window_reach(struct window *window, const struct text_format *format,
             const struct text_view *view, uint32_t at,
             const enum text_kind kind)
{
    if (at - window->base >= BLOCK_BYTES)
        window_move(window, format, view, at, kind);
}

/* Move AT on to the first bit of a mask of the window; MASK is its name. */
#define WINDOW_FIND(at, mask, window, format, view, kind)             \
    do {                                                              \
        window_reach(window, format, view, at, kind);                 \
        while ((window)->mask >> ((at) - (window)->base) == 0) {      \
            (at) = (window)->base + BLOCK_BYTES;                      \
            window_move(window, format, view, at, kind);              \
        }                                                             \
        (at) += bit_first((window)->mask >> ((at) - (window)->base)); \
    } while (0)

/* As fields_next(), for CLF. */
INLINE bool
clf_next(const struct text_format *format, const struct text_view *view,
         struct window *window, uint32_t *at, struct text_slice *slice)
{
    const unsigned char *data = view->data;
    uint32_t end = window->end;
    uint32_t start = *at;
    uint32_t stop;

    while (start < end && fields_is_blank(data[start]))
        start++;
    if (start >= end)
        return false;
    if (data[start] == '"') {
        stop = ++start;
        WINDOW_FIND(stop, quote, window, format, view, TEXT_CLF);
        while (stop < end && data[stop] == '\\') {
            stop = end - stop > 1 ? stop + 2 : end;
            WINDOW_FIND(stop, quote, window, format, view, TEXT_CLF);
        }
    } else if (data[start] == '[') {
        stop = ++start;
        WINDOW_FIND(stop, close, window, format, view, TEXT_CLF);
    } else {
        stop = start;
        WINDOW_FIND(stop, stop, window, format, view, TEXT_CLF);
        *at = stop;
        *slice = slice_of(start, stop);
        return true;
    }
    *at = stop < end ? stop + 1 : stop;
    *slice = slice_of(start, stop);
    return true;
}

/*
 * The CSV field at AT: sets *SLICE, and returns where it ends, as
 * fields_csv_stop() does.  The end of the window is that of the data or of the
 * record; a carriage return before the record's end is left out.
 */
INLINE uint32_t
csv_field(const struct text_format *format, const struct text_view *view,
          struct window *window, uint32_t at, struct text_slice *slice)
{
    const unsigned char *data = view->data;
    uint32_t end = window->end;
    uint32_t stop = at;

    if (at < end && data[at] == '"') {
        bool is_simple = true; /* without other quotes, until now */
        uint32_t close = at + 1;
        for (;;) {
            WINDOW_FIND(close, quote, window, format, view, TEXT_CSV);
            if (end - close < 2 || data[close + 1] != '"')
                break;
            is_simple = false;
            close += 2;
        }
        stop = close < end ? close + 1 : end;
        WINDOW_FIND(stop, stop, window, format, view, TEXT_CSV);
        uint32_t last = stop;
        if ((stop == end || data[stop] == format->end) &&
            data[last - 1] == '\r')
            last--;
        *slice = is_simple && close + 1 == last ? slice_of(at + 1, close)
                                                : slice_of(at, last);
        return stop;
    }
    WINDOW_FIND(stop, stop, window, format, view, TEXT_CSV);
    *slice = slice_of(at, stop);
    if ((stop == end || data[stop] == format->end) && stop > at &&
        data[stop - 1] == '\r')
        slice->size--;
    return stop;
}

/*
 * The separators of a block of CSV: delimiters and ends outside of quotes.  The
 * parity of the quotes before a byte tells whether the byte is inside, if each
 * quote that opens is at a field's start, or next to one that closes.
 */
struct csv_marks {
    uint32_t base;
    uint64_t quote;
    uint64_t stops; /* delimiters and ends */
    uint64_t ends;
    uint64_t odd;    /* quotes that open elsewhere: later masks are not right */
    uint64_t inside; /* all bits: quotes are open after the block */
    uint64_t before; /* 1: a quote may open at the next block's first byte */
};

/* Look at the block at BASE, which follows the block before.  IS_INNER is as
   for load(). */
INLINE void
csv_look(struct csv_marks *marks, const struct text_format *format,
         const struct text_view *view, uint32_t base, const bool is_inner)
{
    block x = load(view, base, is_inner);
    uint64_t quote = block_match(x, '"');
    uint64_t inside = prefix_xor(quote) ^ marks->inside;
    uint64_t outside =
        is_inner ? ~inside : ~inside & bits_below(view->size - base);

    marks->base = base;
    marks->quote = quote;
    marks->ends = block_match(x, (unsigned char)format->end) & outside;
    marks->stops =
        (block_match(x, (unsigned char)format->delimiter) & outside) |
        marks->ends;
    uint64_t openings = marks->stops | (quote & ~inside);
    marks->odd = quote & inside & ~(openings << 1 | marks->before);
    marks->inside = 0 - (inside >> (BLOCK_BYTES - 1));
    marks->before = openings >> (BLOCK_BYTES - 1);
}

/* A field starts at AT. */
INLINE void
csv_marks_start(struct csv_marks *marks, const struct text_format *format,
                const struct text_view *view, uint32_t at)
{
    marks->inside = 0;
    marks->before = 1;
    csv_look(marks, format, view, at, false);
}

/* The slice of the field from AT to STOP, a separator, as csv_field(). */
INLINE struct text_slice
csv_slice(const struct text_format *format, const struct text_view *view,
          uint32_t at, uint32_t stop)
{
    const unsigned char *data = view->data;
    uint32_t last = stop;

    if (data[stop] == format->end && stop > at && data[stop - 1] == '\r')
        last--;
    if (data[at] != '"' || last - at < 2 || data[last - 1] != '"' ||
        memchr(data + at + 1, '"', last - at - 2) != NULL)
        return slice_of(at, last);
    return slice_of(at + 1, last - 1);
}

/*
 * Set OUT to the wanted fields of the record at START, with numbers from the
 * first field, and *END to its end.  Returns false if MARKS do not tell.
 */
INLINE bool
csv_split(const struct scan *scan, const struct text_view *view,
          struct csv_marks *marks, uint32_t start, struct text_slice *out,
          uint32_t *end)
{
    const struct scan_field *head = scan->head;
    const struct scan_field *const heads_end = head + scan->heads;
    uint64_t from =
        start > marks->base ? ~bits_below(start - marks->base) : UINT64_MAX;
    uint32_t skip = head->skip; /* separators before the next field */
    uint32_t field = start;

    for (;; from = UINT64_MAX) {
        const uint32_t base = marks->base;
        uint64_t ends = marks->ends & from;
        uint64_t record = (ends ^ (ends - 1)) & from;
        uint64_t stops = marks->stops & record;
        if ((marks->odd & record) != 0)
            return false;
        while (stops != 0 && head < heads_end) {
            if (skip > 0) {
                uint32_t count = bit_count(stops);
                if (count < skip) {
                    skip -= count;
                    break;
                }
                stops = bits_from_nth(stops, skip - 1);
                field = base + bit_first(stops) + 1;
                skip = 0;
            } else {
                uint32_t stop = base + bit_first(stops);
                out[head->column] = csv_slice(&scan->format, view, field, stop);
                field = stop + 1;
                /* The array has room for an entry after the last one. */
                skip = (++head)->skip;
            }
            stops &= stops - 1;
        }
        if (ends != 0) {
            for (; head < heads_end; head++)
                out[head->column] = slice_missing();
            *end = base + bit_first(ends);
            return true;
        }
        if (view->size - base <= BLOCK_BYTES)
            return false;
        csv_look(marks, &scan->format, view, base + BLOCK_BYTES, false);
    }
}

/* As fields_next(), for CSV. */
INLINE bool
csv_next(const struct text_format *format, const struct text_view *view,
         struct window *window, uint32_t *at, struct text_slice *slice)
{
    if (*at > window->end)
        return false;
    *at = csv_field(format, view, window, *at, slice) + 1;
    return true;
}

INLINE bool
quotes_next(const struct text_format *format, const struct text_view *view,
            struct window *window, uint32_t *at, struct text_slice *slice,
            const enum text_kind kind)
{
    return kind == TEXT_CLF ? clf_next(format, view, window, at, slice)
                            : csv_next(format, view, window, at, slice);
}

/* All wanted fields of a record; for CLF, without its carriage return. */
INLINE void
quotes_split(const struct scan *scan, const struct text_view *view,
             struct text_span record, struct text_slice *out,
             const enum text_kind kind)
{
    const struct text_format *format = &scan->format;
    struct window window = {.end = record.end};
    struct text_slice slice;
    uint32_t fields = 0;
    uint32_t at = record.start;
    size_t i = 0;
    size_t j = scan->tails; /* the greatest number comes first */

    window_move(&window, format, view, at, kind);
    while (j > 0 && quotes_next(format, view, &window, &at, &slice, kind))
        fields++;
    for (; j > 0 && scan->tail[j - 1].number >= fields; j--)
        out[scan->tail[j - 1].column] = slice_missing();
    if (at != record.start)
        window_move(&window, format, view, record.start, kind);
    at = record.start;
    for (uint32_t number = 1; i < scan->heads || j > 0; number++) {
        if (!quotes_next(format, view, &window, &at, &slice, kind))
            break;
        if (i < scan->heads && scan->head[i].number == number)
            out[scan->head[i++].column] = slice;
        if (j > 0 && fields - scan->tail[j - 1].number == number)
            out[scan->tail[--j].column] = slice;
    }
    for (; i < scan->heads; i++)
        out[scan->head[i].column] = slice_missing();
}

#endif

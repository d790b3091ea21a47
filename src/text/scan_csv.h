/* SPDX-License-Identifier: MIT */
/*
 * scan_csv.h -- the records of CSV, for the forms of a scan
 *
 * One look at a batch makes the masks of its quotes and separators, and a list
 * of the ends of its records, without branches that depend on the data.  Then
 * the fields of each record are found in these masks alone, so the quotes do
 * not make the walk less predictable.  Where a quote opens inside of a field,
 * the masks are not right: there a batch ends, and the record is split field by
 * field, as is a record without its end in a batch.
 */

#ifndef GPUHIST_SCAN_CSV_H
#define GPUHIST_SCAN_CSV_H

#include "text/scan_block.h"
#include "text/scan_quotes.h"
#include "text/scan_split.h"

enum {
    CSV_BLOCKS = BATCH_BYTES / BLOCK_BYTES,
    CSV_MORE = 3, /* words without bits, which are read after the last ones */
    CSV_FAR = 6,  /* a field after so many others is hardly in the same mask */
};

struct csv_batch {
    uint32_t base;  /* of the first block */
    uint32_t count; /* of AT */
    bool is_cut;    /* the masks are not right for the record after these */
    bool has_quotes;
    bool is_listed; /* before csv_find(): STOP is wanted */
    uint64_t quote[CSV_BLOCKS + CSV_MORE];
    uint64_t stops[CSV_BLOCKS + CSV_MORE];              /* separators */
    uint32_t at[BATCH_ENDS + BLOCK_BYTES + STORE_MORE]; /* ends of records */
    uint32_t stop[1 + BATCH_BYTES + BLOCK_BYTES]; /* the byte before the first
                                                     block, all separators */
    size_t listed;                                /* separators in STOP */
};

/* The bits of the block at BASE, of a record or of the start of one, where a
   comment may start. */
INLINE uint64_t
csv_comments(const struct csv_marks *marks, const struct text_format *format,
             const struct text_view *view, uint32_t base, uint64_t is_start)
{
    block x = load(view, base, false);

    return block_match(x, (unsigned char)format->comment) &
           (marks->ends << 1 | is_start);
}

/* Look at the records from START on, up to about MOST. */
INLINE void
csv_find(struct csv_batch *batch, const struct text_format *format,
         const struct text_view *view, uint32_t start, size_t most)
{
    struct csv_marks marks = {.before = 1};
    uint64_t is_start = 1;
    uint64_t cut = 0;
    uint64_t quotes = 0;
    uint32_t base = start;
    uint32_t count = 0;
    uint32_t *stop = batch->stop;
    size_t b = 0;

    *stop++ = start - 1;
    most = most < BATCH_ENDS ? most : BATCH_ENDS;
    do {
        load_ahead(view, base);
        csv_look(&marks, format, view, base);
        cut = marks.odd;
        quotes |= marks.quote;
        if (format->comment >= 0)
            cut |= csv_comments(&marks, format, view, base, is_start);
        is_start = marks.ends >> (BLOCK_BYTES - 1);
        uint64_t right = cut == 0 ? UINT64_MAX : (cut & (0 - cut)) - 1;
        batch->quote[b] = marks.quote & right;
        if (batch->is_listed)
            stop += block_list(stop, base, marks.stops & right);
        batch->stops[b++] = marks.stops & right;
        count += store_bits(batch->at + count, base, marks.ends & right);
        base += BLOCK_BYTES;
    } while (cut == 0 && b < CSV_BLOCKS && base < view->size && count < most);
    for (size_t i = 0; i < CSV_MORE; i++)
        batch->quote[b + i] = batch->stops[b + i] = 0;
    batch->listed = (size_t)(stop - batch->stop) - 1;
    batch->base = start;
    batch->count = count;
    batch->is_cut = cut != 0;
    batch->has_quotes = quotes != 0;
}

/* The 64 bits of WORD from bit AT on. */
INLINE uint64_t
csv_bits(const uint64_t *word, uint32_t at)
{
    const uint64_t *from = word + at / BLOCK_BYTES;
    uint32_t shift = at % BLOCK_BYTES;

    return from[0] >> shift | from[1] << 1 << (BLOCK_BYTES - 1 - shift);
}

/* Separator SKIP, from 0, from FIELD on; or TEXT_SLICE_MISSING. */
TARGET static __attribute__((noinline)) uint32_t
csv_stop_far(const struct csv_batch *batch, uint32_t field, uint32_t end,
             uint32_t skip)
{
    for (; field <= end; field += BLOCK_BYTES) {
        uint64_t stops = csv_bits(batch->stops, field - batch->base);
        uint32_t count = bit_count(stops);
        if (count > skip)
            return field + bit_nth(stops, skip);
        skip -= count;
    }
    return TEXT_SLICE_MISSING;
}

/* Separator SKIP, from 0, of the record that ends at END, from FIELD on; after
   END if the record has fewer. */
INLINE uint32_t
csv_stop(const struct csv_batch *batch, uint32_t field, uint32_t end,
         uint32_t skip)
{
    uint32_t at = field - batch->base;
    struct pair pair = {csv_bits(batch->stops, at),
                        csv_bits(batch->stops, at + BLOCK_BYTES)};
    uint32_t found = pair_find(pair, field, &skip);

    if (found == TEXT_SLICE_MISSING && end - field >= 2 * BLOCK_BYTES)
        found = csv_stop_far(batch, field + 2 * BLOCK_BYTES, end, skip);
    return found;
}

/* A field that is too long for a mask. */
TARGET static __attribute__((noinline)) struct text_slice
csv_value_far(const struct scan *scan, const struct text_view *view,
              uint32_t field, uint32_t stop)
{
    return csv_slice(&scan->format, view, field, stop);
}

/* The masks from FROM on. */
struct csv_window {
    uint32_t from;
    uint64_t quote;
    uint64_t stops;
};

INLINE void
csv_window_move(struct csv_window *window, const struct csv_batch *batch,
                uint32_t from, const bool has_quotes)
{
    window->from = from;
    if (has_quotes)
        window->quote = csv_bits(batch->quote, from - batch->base);
    window->stops = csv_bits(batch->stops, from - batch->base);
}

/* What csv_slice() returns for a field from FIELD to STOP, which are in WINDOW,
   of a record that ends at END.  Sets *QUOTES if the slice may start with a
   quote; none does unless the batch HAS_QUOTES. */
INLINE struct text_slice
csv_value(const struct text_view *view, const struct csv_window *window,
          uint32_t field, uint32_t stop, uint32_t end, const bool has_quotes,
          uint64_t *quotes)
{
    uint32_t size = stop - field;

    size -= (uint32_t)(stop == end && size > 0 && view->data[stop - 1] == '\r');
    if (!has_quotes)
        return (struct text_slice){field, size};
    uint64_t quote =
        window->quote >> (field - window->from) & (((uint64_t)1 << size) - 1);
    /* Nothing but the two around the value. */
    uint32_t is_simple =
        (uint32_t)((size > 1) &
                   (quote == (1 | (uint64_t)1 << (size - 1) % 64)));
    *quotes |= quote & ((uint64_t)is_simple - 1);
    return (struct text_slice){field + is_simple, size - 2 * is_simple};
}

/* Set OUT to the wanted fields from HEAD on, of the record of BATCH that ends
   at END.  The fields between the wanted one before HEAD and HEAD start at
   FIELD.  Returns 0 if no slice starts with a quote. */
INLINE uint64_t
csv_rest(const struct scan *scan, const struct text_view *view,
         const struct csv_batch *batch, const struct scan_field *head,
         uint32_t field, uint32_t end, const bool has_quotes,
         struct text_slice *out)
{
    const struct scan_field *const heads_end = scan->head + scan->heads;
    struct csv_window window;
    uint64_t quotes = 0;

    csv_window_move(&window, batch, field, has_quotes);
    for (; head < heads_end; head++) {
        const uint32_t skip = head->skip;
        uint64_t starts = 0;
        if (skip > 0) {
            if (skip < CSV_FAR)
                starts = bits_from_nth(window.stops, skip - 1);
            field = starts != 0
                        ? window.from + bit_first(starts)
                        : lower_of(csv_stop(batch, field, end, skip - 1), end);
            field++;
            window.stops = starts & (starts - 1);
        }
        if (field > end)
            break;
        if (window.stops == 0)
            csv_window_move(&window, batch, field, has_quotes);
        uint32_t stop = window.from + bit_first(window.stops);
        if (window.stops != 0) {
            out[head->column] =
                csv_value(view, &window, field, stop, end, has_quotes, &quotes);
        } else {
            quotes = has_quotes;
            stop = csv_stop_far(batch, field, end, 0);
            out[head->column] = csv_value_far(scan, view, field, stop);
        }
        window.stops &= window.stops - 1;
        field = stop + 1;
    }
    for (; head < heads_end; head++)
        out[head->column] = slice_missing();
    return quotes;
}

/* Whether a list of separators is worth its time in batches like BATCH: records
   have at most LIST_BYTES for each wanted field, and for the start. */
INLINE bool
csv_is_dense(const struct scan *scan, const struct csv_batch *batch)
{
    const size_t most = LIST_BYTES * (scan->heads + 1);

    return batch->count > 0 && !batch->has_quotes && scan->tails == 0 &&
           batch->at[batch->count - 1] - batch->base <= most * batch->count;
}

/*
 * Write the wanted fields, with numbers from the first one, of the first
 * records of BATCH, at most COUNT, if these have as many fields as the very
 * first one: so many separators on is the same field of the next record.
 * No record has a quote.  Returns the number of these records; 0 if they lack a
 * field, or may be blank.
 */
TARGET static __attribute__((noinline)) size_t
csv_even(const struct scan *scan, const struct text_view *view,
         const struct csv_batch *batch, size_t count, struct text_slice *out)
{
    const struct scan_field *const heads_end = scan->head + scan->heads;
    const uint32_t last = heads_end[-1].number;
    const size_t wanted = scan->wanted;
    const uint32_t *const stop = batch->stop;
    size_t columns = 1;
    size_t even = 0;

    while (stop[columns] != batch->at[0])
        columns++;
    if ((scan->format.skips_blank && columns < 3) || last > columns)
        return 0;
    if (count > batch->listed / columns)
        count = batch->listed / columns;
    while (even < count && stop[(even + 1) * columns] == batch->at[even])
        even++;
    for (const struct scan_field *head = scan->head; head < heads_end; head++) {
        const uint32_t *around = stop + head->number - 1;
        struct text_slice *own = out + head->column;
        for (size_t r = 0; r < even; r++) {
            *own = slice_of(around[0] + 1, around[1]);
            around += columns;
            own += wanted;
        }
    }
    out += heads_end[-1].column;
    for (size_t r = 0; last == columns && r < even; r++, out += wanted)
        out->size -= (uint32_t)(out->size > 0 &&
                                view->data[out->at + out->size - 1] == '\r');
    return even;
}

/* In a function of its own, which leaves registers to the loop over records. */
TARGET static __attribute__((noinline)) uint64_t
csv_rest_bare(const struct scan *scan, const struct text_view *view,
              const struct csv_batch *batch, const struct scan_field *head,
              uint32_t field, uint32_t end, struct text_slice *out)
{
    return csv_rest(scan, view, batch, head, field, end, false, out);
}

/* The same of all wanted fields, with numbers from the first one, of the record
   from START to END of BATCH, which has no quotes.  Most fields are in the mask
   of the record's start, or in that of the field before. */
INLINE uint64_t
csv_record_bare(const struct scan *scan, const struct text_view *view,
                const struct csv_batch *batch, uint32_t start, uint32_t end,
                struct text_slice *out)
{
    const struct scan_field *head = scan->head;
    const struct scan_field *const heads_end = head + scan->heads;
    struct csv_window window;
    uint32_t field = start;
    uint64_t quotes = 0;

    csv_window_move(&window, batch, start, false);
    /* Where the next fields start, also those of later records. */
    uint64_t next = window.stops << 1 | 1;
    while (head < heads_end) {
        uint64_t from = bits_from_nth(next, head->skip);
        uint64_t after = from & (from - 1);
        uint32_t own = window.from + bit_first(from);
        if (after == 0 || own > end) {
            if (window.from == field)
                return csv_rest_bare(scan, view, batch, head, field, end, out);
            csv_window_move(&window, batch, field, false);
            next = window.stops << 1 | 1;
            continue;
        }
        next = after;
        field = window.from + bit_first(next);
        out[head++->column] =
            csv_value(view, &window, own, field - 1, end, false, &quotes);
    }
    return 0;
}

/* A record of which fields are numbered from the last one. */
TARGET static __attribute__((noinline)) void
csv_tails(const struct scan *scan, const struct text_view *view, uint32_t start,
          uint32_t end, struct text_slice *out)
{
    quotes_split(scan, view, (struct text_span){start, end}, out, TEXT_CSV);
}

/*
 * Find the wanted fields of the record at START with numbers from the first
 * field.  Returns the record's end.
 */
INLINE uint32_t
csv_heads(const struct scan *scan, const struct text_view *view,
          struct window *window, uint32_t start, struct text_slice *out)
{
    const struct text_format *format = &scan->format;
    uint32_t at = start;
    size_t i = 0;

    for (uint32_t number = 1;; number++) {
        struct text_slice slice;
        uint32_t stop = csv_field(format, view, window, at, &slice);
        if (i < scan->heads && scan->head[i].number == number)
            out[scan->head[i++].column] = slice;
        if (stop == view->size || view->data[stop] == format->end) {
            for (; i < scan->heads; i++)
                out[scan->head[i].column] = slice_missing();
            return stop;
        }
        at = stop + 1;
    }
}

/* The record at START, which is not in a batch.  IS_ODD: a quote opens inside
   of a field.  Returns the record's end. */
TARGET static __attribute__((noinline)) uint32_t
csv_alone(const struct scan *scan, const struct text_view *view, uint32_t start,
          bool is_odd, struct text_slice *out)
{
    struct window window = {.end = view->size};
    struct csv_marks marks;
    uint32_t end;

    if (!is_odd && scan->tails == 0) {
        csv_marks_start(&marks, &scan->format, view, start);
        if (csv_split(scan, view, &marks, start, out, &end))
            return end;
    }
    window_move(&window, &scan->format, view, start, TEXT_CSV);
    end = csv_heads(scan, view, &window, start, out);
    if (scan->tails > 0)
        csv_tails(scan, view, start, end, out);
    return end;
}

#endif

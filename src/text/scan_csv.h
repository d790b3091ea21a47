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
    CSV_QUOTED = 4, /* records with quotes may be so many times as long, for a
                       list */
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

/* A walk over the blocks of a batch. */
struct csv_walk {
    struct csv_marks marks;
    uint64_t is_start; /* 1: a record starts at the next block's first byte */
    uint64_t quotes;   /* any bit: there is a quote */
    uint32_t base;     /* of the next block ... */
    size_t blocks;     /* ... and how many there were */
    uint32_t count;    /* ends */
    uint32_t *stop;    /* where the next separator goes */
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

/* Look at the next block of BATCH.  Returns 0 if the masks are right for all of
   it, also for the start of a record. */
INLINE uint64_t
csv_find_block(struct csv_walk *walk, struct csv_batch *batch,
               const struct text_format *format, const struct text_view *view,
               const bool is_inner, const bool is_listed,
               const bool has_comment)
{
    struct csv_marks *marks = &walk->marks;

    load_ahead(view, walk->base);
    csv_look(marks, format, view, walk->base, is_inner);
    uint64_t cut = marks->odd;
    walk->quotes |= marks->quote;
    if (has_comment) {
        cut |= csv_comments(marks, format, view, walk->base, walk->is_start);
        walk->is_start = marks->ends >> (BLOCK_BYTES - 1);
    }
    if (cut != 0) {
        uint64_t right = (cut & (0 - cut)) - 1;
        marks->quote &= right;
        marks->stops &= right;
        marks->ends &= right;
    }
    batch->quote[walk->blocks] = marks->quote;
    batch->stops[walk->blocks++] = marks->stops;
    if (is_listed)
        walk->stop += block_list(walk->stop, walk->base, marks->stops);
    walk->count += store_bits(batch->at + walk->count, walk->base, marks->ends);
    walk->base += BLOCK_BYTES;
    return cut;
}

INLINE void
csv_find_form(struct csv_batch *batch, const struct text_format *format,
              const struct text_view *view, uint32_t start, size_t most,
              const bool is_listed, const bool has_comment)
{
    /* Copies, which no store changes. */
    const struct text_format local = *format;
    const struct text_view own = *view;
    struct csv_walk walk = {
        .marks = {.before = 1},
        .is_start = 1,
        .base = start,
        .stop = batch->stop,
    };
    const uint32_t limit = lower_of(own.size - start, BATCH_BYTES) + start;
    uint64_t cut = 0;

    *walk.stop++ = start - 1;
    most = most < BATCH_ENDS ? most : BATCH_ENDS;
    while (cut == 0 && limit - walk.base >= BLOCK_BYTES && walk.count < most)
        cut = csv_find_block(&walk, batch, &local, &own, true, is_listed,
                             has_comment);
    if (cut == 0 && limit > walk.base && walk.count < most)
        cut = csv_find_block(&walk, batch, &local, &own, false, is_listed,
                             has_comment);
    for (size_t i = 0; i < CSV_MORE; i++)
        batch->quote[walk.blocks + i] = batch->stops[walk.blocks + i] = 0;
    batch->listed = (size_t)(walk.stop - batch->stop) - 1;
    batch->base = start;
    batch->count = walk.count;
    batch->is_cut = cut != 0;
    batch->has_quotes = walk.quotes != 0;
}

/* In functions of their own, which have registers for all of a walk. */

TARGET static __attribute__((noinline)) void
csv_find_ends(struct csv_batch *batch, const struct text_format *format,
              const struct text_view *view, uint32_t start, size_t most)
{
    csv_find_form(batch, format, view, start, most, false, false);
}

TARGET static __attribute__((noinline)) void
csv_find_stops(struct csv_batch *batch, const struct text_format *format,
               const struct text_view *view, uint32_t start, size_t most)
{
    csv_find_form(batch, format, view, start, most, true, false);
}

TARGET static __attribute__((noinline)) void
csv_find_comments(struct csv_batch *batch, const struct text_format *format,
                  const struct text_view *view, uint32_t start, size_t most)
{
    csv_find_form(batch, format, view, start, most, true, true);
}

/* Look at the records from START on, up to about MOST. */
INLINE void
csv_find(struct csv_batch *batch, const struct text_format *format,
         const struct text_view *view, uint32_t start, size_t most)
{
    (format->comment >= 0 ? csv_find_comments
     : batch->is_listed   ? csv_find_stops
                          : csv_find_ends)(batch, format, view, start, most);
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

/* What csv_slice() returns for a field from FIELD to STOP, 63 bytes at most, of
   a record that ends at END.  QUOTE is the mask of quotes from FIELD on.  Sets
   *QUOTES if the slice may start with a quote; none does unless the batch
   HAS_QUOTES. */
INLINE struct text_slice
csv_value(const struct text_view *view, uint64_t quote, uint32_t field,
          uint32_t stop, uint32_t end, const bool has_quotes, uint64_t *quotes)
{
    uint32_t size = stop - field;

    size -= (uint32_t)(stop == end && size > 0 && view->data[stop - 1] == '\r');
    if (!has_quotes)
        return (struct text_slice){field, size};
    quote &= ((uint64_t)1 << size) - 1;
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
            uint64_t quote =
                has_quotes ? window.quote >> (field - window.from) : 0;
            out[head->column] =
                csv_value(view, quote, field, stop, end, has_quotes, &quotes);
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

/*
 * Whether a list of separators is worth its time in batches like BATCH: records
 * have at most LIST_BYTES for each wanted field, and for the start.  Where they
 * have quotes, it saves more, unless the field is one of the first LIST_NEAR.
 */
INLINE bool
csv_is_dense(const struct scan *scan, const struct csv_batch *batch)
{
    size_t most = LIST_BYTES * (scan->heads + 1);

    if (batch->count == 0 || scan->tails > 0 ||
        (batch->has_quotes && scan->head[scan->heads - 1].number <= LIST_NEAR))
        return false;
    if (batch->has_quotes)
        most *= CSV_QUOTED;
    return batch->at[batch->count - 1] - batch->base <= most * batch->count;
}

/* Write field HEAD of the first RECORDS of BATCH, which have COLUMNS fields
   each and quotes.  Returns 0 if no slice starts with a quote. */
INLINE uint64_t
csv_column(const struct scan *scan, const struct text_view *view,
           const struct csv_batch *batch, const struct scan_field *head,
           size_t columns, size_t records, struct text_slice *out)
{
    const struct text_view local = *view;
    const uint32_t *around = batch->stop + head->number - 1;
    const size_t wanted = scan->wanted;
    uint64_t quotes = 0;

    out += head->column;
    for (size_t r = 0; r < records; r++, around += columns, out += wanted) {
        uint32_t field = around[0] + 1;
        uint32_t stop = around[1];
        if (stop - field >= BLOCK_BYTES) {
            *out = csv_value_far(scan, view, field, stop);
            quotes = 1;
            continue;
        }
        *out = csv_value(&local, csv_bits(batch->quote, field - batch->base),
                         field, stop, batch->at[r], true, &quotes);
    }
    return quotes;
}

/*
 * Write the wanted fields, with numbers from the first one, of the first
 * records of BATCH, at most COUNT, if these have as many fields as the very
 * first one: so many separators on is the same field of the next record.
 * Returns the number of these records; 0 if they lack a field, or may be blank.
 * Sets *QUOTES if a slice starts with a quote.
 */
TARGET static __attribute__((noinline)) size_t
csv_even(const struct scan *scan, const struct text_view *view,
         const struct csv_batch *batch, size_t count, struct text_slice *out,
         uint64_t *quotes)
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
        if (batch->has_quotes) {
            *quotes |= csv_column(scan, view, batch, head, columns, even, out);
            continue;
        }
        for (size_t r = 0; r < even; r++) {
            *own = slice_of(around[0] + 1, around[1]);
            around += columns;
            own += wanted;
        }
    }
    out += heads_end[-1].column;
    for (size_t r = 0; !batch->has_quotes && last == columns && r < even;
         r++, out += wanted)
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
            csv_value(view, 0, own, field - 1, end, false, &quotes);
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

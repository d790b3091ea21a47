/* SPDX-License-Identifier: MIT */
/*
 * pattern_loop.h -- the wanted values of a line of a log, by a pattern, for the
 * forms of a scan
 *
 * Masks tell where in a block are the bytes that texts of the pattern start
 * with; a walk goes from text to text.  Blocks start where the line does, so
 * that in lines of one kind the same field crosses the end of a block, which
 * the processor predicts.  The definition reads unusual lines: lines with a
 * backslash in a block and values in quotes, and lines with another text where
 * a number must be.  It also reads lines that fit none of the patterns, because
 * it finds the reason.
 *
 * Lines of values between blanks (pattern/quoted_line.h) have a walk of their
 * own, from end to end of values.  Unusual there are also a bare value with a
 * quote, and a bare - where a value has marks.
 */

#ifndef GPUHIST_PATTERN_LOOP_H
#define GPUHIST_PATTERN_LOOP_H

#include "base/eight_bytes.h"
#include "kernels/text/hash.h"
#include "text/pattern/endpoint.h"
#include "text/pattern/pattern_match.h"
#include "text/pattern_line.h"
#include "text/scan_block.h"
#include "text/scan_fit.h"
#include "text/scan_parts.h"

enum pattern_fit {
    PATTERN_FITS,
    PATTERN_DIFFERS,
    PATTERN_UNUSUAL, /* only the definition knows */
};

/* Where a walk through a line is. */
struct pattern_place {
    size_t base;   /* of a block */
    uint64_t live; /* of the block: bytes the walk has not passed */
    uint64_t mask[PATTERN_BYTES_MAX]; /* of the block: where each byte is */
};

/* Move *PLACE to AT.  Returns false if the block there, which the line that
   ends at END reaches, is unusual. */
INLINE bool
pattern_move(const struct pattern_steps *steps, const struct text_view *view,
             struct pattern_place *place, size_t at, size_t end)
{
    block x = load(view, (uint32_t)at, true);

    place->base = at;
    place->live = ~(uint64_t)0;
    for (uint32_t i = 0; i < steps->bytes; i++)
        place->mask[i] = block_match(x, steps->byte[i]);
    return !steps->has_quoted ||
           (block_match(x, '\\') & bits_below((uint32_t)(end - at))) == 0;
}

/* Whether the text of STEP, which is long, is at TEXT: its first bytes are.  No
   call: registers hold the walk. */
INLINE bool
pattern_has_rest(const struct pattern_step *step, const unsigned char *text)
{
    for (uint32_t i = sizeof step->word; i < step->size; i++) {
        if (text[i] != (unsigned char)step->text[i])
            return false;
    }
    return true;
}

/* Whether the text of STEP is at TEXT. */
INLINE bool
pattern_has_text(const struct pattern_step *step, const unsigned char *text)
{
    return ((hash_load(text) ^ step->word) & step->word_mask) == 0 &&
           pattern_has_rest(step, text);
}

/* Whether the value of SIZE bytes at AT is certainly as CHECK says. */
INLINE bool
pattern_is_usual(unsigned char check, const struct text_view *view, uint32_t at,
                 uint32_t size)
{
    if (check == PATTERN_WORD) {
        uint64_t blanks = block_match(load(view, at, true), ' ');
        return size - 1 < BLOCK_BYTES && (blanks & bits_below(size)) == 0;
    }
    uint64_t word = hash_load(view->data + at);
    uint64_t others =
        fit_differs(word, EIGHT_BYTES('0'), EIGHT_BYTES(0x7f) - EIGHT_BYTES(9));
    if (size == 1 && (word & 0xff) == '-')
        return true;
    return (check == PATTERN_STATUS ? size == 3 : size - 1 < 8) &&
           (others & bits_below(8 * size)) == 0;
}

/* Whether the text of STEP, whose first bytes are at STOP, ends a value that
   starts at START in a line that ends at END. */
INLINE bool
pattern_ends_value(const struct pattern_step *step, const unsigned char *data,
                   size_t start, size_t stop, size_t end)
{
    return pattern_has_rest(step, data + stop) &&
           !(step->is_list &&
             pattern_is_in_list(data, (uint32_t)start, (uint32_t)stop,
                                (uint32_t)end));
}

/*
 * Find the text of STEP, after a value that starts at START in a line that ends
 * at END.  If it is there, *LEFT are the places of its first byte in the block
 * of *PLACE, from that of the text on.
 */
INLINE enum pattern_fit
pattern_find(const struct pattern_steps *steps, const struct pattern_step *step,
             const struct text_view *view, size_t start, size_t end,
             struct pattern_place *place, uint64_t *left)
{
    const unsigned char *data = view->data;
    uint64_t mask = place->mask[step->place] & place->live;

    for (;; mask &= mask - 1) {
        while (mask == 0) {
            if (end - place->base <= BLOCK_BYTES)
                return PATTERN_DIFFERS;
            if (!pattern_move(steps, view, place, place->base + BLOCK_BYTES,
                              end))
                return PATTERN_UNUSUAL;
            mask = place->mask[step->place];
        }
        size_t stop = place->base + bit_first(mask);
        if (stop + step->size > end)
            return PATTERN_DIFFERS;
        if (((hash_load(data + stop) ^ step->word) & step->word_mask) == 0 &&
            (!step->is_hard ||
             pattern_ends_value(step, data, start, stop, end)))
            break;
    }
    *left = mask;
    return PATTERN_FITS;
}

/*
 * Set VALUE[i] to the value of field i of the pattern of STEPS in LINE, without
 * its carriage return, if the line fits.  Two blocks of data follow the line.
 */
INLINE enum pattern_fit
pattern_walk(const struct pattern_steps *steps, const struct text_view *view,
             struct text_span line, struct text_slice *value)
{
    const unsigned char *data = view->data;
    const struct pattern_step *step = steps->step;
    const struct pattern_step *const steps_end = step + steps->count;
    const size_t end = line.end;
    size_t start = line.start + (size_t)steps->before_size;
    struct pattern_place place;

    if (steps->before_size > 0 &&
        (start > end ||
         memcmp(data + line.start, steps->before, steps->before_size) != 0))
        return PATTERN_DIFFERS;
    if (!pattern_move(steps, view, &place, start, end))
        return PATTERN_UNUSUAL;
    for (; step < steps_end; step++) {
        uint64_t left;
        enum pattern_fit fit =
            pattern_find(steps, step, view, start, end, &place, &left);
        if (fit != PATTERN_FITS)
            return fit;
        size_t stop = place.base + bit_first(left);
        size_t at = stop + step->size;
        if (step->is_plain) {
            *value++ = slice_of((uint32_t)start, (uint32_t)stop);
            start = at;
            /* All bits from that after the text on. */
            place.live = 0 - ((left & (0 - left)) << step->size);
            if (place.live != 0)
                continue;
        } else {
            if (!step->is_within) {
                *value = slice_of((uint32_t)start, (uint32_t)stop);
                if (step->check != PATTERN_ANY &&
                    !pattern_is_usual(step->check, view, value->at,
                                      value->size))
                    return PATTERN_UNUSUAL;
                value++;
                while (step->is_padded && end - at >= step->size &&
                       pattern_has_text(step, data + at))
                    at += step->size;
                start = at;
            }
            if (at - place.base < BLOCK_BYTES) {
                place.live = ~(uint64_t)0 << (at - place.base);
                continue;
            }
        }
        if (!pattern_move(steps, view, &place, at, end))
            return PATTERN_UNUSUAL;
    }
    if (!steps->is_open)
        return start == end ? PATTERN_FITS : PATTERN_DIFFERS;
    *value = slice_of((uint32_t)start, (uint32_t)end);
    return steps->check == PATTERN_ANY ||
                   pattern_is_usual(steps->check, view, value->at, value->size)
               ? PATTERN_FITS
               : PATTERN_UNUSUAL;
}

/* ---- values between blanks, some of them in marks ---- */

/* Move *PLACE to AT, as pattern_move(); its bits are of the line alone. */
INLINE bool
pattern_go(const struct pattern_steps *steps, const struct text_view *view,
           struct pattern_place *place, size_t at, size_t end)
{
    if (at - place->base >= BLOCK_BYTES &&
        !pattern_move(steps, view, place, at, end))
        return false;
    place->live = bits_below((uint32_t)(end - place->base)) &
                  (~(uint64_t)0 << (at - place->base));
    return true;
}

/*
 * Set *STOP to the next byte of STEP in the line that ends at END, or to END.
 * Where the value has no marks, a quote before is unusual.
 */
INLINE enum pattern_fit
pattern_next(const struct pattern_steps *steps, const struct pattern_step *step,
             const struct text_view *view, size_t end,
             struct pattern_place *place, size_t *stop)
{
    for (;;) {
        uint64_t mask = place->mask[step->place] & place->live;
        uint64_t before = step->opening == 0 ? mask ^ (mask - 1) : 0;
        if ((place->mask[PATTERN_QUOTED_QUOTE] & place->live & before) != 0)
            return PATTERN_UNUSUAL;
        if (mask != 0) {
            *stop = place->base + bit_first(mask);
            return PATTERN_FITS;
        }
        if (end - place->base <= BLOCK_BYTES) {
            *stop = end;
            return PATTERN_DIFFERS;
        }
        if (!pattern_go(steps, view, place, place->base + BLOCK_BYTES, end))
            return PATTERN_UNUSUAL;
    }
}

/* Set *VALUE to the value of STEP at *AT, and *AT to its end.  Returns false if
   only the definition knows. */
INLINE bool
pattern_read_value(const struct pattern_steps *steps,
                   const struct pattern_step *step,
                   const struct text_view *view, size_t end,
                   struct pattern_place *place, size_t *at,
                   struct text_slice *value)
{
    const bool has_marks = step->opening != 0;
    const size_t start = *at + has_marks;
    size_t stop;
    enum pattern_fit fit;

    if (start > end || (has_marks && view->data[*at] != step->opening) ||
        !pattern_go(steps, view, place, start, end))
        return false;
    for (;;) {
        fit = pattern_next(steps, step, view, end, place, &stop);
        if (!has_marks || fit != PATTERN_FITS || stop + 1 == end ||
            view->data[stop + 1] == ' ')
            break;
        /* This mark does not end the value: go on after it. */
        place->live &= ~(uint64_t)1 << (stop - place->base);
    }
    if (fit == PATTERN_UNUSUAL || (has_marks && fit == PATTERN_DIFFERS) ||
        (!has_marks && stop == start))
        return false;
    *value = slice_of((uint32_t)start, (uint32_t)stop);
    *at = stop + has_marks;
    return step->check == PATTERN_ANY ||
           pattern_is_usual(step->check, view, value->at, value->size);
}

/*
 * As pattern_walk(), of a line that quoted_line.h reads: returns PATTERN_FITS,
 * or PATTERN_UNUSUAL.
 */
TARGET static __attribute__((noinline)) enum pattern_fit
pattern_walk_quoted(const struct pattern_steps *steps,
                    const struct text_view *view, struct text_span line,
                    struct text_slice *value)
{
    const struct text_view local = *view;
    const size_t end = line.end;
    size_t at = line.start;
    struct pattern_place place;

    if (!pattern_move(steps, &local, &place, at, end))
        return PATTERN_UNUSUAL;
    for (size_t i = 0; i < steps->count; i++) {
        /* A blank may end the line. */
        if (i >= steps->needed && end - at <= 1) {
            value[i] = slice_missing();
            continue;
        }
        /* A blank follows each value that is not the last one of the line. */
        if (i > 0 && at++ == end)
            return PATTERN_UNUSUAL;
        if (!pattern_read_value(steps, &steps->step[i], &local, end, &place,
                                &at, &value[i]))
            return PATTERN_UNUSUAL;
    }
    return PATTERN_FITS;
}

/* Write the wanted columns of a line with VALUE to OUT. */
INLINE void
pattern_put(const struct scan *scan, const struct pattern_column *column,
            const struct text_view *view, const struct text_slice *value,
            struct text_slice *out)
{
    for (size_t i = 0; i < scan->wanted; i++, column++) {
        if (column->place == PATTERN_FIELDS_MAX)
            out[i] = slice_missing();
        else if (column->part == TEXT_PART_ALL)
            out[i] = value[column->place];
        else if (column->part <= TEXT_PART_PROTOCOL)
            out[i] =
                parts_request(view, value[column->place], column->part, true);
        else
            out[i] =
                endpoint_part(view->data, value[column->place], column->part);
    }
}

/* Write the wanted columns of LINE, after which two blocks of data follow, to
   OUT.  Returns false if only the definition knows. */
INLINE bool
pattern_split(const struct scan *scan, const struct text_view *view,
              struct text_span line, struct text_slice *out)
{
    const struct pattern_scan *log = scan->log;
    struct text_slice value[PATTERN_FIELDS_MAX];

    for (size_t i = 0; i < log->patterns.count; i++) {
        const struct pattern_steps *steps = &log->steps[i];
        if (steps->bytes == 0)
            return false;
        switch (steps->is_quoted_line
                    ? pattern_walk_quoted(steps, view, line, value)
                    : pattern_walk(steps, view, line, value)) {
        case PATTERN_FITS:
            pattern_put(scan, log->column + i * scan->wanted, view, value, out);
            return true;
        case PATTERN_UNUSUAL:
            return false;
        case PATTERN_DIFFERS:
            break;
        }
    }
    return false;
}

#endif

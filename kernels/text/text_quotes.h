/* SPDX-License-Identifier: MIT */
/*
 * text_quotes.h -- which bytes of CSV are inside of quotes
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.  It
 * must agree with fields_csv_stop() to the last byte.
 *
 * A byte of CSV is met in one of four states.  What a span of bytes does is a
 * function of states: two bits for each, that of the first state lowest.
 * Functions are composed, so a span need not know how the data before it end
 * (the method of Mytkowicz, Musuvathi and Schulte, "Data-Parallel Finite-State
 * Machines", ASPLOS 2014).  Between two quotes, only the last byte matters.
 */

#ifndef GPUHIST_TEXT_QUOTES_H
#define GPUHIST_TEXT_QUOTES_H

#include "kernels/text/text_block.h"

enum text_quotes_state {
    TEXT_QUOTES_START,  /* of a field; a chunk starts so */
    TEXT_QUOTES_PLAIN,  /* quotes do not count */
    TEXT_QUOTES_INSIDE, /* of quotes */
    TEXT_QUOTES_QUOTE   /* after a quote inside: the closing one, or half */
};

/* The effect of a byte: of any other byte, a quote, a delimiter or an end. */
#define TEXT_QUOTES_NOTHING 0xe4u /* leaves each state */
#define TEXT_QUOTES_BY_OTHER 0x65u
#define TEXT_QUOTES_BY_QUOTE 0xb6u
#define TEXT_QUOTES_BY_STOP 0x20u

/* The state after STATE. */
DEVICE_FN binning_u32
text_quotes_apply(binning_u32 function, binning_u32 state)
{
    return function >> 2 * state & 3;
}

/* FIRST, then SECOND. */
DEVICE_FN binning_u32
text_quotes_compose(binning_u32 first, binning_u32 second)
{
    return (second >> 2 * (first & 3) & 3) |
           (second >> 2 * (first >> 2 & 3) & 3) << 2 |
           (second >> 2 * (first >> 4 & 3) & 3) << 4 |
           (second >> 2 * (first >> 6 & 3) & 3) << 6;
}

/* The effect of 32 bytes, by the masks of QUOTES and STOPS. */
DEVICE_FN binning_u32
text_quotes_word(binning_u32 quotes, binning_u32 stops)
{
    binning_u32 function = TEXT_QUOTES_NOTHING;
    binning_u32 at = 0; /* the first byte that is not in FUNCTION */

    DEVICE_ROLLED
    while (quotes != 0) {
        binning_u32 next = text_lowest(quotes);
        if (next > at)
            function =
                text_quotes_compose(function, (stops >> (next - 1) & 1) != 0
                                                  ? TEXT_QUOTES_BY_STOP
                                                  : TEXT_QUOTES_BY_OTHER);
        function = text_quotes_compose(function, TEXT_QUOTES_BY_QUOTE);
        at = next + 1;
        quotes &= quotes - 1;
    }
    if (at < 32)
        function = text_quotes_compose(function, stops >> 31 != 0
                                                     ? TEXT_QUOTES_BY_STOP
                                                     : TEXT_QUOTES_BY_OTHER);
    return function;
}

/*
 * The bytes inside of quotes, of 32 bytes, where *STATE is the state before
 * them.  Sets *STATE to the state after them.  A quote itself may count as
 * either.
 */
DEVICE_FN binning_u32
text_quotes_inside(binning_u32 quotes, binning_u32 stops, binning_u32 *state)
{
    binning_u32 inside = *state == TEXT_QUOTES_INSIDE ? ~0u : 0;
    binning_u32 at = 0;

    DEVICE_ROLLED
    while (quotes != 0) {
        binning_u32 next = text_lowest(quotes);
        if (next > at)
            *state = text_quotes_apply((stops >> (next - 1) & 1) != 0
                                           ? TEXT_QUOTES_BY_STOP
                                           : TEXT_QUOTES_BY_OTHER,
                                       *state);
        *state = text_quotes_apply(TEXT_QUOTES_BY_QUOTE, *state);
        at = next + 1;
        inside &= (1u << next) - 1;
        if (*state == TEXT_QUOTES_INSIDE)
            inside |= ~0u << next;
        quotes &= quotes - 1;
    }
    if (at < 32)
        *state = text_quotes_apply(stops >> 31 != 0 ? TEXT_QUOTES_BY_STOP
                                                    : TEXT_QUOTES_BY_OTHER,
                                   *state);
    return inside;
}

/* ---- blocks ---- */

/*
 * Compose FUNCTION of the threads before this thread, and of all threads in
 * *ALL.  The words of the threads are free again afterwards.
 */
DEVICE_FN binning_u32
text_quotes_before(const struct text_task *task, binning_u32 function,
                   binning_u32 *all)
{
    DEVICE_SHARED binning_u32 *word = text_window_threads(task);
    binning_u32 thread = DEVICE_THREAD;
    binning_u32 before;

    word[thread] = function;
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 step = 1; step < DEVICE_THREADS; step *= 2) {
        if (thread >= step)
            function = text_quotes_compose(word[thread - step], function);
        DEVICE_BARRIER();
        word[thread] = function;
        DEVICE_BARRIER();
    }
    before = thread > 0 ? word[thread - 1] : TEXT_QUOTES_NOTHING;
    *all = word[DEVICE_THREADS - 1];
    DEVICE_BARRIER();
    return before;
}

/* The mask of quotes of word M of the window. */
DEVICE_FN binning_u32
text_quotes_mask(const struct text_task *task, binning_u32 m)
{
    DEVICE_SHARED const binning_u32 *word = text_window_bytes(task) + 8 * m;
    binning_u32 mask = 0;

    DEVICE_UNROLL
    for (binning_u32 w = 0; w < 8; w++)
        mask |= sequence_gather(sequence_equal(word[w], sequence_repeat('"')))
                << 4 * w;
    return mask;
}

/* A thread has this many words of the masks, beside each other. */
DEVICE_FN binning_u32
text_quotes_share(binning_u32 words)
{
    return (words + DEVICE_THREADS - 1) / DEVICE_THREADS;
}

/* The effect of the words from M to END of the window; STOPS are by bytes
   alone. */
DEVICE_FN binning_u32
text_quotes_words(const struct text_task *task, binning_u32 m, binning_u32 end)
{
    DEVICE_SHARED const binning_u32 *stops = text_window_stops(task);
    binning_u32 function = TEXT_QUOTES_NOTHING;

    DEVICE_ROLLED
    for (; m < end; m++)
        function = text_quotes_compose(
            function, text_quotes_word(text_quotes_mask(task, m), stops[m]));
    return function;
}

/* After a barrier: what the tile in the window does. */
DEVICE_FN binning_u32
text_quotes_tile(const struct text_task *task)
{
    binning_u32 share = text_quotes_share(TEXT_TILE_WORDS);
    binning_u32 m = DEVICE_THREAD * share;
    binning_u32 all;

    (void)text_quotes_before(
        task,
        text_quotes_words(
            task, m, m + share < TEXT_TILE_WORDS ? m + share : TEXT_TILE_WORDS),
        &all);
    return all;
}

/* The state before tile number TILE: text_prepare knows what all tiles do. */
DEVICE_FN binning_u32
text_quotes_state(const struct text_task *task, binning_u32 tile)
{
    DEVICE_GLOBAL const binning_u32 *of_tile = task->scratch + TEXT_TILES_AT;
    binning_u32 share = text_quotes_share(tile);
    binning_u32 t = DEVICE_THREAD * share;
    binning_u32 end = t + share < tile ? t + share : tile;
    binning_u32 function = TEXT_QUOTES_NOTHING;
    binning_u32 all;

    DEVICE_ROLLED
    for (; t < end; t++)
        function = text_quotes_compose(function, of_tile[t]);
    (void)text_quotes_before(task, function, &all);
    return text_quotes_apply(all, TEXT_QUOTES_START);
}

/*
 * After a barrier: remove the bytes inside of quotes from the masks of the
 * window, which starts with tile number TILE.  A barrier follows.
 */
DEVICE_FN void
text_quotes_remove(const struct text_task *task, binning_u32 tile)
{
    DEVICE_SHARED binning_u32 *ends = text_window_ends(task);
    DEVICE_SHARED binning_u32 *stops = text_window_stops(task);
    binning_u32 share = text_quotes_share(TEXT_MASK_WORDS);
    binning_u32 m = DEVICE_THREAD * share;
    binning_u32 end = m + share < TEXT_MASK_WORDS ? m + share : TEXT_MASK_WORDS;
    binning_u32 state = text_quotes_state(task, tile);
    binning_u32 all;

    if (DEVICE_THREAD == 0 && state != TEXT_QUOTES_START)
        ends[-1] = 0;
    state = text_quotes_apply(
        text_quotes_before(task, text_quotes_words(task, m, end), &all), state);
    DEVICE_ROLLED
    for (; m < end; m++) {
        binning_u32 inside =
            text_quotes_inside(text_quotes_mask(task, m), stops[m], &state);
        ends[m] &= ~inside;
        stops[m] &= ~inside;
    }
}

#endif

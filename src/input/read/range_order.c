/* SPDX-License-Identifier: MIT */
/* range_order.c -- the ranges of a file that are read now, in order */

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "input/read/range_order.h"

/* For so long a reader asks, and does not sleep: to wake it takes as long. */
#define AWAKE_SECONDS 50e-6

/* ---- where a range is cut ---- */

struct range_cut
range_cut_make(const struct framing *framing, size_t most,
               const struct range_edge *before, off_t start,
               const unsigned char *data, size_t size, bool is_followed)
{
    struct range_cut cut = {.too_long = RANGE_LOST,
                            .broken = RANGE_LOST,
                            .after.state = before->state};
    off_t end = start + (off_t)size;
    struct text_ends ends =
        framing_find_ends(framing, &cut.after.state, data, size, is_followed);
    bool is_broken = cut.after.state.is_broken;
    off_t open = ends.has_any ? start + (off_t)ends.last : before->open;

    cut.has_deferred = before->state.is_open && (ends.has_any || is_broken);
    if (cut.has_deferred)
        cut.deferred = ends.has_any ? ends.first : size;
    cut.whole = is_broken ? size : ends.last;
    cut.after.open = open;
    /* All of a long record is in memory then. */
    bool is_long = framing->has_long && before->tail != NULL &&
                   sequence_cut_is_fasta(&before->state.sequence);
    if (cut.has_deferred && !is_long &&
        start + (off_t)cut.deferred - before->open > (off_t)most)
        cut.too_long = before->open;
    else if (is_broken)
        cut.broken = open;
    else if (open < end && end - open >= (off_t)most)
        cut.too_long = open;
    if (cut.too_long != RANGE_LOST || is_broken)
        cut.after.open = RANGE_LOST;
    return cut;
}

void
range_cut_keep_tail(struct range_cut *cut, struct range_edge *before,
                    const unsigned char *data, size_t size)
{
    struct range_edge *after = &cut->after;
    bool has_end = cut->has_deferred || cut->whole > 0;
    size_t more = has_end ? size - cut->whole : size;

    if (after->open == RANGE_LOST)
        return;
    if (!has_end) {
        after->tail = before->tail;
        after->tail_bytes = before->tail_bytes;
        before->tail = NULL;
    }
    if (more == 0)
        return;
    unsigned char *grown = realloc(after->tail, after->tail_bytes + more);
    if (grown == NULL) {
        free(after->tail);
        *after = (struct range_edge){.open = RANGE_LOST};
        cut->has_no_memory = true;
        return;
    }
    memcpy(grown + after->tail_bytes, data + size - more, more);
    after->tail = grown;
    after->tail_bytes += more;
}

/* ---- the order ---- */

/* Whether the guess of RANGE is right; then completes its cut. */
static bool
is_right(const struct range_order *order, struct range *range)
{
    const struct framing *framing = order->framing;

    if (range->is_within)
        return framing->type->join(framing, &range->before.state, range->data,
                                   (size_t)(range->end - range->start),
                                   &range->after.after.state);
    struct range_cut cut =
        range_cut_make(order->framing, order->record_max, &range->before,
                       range->start, range->data, range->guess, true);
    range->after.has_deferred = cut.has_deferred;
    range->after.deferred = cut.deferred;
    range->after.after.state.records += cut.after.state.records;
    return cut.after.open != RANGE_LOST && !cut.after.state.is_open &&
           !cut.after.state.is_piece;
}

/* As is_right(), for a RANGE that is known. */
static bool
join(const struct range_order *order, struct range *range)
{
    if (!range->is_guessed || !is_right(order, range))
        return false;
    range->cut = range->after;
    range->is_cut = true;
    if (order->keeps_tails)
        range_cut_keep_tail(&range->cut, &range->before, range->data,
                            (size_t)(range->end - range->start));
    return true;
}

/* RANGE is known.  Its reader takes it at once, unless it IS_AWAITED: then the
   reader needs the lock. */
static void
tell_reader(struct range *range)
{
    bool is_awaited = range->is_awaited;

    atomic_store(&range->is_known, true);
    if (is_awaited)
        pthread_cond_signal(&range->known);
}

/* The first range is known now, and so is each range after it until a wrong
   guess. */
static void
tell(struct range_order *order)
{
    while (order->first != NULL) {
        struct range *range = order->first;
        struct range *next = range->next;
        bool is_lost = order->edge.open == RANGE_LOST;
        if (!range->is_known)
            range->before = order->edge;
        order->edge.tail = NULL; /* the range owns the tail */
        bool is_cut = !is_lost && join(order, range);
        if (is_cut)
            order->edge = range->cut.after;
        if (is_lost || is_cut)
            order->first = next;
        tell_reader(range);
        if (!is_lost && !is_cut)
            break;
    }
}

void
range_order_start(struct range_order *order, const struct framing *framing,
                  size_t record_max, off_t start, bool keeps_tails)
{
    *order = (struct range_order){.framing = framing,
                                  .record_max = record_max,
                                  .keeps_tails = keeps_tails,
                                  .edge.open = start,
                                  .is_line = true};
}

void
range_order_end(struct range_order *order)
{
    free(order->edge.tail);
    order->edge.tail = NULL;
}

void
range_order_add(struct range_order *order, struct range *range, off_t start,
                off_t end, bool is_followed)
{
    *range = (struct range){.start = start,
                            .end = end,
                            .is_line = order->is_line,
                            .has_room = order->edge.state.is_piece,
                            .known = PTHREAD_COND_INITIALIZER,
                            .is_followed = is_followed};
    order->is_line = is_followed;
    if (order->first == NULL)
        order->first = range;
    else
        order->last->next = range;
    order->last = range;
    if (order->first == range)
        tell(order);
}

bool
range_guess(const struct range_order *order, struct range *range,
            const unsigned char *data)
{
    size_t size = (size_t)(range->end - range->start);
    size_t at = framing_guess_first(order->framing, data, size, range->is_line);
    struct range_edge edge = {.open = range->start + (off_t)at};

    if (at == size) {
        if (!order->framing->has_pieces)
            return false;
        range->is_within = true;
        edge.state = framing_unknown_piece();
        edge.open = range->start;
        at = 0;
    }
    range->data = data;
    range->guess = at;
    range->after =
        range_cut_make(order->framing, order->record_max, &edge, edge.open,
                       data + at, size - at, range->is_followed);
    range->after.whole += at;
    return true;
}

void
range_order_guess(struct range_order *order, struct range *range)
{
    range->is_guessed = true;
    if (order->first == range)
        tell(order);
}

bool
range_await_awake(const struct range *range)
{
    double until = clock_now() + AWAKE_SECONDS;

    while (!atomic_load(&range->is_known)) {
        if (clock_now() > until)
            return false;
        sched_yield(); /* others may need this processor */
    }
    return true;
}

void
range_await(struct range *range, pthread_mutex_t *lock)
{
    range->is_awaited = true;
    while (!range->is_known)
        pthread_cond_wait(&range->known, lock);
    range->is_awaited = false;
}

void
range_order_settle(struct range_order *order, struct range *range,
                   const struct range_edge *edge)
{
    assert(order->first == range);
    order->edge = *edge;
    order->first = range->next;
    tell(order);
}

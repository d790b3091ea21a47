/*
 * range_order.h -- the ranges of a file with quotes that are read now, in order
 *
 * A range begins after an end byte, which may be inside of quotes.  Whether it
 * is depends on all ranges before.  What a range must know of them is one
 * offset: where the record begins that the range begins in.  If that is the
 * range's own begin, the end byte was outside of quotes.
 *
 * Nobody waits with scanning a range until that is known.  Its reader guesses
 * that a record begins there, and notes what follows for the next range.  When
 * the ranges before are known, a right guess is passed on at once, also by
 * another reader; after a wrong one the reader scans again.
 *
 * All functions are for callers that hold one lock.
 */

#ifndef GPUHIST_RANGE_ORDER_H
#define GPUHIST_RANGE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A failure has hidden where the record begins. */
#define RANGE_LOST ((off_t)-1)

struct range {
    off_t begin;
    off_t end;

    /* Under the lock. */
    bool is_known;   /* OPEN is; the range is the first one or has left */
    off_t open;      /* the begin of the record that has byte BEGIN; or
                        RANGE_LOST */
    bool is_guessed; /* if OPEN is BEGIN, that of the next range ... */
    off_t guess;     /* ... is this one */
    struct range *next;
};

/* The ranges that must still find out what OPEN of the next one is. */
struct range_order {
    struct range *first;
    struct range *last;
    off_t open; /* of FIRST or, if there is none, of the range to be added */
};

/* Ranges begin at BEGIN, where a record begins. */
void range_order_begin(struct range_order *order, off_t begin);

/*
 * Add RANGE, from BEGIN to END, after the others.  It must stay where it is
 * until it has left: it leaves when it is known to be lost or its guess to be
 * right; else by range_order_settle().
 */
void range_order_add(struct range_order *order, struct range *range,
                     off_t begin, off_t end);

/*
 * If a record begins with RANGE, OPEN is that of the next range.  Returns
 * whether any ranges have become known.
 */
bool range_order_guess(struct range_order *order, struct range *range,
                       off_t open);

/*
 * OPEN is that of the next range.  RANGE is known, and is the first one; it
 * leaves.  Returns whether any ranges have become known.
 */
bool range_order_settle(struct range_order *order, struct range *range,
                        off_t open);

#endif

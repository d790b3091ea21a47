/* SPDX-License-Identifier: MIT */
/*
 * range_order.h -- the ranges of a file that are read now, in order, for
 * records that depend on all earlier bytes
 *
 * A range ends where a record seems to start: in CSV after an end byte, which
 * may be inside of quotes; in FASTQ before a line that looks like a name, and
 * may be a quality; or anywhere in a long record.  To cut a range, its reader
 * must know the edge before the range: where the record that has the range's
 * first byte starts, and the state of this record.
 *
 * A reader scans its range before this edge is known.  It guesses where the
 * first record starts, and notes the edge after the range that follows from the
 * guess.  When the edge before the range is known, a right guess is passed on
 * at once, perhaps by another reader; after a wrong guess the reader scans
 * again.
 *
 * All functions but range_guess() and range_await_awake() are for callers that
 * hold one lock.
 */

#ifndef GPUHIST_RANGE_ORDER_H
#define GPUHIST_RANGE_ORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "input/framing/framing.h"

/* A failure has hidden where the record starts. */
#define RANGE_LOST ((off_t)-1)

/* The edge before a range: how records stand there. */
struct range_edge {
    off_t open; /* the start of the record that has the range's first byte, or
                   of the range; or RANGE_LOST */
    struct framing_state state;

    /* If the order keeps them, the bytes from OPEN on: TAIL_BYTES, owned. */
    unsigned char *tail;
    size_t tail_bytes;
};

/* Where a range is cut.  Sizes count from its start. */
struct range_cut {
    bool has_deferred; /* an earlier range's record ends in this range ... */
    size_t deferred;   /* ... here */
    size_t whole;      /* bytes of all records that end in the range */
    off_t too_long; /* the start of a record that is too long; or RANGE_LOST */
    off_t broken;   /* the start of a record with an error; or RANGE_LOST */
    bool has_no_memory; /* for the tail of AFTER, which is lost */
    struct range_edge after;
};

struct range {
    off_t start;
    off_t end;
    bool is_line;     /* a byte that may start a record is at START ... */
    bool is_followed; /* ... and at END */
    bool is_last;     /* the remaining file belongs to the range */
    bool has_room;    /* the range seems to start with a piece: its reader
                         leaves room for a preface before the data */

    /* Of its reader, until the range IS_GUESSED. */
    const unsigned char *data;
    bool is_within;         /* if the range starts in a record to be cut ... */
    size_t guess;           /* ... or else a record starts here ... */
    struct range_cut after; /* ... the range is cut so from here on */

    /* Under the lock, but for looks at IS_KNOWN, which is set last. */
    atomic_bool is_known; /* BEFORE is; the range is the first one or has
                             left */
    pthread_cond_t known; /* if it IS_AWAITED */
    bool is_awaited;
    bool is_guessed;
    struct range_edge before;
    bool is_cut; /* the guess was right, and CUT is known */
    struct range_cut cut;
    struct range *next;
};

/* The ranges whose edge after the range is not known yet. */
struct range_order {
    const struct framing *framing;
    size_t record_max;
    bool keeps_tails; /* ranges cannot be read again */
    struct range *first;
    struct range *last;
    struct range_edge edge; /* before FIRST or, if it is NULL, before the range
                               to be added */
    bool is_line;           /* of the range to be added */
};

/*
 * Cut the SIZE bytes at DATA, which start at START and follow BEFORE, an edge
 * that is not lost.  Records have at most MOST bytes.  IS_FOLLOWED is as for
 * find_ends() of struct framing_type.  After a record that is too long or
 * broken, everything is lost; a broken record counts as whole.
 */
struct range_cut range_cut_make(const struct framing *framing, size_t most,
                                const struct range_edge *before, off_t start,
                                const unsigned char *data, size_t size,
                                bool is_followed);

/*
 * Let CUT, made of the SIZE bytes at DATA, keep the bytes of the record that
 * goes on after DATA.  The tail of BEFORE is the start of this record, unless
 * the record that starts in BEFORE ends here.
 */
void range_cut_keep_tail(struct range_cut *cut, struct range_edge *before,
                         const unsigned char *data, size_t size);

/* ---- the order of ranges ---- */

/*
 * Start an order at START, where a record starts.  Records are those of
 * FRAMING, and have at most RECORD_MAX bytes.  With KEEPS_TAILS, each range
 * gets the bytes of the record that goes on in it.
 */
void range_order_start(struct range_order *order, const struct framing *framing,
                       size_t record_max, off_t start, bool keeps_tails);

/* Release what no range has got.  May be called twice. */
void range_order_end(struct range_order *order);

/*
 * Add RANGE, from START to END, after all others.  IS_FOLLOWED: a byte that may
 * start a record is at END.  RANGE must not move until it leaves the order.  It
 * leaves when its guess is confirmed or the edge before it is lost; otherwise
 * by range_order_settle().
 */
void range_order_add(struct range_order *order, struct range *range,
                     off_t start, off_t end, bool is_followed);

/*
 * Guess where a record starts in RANGE, whose bytes are at DATA, or guess that
 * all of RANGE is inside of a record that may be cut; then cut RANGE from there
 * on.  Returns whether a guess was possible.
 */
bool range_guess(const struct range_order *order, struct range *range,
                 const unsigned char *data);

/* RANGE has a guess; its data must stay until RANGE IS_KNOWN. */
void range_order_guess(struct range_order *order, struct range *range);

/*
 * Wait a moment for RANGE to be known, without a lock and without sleep.
 * Returns whether RANGE IS_KNOWN.
 */
bool range_await_awake(const struct range *range);

/* Wait until RANGE IS_KNOWN.  Under LOCK, which is released meanwhile. */
void range_await(struct range *range, pthread_mutex_t *lock);

/* EDGE is the edge after RANGE, the first range, which is known: RANGE leaves.
   The order owns the tail of EDGE from now on. */
void range_order_settle(struct range_order *order, struct range *range,
                        const struct range_edge *edge);

#endif

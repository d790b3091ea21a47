/*
 * range_order.h -- the ranges of a file that are read now, in order, if where a
 * record begins depends on all bytes before
 *
 * A range ends where a record seems to begin: in CSV after an end byte, which
 * may be inside of quotes; in FASTQ before a line that looks like a name, which
 * may be a quality; or anywhere in a long record.  What a range must know of
 * those before is where the record begins that the range begins in, and the
 * state of this record.
 *
 * Nobody waits with scanning a range until that is known.  Its reader guesses
 * where the first record begins, and notes what follows for the next range.
 * When the ranges before are known, a right guess is passed on at once, also by
 * another reader; after a wrong one the reader scans again.
 *
 * All functions but range_guess() are for callers that hold one lock.
 */

#ifndef GPUHIST_RANGE_ORDER_H
#define GPUHIST_RANGE_ORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "input/framing/framing.h"

/* A failure has hidden where the record begins. */
#define RANGE_LOST ((off_t)-1)

/* What is known of the records at the begin of a range. */
struct range_edge {
    off_t open; /* the begin of the record that has the byte there, or of the
                   range; or RANGE_LOST */
    struct framing_state state;

    /* If the order keeps them, the bytes from OPEN on: TAIL_BYTES, owned. */
    unsigned char *tail;
    size_t tail_bytes;
};

/* Where a range is cut.  Sizes count from its begin. */
struct range_cut {
    bool has_deferred; /* a record that began before the range ends in it ... */
    size_t deferred;   /* ... here */
    size_t whole;      /* bytes of all records that end in the range */
    off_t too_long; /* the begin of a record that is too long; or RANGE_LOST */
    off_t broken;   /* the begin of one with an error; or RANGE_LOST */
    bool has_no_memory; /* for the tail of AFTER, which is lost */
    struct range_edge after;
};

struct range {
    off_t begin;
    off_t end;
    bool is_line;     /* a byte that may begin a record is at BEGIN ... */
    bool is_followed; /* ... and at END */
    bool is_last;     /* the rest of the file belongs to it */
    bool has_room;    /* it seems to begin with a piece: its reader leaves room
                         for a preface before the data */

    /* Of its reader, until the range IS_GUESSED. */
    const unsigned char *data;
    bool is_within;         /* if the range begins in a record to be cut ... */
    size_t guess;           /* ... or else a record begins here ... */
    struct range_cut after; /* ... the range is cut so from here on */

    /* Under the lock. */
    bool is_known; /* BEFORE is; the range is the first one or has left */
    pthread_cond_t known; /* if it IS_AWAITED */
    bool is_awaited;
    bool is_guessed;
    struct range_edge before;
    bool is_cut; /* the guess was right, and CUT is known */
    struct range_cut cut;
    struct range *next;
};

/* The ranges that must still find out what follows for the next one. */
struct range_order {
    const struct framing *framing;
    size_t record_max;
    bool keeps_tails; /* ranges cannot be read again */
    struct range *first;
    struct range *last;
    struct range_edge edge; /* before FIRST or, if there is none, the range to
                               be added */
    bool is_line;           /* of the range to be added */
};

/*
 * Cut the SIZE bytes at DATA, which begin at BEGIN and follow BEFORE, which is
 * not lost.  Records have at most MOST bytes.  IS_FOLLOWED is as for
 * find_ends() of struct framing_type.  Behind a record that is too long or
 * broken, all is lost; one that is broken is whole.
 */
struct range_cut range_cut_make(const struct framing *framing, size_t most,
                                const struct range_edge *before, off_t begin,
                                const unsigned char *data, size_t size,
                                bool is_followed);

/*
 * Let CUT, that of the SIZE bytes at DATA, keep the bytes of the record that
 * goes on after them.  Those of BEFORE are its begin, unless the record that
 * they begin ends here.
 */
void range_cut_keep_tail(struct range_cut *cut, struct range_edge *before,
                         const unsigned char *data, size_t size);

/* ---- the order of ranges ---- */

/*
 * Ranges of records of FRAMING, of which none has more than RECORD_MAX bytes,
 * begin at BEGIN, where a record begins.  With KEEPS_TAILS, each range has the
 * bytes of the record that goes on with it.
 */
void range_order_begin(struct range_order *order, const struct framing *framing,
                       size_t record_max, off_t begin, bool keeps_tails);

/* Release what no range has got.  May be called twice. */
void range_order_end(struct range_order *order);

/*
 * Add RANGE, from BEGIN to END, after the others.  IS_FOLLOWED: a byte that may
 * begin a record is at END.  It must stay where it is until it has left: it
 * leaves when it is known to be lost or its guess to be right; else by
 * range_order_settle().
 */
void range_order_add(struct range_order *order, struct range *range,
                     off_t begin, off_t end, bool is_followed);

/*
 * Guess where a record begins in RANGE, whose bytes are at DATA, or that it
 * begins in a record that may be cut; and cut it from there on.  Returns
 * whether there is a guess.
 */
bool range_guess(const struct range_order *order, struct range *range,
                 const unsigned char *data);

/* RANGE has a guess, and its data stay until it IS_KNOWN. */
void range_order_guess(struct range_order *order, struct range *range);

/* Wait until RANGE IS_KNOWN.  Under LOCK, which is released meanwhile. */
void range_await(struct range *range, pthread_mutex_t *lock);

/*
 * EDGE is that after RANGE, which is known, and is the first one; it leaves.
 * The order owns the tail of EDGE then.
 */
void range_order_settle(struct range_order *order, struct range *range,
                        const struct range_edge *edge);

#endif

/*
 * range_cut.h -- where a range of a file is cut into records, if that depends
 * on all bytes before
 */

#ifndef GPUHIST_RANGE_CUT_H
#define GPUHIST_RANGE_CUT_H

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
    bool has_late;  /* a record that began before the range ends in it ... */
    size_t late;    /* ... here */
    size_t whole;   /* bytes of all records that end in the range */
    off_t too_long; /* the begin of a record that is too long; or RANGE_LOST */
    off_t broken;   /* the begin of one with an error; or RANGE_LOST */
    bool has_no_memory; /* for the tail of AFTER, which is lost */
    struct range_edge after;
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

#endif

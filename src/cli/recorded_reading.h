/* recorded_reading.h -- what a state says that its inputs were */

#ifndef GPUHIST_RECORDED_READING_H
#define GPUHIST_RECORDED_READING_H

#include "base/error.h"
#include "hist/npy_header.h"
#include "input/content/content.h"
#include "state/state_head.h"

struct recorded_reading {
    struct reading reading; /* points to the others */
    struct text_header names;
    struct npy_header npy;
};

/*
 * Set *RECORDED, which must not move, to what HEAD of the state NAME, which
 * outlives it, says.  Returns 0, or -1 with *ERROR set; the caller calls
 * recorded_reading_close() in both cases.
 */
int recorded_reading_make(struct recorded_reading *recorded,
                          const struct state_head *head, const char *name,
                          struct error *error);

/* Also of what is all 0. */
void recorded_reading_close(struct recorded_reading *recorded);

#endif

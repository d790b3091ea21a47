/* SPDX-License-Identifier: MIT */
/*
 * alignment_order.h -- whether records are in the order of their places
 *
 * As samtools stats does, among the records that are mapped, have bases and are
 * not secondary.
 */

#ifndef GPUHIST_ALIGNMENT_ORDER_H
#define GPUHIST_ALIGNMENT_ORDER_H

#include "input/alignment/alignment.h"

/* The place of the last of these records. */
struct alignment_order {
    int64_t reference; /* its number; -1: none */
    int64_t pos;
};

/* Before the first record. */
#define ALIGNMENT_ORDER_START ((struct alignment_order){-1, 0})

/* Whether ALIGNMENT is one of these records. */
static inline bool
alignment_order_has(const struct alignment *alignment)
{
    const unsigned int others = ALIGNMENT_SECONDARY | ALIGNMENT_UNMAPPED;

    return (alignment->flag & others) == 0 && alignment->length > 0;
}

/* Compare the place of ALIGNMENT with ORDER, and set ORDER to the place. */
static inline void
alignment_order_note(struct alignment_order *order, struct alignment *alignment)
{
    if (!alignment_order_has(alignment))
        return;
    alignment->is_out_of_order =
        alignment->reference.number == order->reference &&
        alignment->pos < order->pos;
    *order =
        (struct alignment_order){alignment->reference.number, alignment->pos};
}

#endif

/*
 * part_order.h -- the parts of a compressed file that are read now, in order
 *
 * Where a part begins in the content is the sum of the parts before it, which
 * is known only when these are read.  So a part that ends leaves its size to
 * the part after it.
 */

#ifndef GPUHIST_PART_ORDER_H
#define GPUHIST_PART_ORDER_H

#include <stdint.h>

/* All 0: in no order. */
struct part_place {
    struct part_place *previous;
    struct part_place *next;
    uint64_t
        bytes_before; /* of parts that ended, since PREVIOUS or the start */
    uint64_t bytes;   /* of content, in this part so far */
};

/* Add PLACE after LAST, which is NULL for the first part. */
void part_order_add(struct part_place *place, struct part_place *last);

/* PLACE leaves its size to the next part and is in no order. */
void part_order_leave(struct part_place *place);

/* HEIR takes the place of PLACE, which is in no order then. */
void part_order_replace(struct part_place *place, struct part_place *heir);

#endif

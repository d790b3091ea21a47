/* part_order.c -- the parts of a compressed file that are read now, in order */

#include <stddef.h>

#include "input/read/part_order.h"

void
part_order_add(struct part_place *place, struct part_place *last)
{
    *place = (struct part_place){.previous = last};
    if (last != NULL)
        last->next = place;
}

void
part_order_leave(struct part_place *place)
{
    if (place->previous != NULL)
        place->previous->next = place->next;
    if (place->next != NULL) {
        place->next->previous = place->previous;
        place->next->bytes_before += place->bytes_before + place->bytes;
    }
    *place = (struct part_place){0};
}

void
part_order_replace(struct part_place *place, struct part_place *heir)
{
    *heir = *place;
    if (heir->previous != NULL)
        heir->previous->next = heir;
    if (heir->next != NULL)
        heir->next->previous = heir;
    *place = (struct part_place){0};
}

/* range_order.c -- the ranges of a file with quotes that are read now */

#include <assert.h>

#include "input/range_order.h"

/*
 * The first range is known now, and so are those after it as far as guesses are
 * right.  Returns whether there are any.
 */
static bool
tell(struct range_order *order)
{
    bool is_any = order->first != NULL;

    while (order->first != NULL) {
        struct range *range = order->first;
        range->is_known = true;
        range->open = order->open;
        if (order->open != RANGE_LOST) {
            if (!range->is_guessed || range->open != range->begin)
                break;
            order->open = range->guess;
        }
        order->first = range->next;
    }
    return is_any;
}

void
range_order_begin(struct range_order *order, off_t begin)
{
    *order = (struct range_order){.open = begin};
}

void
range_order_add(struct range_order *order, struct range *range, off_t begin,
                off_t end)
{
    *range = (struct range){.begin = begin, .end = end};
    if (order->first == NULL)
        order->first = range;
    else
        order->last->next = range;
    order->last = range;
    if (order->first == range)
        (void)tell(order);
}

bool
range_order_guess(struct range_order *order, struct range *range, off_t open)
{
    range->is_guessed = true;
    range->guess = open;
    return order->first == range && tell(order);
}

bool
range_order_settle(struct range_order *order, struct range *range, off_t open)
{
    assert(order->first == range);
    order->open = open;
    order->first = range->next;
    return tell(order);
}

/* SPDX-License-Identifier: MIT */
/* series_list.c -- join the series of the claims of a content in their order */

#include "input/read/series_list.h"

void
series_list_add(struct series_list *list, struct series_claim *claim,
                uint64_t start)
{
    *claim = (struct series_claim){
        .is_listed = true,
        .previous = list->last,
        .phases =
            start == SERIES_UNPLACED ? SERIES_ALL_PHASES : series_phase(start),
    };
    if (list->last != NULL)
        list->last->next = claim;
    else
        list->first = claim;
    list->last = claim;
}

void
series_list_leave(struct series_list *list, struct series_claim *claim)
{
    struct series_claim *previous = claim->previous;
    struct series_claim *next = claim->next;
    struct series *before = previous != NULL ? &previous->after : &list->before;

    series_join(before, &claim->series);
    series_join(before, &claim->after);
    if (previous != NULL)
        previous->next = next;
    else
        list->first = next;
    if (next != NULL)
        next->previous = previous;
    else
        list->last = previous;
    *claim = (struct series_claim){0};
}

void
series_list_join(const struct series_list *list, struct series *series)
{
    *series = list->before;
    for (const struct series_claim *claim = list->first; claim != NULL;
         claim = claim->next) {
        series_join(series, &claim->series);
        series_join(series, &claim->after);
    }
}

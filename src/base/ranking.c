/* SPDX-License-Identifier: MIT */
/* ranking.c -- keep the first items of many, in an order of the caller */

#include "base/ranking.h"

bool
ranking_is_lower(const void *context, uint64_t a, uint64_t b)
{
    (void)context;
    return a < b;
}

void
ranking_open(struct ranking *ranking, uint64_t *room, uint64_t most,
             ranking_order *is_before, const void *context)
{
    *ranking = (struct ranking){
        .item = room,
        .most = most,
        .is_before = is_before,
        .context = context,
    };
}

static bool
is_before(const struct ranking *ranking, uint64_t i, uint64_t j)
{
    return ranking->is_before(ranking->context, ranking->item[i],
                              ranking->item[j]);
}

static void
swap(struct ranking *ranking, uint64_t i, uint64_t j)
{
    uint64_t item = ranking->item[i];

    ranking->item[i] = ranking->item[j];
    ranking->item[j] = item;
}

/*
 * Move the item at I down, below the items that come after it; only the first
 * COUNT items.
 */
static void
sink(struct ranking *ranking, uint64_t i, uint64_t count)
{
    for (uint64_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_before(ranking, child, child + 1))
            child++;
        if (!is_before(ranking, i, child))
            return;
        swap(ranking, i, child);
    }
}

static void
make_heap(struct ranking *ranking)
{
    for (uint64_t i = ranking->count / 2; i-- > 0;)
        sink(ranking, i, ranking->count);
}

uint64_t
ranking_add(struct ranking *ranking, uint64_t item)
{
    if (ranking->count < ranking->most) {
        ranking->item[ranking->count++] = item;
        if (ranking->count == ranking->most)
            make_heap(ranking);
        return RANKING_NONE;
    }
    uint64_t last = ranking->item[0];
    if (!ranking->is_before(ranking->context, item, last))
        return item;
    ranking->item[0] = item;
    sink(ranking, 0, ranking->count);
    return last;
}

void
ranking_sort(struct ranking *ranking, ranking_order *is_before_now)
{
    ranking->is_before = is_before_now;
    make_heap(ranking);
    for (uint64_t left = ranking->count; left > 1;) {
        swap(ranking, 0, --left);
        sink(ranking, 0, left);
    }
}

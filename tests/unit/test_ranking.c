/* SPDX-License-Identifier: MIT */
/* test_ranking.c -- the first items, in order, against a complete sort */

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "base/ranking.h"

#define ITEMS_MAX 300

static uint64_t key[ITEMS_MAX];

/* Greater keys first, of equal ones the lower item. */
static bool
is_greater(const void *context, uint64_t a, uint64_t b)
{
    const uint64_t *keys = context;

    return keys[a] > keys[b] || (keys[a] == keys[b] && a < b);
}

static bool
is_lower(const void *context, uint64_t a, uint64_t b)
{
    (void)context;
    return a < b;
}

static int
compare(const void *a, const void *b)
{
    uint64_t i = *(const uint64_t *)a;
    uint64_t j = *(const uint64_t *)b;

    return is_greater(key, i, j) ? -1 : is_greater(key, j, i);
}

/* Rank COUNT items with keys below RANGE, of which MOST are kept. */
static bool
agrees(uint64_t count, uint64_t most, uint64_t range)
{
    uint64_t room[ITEMS_MAX];
    uint64_t sorted[ITEMS_MAX];
    bool is_out[ITEMS_MAX] = {false};
    uint64_t kept = most < count ? most : count;
    struct ranking ranking;
    bool agrees = true;

    ranking_open(&ranking, room, most, is_greater, key);
    for (uint64_t i = 0; i < count; i++) {
        key[i] = (uint64_t)rand() % range;
        sorted[i] = i;
        uint64_t out = ranking_add(&ranking, i);
        agrees &= (out == RANKING_NONE) == (i < most);
        if (out != RANKING_NONE) {
            agrees &= out <= i && !is_out[out];
            is_out[out] = true;
        }
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare);

    ranking_sort(&ranking, is_greater);
    agrees &= ranking.count == kept;
    agrees &= memcmp(room, sorted, (size_t)kept * sizeof *room) == 0;
    for (uint64_t i = 0; i < count; i++)
        agrees &= is_out[sorted[i]] == (i >= kept);

    ranking_sort(&ranking, is_lower);
    for (uint64_t i = 1; i < kept; i++)
        agrees &= room[i - 1] < room[i];
    return agrees;
}

int
main(void)
{
    srand(1);
    for (uint64_t count = 0; count <= 9; count++) {
        bool all = true;
        for (uint64_t most = 1; most <= 10; most++) {
            for (int n = 0; n < 200; n++)
                all &= agrees(count, most, 1 + (uint64_t)n % 12);
        }
        ok(all, "%d items", (int)count);
    }
    for (uint64_t range = 1; range < 100000; range *= 17) {
        bool all = true;
        for (uint64_t most = 1; most <= ITEMS_MAX; most += 23)
            all &= agrees(ITEMS_MAX, most, range);
        ok(all, "%d items, %d keys", ITEMS_MAX, (int)range);
    }
    return done_testing();
}

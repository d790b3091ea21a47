/* SPDX-License-Identifier: MIT */
/*
 * test_group_order.c -- joined lists of groups, beside qsort()
 *
 * Groups with few different ranks and counts are dealt to parts, in pieces as
 * they come or at random.  The join of the sorted parts must be what qsort()
 * makes of all groups.
 */

#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/thread.h"
#include "report/group_order.h"

#define GROUPS_MAX 20000
#define COUNT(table) (sizeof(table) / sizeof *(table))

static struct group_entry all[GROUPS_MAX];

static group_order *const orders[] = {group_order_rows, group_order_counts,
                                      group_order_ranks};

/* Make COUNT groups.  If IS_SORTED, counts and ranks ascend. */
static void
make_groups(size_t count, bool is_sorted)
{
    memset(all, 0, sizeof all);
    for (size_t g = 0; g < count; g++) {
        all[g].number = g;
        all[g].first = 3 * g;
        all[g].rows = 3;
        all[g].count = is_sorted ? g : noise() % 50;
        all[g].rank.major = is_sorted ? g : noise() % 3;
        all[g].rank.minor.word[0] = noise() % 200;
    }
}

/* Deal COUNT groups to PARTS parts: the next groups, as many as chance has it.
   The numbers of a part start at 0. */
static void
deal(struct group_entries_part *part, unsigned int parts, size_t count)
{
    size_t g = 0;

    for (unsigned int p = 0; p < parts; p++) {
        size_t end = p + 1 == parts ? count : g + noise() % (count - g + 1);
        if (p + 1 < parts && noise() % 4 != 0)
            end = g + (count - g) / (parts - p);
        part[p] = (struct group_entries_part){.first = g};
        for (; g < end; g++) {
            struct group_entry entry = all[g];
            entry.number -= part[p].first;
            if (group_entries_add(&part[p].entries, &entry) < 0)
                abort();
        }
    }
}

/* Whether the join of PARTS parts of COUNT groups is in ORDER. */
static bool
joins(unsigned int parts, size_t count, group_order *order)
{
    struct group_entries_part part[CREW_MAX];
    struct group_entries joined = {.count = 0};

    deal(part, parts, count);
    for (unsigned int p = 0; p < parts; p++)
        group_entries_sort(&part[p].entries, order);
    if (group_entries_join(&joined, part, parts, order) < 0)
        abort();
    qsort(all, count, sizeof *all, order);
    bool is_right =
        joined.count == count &&
        (count == 0 || memcmp(joined.entry, all, count * sizeof *all) == 0);
    free(joined.entry);
    for (unsigned int p = 0; p < parts; p++)
        free(part[p].entries.entry);
    return is_right;
}

int
main(void)
{
    static const unsigned int parts[] = {1, 2, 3, 16, CREW_MAX};
    static const size_t counts[] = {0, 1, 100, 4095, 4096, GROUPS_MAX};

    for (size_t o = 0; o < COUNT(orders); o++) {
        for (size_t p = 0; p < COUNT(parts); p++) {
            bool is_right = true;
            for (size_t c = 0; c < COUNT(counts); c++) {
                make_groups(counts[c], false);
                is_right &= joins(parts[p], counts[c], orders[o]);
                make_groups(counts[c], true);
                is_right &= joins(parts[p], counts[c], orders[o]);
            }
            ok(is_right, "order %zu, %u parts", o, parts[p]);
        }
    }
    return done_testing();
}

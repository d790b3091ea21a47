/* SPDX-License-Identifier: MIT */
/* test_base_groups.c -- positions grouped as FastQC does */

#include <inttypes.h>

#include "../tap.h"
#include "report/base_groups.h"

/*
 * Of FastQC 0.12.1, for longest reads of these lengths: the number of groups,
 * the tenth, the one behind the tenth, and the last.
 */
static const struct {
    uint64_t longest;
    size_t count;
    struct base_group tenth;
    struct base_group next;
    struct base_group last;
} wanted[] = {
    {75, 75, {10, 10}, {11, 11}, {75, 75}},
    {76, 43, {10, 11}, {12, 13}, {76, 76}},
    {100, 55, {10, 11}, {12, 13}, {100, 100}},
    {101, 55, {10, 11}, {12, 13}, {100, 101}},
    {108, 59, {10, 11}, {12, 13}, {108, 108}},
    {150, 38, {10, 14}, {15, 19}, {150, 150}},
    {151, 38, {10, 14}, {15, 19}, {150, 151}},
    {250, 58, {10, 14}, {15, 19}, {250, 250}},
    {300, 68, {10, 14}, {15, 19}, {300, 300}},
    {2000, 50, {10, 49}, {50, 99}, {2000, 2000}},
};

static int
are_equal(struct base_group a, struct base_group b)
{
    return a.first == b.first && a.last == b.last;
}

/* Whether the groups of LONGEST follow each other up to LONGEST. */
static int
is_whole(uint64_t longest)
{
    struct base_group groups[BASE_GROUPS_MAX + 1];
    groups[BASE_GROUPS_MAX].first = 77;
    size_t count = base_groups_make(longest, groups);
    uint64_t behind = 1;

    for (size_t i = 0; i < count; i++) {
        if (groups[i].first != behind || groups[i].last < behind)
            return 0;
        behind = groups[i].last + 1;
    }
    return count <= BASE_GROUPS_MAX && behind == longest + 1 &&
           groups[BASE_GROUPS_MAX].first == 77;
}

int
main(void)
{
    struct base_group groups[BASE_GROUPS_MAX];

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t count = base_groups_make(wanted[i].longest, groups);
        ok(count == wanted[i].count &&
               are_equal(groups[8], (struct base_group){9, 9}) &&
               are_equal(groups[9], wanted[i].tenth) &&
               are_equal(groups[10], wanted[i].next) &&
               are_equal(groups[count - 1], wanted[i].last),
           "reads of %" PRIu64 " bases", wanted[i].longest);
    }

    uint64_t wrong = 0;
    for (uint64_t longest = 0; longest < 20000 && !wrong; longest++)
        if (!is_whole(longest))
            wrong = longest;
    ok(!wrong, "every position is in one group: wrong for %" PRIu64, wrong);
    for (uint64_t longest = 1; longest < UINT64_MAX / 3; longest *= 3)
        if (!is_whole(longest))
            wrong = longest;
    ok(!wrong, "and of long reads: wrong for %" PRIu64, wrong);
    ok(is_whole(UINT64_MAX - 1), "and of the longest that can be");
    return done_testing();
}

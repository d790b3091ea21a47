/* groups.c -- find the groups of a histogram */

#include <stdlib.h>
#include <string.h>

#include "report/groups.h"
#include "report/rows.h"

/* The group of the previous line. */
struct previous {
    const unsigned char *code; /* NULL: there is none */
    size_t size;
};

static bool
is_same(const struct rows *rows, const struct previous *previous)
{
    return previous->code != NULL && rows->group_size == previous->size &&
           memcmp(rows->group, previous->code, previous->size) == 0;
}

/* Count the groups; add their lines to GROUPS if it has room for them. */
static uint64_t
visit(const struct report *report, size_t i, bool hides_flow,
      struct group_list *groups)
{
    struct rows rows;
    struct previous previous = {NULL, 0};
    uint64_t count = 0;

    rows_open(&rows, report, i);
    /* The lines one after the other, also those that --min-count leaves out of
       a group, without the rest. */
    rows.is_ranked = false;
    rows.min_count = 0;
    rows.shows_other = false;
    if (hides_flow)
        rows.flow = FLOW_HIDE;
    while (rows_next(&rows)) {
        uint64_t row = rows.next - 1;
        if (rows.special >= report->spec->group_count)
            continue;
        if (!is_same(&rows, &previous)) {
            previous = (struct previous){rows.group, rows.group_size};
            if (groups != NULL)
                groups->first[count] = row;
            count++;
        }
        if (groups == NULL)
            continue;
        groups->rows[count - 1] = row - groups->first[count - 1] + 1;
        amount_add_to_cell(&groups->total, count - 1, report->spec,
                           &rows.amount);
    }
    return count;
}

int
groups_open(struct group_list *groups, const struct report *report, size_t i,
            bool hides_flow)
{
    *groups = (struct group_list){.count = visit(report, i, hides_flow, NULL)};
    /* One more, because none at all may not be allocated. */
    size_t room = (size_t)groups->count + 1;
    groups->first = calloc(room, sizeof *groups->first);
    groups->rows = calloc(room, sizeof *groups->rows);
    if (groups->first == NULL || groups->rows == NULL ||
        histogram_open(&groups->total, room, report->spec->planes) < 0)
        return -1;
    (void)visit(report, i, hides_flow, groups);
    return 0;
}

void
groups_close(struct group_list *groups)
{
    free(groups->first);
    free(groups->rows);
    histogram_close(&groups->total);
}

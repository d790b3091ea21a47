/* groups.h -- find the groups of a histogram */

#ifndef GPUHIST_GROUPS_H
#define GPUHIST_GROUPS_H

#include <stdbool.h>

#include "report/group_list.h"
#include "report/request.h"

/*
 * Find the groups of histogram I of REPORT, without the rows of flow cells if
 * HIDES_FLOW.  Returns 0, or -1: out of memory.  The caller calls
 * groups_close() in both cases.
 */
int groups_open(struct group_list *groups, const struct report *report,
                size_t i, bool hides_flow);

void groups_close(struct group_list *groups);

#endif

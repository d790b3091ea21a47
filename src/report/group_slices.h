/* SPDX-License-Identifier: MIT */
/* group_slices.h -- print the lines of many groups on several cores */

#ifndef GPUHIST_GROUP_SLICES_H
#define GPUHIST_GROUP_SLICES_H

#include "base/writer.h"
#include "report/group_table.h"

/* Print all remaining lines of TABLE.  Several threads call PUT at a time, each
   with its own TABLE and the same CONTEXT.  Returns early if OUT fails. */
typedef void group_slices_put(struct writer *out, struct group_table *table,
                              const void *context);

/* Print the remaining lines of TABLE by calling PUT: as slices_print(), from as
   many threads as the report of TABLE may have. */
void group_slices_print(struct writer *out, struct group_table *table,
                        group_slices_put *put, const void *context);

#endif

/* SPDX-License-Identifier: MIT */
/* samtools_text.h -- the lines of samtools stats */

#ifndef GPUHIST_SAMTOOLS_TEXT_H
#define GPUHIST_SAMTOOLS_TEXT_H

#include "base/writer.h"

/* Put the comment before section NAME; COLUMNS, if not NULL, says what they
   are. */
void samtools_put_title(struct writer *out, const char *title, const char *name,
                        const char *columns);

/* Put a line of section NAME with the COUNT numbers at NUMBER. */
void samtools_put_line(struct writer *out, const char *name,
                       const uint64_t *number, size_t count);

#endif

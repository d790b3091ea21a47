/* SPDX-License-Identifier: MIT */
/* samtools_text.c -- the lines of samtools stats */

#include "report/samtools_text.h"

void
samtools_put_title(struct writer *out, const char *title, const char *name,
                   const char *columns)
{
    writer_put_text(out, "# ");
    writer_put_text(out, title);
    writer_put_text(out, ". Use `grep ^");
    writer_put_text(out, name);
    writer_put_text(out, " | cut -f 2-` to extract this part.");
    if (columns != NULL) {
        writer_put_text(out, " The columns are: ");
        writer_put_text(out, columns);
    }
    writer_put_char(out, '\n');
}

void
samtools_put_line(struct writer *out, const char *name, const uint64_t *number,
                  size_t count)
{
    writer_put_text(out, name);
    for (size_t i = 0; i < count; i++) {
        writer_put_char(out, '\t');
        writer_put_number(out, number[i]);
    }
    writer_put_char(out, '\n');
}

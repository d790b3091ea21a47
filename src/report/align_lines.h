/* SPDX-License-Identifier: MIT */
/* align_lines.h -- lines of cells separated by tabs, aligned */

#ifndef GPUHIST_ALIGN_LINES_H
#define GPUHIST_ALIGN_LINES_H

#include <stddef.h>

#include "base/writer.h"

/* The most cells of a line. */
#define ALIGN_LINES_CELLS 32

/*
 * Put the SIZE bytes at LINES, whole lines of at most ALIGN_LINES_CELLS cells,
 * with blanks instead of tabs so that columns are aligned: the first TEXTS
 * columns to the left, the others to the right.  A last column of texts gets no
 * blanks.  Widths are characters of UTF-8.
 */
void align_lines(struct writer *out, const char *lines, size_t size,
                 size_t texts);

#endif

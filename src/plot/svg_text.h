/* SPDX-License-Identifier: MIT */
/* svg_text.h -- text in an SVG document */

#ifndef GPUHIST_SVG_TEXT_H
#define GPUHIST_SVG_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Print TEXT, escaped for XML.  Bytes outside of UTF-8, control characters, and
 * characters that XML forbids become '?'.
 */
void svg_text_put(FILE *out, const char *text);

/* Print the names of the inputs; only the end of a long name. */
void svg_text_put_paths(FILE *out, char *const *paths, size_t path_count);

/* Print a text element at X, Y; MORE has further attributes. */
void svg_text_put_label(FILE *out, double x, double y, const char *more,
                        const char *text);

#endif

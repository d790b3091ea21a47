/* svg.h -- pictures of histograms as SVG 1.1, without anything from outside */

#ifndef GPUHIST_SVG_H
#define GPUHIST_SVG_H

#include <stddef.h>
#include <stdio.h>

#include "plot/picture.h"

/*
 * Write one document with a picture of each histogram of SUBJECT, bars or a
 * heat map of two axes; of an image's three channels, three curves in one.
 * The title names the PATHS; whatever is in them, the document is well-formed.
 * The caller checks OUT for errors.  Returns 0, or -1: out of memory.
 */
int svg_print(FILE *out, const struct picture_subject *subject,
              char *const *paths, size_t path_count);

#endif

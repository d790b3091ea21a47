/* SPDX-License-Identifier: MIT */
/* svg.h -- pictures of histograms as SVG 1.1, in one self-contained document */

#ifndef GPUHIST_SVG_H
#define GPUHIST_SVG_H

#include <stddef.h>
#include <stdio.h>

#include "plot/scene.h"

/*
 * Write one document to OUT with a picture of each histogram of SUBJECT: bars,
 * a heat map if SUBJECT has two joint axes, or a grid of panels for groups.
 * The three channels of an image are three curves in one picture.  The title
 * names the PATH_COUNT PATHS; the document is well-formed, even if paths
 * contain arbitrary bytes.  The caller checks OUT for write errors.  Returns 0,
 * or -1: out of memory.
 */
int svg_print(FILE *out, const struct scene_subject *subject,
              char *const *paths, size_t path_count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * svg_style.h -- the colours of an SVG document, on a light and a dark page
 *
 * Elements have the colours of a light page as attributes.  The style sheet of
 * the document replaces each colour where the reader prefers a dark page, and
 * enlarges texts where the picture is as narrow as a telephone.
 */

#ifndef GPUHIST_SVG_STYLE_H
#define GPUHIST_SVG_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SVG_PAGE "#fff"
#define SVG_TEXT "#000" /* also of axes */
#define SVG_MUTED "#444"
#define SVG_GRID "#ddd"
#define SVG_FRAME "#999"
#define SVG_WORD "#7a4a0b" /* of a flow cell */
#define SVG_BAR "#3b78b5"
#define SVG_FLOW "#d98b2b"
#define SVG_NEGATIVE "#c0392b"
#define SVG_RED "#d62020"
#define SVG_GREEN "#189a30"
#define SVG_BLUE "#2050d0"

/* Colours of keys beside each other. */
#define SVG_KINDS 8
extern const char *const svg_style_kind[SVG_KINDS];

/* Shades of a heat map: from 1, and from -1 for amounts below 0. */
#define SVG_SHADES 32

/* An attribute of labels that a narrow picture leaves out. */
#define SVG_WIDE_ONLY " class=\"wide\""

/* Write the colour of SHADE, which differs more from the page the farther the
   shade is from 0. */
#define SVG_COLOUR_BYTES 8
void svg_style_shade(int shade, char colour[SVG_COLOUR_BYTES]);

/* Print the style sheet; HAS_SHADES: also for the shades. */
void svg_style_put(FILE *out, bool has_shades);

#endif

/* svg_keys.h -- bars of keys as SVG */

#ifndef GPUHIST_SVG_KEYS_H
#define GPUHIST_SVG_KEYS_H

#include <stddef.h>
#include <stdio.h>

#include "plot/picture.h"

/* The most bars, unless --top asks for more. */
#define SVG_KEYS_MOST 40

/* The height of the picture of histogram I of SUBJECT, which has keys. */
double svg_keys_height(const struct picture_subject *subject, size_t i);

/* Draw PICTURE, whose axis has keys, from TOP on. */
void svg_keys_put(FILE *out, const struct picture *picture, double top);

#endif

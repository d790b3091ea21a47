/* svg_keys.h -- bars of keys as SVG */

#ifndef GPUHIST_SVG_KEYS_H
#define GPUHIST_SVG_KEYS_H

#include <stddef.h>
#include <stdio.h>

#include "plot/scene.h"

/* The most bars, unless --top asks for more. */
#define SVG_KEYS_MOST 40

/* The height of the scene of histogram I of SUBJECT, which has keys. */
double svg_keys_height(const struct scene_subject *subject, size_t i);

/* Draw SCENE, whose axis has keys, from TOP on. */
void svg_keys_put(FILE *out, const struct scene *scene, double top);

#endif

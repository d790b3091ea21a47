/* SPDX-License-Identifier: MIT */
/*
 * key_bars.h -- the greatest keys, numbers or tuples of a scene
 *
 * Neighbouring keys are never joined.  All keys without a bar are added to one
 * bar for the others, as in tables.  Times between two keys have empty bars, or
 * share a bar if the times are too many.
 */

#ifndef GPUHIST_KEY_BARS_H
#define GPUHIST_KEY_BARS_H

#include "plot/scene.h"

/*
 * Make the bars of SCENE, of a histogram with names: those of subject->top, or
 * at most MOST; more if MOST is less than 4.  First come the keys in the order
 * of the subject, then records without a key, and the others.  Returns 0, or
 * -1: out of memory.
 */
int key_bars_make(struct scene *scene, size_t most);

#endif

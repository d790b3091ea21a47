/*
 * key_bars.h -- the keys, numbers or tuples that a scene shows: the greatest
 *
 * Neighbouring keys are never joined.  Those without a bar are added to one bar
 * for the rest, as tables do.  Between keys that are times, those without a
 * record have empty bars, or share one where there are too many.
 */

#ifndef GPUHIST_KEY_BARS_H
#define GPUHIST_KEY_BARS_H

#include "plot/scene.h"

/*
 * Make the bars of SCENE, of a histogram with names: those of subject->top, or
 * at most MOST; more if MOST is less than 4.  First come the keys in the order
 * of the subject, then records without a key, and the rest.  Returns 0, or -1:
 * out of memory.
 */
int key_bars_make(struct scene *scene, size_t most);

#endif

/* SPDX-License-Identifier: MIT */
/* scene_make.h -- from a histogram to a scene */

#ifndef GPUHIST_SCENE_MAKE_H
#define GPUHIST_SCENE_MAKE_H

#include "base/error.h"
#include "plot/scene.h"

/*
 * Check that SPEC can be drawn: a joint histogram without a list has at most
 * two axes.  Returns 0, or -1 with *ERROR set; the message starts with OPTION.
 */
int scene_check(const struct spec *spec, const char *option,
                struct error *error);

/*
 * Make the scene of histogram I, below spec_histograms().  Axis a has at most
 * most[a] bands. band_cut() explains the bands of bins and IS_WHOLE, key_bars.h
 * the bars of keys, group_rows.h the rows of groups.  If most[0] is 0 for
 * groups, the rows and their totals alone are made, and group_rows_cut() makes
 * the bars.
 *
 * Returns 0, or -1: out of memory.  The caller calls scene_close() in both
 * cases, and does not move a scene of groups.
 */
int scene_make(struct scene *scene, const struct scene_subject *subject,
               size_t i, const size_t most[SCENE_AXES_MAX], bool is_whole);

/* Release everything in SCENE.  SCENE may be all 0. */
void scene_close(struct scene *scene);

#endif

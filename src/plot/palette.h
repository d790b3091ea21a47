/* SPDX-License-Identifier: MIT */
/* palette.h -- colours and shades of pictures on terminals */

#ifndef GPUHIST_PALETTE_H
#define GPUHIST_PALETTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/terminal.h"
#include "plot/scene.h"

/* How a column of a shade is printed. */
#define PALETTE_BYTES 40
struct palette_shade {
    char start[PALETTE_BYTES]; /* sets the colours; "" if there are none */
    const char *text;          /* one column */
};

/* Ends a colour. */
extern const char palette_end[];

/* Returns the number of shades of a heat map on TERMINAL. */
size_t palette_shades(const struct terminal *terminal);

/*
 * Returns how SHADE, from 1 to palette_shades(), is printed.  Shade 1 differs
 * least from the background of TERMINAL.  Shades of amounts below 0 differ from
 * the others.
 */
struct palette_shade palette_shade_of(const struct terminal *terminal,
                                      size_t shade, bool is_negative);

/* Write the sequence for bars of TONE; "" if TERMINAL has no colours. */
void palette_tone(const struct terminal *terminal, enum scene_tone tone,
                  char start[PALETTE_BYTES]);

#endif

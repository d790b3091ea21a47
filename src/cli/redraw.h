/* SPDX-License-Identifier: MIT */
/*
 * redraw.h -- a text on a terminal that replaces the one before it
 *
 * Each text goes to the terminal in one piece, over the text before it, row by
 * row, so nothing flickers and the cursor is never hidden: a process that dies
 * or stops leaves the terminal as any command does.  A text follows the one
 * before it, as in a file, if that one does not fit on the screen, if the
 * terminal has another width now, or if a message was put, or the process
 * was stopped, in between: a shell has written then.
 */

#ifndef GPUHIST_REDRAW_H
#define GPUHIST_REDRAW_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "base/terminal.h"

struct redraw {
    const atomic_uint *intrusions; /* how often something else may have written
                                      to the terminal; NULL: unknown */
    size_t rows;                   /* of the text on the screen; 0: none */
    size_t columns;                /* of the terminal then */
    unsigned int intrusions_then;
};

/*
 * Write TEXT, whole lines, to OUT, which is TERMINAL.  INTRUSIONS counts what
 * else was written there since the last call.
 */
void redraw_put(struct redraw *redraw, FILE *out,
                const struct terminal *terminal, const char *text);

#endif

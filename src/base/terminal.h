/* SPDX-License-Identifier: MIT */
/* terminal.h -- size and capabilities of a terminal */

#ifndef GPUHIST_TERMINAL_H
#define GPUHIST_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum terminal_colours {
    TERMINAL_COLOURS_NONE,
    TERMINAL_COLOURS_16,
    TERMINAL_COLOURS_256,
    TERMINAL_COLOURS_TRUE /* 24 bits */
};

struct terminal {
    size_t columns; /* at least 1 */
    size_t rows;    /* at least 1 */
    bool can_move;  /* the cursor, by sequences of ECMA-48 */
    enum terminal_colours colours;
    bool is_light; /* dark letters on a light background */
    bool is_utf8;  /* by the locale: the caller has set LC_CTYPE */
};

/*
 * Returns the properties of FD.  The size comes from the terminal, if FD is a
 * terminal and reports a size; else from the environment variables COLUMNS and
 * LINES; else it is 80 and 24.  The cursor of a terminal can move unless TERM
 * is "dumb", empty or not set; a terminal has colours then, unless NO_COLOR is
 * set and not empty (no-color.org): 24 bits if COLORTERM or TERM says so, 256
 * if TERM does, else 16.  A terminal is light if COLORFGBG, which some
 * terminals set, says so.
 */
struct terminal terminal_look(int fd);

#endif

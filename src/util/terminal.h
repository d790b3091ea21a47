/* terminal.h -- what the terminal at the other end can show */

#ifndef GPUHIST_TERMINAL_H
#define GPUHIST_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct terminal {
    size_t columns; /* at least 1, like the next */
    size_t rows;
    bool has_colour;
    bool is_utf8; /* as the locale says: LC_CTYPE must be set */
};

/*
 * What FD leads to.  The size is that of the terminal; if it is none, or does
 * not say, COLUMNS and LINES; else 80 and 24.  Colour: on a terminal other
 * than a "dumb" one, unless NO_COLOR is there and not empty (no-color.org).
 */
struct terminal terminal_look(int fd);

#endif

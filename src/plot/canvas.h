/* canvas.h -- parts of pictures that are drawn on a terminal */

#ifndef GPUHIST_CANVAS_H
#define GPUHIST_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/terminal.h"
#include "plot/scene.h"

/* Texts that fill a column step by step; the last one fills it completely. */
struct ramp {
    size_t count;
    const char *const *text;
};

#define RAMP(texts)                            \
    {                                          \
        sizeof(texts) / sizeof *(texts), texts \
    }

/* The terminal that a scene is drawn on. */
struct canvas {
    FILE *out;
    const struct terminal *terminal;
    size_t columns; /* one fewer than the terminal has: some terminals wrap
                       after the last column */
    bool nonzero;
};

/* Ends a colour. */
extern const char canvas_reset[];

void canvas_put_spaces(FILE *out, size_t count);

/* Print the first COLUMNS characters of TEXT, which is ASCII. */
void canvas_put_cut(FILE *out, const char *text, size_t columns);

/*
 * Returns the columns of a bar behind USED columns and an amount of *AMOUNT
 * columns, which becomes 0 if it leaves too little room.
 */
size_t canvas_bar_columns(const struct canvas *canvas, size_t used,
                          size_t *amount);

void canvas_put_title(const struct canvas *canvas, const struct scene *scene);

/*
 * Print a bar for AMOUNT, which takes PART of COLUMNS columns, in the colour of
 * a flow cell if IS_FLOW.
 */
void canvas_put_bar(const struct canvas *canvas, double amount, double part,
                    bool is_flow, size_t columns);

#endif

/*
 * line.h -- one line on standard error, drawn again and again
 *
 * On a terminal it is one row, which is overwritten with spaces at the end: no
 * escape sequence is needed, so any terminal will do.  Anywhere else each state
 * of it is a line that stays.
 *
 * One thread draws it, from line_allow() to line_forbid() or line_close(); what
 * other threads print before and behind that does not meet it.  A terminal that takes
 * nothing (^S) delays nobody: then the line is not drawn.
 */

#ifndef GPUHIST_LINE_H
#define GPUHIST_LINE_H

#include <pthread.h>
#include <stdbool.h>

enum line_when {
    LINE_AUTO, /* on a terminal, while we are in its foreground */
    LINE_ALWAYS,
    LINE_NEVER,
};

struct line {
    /* Set by line_open() for good. */
    int fd;
    bool is_terminal;
    enum line_when when;

    /* Only for the thread that draws. */
    double next; /* when to draw; in seconds of the monotonic clock */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    bool is_allowed;
    bool is_closed;
    bool is_drawn;
};

/* The line is to be drawn on FD, but not at once: short runs need none. */
void line_open(struct line *line, int fd, enum line_when when);

/* From now on, until it is forbidden or closed, nobody else prints there. */
void line_allow(struct line *line);

/* Somebody else will: nothing is left of what was drawn on a terminal. */
void line_forbid(struct line *line);

/* The seconds until line_draw() is due; negative: it never will be again. */
double line_wait(struct line *line);

/* Draw TEXT, of printable ASCII, if it is due; what is too long is cut off. */
void line_draw(struct line *line, const char *text);

/* Print "gpuhist: TEXT" as a line that stays, drawn line or not. */
void line_print(struct line *line, const char *text);

/* Nothing is drawn any more, and nothing of what was is left on a terminal. */
void line_close(struct line *line);

#endif

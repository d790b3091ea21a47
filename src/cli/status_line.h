/*
 * status_line.h -- one line on standard error, drawn again and again
 *
 * On a terminal it is one row, and spaces overwrite it at the end: no escape
 * sequence is needed, so any terminal will do.  Anywhere else each update is a
 * line that stays.
 *
 * One thread draws it, from status_line_allow() to status_line_forbid() or
 * status_line_close(); other threads print only before and after that.
 *
 * No function waits for ever.  A line that standard error does not take at
 * once, because nobody reads it or because of ^S, is dropped.
 */

#ifndef GPUHIST_STATUS_LINE_H
#define GPUHIST_STATUS_LINE_H

#include <pthread.h>
#include <stdbool.h>

enum status_line_when {
    STATUS_LINE_AUTO, /* on a terminal, while we are in its foreground */
    STATUS_LINE_ALWAYS,
    STATUS_LINE_NEVER,
};

struct status_line {
    /* Set by status_line_open() for good. */
    int fd;
    bool is_terminal;
    enum status_line_when when;

    /* Only for the thread that draws. */
    double next; /* when to draw; in seconds of the monotonic clock */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    bool is_allowed;
    bool is_closed;
    bool is_drawn;
};

/* The line will be drawn on FD, but not at once: short runs need none. */
void status_line_open(struct status_line *line, int fd,
                      enum status_line_when when);

/* Allow drawing: until it is forbidden or closed, nobody else prints there. */
void status_line_allow(struct status_line *line);

/* Somebody else will print: remove the line from a terminal. */
void status_line_forbid(struct status_line *line);

/* The seconds until status_line_draw() is due; negative: never again. */
double status_line_wait(struct status_line *line);

/*
 * Draw TEXT, which is printable ASCII, if an update is due; what is too long
 * is cut off.
 */
void status_line_draw(struct status_line *line, const char *text);

/*
 * Print "gpuhist: TEXT" as a line that stays, whether or not the line is
 * drawn.
 */
void status_line_print(struct status_line *line, const char *text);

/* Draw nothing any more, and remove the line from a terminal. */
void status_line_close(struct status_line *line);

#endif

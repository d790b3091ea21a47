/* SPDX-License-Identifier: MIT */
/*
 * status_line.h -- the line of --progress, updated in place
 *
 * On a terminal the line is one row, erased by spaces at the end.  The row
 * needs no escape sequences, so any terminal works.  Elsewhere each update is a
 * line that stays.
 *
 * One thread draws the line, between status_line_allow() and
 * status_line_forbid() or status_line_close(); other threads print at other
 * times only.
 *
 * No function waits forever.  A line that standard error does not take at once,
 * for lack of a reader or because of ^S, is dropped.
 */

#ifndef GPUHIST_STATUS_LINE_H
#define GPUHIST_STATUS_LINE_H

#include <pthread.h>
#include <stdbool.h>

enum status_line_when {
    STATUS_LINE_AUTO, /* on a terminal, while the process is in foreground */
    STATUS_LINE_ALWAYS,
    STATUS_LINE_NEVER,
};

struct status_line {
    /* Constant after status_line_open(). */
    int fd;
    bool is_terminal;
    enum status_line_when when;

    /* Used only by the thread that draws. */
    double next; /* time of the next update; seconds, monotonic clock */

    pthread_mutex_t lock;
    /* Under the lock: */
    bool is_allowed;
    bool is_closed;
    bool is_drawn;
};

/*
 * Prepare to draw on FD.  Drawing starts after status_line_allow(), and only a
 * second after this call: short runs show no line.
 */
void status_line_open(struct status_line *line, int fd,
                      enum status_line_when when);

/* Allow drawing; the caller prints nothing until drawing is forbidden or
   closed. */
void status_line_allow(struct status_line *line);

/* Erase the line from a terminal and stop drawing: others can print now. */
void status_line_forbid(struct status_line *line);

/* The seconds until the next status_line_draw(); negative: never again. */
double status_line_wait(struct status_line *line);

/*
 * Draw TEXT, printable ASCII, if an update is due.  A long TEXT is cut off.
 */
void status_line_draw(struct status_line *line, const char *text);

/*
 * Print "gpuhist: TEXT" as a line that stays, also if drawing is forbidden.
 */
void status_line_print(struct status_line *line, const char *text);

/* Erase the line from a terminal and stop drawing for good. */
void status_line_close(struct status_line *line);

#endif

/* SPDX-License-Identifier: MIT */
/* status_line.c -- the line of --progress, updated in place */

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/terminal.h"
#include "base/timed_write.h"
#include "cli/status_line.h"

/* Runs shorter than this show no line. */
#define FIRST_SECONDS 1.0

/* Seconds between updates: of a row on a terminal; of lines in a log. */
#define TERMINAL_SECONDS 0.1
#define OTHER_SECONDS 1.0

/* Room for one row, as wide as the terminal, or for one line. */
#define ROW_BYTES 512
#define TEXT_BYTES 480

/* How long a blocked terminal may delay the end of the run. */
#define LAST_MILLISECONDS 1000

void
status_line_open(struct status_line *line, int fd, enum status_line_when when)
{
    line->fd = fd;
    line->is_terminal = isatty(fd);
    line->when = when == STATUS_LINE_AUTO && !line->is_terminal
                     ? STATUS_LINE_NEVER
                     : when;
    line->next = clock_now() + FIRST_SECONDS;
    pthread_mutex_init(&line->lock, NULL);
    line->is_allowed = false;
    line->is_closed = false;
    line->is_drawn = false;
}

void
status_line_allow(struct status_line *line)
{
    pthread_mutex_lock(&line->lock);
    line->is_allowed = true;
    pthread_mutex_unlock(&line->lock);
}

double
status_line_wait(struct status_line *line)
{
    pthread_mutex_lock(&line->lock);
    bool is_over = line->is_closed || line->when == STATUS_LINE_NEVER;
    pthread_mutex_unlock(&line->lock);
    double left = line->next - clock_now();
    return is_over ? -1 : left > 0 ? left : 0;
}

/*
 * Write to ROW, of ROW_BYTES, the characters that overwrite the whole row with
 * TEXT.  The cursor stays in the first column: an echoed ^C, or the shell's
 * prompt after the process is killed, starts there.  The last column stays
 * empty, because the cursor would move on to the next row.  Returns the number
 * of bytes.
 */
static size_t
make_row(const struct status_line *line, const char *text, char *row)
{
    size_t columns = terminal_look(line->fd).columns;
    int width = columns < ROW_BYTES - 2 ? (int)columns - 1 : ROW_BYTES - 3;

    return (size_t)snprintf(row, ROW_BYTES, "\r%-*.*s\r", width, width, text);
}

/* Write to ROW, of ROW_BYTES, a line with TEXT.  Returns its length. */
static size_t
make_line(const char *text, char *row)
{
    return (size_t)snprintf(row, ROW_BYTES, "gpuhist: %.*s\n", TEXT_BYTES,
                            text);
}

/* Whether the process may draw on the terminal. */
static bool
is_at_work(const struct status_line *line)
{
    return line->when == STATUS_LINE_ALWAYS || tcgetpgrp(line->fd) == getpgrp();
}

void
status_line_draw(struct status_line *line, const char *text)
{
    char row[ROW_BYTES];
    double now = clock_now();

    if (line->when == STATUS_LINE_NEVER || now < line->next)
        return;
    line->next = now + (line->is_terminal ? TERMINAL_SECONDS : OTHER_SECONDS);
    pthread_mutex_lock(&line->lock);
    if (line->is_allowed && !line->is_closed && is_at_work(line)) {
        size_t length = line->is_terminal ? make_row(line, text, row)
                                          : make_line(text, row);
        (void)timed_write(line->fd, row, length, 0);
        line->is_drawn = line->is_terminal;
    }
    pthread_mutex_unlock(&line->lock);
}

void
status_line_print(struct status_line *line, const char *text)
{
    char rows[2 * ROW_BYTES];
    size_t length = 0;

    pthread_mutex_lock(&line->lock);
    if (line->is_drawn)
        length = make_row(line, "", rows);
    length += make_line(text, rows + length);
    if (timed_write(line->fd, rows, length, 0) == 0)
        line->is_drawn = false;
    pthread_mutex_unlock(&line->lock);
}

/* Erase the line from the terminal.  The caller holds the lock. */
static void
leave_terminal(struct status_line *line)
{
    char row[ROW_BYTES];

    /* In the background, other processes have already overwritten it. */
    if (!line->is_drawn || !is_at_work(line))
        return;
    (void)timed_write(line->fd, row, make_row(line, "", row),
                      LAST_MILLISECONDS);
    line->is_drawn = false;
}

void
status_line_forbid(struct status_line *line)
{
    pthread_mutex_lock(&line->lock);
    line->is_allowed = false;
    leave_terminal(line);
    pthread_mutex_unlock(&line->lock);
}

void
status_line_close(struct status_line *line)
{
    pthread_mutex_lock(&line->lock);
    line->is_closed = true;
    leave_terminal(line);
    pthread_mutex_unlock(&line->lock);
}

/* status_line.c -- one line on standard error, drawn again and again */

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/status_line.h"
#include "util/clock.h"
#include "util/terminal.h"

/* A run that is shorter shows nothing. */
#define FIRST_SECONDS 1.0

/* A log or a program that reads it is not to be flooded. */
#define TERMINAL_SECONDS 0.1
#define OTHER_SECONDS 1.0

/* For what is printed in one piece; no row that is drawn is longer. */
#define BIN_ROW_BYTES 512
#define TEXT_BYTES 480

/* As long as a terminal that takes nothing may hold up the end. */
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

/* Write TEXT at once, or not at all if FD takes nothing for so long. */
static void
put(int fd, const char *text, size_t length, int milliseconds)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};

    if (poll(&poll_fd, 1, milliseconds) == 1)
        (void)!write(fd, text, length);
}

/*
 * Make ROW, of BIN_ROW_BYTES, what overwrites the whole row with TEXT.  The cursor
 * stays at the begin: there a ^C is echoed, and a shell's prompt follows
 * where the process is killed.  The last column is left out, since the cursor
 * would go on to the next row.  Returns its length.
 */
static size_t
make_row(const struct status_line *line, const char *text, char *row)
{
    size_t columns = terminal_look(line->fd).columns;
    int width =
        columns < BIN_ROW_BYTES - 2 ? (int)columns - 1 : BIN_ROW_BYTES - 3;

    return (size_t)snprintf(row, BIN_ROW_BYTES, "\r%-*.*s\r", width, width,
                            text);
}

/* Under the lock. */
static void
erase(struct status_line *line)
{
    char row[BIN_ROW_BYTES];

    if (line->is_drawn)
        put(line->fd, row, make_row(line, "", row), LAST_MILLISECONDS);
    line->is_drawn = false;
}

/* Whether what is on the terminal is ours to change. */
static bool
is_at_work(const struct status_line *line)
{
    return line->when == STATUS_LINE_ALWAYS || tcgetpgrp(line->fd) == getpgrp();
}

void
status_line_draw(struct status_line *line, const char *text)
{
    char row[BIN_ROW_BYTES];
    double now = clock_now();

    if (line->when == STATUS_LINE_NEVER || now < line->next)
        return;
    line->next = now + (line->is_terminal ? TERMINAL_SECONDS : OTHER_SECONDS);
    pthread_mutex_lock(&line->lock);
    if (line->is_allowed && !line->is_closed && is_at_work(line)) {
        size_t length = line->is_terminal ? make_row(line, text, row)
                                          : (size_t)snprintf(row, sizeof row,
                                                             "gpuhist: %.*s\n",
                                                             TEXT_BYTES, text);
        put(line->fd, row, length, 0);
        line->is_drawn = line->is_terminal;
    }
    pthread_mutex_unlock(&line->lock);
}

void
status_line_print(struct status_line *line, const char *text)
{
    char row[BIN_ROW_BYTES];

    int length = snprintf(row, sizeof row, "gpuhist: %.*s\n", TEXT_BYTES, text);
    pthread_mutex_lock(&line->lock);
    erase(line);
    pthread_mutex_unlock(&line->lock);
    /* It may take for ever; but it is one write(), whatever others do. */
    (void)!write(line->fd, row, (size_t)length);
}

/* Under the lock. */
static void
leave_terminal(struct status_line *line)
{
    /* In the background others have printed behind it already. */
    if (line->is_drawn && is_at_work(line))
        erase(line);
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

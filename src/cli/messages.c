/* SPDX-License-Identifier: MIT */
/* messages.c -- lines on standard error: "gpuhist: TEXT" */

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "base/escape.h"
#include "base/output.h"
#include "base/timed_write.h"
#include "base/utf8.h"
#include "cli/messages.h"

/* How long one message may delay the end of a hurried process. */
#define HURRIED_MILLISECONDS 1000

/* A message under construction, without malloc(), which may fail. */
struct message_line {
    struct messages *messages;
    char text[PIPE_BUF]; /* one write() of this size to a pipe is atomic */
    size_t length;
};

static void
write_line(struct message_line *line)
{
    struct messages *messages = line->messages;

    if (!messages->is_hurried)
        (void)output_write(STDERR_FILENO, line->text, line->length);
    else if (timed_write(STDERR_FILENO, line->text, line->length,
                         messages->is_stuck ? 0 : HURRIED_MILLISECONDS) < 0)
        messages->is_stuck = true;
    line->length = 0;
}

/*
 * Write LINE with SIGPIPE blocked: a broken pipe must not end the process,
 * which has files to remove and a status to return.
 */
static void
flush(struct message_line *line)
{
    const struct timespec at_once = {0};
    sigset_t broken_pipe;
    sigset_t pending;
    sigset_t before;

    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    sigpending(&pending);
    write_line(line);
    /* A SIGPIPE that was already pending stays: signals_hold_writing(). */
    if (!sigismember(&pending, SIGPIPE))
        (void)sigtimedwait(&broken_pipe, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void
add(struct message_line *line, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (line->length == sizeof line->text)
            flush(line);
        line->text[line->length++] = bytes[i];
    }
}

/* Add the COUNT bytes at BYTES, a character that changes the look of others, as
   \xHH. */
static void
add_escapes(struct message_line *line, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        const char escape[] = {'\\', 'x', escape_digit(byte >> 4),
                               escape_digit(byte & 15)};
        add(line, escape, sizeof escape);
    }
}

/* Add TEXT, which may quote the name of a file. */
static void
add_printable(struct message_line *line, const char *text)
{
    mbstate_t state = {0};
    size_t left = strlen(text);

    while (left > 0) {
        wchar_t wide;
        size_t length = mbrtowc(&wide, text, left, &state);
        bool is_character = length != 0 && length <= left;
        if (!is_character) {
            /* The next byte may start a character. */
            state = (mbstate_t){0};
            length = 1;
        }
        bool is_format = is_character && (uint32_t)wide >= 0xa0 &&
                         utf8_is_steering((uint32_t)wide);
        if (is_format)
            add_escapes(line, text, length);
        else if (is_character && iswprint((wint_t)wide))
            add(line, text, length);
        else
            add(line, "?", 1);
        text += length;
        left -= length;
    }
}

void
messages_put(struct messages *messages, const char *prefix, const char *text)
{
    struct message_line line = {.messages = messages};

    add(&line, "gpuhist: ", strlen("gpuhist: "));
    add(&line, prefix, strlen(prefix));
    add_printable(&line, text != NULL ? text : "out of memory");
    add(&line, "\n", 1);
    flush(&line);
    messages_intrude(messages);
}

void
messages_intrude(struct messages *messages)
{
    if (messages->intrusions != NULL && isatty(STDERR_FILENO))
        atomic_fetch_add(messages->intrusions, 1);
}

void
messages_put_inputs(struct messages *messages, const char *first, size_t count,
                    const char *text)
{
    struct error warning = ERROR_NONE;
    char more[40] = "";

    if (count == 0)
        return;
    if (count > 1)
        snprintf(more, sizeof more, " and %zu more input%s", count - 1,
                 count == 2 ? "" : "s");
    error_set(&warning, EXIT_DATA, "%s%s: %s", first, more, text);
    messages_put(messages, "warning: ", warning.text);
    error_clear(&warning);
}

enum exit_status
messages_put_error(struct messages *messages, struct error *error)
{
    enum exit_status status = error->status;

    messages_put(messages, "", error->text);
    error_clear(error);
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * messages.h -- lines on standard error: "gpuhist: TEXT"
 *
 * A message of up to PIPE_BUF bytes is one write(), so the lines of several
 * processes do not interleave.  Unprintable characters become '?', and format
 * characters of Unicode become \xHH for each byte: a file's name cannot control
 * the terminal.
 *
 * A message is dropped if standard error fails: a broken pipe, a full disk.
 * Otherwise messages_put() waits until standard error takes the message.  With
 * is_hurried, while the process ends on a signal, messages_put() waits at most
 * a second, and after a dropped message not at all.
 */

#ifndef GPUHIST_MESSAGES_H
#define GPUHIST_MESSAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct messages {
    bool is_quiet;   /* -q: no warnings */
    bool is_verbose; /* -v: also shortages that the run goes on without */
    bool is_hurried; /* the process ends on a signal: do not wait for long */
    bool is_stuck;   /* a message was dropped */
    atomic_uint *intrusions; /* counts those on a terminal; or NULL */
};

/* Print "gpuhist: ", PREFIX and TEXT; a TEXT of NULL means "out of memory". */
void messages_put(struct messages *messages, const char *prefix,
                  const char *text);

/* Lines that are no messages were written to standard error. */
void messages_intrude(struct messages *messages);

/*
 * Warn of COUNT inputs; FIRST is the name of the first one: "FIRST: TEXT", or
 * "FIRST and N more inputs: TEXT".  Prints nothing if COUNT is 0.
 */
void messages_put_inputs(struct messages *messages, const char *first,
                         size_t count, const char *text);

/* Print the message of ERROR and clear ERROR.  Returns its exit status. */
enum exit_status messages_put_error(struct messages *messages,
                                    struct error *error);

#endif

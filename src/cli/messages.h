/*
 * messages.h -- lines on standard error: "gpuhist: TEXT"
 *
 * A message is one write(), so that the lines of several processes do not mix.
 * Everything in it that could steer a terminal becomes '?'.
 *
 * A message that nobody can read, at a broken pipe or a full disk, is dropped.
 * Otherwise it waits until standard error takes it.  In a hurry, when the process
 * must end although nobody may read there, it is dropped after a second, and
 * the messages behind it are dropped at once.
 */

#ifndef GPUHIST_MESSAGES_H
#define GPUHIST_MESSAGES_H

#include <stdbool.h>

#include "util/error.h"

struct messages {
    bool is_quiet;   /* -q: no warnings */
    bool is_verbose; /* -v: also what the run goes on without */
    bool is_hurried;
    bool is_stuck; /* a message was dropped */
};

/* Print "gpuhist: PREFIXTEXT"; a TEXT of NULL means that memory ran out. */
void messages_put(struct messages *messages, const char *prefix,
                  const char *text);

/* Print the message of ERROR and release it.  Returns its status. */
enum exit_status messages_put_error(struct messages *messages,
                                    struct error *error);

#endif

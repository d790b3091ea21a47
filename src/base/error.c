/* SPDX-License-Identifier: MIT */
/* error.c -- an error: its message and the exit status */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

void
error_set(struct error *error, enum exit_status status, const char *format, ...)
{
    if (error->status != EXIT_DONE)
        return;
    error->status = status;

    va_list args;
    va_start(args, format);
    if (vasprintf(&error->text, format, args) < 0)
        error->text = NULL; /* main() prints "out of memory" for NULL */
    va_end(args);
}

int
error_fail_memory(struct error *error)
{
    error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

void
error_move(struct error *to, struct error *from)
{
    if (to->status == EXIT_DONE)
        *to = *from;
    else
        free(from->text);
    *from = ERROR_NONE;
}

void
error_clear(struct error *error)
{
    free(error->text);
    *error = ERROR_NONE;
}

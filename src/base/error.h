/* SPDX-License-Identifier: MIT */
/* error.h -- an error: its message and the exit status */

#ifndef GPUHIST_ERROR_H
#define GPUHIST_ERROR_H

/* The exit statuses of gpuhist(1). */
enum exit_status {
    EXIT_DONE = 0,      /* every value counted, every output byte accepted */
    EXIT_DATA = 1,      /* an input, the output or a resource failed */
    EXIT_USAGE = 2,     /* the command line is wrong */
    EXIT_NO_DEVICE = 3, /* the requested device is not usable */
};

/*
 * Initialise with ERROR_NONE.  The first error_set() wins; later errors are
 * ignored, because they usually follow from the first.
 */
struct error {
    enum exit_status status;
    char *text; /* owned; lower-case, without "gpuhist: " or a newline */
};

#define ERROR_NONE ((struct error){EXIT_DONE, NULL})

/* Set the status, not EXIT_DONE, and the printf() text of the message. */
void error_set(struct error *error, enum exit_status status, const char *format,
               ...) __attribute__((format(printf, 3, 4)));

/* Set "out of memory", with EXIT_DATA.  Returns -1. */
int error_fail_memory(struct error *error);

/* Move the error of FROM, if any, to TO, as error_set() does. */
void error_move(struct error *to, struct error *from);

/* Release the text; *ERROR is ERROR_NONE afterwards. */
void error_clear(struct error *error);

#endif

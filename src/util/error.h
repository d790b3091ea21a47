/* error.h -- one failure, as text for the user and an exit status */

#ifndef GPUHIST_ERROR_H
#define GPUHIST_ERROR_H

/* Exit statuses; they are documented in the man page. */
enum exit_status {
    EXIT_DONE = 0,      /* every value counted, every output byte accepted */
    EXIT_DATA = 1,      /* an input, the output or a resource failed */
    EXIT_USAGE = 2,     /* the command line makes no sense */
    EXIT_NO_DEVICE = 3, /* the demanded device is not usable */
};

/*
 * Start from ERROR_NONE.  The first error_set() wins and later ones are
 * dropped: what follows a failure is usually its consequence.
 */
struct error {
    enum exit_status status;
    char *text; /* owned; lower-case, without "gpuhist: " or a newline */
};

#define ERROR_NONE ((struct error){EXIT_DONE, NULL})

/* Record a failure: a status other than EXIT_DONE, and a printf() text. */
void error_set(struct error *error, enum exit_status status, const char *format,
               ...) __attribute__((format(printf, 3, 4)));

/* Move the failure in FROM, if any, to TO; FROM is ERROR_NONE afterwards. */
void error_move(struct error *to, struct error *from);

/* Release the text; *ERROR is ERROR_NONE afterwards. */
void error_clear(struct error *error);

#endif

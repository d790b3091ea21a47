/*
 * output.h -- files that get their new content as a whole or not at all
 *
 * A regular file, or one that does not exist, is written beside and then
 * renamed: an old one stays what it was until all of the new one is on the
 * disk.  The new one has its permissions and, as far as the system lets us,
 * its owner and group; one that we may not write to is not replaced.  A
 * symbolic link stays one: it is the file behind it that is replaced.
 * Everything else (a device, a FIFO, /dev/stdout) is written to directly.
 *
 * In order: output_open(); write; output_finish(); output_commit();
 * output_close(), which is due whatever has failed.
 */

#ifndef GPUHIST_OUTPUT_H
#define GPUHIST_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "util/error.h"

struct output {
    struct outputs *outputs;
    const char *path; /* as given */
    int fd;           /* to write to; -1: no longer, or not yet */
    FILE *stream;     /* likewise, if output_stream() was called */
    char *target;     /* what is to be replaced; NULL: written to directly */
    int directory;    /* where it is, or -1 */

    /* Under the lock of OUTPUTS. */
    char *temporary;     /* the file that is written; NULL: there is none */
    struct output *next; /* in the list of OUTPUTS */
};

/* What would be left behind if the process ended now. */
struct outputs {
    pthread_mutex_t lock;
    struct output *first; /* under the lock: those with a temporary file */
};

void outputs_open(struct outputs *outputs);

/*
 * Remove all temporary files, because the process is about to end: the lock
 * is kept, so that from now on no other thread makes or renames a file.
 */
void outputs_abandon(struct outputs *outputs);

/*
 * Begin to write PATH, which must stay in place; what cannot be replaced is
 * found out now.  A FIFO is waited for until somebody reads it.  Returns 0, or
 * -1 with *ERROR set, naming PATH.
 */
int output_open(struct output *output, struct outputs *outputs,
                const char *path, struct error *error);

/*
 * Whether both would replace one file.  False of what was not opened, and where
 * the directory may not be read.
 */
bool output_is_same(const struct output *a, const struct output *b);

/*
 * Write all SIZE bytes at DATA to the descriptor FD, past interruptions.
 * Returns 0, or -1 with errno set.
 */
int output_write(int fd, const void *data, size_t size);

/* Write through this instead of OUTPUT->fd.  NULL with *ERROR set. */
FILE *output_stream(struct output *output, struct error *error);

/* Writing to OUTPUT->fd has failed; errno says why.  Returns -1. */
int output_fail(const struct output *output, struct error *error);

/*
 * All is written: have the system take it, on the disk where it is a regular
 * file.  Returns 0, or -1 with *ERROR set.
 */
int output_finish(struct output *output, struct error *error);

/* Replace the old file.  Returns 0, or -1 with *ERROR set. */
int output_commit(struct output *output, struct error *error);

/* Release everything, and remove the temporary file where it still is. */
void output_close(struct output *output);

/* As output_close_stdout(), but more will follow. */
int output_flush_stdout(struct error *error);

/*
 * Make sure that the system has taken all of standard output, and close it; if
 * a write has failed already, errno must still say why.  Returns 0, or -1 with
 * *ERROR set.
 */
int output_close_stdout(struct error *error);

/* As output_flush_stdout(), of output that goes to standard error. */
int output_flush_stderr(struct error *error);

#endif

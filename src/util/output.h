/*
 * output.h -- files that get their new content as a whole or not at all
 *
 * A regular file, or one that does not exist, is written under a temporary name
 * in the same directory and then renamed: on a failure before the rename the old
 * file stays as it was.  The new file gets the permissions of the old one and,
 * as far as the system allows it, its owner and group; a file that we may not
 * write to is not replaced.  Symbolic links are followed and stay; the file
 * that the last link points to need not exist.  Everything else (a device, a
 * FIFO, /dev/stdout) is written to directly.
 *
 * In order: output_open(); write; output_finish(); outputs_commit();
 * output_close(), which is due whatever has failed.
 */

#ifndef GPUHIST_OUTPUT_H
#define GPUHIST_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

struct output {
    struct outputs *outputs;
    const char *path; /* as given */
    int fd;           /* to write to; -1: closed */
    char *target;     /* the file to replace; NULL: written to directly */
    int directory;    /* of the target, or -1 */

    /* Under the lock of OUTPUTS. */
    char *temporary;     /* the file that is written, or NULL */
    struct output *next; /* in the list of OUTPUTS */
};

/* What would be left behind if the process ended now. */
struct outputs {
    pthread_mutex_t lock;
    struct output *first; /* under the lock: those with a temporary file */
};

void outputs_open(struct outputs *outputs);

/*
 * Remove all temporary files, because the process is about to end.  The lock
 * is kept, so that from now on no other thread makes or renames a file.
 */
void outputs_abandon(struct outputs *outputs);

/*
 * Begin to write PATH, which must stay in place.  These reasons for the rename
 * to fail are errors now: a directory or a file that we may not write to, and a
 * file that is mounted.  The open of a FIFO waits for a reader.  Returns 0, or
 * -1 with *ERROR set, naming PATH.
 */
int output_open(struct output *output, struct outputs *outputs,
                const char *path, struct error *error);

/*
 * Whether both would replace the same file.  False if one is not open, or where
 * the directory may not be read.
 */
bool output_is_same(const struct output *a, const struct output *b);

/*
 * Write all SIZE bytes at DATA to the descriptor FD, past interruptions; where
 * it has O_NONBLOCK, wait.  Returns 0, or -1 with errno set.
 */
int output_write(int fd, const void *data, size_t size);

/* Writing to OUTPUT->fd has failed; errno says why.  Returns -1. */
int output_fail(const struct output *output, struct error *error);

/*
 * All is written: have it on the disk, if it is a regular file, and close it.
 * Returns 0, or -1 with *ERROR set.
 */
int output_finish(struct output *output, struct error *error);

/*
 * Replace the old files of COUNT outputs, each of which is finished or was not
 * opened.  No signal comes between (see outputs_abandon()).  Returns 0, or -1
 * with *ERROR set, which says what is there:
 *
 *     FILE: cannot write: REASON
 *         FILE and those behind it are the old ones; those before it are new
 *         and named in the message
 *     FILE: the new file is in place, but its directory cannot be synced: ...
 *         all files are new, but after a crash of the system FILE may be old
 */
int outputs_commit(struct outputs *outputs, struct output *const *output,
                   size_t count, struct error *error);

/* Release everything; remove the temporary file if there still is one. */
void output_close(struct output *output);

/*
 * Writing to FD, standard output or standard error, has failed; errno says why.
 * Returns -1.
 */
int output_fail_standard(int fd, struct error *error);

/*
 * Close standard output, which may report a write that failed late.  Returns
 * 0, or -1 with *ERROR set.
 */
int output_close_stdout(struct error *error);

#endif

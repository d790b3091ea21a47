/* SPDX-License-Identifier: MIT */
/*
 * output.h -- files whose content is replaced as a whole or not at all
 *
 * A regular file, or one that does not exist, is written under a temporary name
 * in the same directory and then renamed.  If anything fails before the rename,
 * the old file stays unchanged.  The new file gets the permissions of the old
 * one and, as far as the system allows it, its owner and group.  A file without
 * write permission is not replaced.  Symbolic links are followed and stay; the
 * file that the last link points to need not exist.  Everything else (a device,
 * a FIFO, /dev/stdout) is written to directly.
 *
 * In order: output_open(); write; output_finish(); outputs_commit();
 * output_close(), even after a failure.
 */

#ifndef GPUHIST_OUTPUT_H
#define GPUHIST_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

struct output {
    struct outputs *outputs;
    const char *path; /* as given */
    int fd;           /* to write to; -1: closed */
    char *target;     /* the file to replace; NULL: written to directly */
    int directory;    /* of the target, to sync it; or -1 */

    /* Under the lock of OUTPUTS. */
    char *temporary;     /* the file that is written, or NULL */
    struct output *next; /* in the list of OUTPUTS */
};

/* The temporary files, to remove if the process ends early. */
struct outputs {
    pthread_mutex_t lock;
    struct output *first; /* under the lock: outputs with a temporary file */
};

void outputs_open(struct outputs *outputs);

/*
 * Remove all temporary files, because the process is about to end.  The lock is
 * kept, so that no other thread creates or renames a file afterwards.
 */
void outputs_abandon(struct outputs *outputs);

/*
 * Start to write PATH, which must outlive OUTPUT.  Fails if the rename would
 * fail because there is no write permission for the directory or the file, or
 * because the file is a mount point.  For a FIFO, waits for a reader.  Returns
 * 0, or -1 with *ERROR set, naming PATH.
 */
int output_open(struct output *output, struct outputs *outputs,
                const char *path, struct error *error);

/*
 * Returns the path of the directory in which output_open() of PATH creates a
 * file, which the caller frees; NULL if memory is short.
 */
char *output_find_directory(const char *path);

/*
 * Returns whether A and B would replace the same file.  False if one is not
 * open, or if a directory cannot be read.
 */
bool output_is_same(const struct output *a, const struct output *b);

/*
 * Write all SIZE bytes at DATA to the descriptor FD.  Continues after
 * interruptions, and waits if FD has O_NONBLOCK.  Returns 0, or -1 with errno
 * set.
 */
int output_write(int fd, const void *data, size_t size);

/* Writing to OUTPUT->fd has failed; errno says why.  Returns -1. */
int output_fail(const struct output *output, struct error *error);

/*
 * Sync the file, if it is a regular file, and close it.  Call after all writes.
 * Returns 0, or -1 with *ERROR set.
 */
int output_finish(struct output *output, struct error *error);

/*
 * Replace the files of COUNT outputs; each is finished or was never opened.  No
 * signal comes between two renames (see outputs_abandon()).  Returns 0, or -1
 * with *ERROR set to one of:
 *
 *     FILE: cannot write: REASON
 *         FILE and all files after it are unchanged; the message names the
 *         files before it, which are replaced
 *     FILE: the new file is in place, but its directory cannot be synced: ...
 *         all files are replaced, but a crash of the system may undo FILE
 */
int outputs_commit(struct outputs *outputs, struct output *const *output,
                   size_t count, struct error *error);

/* Release everything, and remove the temporary file, if any. */
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

/*
 * ---- files that must not be read ----
 *
 * A file both read and written is lost, or never ends.  Files are compared by
 * device and inode, so links and other spellings of a path are found.
 */

#define WRITTEN_FILES_MAX 8

struct written_file {
    const char *option; /* that names the file; NULL: standard output */
    const char *path;
    struct stat status;
};

/* All 0: no file yet. */
struct written_files {
    struct written_file file[WRITTEN_FILES_MAX];
    size_t count;
};

/*
 * Add the file of OPTION, PATH; or, if OPTION is NULL, standard output.  Only a
 * regular file that exists is added.  OPTION and PATH must stay in place.
 */
void written_files_add(struct written_files *files, const char *option,
                       const char *path);

/*
 * Check that FILES do not contain the input with STATUS, which messages call
 * NAME.  Returns 0, or -1 with *ERROR set.
 */
int written_files_check(const struct written_files *files,
                        const struct stat *status, const char *name,
                        struct error *error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * file_lock.h -- one process at a time reads a file and replaces it
 *
 * The lock belongs to a file, not to its name.  After a wait, the name may
 * belong to another file: then the process waits for the lock of the new file.
 */

#ifndef GPUHIST_FILE_LOCK_H
#define GPUHIST_FILE_LOCK_H

#include <stdbool.h>

#include "base/error.h"

struct file_lock {
    int fd; /* -1: no lock */
};

#define FILE_LOCK_NONE ((struct file_lock){-1})

/*
 * Wait until no other process has a lock of the file PATH, and take the lock.
 * A missing file needs no lock.  Returns 0, or -1 with *ERROR set; the caller
 * calls file_lock_release() in both cases.
 */
int file_lock_take(struct file_lock *lock, const char *path,
                   struct error *error);

/* Whether the paths A and B name one file. */
bool file_lock_is_same(const char *a, const char *b);

/* Release the lock, if LOCK has one. */
void file_lock_release(struct file_lock *lock);

#endif

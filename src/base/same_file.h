/* SPDX-License-Identifier: MIT */
/* same_file.h -- whether two looks found one file */

#ifndef GPUHIST_SAME_FILE_H
#define GPUHIST_SAME_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Whether A and B are of one file.  The answer holds only if the file of A is
 * open, or cannot have gone since: a new file may get the inode of an old one.
 */
static inline bool
same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif

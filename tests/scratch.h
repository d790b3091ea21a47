/* SPDX-License-Identifier: MIT */
/* scratch.h -- a temporary directory for a unit test, removed at its end */

#ifndef GPUHIST_SCRATCH_H
#define GPUHIST_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch_path[] = "/tmp/gpuhist-test.XXXXXX";

static int
scratch_remove_entry(const char *path, const struct stat *status, int type,
                     struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static void
scratch_remove(void)
{
    if (chdir("/") == 0)
        nftw(scratch_path, scratch_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Make the directory and go there; without it no test makes sense. */
static void
scratch_open(void)
{
    if (mkdtemp(scratch_path) == NULL || chdir(scratch_path) < 0)
        exit(99);
    atexit(scratch_remove);
}

#endif

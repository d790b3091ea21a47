/*
 * written_files.h -- the regular files that a run writes, so that it reads none
 *
 * A file that is read and written is lost, or never ends.  Files are compared
 * by device and inode, so links and other spellings of a path are found.
 */

#ifndef GPUHIST_WRITTEN_FILES_H
#define GPUHIST_WRITTEN_FILES_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

#define WRITTEN_FILES_MAX 8

struct written_file {
    const char *option; /* that names the file; NULL: standard output */
    const char *path;
    dev_t device;
    ino_t inode;
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
 * Check that the file of STATUS, which messages call NAME and which is read, is
 * none of FILES.  Returns 0, or -1 with *ERROR set.
 */
int written_files_check(const struct written_files *files,
                        const struct stat *status, const char *name,
                        struct error *error);

#endif

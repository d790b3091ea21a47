/* written_files.c -- the regular files that a run writes, so that it reads none
 */

#include <assert.h>
#include <unistd.h>

#include "base/written_files.h"

void
written_files_add(struct written_files *files, const char *option,
                  const char *path)
{
    struct stat status;
    int result =
        option == NULL ? fstat(STDOUT_FILENO, &status) : stat(path, &status);

    if (result < 0 || !S_ISREG(status.st_mode))
        return;
    assert(files->count < WRITTEN_FILES_MAX);
    files->file[files->count++] =
        (struct written_file){option, path, status.st_dev, status.st_ino};
}

int
written_files_check(const struct written_files *files,
                    const struct stat *status, const char *name,
                    struct error *error)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct written_file *file = &files->file[i];
        if (file->inode != status->st_ino || file->device != status->st_dev ||
            !S_ISREG(status->st_mode))
            continue;
        if (file->option != NULL)
            error_set(error, EXIT_USAGE,
                      "%s: is also the file of --%s=%s, which would replace it",
                      name, file->option, file->path);
        else
            error_set(error, EXIT_USAGE, "%s: is also standard output", name);
        return -1;
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* archive_members.c -- the members of an archive, whose first bytes tell the
   format */

#include "input/archive/archive_api.h"
#include "input/archive/archive_bytes.h"
#include "input/archive/cpio_members.h"
#include "input/archive/library_members.h"
#include "input/archive/members.h"

static struct members *
open_members(const struct source *file, const struct reading *reading,
             struct budget *budget, struct error *error)
{
    struct archive_bytes *bytes =
        archive_bytes_open(file, reading, budget, error);

    if (bytes == NULL)
        return NULL;
    return cpio_members_fit(bytes)
               ? cpio_members_open(bytes, reading, error)
               : library_members_open(bytes, reading->arrays, error);
}

const char *
archive_members_library(void)
{
    struct archive_api api;
    const char *missing = archive_api_load(&api);

    return missing != NULL ? missing : api.archive_version_string();
}

/* The type of the opened members reads and closes them. */
const struct members_type archive_members_type = {
    .whole = "archive",
    .noun = "file",
    .open = open_members,
};

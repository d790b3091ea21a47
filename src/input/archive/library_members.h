/* SPDX-License-Identifier: MIT */
/* library_members.h -- the members of archives that libarchive reads */

#ifndef GPUHIST_LIBRARY_MEMBERS_H
#define GPUHIST_LIBRARY_MEMBERS_H

#include "input/archive/archive_bytes.h"
#include "input/archive/members.h"
#include "input/content/array_choice.h"

/*
 * Read BYTES, a tar, zip or 7z archive, or a file of no known
 * format.  CHOICE: the
 * files to count; NULL: all.  Takes BYTES over.  Returns the members, or NULL
 * with *ERROR set; after cancel_ask() without an error.
 */
struct members *library_members_open(struct archive_bytes *bytes,
                                     struct array_choice *choice,
                                     struct error *error);

#endif

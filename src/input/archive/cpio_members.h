/* SPDX-License-Identifier: MIT */
/* cpio_members.h -- the members of cpio archives */

#ifndef GPUHIST_CPIO_MEMBERS_H
#define GPUHIST_CPIO_MEMBERS_H

#include <stdbool.h>

#include "input/archive/archive_bytes.h"
#include "input/archive/members.h"

/* Whether BYTES, which are not read yet, start with a header of cpio. */
bool cpio_members_fit(struct archive_bytes *bytes);

/*
 * Read BYTES, which fit, as READING says.  Takes BYTES over.  Returns the
 * members, or NULL with *ERROR set.
 */
struct members *cpio_members_open(struct archive_bytes *bytes,
                                  const struct reading *reading,
                                  struct error *error);

#endif

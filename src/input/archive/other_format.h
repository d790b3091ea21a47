/* SPDX-License-Identifier: MIT */
/* other_format.h -- files that are not archives that are read */

#ifndef GPUHIST_OTHER_FORMAT_H
#define GPUHIST_OTHER_FORMAT_H

#include <stdbool.h>

#include "input/archive/archive_bytes.h"

/* Whether BYTES start as a program does, in which an archive may be. */
bool other_format_is_program(struct archive_bytes *bytes);

/* Returns what BYTES are, if they start as an archive that is not read: a
   static text.  NULL: they do not. */
const char *other_format_name(struct archive_bytes *bytes);

#endif

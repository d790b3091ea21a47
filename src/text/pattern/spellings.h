/* SPDX-License-Identifier: MIT */
/* spellings.h -- the names in a pattern, as three programs spell them */

#ifndef GPUHIST_SPELLINGS_H
#define GPUHIST_SPELLINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum spelling {
    SPELLING_NGINX,
    SPELLING_APACHE,
    SPELLING_DISSECT,
    SPELLINGS
};

/* A name; its texts are parts of the pattern. */
struct spelled_name {
    const char *text; /* LENGTH bytes: all of it */
    size_t length;
    const char *own; /* OWN_LENGTH bytes: what is between braces, or after $;
                        of Apache's without braces, the letter */
    size_t own_length;
    char letter; /* Apache's, after the braces; or 0 */
    bool is_braced;
};

/*
 * Set *SPELLING to the spelling of the names in TEXT.  Returns 0, or -1 with
 * *ERROR set: TEXT has no names, or names of two spellings, or names that no
 * spelling has.
 */
int spelling_find(const char *text, enum spelling *spelling,
                  struct error *error);

/* Whether a name of SPELLING is at TEXT, in which spelling_find() has found no
   error; if so, sets *NAME. */
bool spelling_read(enum spelling spelling, const char *text,
                   struct spelled_name *name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * url_part.h -- the parts of a URL, of the target of a request, or of a path
 *
 * A URL starts with a scheme and "://" (RFC 3986).  Another text is a path, of
 * a file or of a request: /a/b?x=1.  So "//a/b" is a path, as in a request.
 *
 * No part is decoded: %2F stays.
 */

#ifndef GPUHIST_URL_PART_H
#define GPUHIST_URL_PART_H

#include <stdbool.h>
#include <stddef.h>

enum url_part_name {
    /*
     * Of a URL: the host without user, port and brackets.  Of a text that does
     * not start with a slash: the bytes before the first slash, if they are
     * HOST[:PORT] with letters, digits, '-', '.', '_' and bytes from 0x80 on,
     * or [HOST][:PORT], as for IPv6.
     */
    URL_HOST,
    /* The bytes before '?', in a URL also before '#', without scheme and host;
       "/" if a URL has none there. */
    URL_PATH,
    /* The bytes after '?', in a URL up to '#'; empty if there is no '?'. */
    URL_QUERY,
    /* The bytes after the last point in the last component of the path; empty
       if no other byte than points is before that point (splitext in Python).
     */
    URL_EXT,
    /* The path without its last component; "." if it has only one (dirname). */
    URL_DIR,
    /* The last component of the path; "/" if it has slashes only (basename). */
    URL_BASE,
};

/*
 * Set *TEXT and *SIZE to the part NAME of the *SIZE bytes at *TEXT, or to a
 * constant.  Returns false: the text has no host.
 */
bool url_part_find(enum url_part_name name, const unsigned char **text,
                   size_t *size);

#endif

/* quoted.h -- a text between quotes, as users write it */

#ifndef GPUHIST_QUOTED_H
#define GPUHIST_QUOTED_H

#include <stddef.h>

/*
 * TEXT begins with a quote, of any kind.  Up to the quote that closes, two
 * quotes stand for one; there are no other escapes.  Copies what is between
 * them, with a NUL, to COPY, which has room for TEXT, unless it is NULL, and
 * sets *SIZE to its bytes.  Returns the text after the quote that closes; or
 * NULL: there is none.
 */
const char *quoted_read(const char *text, char *copy, size_t *size);

/*
 * Returns how many bytes the first item of LIST has, which ends before a comma
 * outside of quotes, if it is quoted as a whole; or 0: it is not.
 */
size_t quoted_item(const char *list);

#endif

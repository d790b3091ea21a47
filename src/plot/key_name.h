/*
 * key_name.h -- a key as a scene shows it, cut to a width
 *
 * A key has any bytes.  Its name has none that could change a terminal or end
 * a document: control characters, bytes that are not UTF-8, and characters
 * that are invisible or change the direction of text become \xHH.  Tabs,
 * newlines and backslashes are written as in tsv.
 */

#ifndef GPUHIST_KEY_NAME_H
#define GPUHIST_KEY_NAME_H

#include <stddef.h>

/* Which characters are shown as they are, and how wide they are. */
enum key_name_kind {
    KEY_NAME_ASCII,    /* none but ASCII's */
    KEY_NAME_TERMINAL, /* those of UTF-8, as wide as in the locale */
    KEY_NAME_DOCUMENT, /* those of UTF-8; the widths depend on no locale */
};

/* The most columns of a name. */
#define KEY_NAME_COLUMNS_MAX 400

/* Room for a name of COLUMNS columns, with a NUL. */
#define KEY_NAME_BYTES(columns) (16 * (columns) + 16)

/*
 * Write the name of the key with the SIZE bytes KEY to TEXT, which has room for
 * MOST columns.  A longer one ends with an ellipsis.  MOST is 4 or more.
 * Returns the number of columns.
 */
size_t key_name_write(const unsigned char *key, size_t size,
                      enum key_name_kind kind, size_t most, char *text);

#endif

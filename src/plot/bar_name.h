/* SPDX-License-Identifier: MIT */
/*
 * bar_name.h -- the name of a bar: of a key, a number, or a tuple of these
 *
 * The components of a tuple are separated by a comma and a space.  Long keys
 * are cut, so that the next components stay visible.
 *
 * A key may have any bytes.  A name is safe on a terminal and in a document:
 * control characters, bytes outside of UTF-8, invisible characters, and
 * characters that change the direction of text become \xHH.  Tabs, newlines and
 * backslashes are written as in tsv.
 */

#ifndef GPUHIST_BAR_NAME_H
#define GPUHIST_BAR_NAME_H

#include "plot/scene.h"

/* Which characters are shown unchanged, and their widths. */
enum bar_name_kind {
    BAR_NAME_ASCII,    /* ASCII alone */
    BAR_NAME_TERMINAL, /* UTF-8, as wide as in the locale */
    BAR_NAME_DOCUMENT, /* UTF-8; widths do not depend on a locale */
};

/* The least and the most columns of a name. */
#define BAR_NAME_COLUMNS_MIN 4
#define BAR_NAME_COLUMNS_MAX 400

/* Room for a name of COLUMNS columns, with a NUL. */
#define BAR_NAME_BYTES(columns) (16 * (columns) + 16)

/*
 * Write the name of bar I of keys, or of the group in row I, to TEXT, with room
 * for MOST columns; MOST is BAR_NAME_COLUMNS_MIN or more.  A longer name ends
 * with an ellipsis.  Returns the number of columns.
 */
size_t bar_name_write(const struct scene *scene, size_t i,
                      enum bar_name_kind kind, size_t most, char *text);

/* The same for the key of bar I in the rows of pairs. */
size_t bar_name_write_column(const struct scene *scene, size_t i,
                             enum bar_name_kind kind, size_t most, char *text);

#endif

/*
 * bar_name.h -- the name of a bar: of a key, a number, or a tuple of these
 *
 * The components of a tuple are separated by a comma and a space.  Long keys
 * are cut, so that what follows them stays visible.
 *
 * A key has any bytes.  Its name has none that could change a terminal or end
 * a document: control characters, bytes that are not UTF-8, and characters
 * that are invisible or change the direction of text become \xHH.  Tabs,
 * newlines and backslashes are written as in tsv.
 */

#ifndef GPUHIST_BAR_NAME_H
#define GPUHIST_BAR_NAME_H

#include "plot/scene.h"

/* Which characters are shown as they are, and how wide they are. */
enum bar_name_kind {
    BAR_NAME_ASCII,    /* none but ASCII's */
    BAR_NAME_TERMINAL, /* those of UTF-8, as wide as in the locale */
    BAR_NAME_DOCUMENT, /* those of UTF-8; the widths depend on no locale */
};

/* The least and the most columns of a name. */
#define BAR_NAME_COLUMNS_MIN 4
#define BAR_NAME_COLUMNS_MAX 400

/* Room for a name of COLUMNS columns, with a NUL. */
#define BAR_NAME_BYTES(columns) (16 * (columns) + 16)

/*
 * Write the name of bar I of SCENE, which has a list, or of the group in row
 * I, to TEXT, which has room for MOST columns, BAR_NAME_COLUMNS_MIN or more.  A
 * longer name ends with an ellipsis.  Returns the number of columns.
 */
size_t bar_name_write(const struct scene *scene, size_t i,
                      enum bar_name_kind kind, size_t most, char *text);

#endif

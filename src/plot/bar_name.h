/*
 * bar_name.h -- the name of a bar: of a key, a number, or a tuple of these
 *
 * The components of a tuple are separated by a comma and a space.  Long keys
 * are cut, so that what follows them stays visible.
 */

#ifndef GPUHIST_BAR_NAME_H
#define GPUHIST_BAR_NAME_H

#include "plot/key_name.h"
#include "plot/picture.h"

/* Room for a name of MOST columns, which is 4 or more. */
#define BAR_NAME_BYTES(most) KEY_NAME_BYTES(most)

/*
 * Write the name of bar I of PICTURE, which has a list, or of the group in row
 * I, to TEXT, in at most MOST columns.  Returns the number of columns.
 */
size_t bar_name_write(const struct picture *picture, size_t i,
                      enum key_name_kind kind, size_t most, char *text);

#endif

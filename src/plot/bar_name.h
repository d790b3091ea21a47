/*
 * bar_name.h -- the name of a bar: of a key, a number, or a tuple of these
 *
 * The components of a tuple are separated by a comma and a space.  Long keys
 * are cut, so that what follows them stays visible.
 */

#ifndef GPUHIST_BAR_NAME_H
#define GPUHIST_BAR_NAME_H

#include "plot/canvas.h"
#include "plot/key_name.h"
#include "plot/scene.h"

/* Room for a name of MOST columns, which is 4 or more. */
#define BAR_NAME_BYTES(most) KEY_NAME_BYTES(most)

/*
 * Write the name of bar I of SCENE, which has a list, or of the group in row
 * I, to TEXT, in at most MOST columns.  Returns the number of columns.
 */
size_t bar_name_write(const struct scene *scene, size_t i,
                      enum key_name_kind kind, size_t most, char *text);

/* Returns the most columns of names where there is room for COLUMNS: 4 or more,
   as many as a name may have or fewer. */
size_t bar_name_most(size_t columns);

/* As bar_name_write(), on the terminal of CANVAS; MOST of bar_name_most(). */
size_t bar_name_draw(const struct canvas *canvas, const struct scene *scene,
                     size_t i, size_t most,
                     char text[KEY_NAME_BYTES(KEY_NAME_COLUMNS_MAX)]);

#endif

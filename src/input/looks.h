/*
 * looks.h -- what inputs look like, for warnings
 *
 * Call these functions once the readers have finished.
 */

#ifndef GPUHIST_LOOKS_H
#define GPUHIST_LOOKS_H

#include "input/claim.h"

/*
 * Returns how many inputs have a name that says that they are compressed, but
 * were counted as they are.  Sets *FIRST to the name of the first one, and
 * *SEEMS to the format that it says.
 */
size_t looks_count_misnamed(const struct inputs *inputs, const char **first,
                            const char **seems);

#endif

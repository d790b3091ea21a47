/* npy_start.h -- the start of a .npy file, before its array */

#ifndef GPUHIST_NPY_START_H
#define GPUHIST_NPY_START_H

#include "hist/npy_header.h"
#include "input/content/content.h"

/*
 * Read the header of CONTENT, which is open, and set *HEADER to it, which the
 * caller closes in any case; content_read() goes on with the array, and fails
 * if it is shorter or longer than the header says.  Returns 0, or -1 with the
 * source's error set.
 */
int npy_start_read(struct content *content, struct npy_header *header);

/*
 * The same; FIRST must have the type of the header.  Returns 0, or -1 with the
 * source's error set.
 */
int npy_start_check(struct content *content, const struct npy_header *first);

#endif

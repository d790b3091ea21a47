/* SPDX-License-Identifier: MIT */
/*
 * opening.h -- open an input and read its start, up to the first record
 *
 * The start is the header of an image, of a .npy file or of text.  The first
 * start is read before the spec is made; the starts of all other inputs must
 * agree with the first one.
 */

#ifndef GPUHIST_OPENING_H
#define GPUHIST_OPENING_H

#include "input/read/reader.h"

/*
 * Open the first input, an image or a .npy file.  Sets INPUTS->reading.format,
 * the format of all images; or *NPY, the type of all files, which must stay in
 * place.  Returns 0; or -1 after opening all other inputs, too: inputs_error()
 * returns the error of each.  The caller calls npy_header_close() in both
 * cases.
 */
int opening_read_header(struct inputs *inputs, struct npy_header *npy);

/*
 * Open the first input of text that has a header, and the empty inputs before
 * it.  Sets *HEADER to its header, which all inputs must have, and which must
 * stay in place; without such an input, *HEADER has no names.  Returns 0, or
 * -1: inputs_error() returns the error.  The caller calls text_header_close()
 * in both cases.
 */
int opening_read_names(struct inputs *inputs, struct text_header *header);

/*
 * Open input I for a caller that reads all inputs itself, one after the other.
 * Sets *CONTENT; NULL: standard input, which an earlier name has read.  Returns
 * 0, or -1 with *ERROR set.  The caller calls opening_close_content() in both
 * cases.
 */
int opening_open_content(struct inputs *inputs, size_t i,
                         struct content **content, struct error *error);

void opening_close_content(struct inputs *inputs, size_t i);

/* ---- for the room alone ---- */

/*
 * Open the next member of the archive of CLAIM, or else the next new input.
 * Returns the input; or NULL: exhausted or failed.  Under the lock, which is
 * released meanwhile.
 */
struct input *opening_next(struct inputs *inputs, struct claim *claim);

/* Likewise, open the next input of the batch of CLAIM, which is not empty.  Not
   under the lock. */
struct input *opening_next_own(struct inputs *inputs, struct claim *claim);

#endif

/*
 * opening.h -- open an input and read what is before its first record
 *
 * That is the header of an image, of a .npy file or of text.  The first one is
 * read before the spec is made, and those of all other inputs must agree.
 */

#ifndef GPUHIST_OPENING_H
#define GPUHIST_OPENING_H

#include "input/read/reader.h"

/*
 * Open the first input, an image or a .npy file.  Sets INPUTS->reading.format,
 * which all images must have; or *NPY, whose type all files must have, and
 * which must stay in place.  Returns 0, or -1: then all other inputs have been
 * opened, too, and inputs_error() returns the error of each.  The caller calls
 * npy_header_close() in both cases.
 */
int opening_read_header(struct inputs *inputs, struct npy_header *npy);

/*
 * Open the first input of text that has a header, and those before it, which
 * are empty.  Sets *HEADER to it; no names if there is no such input.  Then all
 * inputs must have this header, which must stay in place.  Returns 0, or -1:
 * inputs_error() returns the error.  The caller calls text_header_close() in
 * both cases.
 */
int opening_read_names(struct inputs *inputs, struct text_header *header);

/*
 * Open input I for a caller that reads all inputs itself, one after the other.
 * Sets *CONTENT; NULL: it is standard input, which was named before.  Returns
 * 0, or -1 with *ERROR set.  The caller calls opening_close_content() in both
 * cases.
 */
int opening_open_content(struct inputs *inputs, size_t i,
                         struct content **content, struct error *error);

void opening_close_content(struct inputs *inputs, size_t i);

/* ---- for the room alone ---- */

/*
 * Open the next member of the archive of CLAIM, or the next new input for it.
 * Returns the input, or NULL if it is exhausted or failed.  Under the lock,
 * which is released meanwhile.
 */
struct input *opening_next(struct inputs *inputs, struct claim *claim);

#endif

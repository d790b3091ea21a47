/* SPDX-License-Identifier: MIT */
/*
 * start.h -- the start of a content, before its first record
 *
 * The start of text is a byte order mark, if any; and, if the fields have
 * names, comments, blank lines of CSV, and the header: the first record, or one
 * of these comments.
 * A .npy file has a header before its array.  content_read_header() reads the
 * header of an image.
 *
 * The starts of all inputs must agree, since one spec counts all of them.
 * Comparing is apart from reading, so the caller decides whether another start
 * is an error.
 */

#ifndef GPUHIST_START_H
#define GPUHIST_START_H

#include "hist/npy_header.h"
#include "input/content/content.h"
#include "text/text_header.h"

/*
 * Read the start of CONTENT, text that is open; content_read() goes on after
 * the start.  Sets *HEADER, which the caller closes in any case, to the names
 * of the header, if any.  Returns 0, or -1 with the source's error set.
 */
int start_read_text(struct content *content, const struct reading *reading,
                    struct text_header *header);

/*
 * Read the header of CONTENT, a .npy file that is open, or make the header of
 * CONTENT->array, to *HEADER, which the caller closes in any case.
 * content_read() goes on with the array, and fails if the array has another
 * size than the header states.  Returns 0, or -1 with the source's error set.
 */
int start_read_npy(struct content *content, struct npy_header *header);

/* Compare the start of CONTENT with the start in READING, if any.  Returns 0,
   or -1 with the source's error set to the first difference. */
int start_compare_text(struct content *content, const struct reading *reading,
                       const struct text_header *header);
int start_compare_npy(struct content *content, const struct reading *reading,
                      const struct npy_header *header);
int start_compare_image(struct content *content, const struct reading *reading,
                        const struct image_format *format);

#endif

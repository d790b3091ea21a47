/*
 * text_start.h -- the start of an input of text, before its first record
 *
 * That is a byte order mark, if there is one; and, if the first record names
 * the fields, comments, blank lines of CSV, and this record, the header.
 */

#ifndef GPUHIST_TEXT_START_H
#define GPUHIST_TEXT_START_H

#include "input/content/content.h"
#include "text/text_header.h"

/*
 * Read the start of CONTENT, which is open; content_read() goes on after it.
 * Sets *HEADER, which the caller closes in any case, to the names of the
 * header; none if there is none.  Returns 0, or -1 with the source's error set.
 */
int text_start_read(struct content *content, const struct reading *reading,
                    struct text_header *header);

/*
 * Whether HEADER, that of CONTENT, is that of READING, if this has one.
 * Returns 0, or -1 with the source's error set.
 */
int text_start_compare(struct content *content, const struct reading *reading,
                       const struct text_header *header);

#endif

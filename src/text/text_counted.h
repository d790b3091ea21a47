/* SPDX-License-Identifier: MIT */
/* text_counted.h -- which records of text count */

#ifndef GPUHIST_TEXT_COUNTED_H
#define GPUHIST_TEXT_COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "text/text_format.h"

/*
 * Whether the SIZE bytes at DATA, a record of FORMAT with its end, are a record
 * for the scan of FORMAT: not a comment, nor blank where such lines are left
 * out.  FORMAT is not of sequences; of words, DATA may be the end alone.
 */
bool text_is_counted(const struct text_format *format,
                     const unsigned char *data, size_t size);

#endif

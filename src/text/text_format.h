/* SPDX-License-Identifier: MIT */
/* text_format.h -- how text is cut into records and fields */

#ifndef GPUHIST_TEXT_FORMAT_H
#define GPUHIST_TEXT_FORMAT_H

#include "kernels/text/fields.h"
#include "text/text_type.h"

/* The greatest number of a field; more is probably a mistake. */
#define FIELD_NUMBER_MAX 1000000

/* Returns KIND with the defaults of all that the user may change. */
static inline struct text_format
text_format_of(enum text_kind kind)
{
    return (struct text_format){
        .kind = kind,
        .delimiter = text_type_of(kind)->delimiter,
        .end = '\n',
        .comment = TEXT_NO_COMMENT,
        .phred = '!',
    };
}

#endif

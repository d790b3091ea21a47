/* text_format.h -- how text is cut into records and fields */

#ifndef GPUHIST_TEXT_FORMAT_H
#define GPUHIST_TEXT_FORMAT_H

#include <stdbool.h>

#include "kernels/text/fields.h"

/* The greatest number of a field; more is probably a mistake. */
#define FIELD_NUMBER_MAX 1000000

/* KIND with what it has unless the user says otherwise. */
static inline struct text_format
text_format_of(enum text_kind kind)
{
    return (struct text_format){
        .kind = kind,
        .delimiter = kind == TEXT_CSV ? ',' : '\t',
        .end = '\n',
        .comment = TEXT_NO_COMMENT,
        .phred = '!',
    };
}

/* Whether records of FORMAT have fields that a header may name. */
static inline bool
text_format_may_have_header(const struct text_format *format)
{
    return format->kind == TEXT_DELIMITED || format->kind == TEXT_CSV ||
           format->kind == TEXT_WHITESPACE;
}

#endif

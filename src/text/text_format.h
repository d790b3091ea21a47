/* text_format.h -- how text is cut into records and fields */

#ifndef GPUHIST_TEXT_FORMAT_H
#define GPUHIST_TEXT_FORMAT_H

#include "fields.h"

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

#endif

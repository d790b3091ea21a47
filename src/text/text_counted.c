/* SPDX-License-Identifier: MIT */
/* text_counted.c -- which records of text count */

#include "text/text_counted.h"
#include "text/json_text.h"
#include "text/logfmt_names.h"
#include "text/text_type.h"

/* Whether all of the SIZE bytes at DATA are blanks for SCAN. */
static bool
is_blank(enum text_scan scan, const unsigned char *data, size_t size)
{
    size_t i = 0;

    while (i < size && (scan == TEXT_SCAN_JSON ? json_is_blank(data[i])
                                               : logfmt_is_blank(data[i])))
        i++;
    return i == size;
}

bool
text_is_counted(const struct text_format *format, const unsigned char *data,
                size_t size)
{
    const struct text_type *type = text_type_of(format->kind);

    if (fields_is_comment(format, data, (binning_u32)size, 0))
        return false;
    if (type->ends == TEXT_ENDS_WORDS)
        return size > 1;
    if (type->scan == TEXT_SCAN_JSON || type->scan == TEXT_SCAN_LOGFMT)
        return !is_blank(type->scan, data, size);
    return !(format->skips_blank &&
             fields_csv_is_blank(format, data, (binning_u32)size, 0));
}

/*
 * logfmt_scan.h -- find the wanted values of all lines of logfmt of a chunk
 *
 * A line is pairs KEY=VALUE between blanks: all bytes up to the space.  A key
 * ends at the first '=' or blank.  A value ends at a blank; a value that starts
 * with '"' ends at the next '"' without a backslash before it, or with the
 * line.  A value in quotes is read as a string of JSON; if it is not such a
 * string, the bytes between the quotes are the value.  A key without a value
 * has an empty value.  If a line has a key twice, the last value counts.  Lines
 * of blanks are left out.
 */

#ifndef GPUHIST_LOGFMT_SCAN_H
#define GPUHIST_LOGFMT_SCAN_H

#include "text/field_list.h"
#include "text/scan_forms.h"

/* As scan_open(). */
int logfmt_scan_open(struct scan *scan, const struct text_format *format,
                     const struct field_list *list, struct error *error);

#endif

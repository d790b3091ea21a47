/*
 * logfmt_scan.h -- find the wanted values of all lines of logfmt of a chunk
 *
 * A line is pairs KEY=VALUE between blanks, which are all bytes up to the
 * space.  A key ends at the first '=' or blank.  A value ends at a blank; one
 * that begins with '"' ends at the next '"' that follows no backslash, or with
 * the line.  Such a value is what it is as a string of JSON; if it is no such
 * string, its bytes between the quotes stand for themselves.  A key without a
 * value has an empty one.  If a line has a key twice, the last one counts.  A
 * line of blanks is no record.
 */

#ifndef GPUHIST_LOGFMT_SCAN_H
#define GPUHIST_LOGFMT_SCAN_H

#include "text/field_list.h"
#include "text/scan_forms.h"

/* As scan_open(). */
int logfmt_scan_open(struct scan *scan, const struct text_format *format,
                     const struct field_list *list, struct error *error);

#endif

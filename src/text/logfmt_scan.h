/* SPDX-License-Identifier: MIT */
/*
 * logfmt_scan.h -- find the wanted values of all lines of logfmt of a chunk
 *
 * logfmt_line.h defines the values of a line.  Lines of blanks are left out.
 */

#ifndef GPUHIST_LOGFMT_SCAN_H
#define GPUHIST_LOGFMT_SCAN_H

#include "text/field_list.h"
#include "text/scan_forms.h"

/* As a form, byte by byte. */
scan_form logfmt_scan_bytes;

/* As scan_open(). */
int logfmt_scan_open(struct scan *scan, const struct text_format *format,
                     const struct field_list *list, struct error *error);

#endif

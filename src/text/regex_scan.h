/* SPDX-License-Identifier: MIT */
/*
 * regex_scan.h -- find what a regular expression matches in lines of a chunk
 *
 * A line ends at the end byte of the format; a carriage return before a line
 * feed is not part of the line.  Of TEXT_REGEX each line is a record: the
 * groups of the first match are its fields, and a line without a match has
 * none.  Of TEXT_MATCHES each match is a record: the matches of a line are
 * those of grep -o, from left to right, and matches of no byte are left out.
 *
 * Field 0 is the whole match; so is field 1 if there are no groups.
 */

#ifndef GPUHIST_REGEX_SCAN_H
#define GPUHIST_REGEX_SCAN_H

#include "text/field_list.h"
#include "text/scan_forms.h"

/*
 * Set the numbers of the fields of LIST, which are groups of list->expression:
 * each is named by its number or by its name.  Returns 0, or -1 with *ERROR
 * set: the expression is wrong, or has no such group.
 */
int regex_scan_resolve(struct field_list *list,
                       const struct text_format *format, struct error *error);

/* As scan_open(). */
int regex_scan_open(struct scan *scan, const struct text_format *format,
                    const struct field_list *list, struct error *error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * pattern_scan.h -- find the wanted values of all lines of a log of a chunk
 *
 * The format of a line is a pattern (pattern/pattern.h), or a name of
 * pattern/log_formats.h, which has patterns that are tried in their order.  A
 * field has the name that the pattern has for it, as spelled there or without
 * the marks around it, and may have a name of --clf: of $remote_addr these are
 * "$remote_addr", "remote_addr" and "host".
 *
 * A carriage return before the end of a line is not part of the line.  Where no
 * pattern fits, the line is a misfit; lines of blanks have no fields.
 */

#ifndef GPUHIST_PATTERN_SCAN_H
#define GPUHIST_PATTERN_SCAN_H

#include "text/field_list.h"
#include "text/scan_forms.h"

/*
 * Find the names of the fields of LIST in the patterns of list->expression, and
 * add the modifiers that a name stands for.  Returns 0, or -1 with *ERROR set.
 */
int pattern_scan_resolve(struct field_list *list, struct error *error);

/*
 * Set *NAMES to a list of the names of all fields that EXPRESSION, the argument
 * of --log-format, has in its patterns, as --fields has them, each once; the
 * caller frees the list.  It is empty if the names are not known yet.  Returns
 * 0, or -1 with *ERROR set.
 */
int pattern_scan_names(const char *expression, char **names,
                       struct error *error);

/* As scan_open(). */
int pattern_scan_open(struct scan *scan, const struct text_format *format,
                      const struct field_list *list, struct error *error);

/* The form that reads all lines by the definition, as scan_records(). */
scan_form pattern_scan_bytes;

/* Free LOG, which may be NULL, of a scan. */
void pattern_scan_free(struct pattern_scan *log);

#endif

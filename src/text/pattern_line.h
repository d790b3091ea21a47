/* SPDX-License-Identifier: MIT */
/* pattern_line.h -- the wanted values of a line of a log: the definition */

#ifndef GPUHIST_PATTERN_LINE_H
#define GPUHIST_PATTERN_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "text/pattern/pattern_names.h"
#include "text/pattern_steps.h"
#include "text/scan_forms.h"

/* The patterns of a scan, and where each pattern has the wanted columns. */
struct pattern_scan {
    struct log_patterns patterns;
    struct pattern_steps steps[LOG_PATTERNS_MAX]; /* for the forms */

    /* Of each pattern, the wanted columns; a place of PATTERN_FIELDS_MAX: the
       pattern has none. */
    struct pattern_column *column;
};

/*
 * Write the columns of the line from START to END of DATA, without its carriage
 * return, to SLICE.  Returns whether the line is a record: a misfit is one if
 * the format counts misfits; otherwise LEDGER has the error.
 */
bool pattern_line_read(const struct scan *scan, const unsigned char *data,
                       uint32_t start, uint32_t end, struct text_slice *slice,
                       struct scan_ledger *ledger);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * text_type.h -- a row for each format of text, which other code asks
 *
 * Code that works on any format asks the row a question instead of comparing
 * the format's kind.  A new format is a kind in kernels/text/fields.h, a row in
 * text_type.c, a file with its scan, and an option.  A row is data alone, so
 * that any file of the room may ask the row; a word of an enum below chooses a
 * function in the file that needs the function.
 */

#ifndef GPUHIST_TEXT_TYPE_H
#define GPUHIST_TEXT_TYPE_H

#include <stdbool.h>

#include "kernels/text/fields.h"

/* Where a record ends. */
enum text_ending {
    TEXT_ENDS_LINES,     /* at an end byte */
    TEXT_ENDS_WORDS,     /* at a blank or an end byte */
    TEXT_ENDS_QUOTED,    /* at an end byte outside of the quotes of CSV */
    TEXT_ENDS_SEQUENCES, /* as sequence.h says */
    TEXT_ENDS
};

/* When the value of a field differs from the bytes of its slice
   (field_value.h), apart from the parts of a time and from escapes. */
enum text_values {
    TEXT_VALUES_PLAIN, /* never */
    TEXT_VALUES_CSV,   /* after a quote: unquote.h */
    TEXT_VALUES_JSON,  /* after a quote: json_text.h */
};

/* How the user names a field. */
enum text_names {
    TEXT_NAMES_COLUMNS, /* by its number, or by a name in a header */
    TEXT_NAMES_CLF,     /* by a name of clf_names.h */
    TEXT_NAMES_PATHS,   /* by a path of json_paths.h */
    TEXT_NAMES_KEYS,    /* by a key of logfmt_names.h */
    TEXT_NAMES_GROUPS,  /* by a group of the expression: regex_scan.h */
    TEXT_NAMES_PATTERN, /* by a name of the pattern: pattern_scan.h */
    TEXT_NAMES_OTHERS,  /* by a name that another room knows */
    TEXT_NAMES
};

/* How its scan finds the fields (scan.c). */
enum text_scan {
    TEXT_SCAN_FIELDS,
    TEXT_SCAN_JSON,
    TEXT_SCAN_LOGFMT,
    TEXT_SCAN_REGEX,
    TEXT_SCAN_PATTERN,
    TEXT_SCANS
};

struct text_type {
    const char *name;    /* in a state */
    const char *records; /* words for its records; has_delimiter: before it */
    enum text_ending ends;
    enum text_values values;
    enum text_scan scan;
    enum text_names names;

    /* Between fields, unless the user gives another one; also between the
       columns of --format=uniq. */
    unsigned char delimiter;

    bool has_delimiter; /* fields of the input lie between delimiters */
    bool has_columns;   /* fields have numbers, and names in a header */
    bool has_numbers;   /* slices have the bits of numbers: text_slice.h */

    bool has_limits;      /* a line may take too many steps: it is an error */
    bool has_misfits;     /* a line may not be of the format: it is an error */
    bool counts_misfits;  /* ... or counted, unless the user says otherwise */
    bool skips_blank;     /* empty records of several columns, or without a
                             header, are left out */
    bool has_flags;       /* fields that are 0 or 1 may be conditions alone */
    bool strips_comments; /* from the content, before records are found */

    /* Each may be NULL. */
    const char *whole;  /* the noun for a record that is its only field */
    const char *option; /* what counted misfits do not fit, for messages */
    const char *empty;  /* the text of a field without a value */
    const char
        *on_cpu; /* its name in messages, if devices cannot find fields */
};

/* The row of each kind; TEXT_NONE's has nothing. */
extern const struct text_type text_types[];

/* Returns the row of KIND, which is an enum text_kind. */
static inline const struct text_type *
text_type_of(binning_u32 kind)
{
    return &text_types[kind];
}

#endif

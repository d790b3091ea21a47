/*
 * text_type.h -- a row for each format of text: what others ask of it
 *
 * Code that works on any format asks the row a question instead of comparing
 * the format's kind.  A new format is a kind in kernels/text/fields.h, a row
 * in text_types.c, the file with its scan, and an option.
 */

#ifndef GPUHIST_TEXT_TYPE_H
#define GPUHIST_TEXT_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/text/fields.h"

struct condition_list;
struct field_list;
struct scan;
struct scan_ledger;
struct text_options;

/* Where a record ends. */
enum text_ending {
    TEXT_ENDS_LINES,     /* at an end byte */
    TEXT_ENDS_WORDS,     /* at a blank or an end byte */
    TEXT_ENDS_QUOTED,    /* at an end byte outside of the quotes of CSV */
    TEXT_ENDS_SEQUENCES, /* as sequence.h says */
    TEXT_ENDS
};

/* When the value of a field is other bytes than its slice (field_value.h),
   apart from the parts of a time and from escapes. */
enum text_values {
    TEXT_VALUES_PLAIN, /* never */
    TEXT_VALUES_CSV,   /* after a quote: unquote.h */
    TEXT_VALUES_JSON,  /* after a quote: json_text.h */
    TEXT_VALUES_OWN,   /* writes_value and write_value of the row */
};

struct text_type {
    const char *name; /* in a state */
    enum text_ending ends;
    enum text_values values;
    unsigned char delimiter; /* unless the user gives another one; between the
                                columns of --format=uniq */
    bool has_delimiter;      /* between the fields of the input */
    bool has_columns;    /* a field is a column: its number is its place, and a
                          header may name it */
    bool has_paths;      /* the name of a field is a path, as in json_paths.h */
    bool has_numbers;    /* slices have the bits of numbers: text_slice.h */
    bool has_kernels;    /* devices find the fields of kernels/text/fields.h */
    bool has_misfits;    /* a line may not be of the format */
    bool counts_misfits; /* by default, instead of an error */
    bool skips_blank;    /* records without a byte, if there are columns */
    bool strips_comments; /* from the content, before records are looked for */
    const char
        *whole;       /* the noun of a record that is its only field, or NULL */
    const char *axis; /* the name of such an axis in a picture, or NULL */
    const char *empty; /* a field that stands for no value, or NULL */

    /* ---- functions; NULL: the format has nothing of its own ---- */

    /* Set the rest of FORMAT from OPTIONS, and check it.  Returns 0, or -1 with
       *ERROR set. */
    int (*set)(const struct text_options *options, struct text_format *format,
               struct error *error);

    /* Set *FIELD to the field of the LENGTH bytes at NAME, which OPTION gives;
       NULL: fields have numbers.  Returns 0, or -1 with *ERROR set. */
    int (*find_field)(const char *option, const char *name, size_t length,
                      struct text_field *field, struct error *error);

    /* Returns the field that is counted if the user lists none; NULL: none. */
    const char *(*default_field)(const struct text_format *format);

    /* Find the fields of CONDITIONS, and check them and LIST.  Such a format
       has neither header nor weights.  Returns 0, or -1 with *ERROR set. */
    int (*find_conditions)(const struct text_format *format,
                           const struct field_list *list,
                           struct condition_list *conditions,
                           struct error *error);

    /* Whether the value of PART is written, in all records, and write it to
       VALUE, which has room for SLICE.size bytes.  Returns its size. */
    bool (*writes_value)(const struct text_format *format, binning_u32 part);
    size_t (*write_value)(const struct text_format *format,
                          const unsigned char *data, struct text_slice slice,
                          unsigned char *value);

    /* Make SCAN find the fields of LIST, as scan_open(). */
    int (*open_scan)(struct scan *scan, const struct text_format *format,
                     const struct field_list *list, struct error *error);

    /* Whether the record from BEGIN to END of DATA fits the format; as
       scan_fits(). */
    bool (*fits)(const unsigned char *data, uint32_t begin, uint32_t end,
                 struct scan_ledger *ledger);
};

/* The row of each kind; TEXT_NONE's has nothing. */
extern const struct text_type *const text_types[];

/* The row of sequences, which is not of this room. */
extern const struct text_type text_type_sequences;

/* Returns the row of KIND, which is an enum text_kind. */
static inline const struct text_type *
text_type_of(binning_u32 kind)
{
    return text_types[kind];
}

#endif

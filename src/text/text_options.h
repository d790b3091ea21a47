/* SPDX-License-Identifier: MIT */
/* text_options.h -- the options for records and fields of text */

#ifndef GPUHIST_TEXT_OPTIONS_H
#define GPUHIST_TEXT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "text/condition.h"
#include "text/field_list.h"
#include "text/text_format.h"

/* What says how often a record counts. */
enum counts {
    COUNTS_NONE,
    COUNTS_TSV, /* the last field; of text between tabs unless said otherwise */
    COUNTS_UNIQ, /* what uniq -c writes before a line */
};

/* The byte of quality 0. */
enum phred {
    PHRED_33,
    PHRED_64,
};

/* Where the names of the fields of each input are. */
enum header {
    HEADER_DEFAULT, /* in the first record, if an option has a name */
    HEADER_FIRST,   /* in the first record */
    HEADER_COMMENT, /* in a comment before it */
    HEADER_NONE,
};

/* How to treat a line that is not an object of JSON, or does not fit a log.
 */
enum invalid {
    INVALID_DEFAULT, /* an error for JSON, counted for logs */
    INVALID_ERROR,
    INVALID_COUNT, /* it is a record without values */
};

/* Texts point into argv; NULL: not given. */
struct text_options {
    unsigned int kind; /* enum text_kind; TEXT_NONE: not given */
    const char *delimiter;
    const char *group_by; /* fields */
    bool is_zero_terminated;
    const char *comment;
    const char *regex;      /* an expression whose groups are fields */
    const char *matches;    /* an expression whose matches are records */
    const char *log_format; /* a name, or a pattern */
    unsigned int header;    /* enum header */
    bool ignores_case;      /* keys are counted in lower case */
    unsigned int counts;    /* enum counts */
    unsigned int invalid;   /* enum invalid */

    /* Of sequences: */
    unsigned int kmer; /* the bases of a k-mer; 0: not given */
    bool is_canonical;
    unsigned int phred;       /* enum phred */
    unsigned int min_quality; /* bases with a lower one are N; 0: none */
    bool keeps_case;
    bool as_aligned;        /* of BAM and SAM: reads as they are stored ... */
    bool all_alignments;    /* ... and all records */
    bool counts_references; /* ... and each reference of the header, as one */
    bool sums_checksums;    /* the checksums of records are added up */
};

/* Returns the kind of log_format, which is given. */
unsigned int text_options_log_kind(const struct text_options *options);

/* Returns the kind of the input, an enum text_kind; TEXT_NONE: it is binary. */
static inline unsigned int
text_options_kind(const struct text_options *options)
{
    if (options->kmer > 0)
        return TEXT_SEQUENCES;
    if (options->regex != NULL)
        return TEXT_REGEX;
    if (options->matches != NULL)
        return TEXT_MATCHES;
    if (options->log_format != NULL)
        return text_options_log_kind(options);
    if (options->counts == COUNTS_UNIQ)
        return TEXT_LINES;
    if (options->kind == TEXT_NONE &&
        (options->delimiter != NULL || options->counts != COUNTS_NONE))
        return TEXT_DELIMITED;
    return options->kind;
}

/* Returns the row of the kind. */
static inline const struct text_type *
text_options_type(const struct text_options *options)
{
    return text_type_of(text_options_kind(options));
}

/* Whether the input is text. */
static inline bool
text_options_are_given(const struct text_options *options)
{
    return text_options_kind(options) != TEXT_NONE;
}

/* Whether a comment has the names of the fields. */
bool text_options_header_is_comment(const struct text_options *options);

/* Whether a line that is not of its format is counted. */
static inline bool
text_options_count_invalid(const struct text_options *options)
{
    return options->invalid == INVALID_COUNT ||
           (options->invalid == INVALID_DEFAULT &&
            text_options_type(options)->counts_misfits);
}

/*
 * Set *FORMAT to the format that OPTIONS, which are given, ask for.  Returns 0,
 * or -1 with *ERROR set.
 */
int text_options_format(const struct text_options *options,
                        struct text_format *format, struct error *error);

/* The wanted fields, by options that have a meaning for binary records, too:
   their arguments, or NULL. */
struct text_wanted {
    const char *const *fields; /* LISTS of them */
    size_t lists;
    const char *weights;
    bool is_joint; /* each list is a histogram of its own */

    /* All fields of a record, without a list: of columns also the field after
       the COLUMNS ones that are known, which only longer records have. */
    bool is_all;
    size_t columns;
};

/* How many lists of fields there may be. */
#define TEXT_LISTS_MAX 64

/*
 * Set *HAS_HEADER to whether inputs of FORMAT, made from OPTIONS, start with a
 * header: OPTIONS say so, or --group-by, WANTED or CONDITIONS have names.
 * Returns 0, or -1 with *ERROR set: they have names, but OPTIONS say that
 * inputs have no header.
 */
int text_options_find_header(const struct text_options *options,
                             const struct text_format *format,
                             const struct text_wanted *wanted,
                             const struct condition_list *conditions,
                             bool *has_header, struct error *error);

/* The fields of a record that are looked for. */
struct text_fields {
    struct field_list list; /* first the counted fields */
    size_t counted;
    size_t end[TEXT_LISTS_MAX]; /* of the fields of each list */
    size_t groups;              /* of --group-by, the first ones */
    size_t weight;              /* the place of the weights, if any */
    bool has_members; /* the counted fields are name and value of all members */
    bool has_rest;    /* the last counted field is the one after all columns */
};

/*
 * Append to FIELDS, whose list is all 0 but FIND, the fields of --group-by and
 * of WANTED; without WANTED, FIELD, unless it is NULL.  Returns 0, or -1 with
 * *ERROR set.
 */
int text_options_lists(const struct text_options *options,
                       const struct text_format *format,
                       const struct text_wanted *wanted, const char *field,
                       struct text_fields *fields, struct error *error);

/*
 * Set *FIELDS to the fields of --group-by, then of WANTED, which may be empty
 * if there are groups, then the field of weights or of counts, then the fields
 * of CONDITIONS that are not listed yet; sets the columns of CONDITIONS.  If
 * keys are counted in lower case, weights and conditions have fields of their
 * own.  Joint lists may have the same fields.  A whole record without fields is
 * field 1, and so is a value beside its count.  If WANTED asks for all fields,
 * columns have the names of HEADER.  FORMAT is not of sequences
 * (seq/sequence_options.h).  HEADER is NULL without a header, or if all inputs
 * are empty.  Returns 0, or -1 with *ERROR set; the caller calls
 * field_list_close() in both cases.
 */
int text_options_fields(const struct text_options *options,
                        const struct text_format *format,
                        const struct text_header *header,
                        const struct text_wanted *wanted,
                        struct condition_list *conditions,
                        struct text_fields *fields, struct error *error);

#endif

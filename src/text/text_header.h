/* SPDX-License-Identifier: MIT */
/* text_header.h -- the names of fields, from the start of an input */

#ifndef GPUHIST_TEXT_HEADER_H
#define GPUHIST_TEXT_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "text/text_format.h"

/* A name may have any bytes. */
struct text_name {
    unsigned char *bytes; /* SIZE of them, owned */
    size_t size;
};

struct text_header {
    const char *input;      /* the name of the input with this header */
    struct text_name *name; /* COUNT names, owned; of field 1 and so on */
    size_t count;
    bool is_of_comment; /* it is a comment, not the first record */
    char *format;       /* owned: of a log, "w3c" and the names, for
                     log_patterns_open(); or NULL */
};

/*
 * Set *HEADER to the fields of RECORD of the data.  Returns 0, or -1: out of
 * memory; the caller calls text_header_close() in both cases.
 */
int text_header_make(struct text_header *header,
                     const struct text_format *format,
                     const unsigned char *data,
                     const struct text_record *record);

/*
 * Whether the first word of the comment RECORD of the data says that names
 * follow: "fields", as in logs of Zeek, or "Fields:", as in the Extended Log
 * File Format of the W3C.
 */
bool text_header_is_directive(const struct text_format *format,
                              const unsigned char *data,
                              const struct text_record *record);

/*
 * As text_header_make(), for the comment RECORD: the names follow its mark and
 * blanks; the word of a directive and a carriage return at the end are left
 * out.  After "Fields:", names without delimiters stand between blanks, as the
 * W3C says.
 */
int text_header_make_comment(struct text_header *header,
                             const struct text_format *format,
                             const unsigned char *data,
                             const struct text_record *record);

/*
 * Whether A and B have the same names.  If not, sets *AT to the first different
 * name, from 0; *AT may be the count of A or B.
 */
bool text_header_is_equal(const struct text_header *a,
                          const struct text_header *b, size_t *at);

/*
 * Set *NUMBER to the number, from 1, of the field named NAME, a string.
 * Returns how many fields have this name.
 */
size_t text_header_find(const struct text_header *header, const char *name,
                        binning_u32 *number);

void text_header_close(struct text_header *header);

#endif

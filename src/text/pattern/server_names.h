/* SPDX-License-Identifier: MIT */
/* server_names.h -- what the names of nginx and Apache mean */

#ifndef GPUHIST_SERVER_NAMES_H
#define GPUHIST_SERVER_NAMES_H

#include "text/pattern/spellings.h"

/* What the value of a field must be, or the line does not fit. */
enum pattern_check {
    PATTERN_ANY,
    PATTERN_STATUS,         /* three digits, or - */
    PATTERN_STATUS_OR_NONE, /* the same, or -1 */
    PATTERN_BYTES,          /* digits, or - */
    PATTERN_NUMBER,         /* digits, with a sign or none */
    PATTERN_WORD,           /* a byte or more, without blanks */
    PATTERN_CHECKS
};

/* A known name. */
struct pattern_known {
    const char *own;    /* the name, as pattern_field has it */
    const char *mapped; /* the name of --clf; or NULL */
    const char *chain;  /* the modifiers of the mapped name; or NULL */
    enum pattern_check check;
    bool is_other;      /* OWN means something else here: only MAPPED counts */
    bool is_list;       /* a value may be "a, b : c" */
    bool is_format;     /* the name is a format of strftime(3) */
    bool has_url;       /* a request whose target is a URL */
    const char *sample; /* a value that has the blanks of all; or NULL */
};

/* Returns the row of NAME of SPELLING; NULL: the name is unknown. */
const struct pattern_known *server_name_known(enum spelling spelling,
                                              const struct spelled_name *name);

#endif

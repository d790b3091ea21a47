/* SPDX-License-Identifier: MIT */
/* record.h -- the layout of a record: its elements and their types */

#ifndef GPUHIST_RECORD_H
#define GPUHIST_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/binning/binning.h"

enum byte_order {
    ORDER_MACHINE,
    ORDER_LITTLE,
    ORDER_BIG,
};

struct element {
    size_t offset; /* bytes, from the start of the record */
    enum sample_type type;
    bool is_swapped;    /* the highest byte first */
    bool is_text;       /* a number in a field of text, at offset 0 */
    bool is_sparse;     /* without bins, the numbers that occur are bins,
                           unless each value can have a bin */
    bool may_be_sparse; /* it would be with --nonzero: for messages */
    bool is_number;     /* without bins, the numbers that occur are bins */
    uint64_t most;      /* the greatest possible integer; 0: that of the type */
};

/* A packed tuple of elements; field N of the options is element[N - 1]. */
struct record {
    size_t bytes;            /* of one record */
    struct element *element; /* COUNT of them, owned */
    size_t count;
    char **name; /* of each element, in UTF-8, owned; NULL: they have none */
    bool is_assumed; /* bytes, because nothing says what else: maybe text */

    /* Words for them in lists of fields, which nothing prints; static.  NULL:
       there are none. */
    const char *const *word;
};

/* The pixel of an image: a record of channels. */
struct image_format {
    unsigned int channels;     /* 1: grey, 3: R G B, 4: R G B A */
    unsigned int sample_bytes; /* 1, or 2: big-endian */
    unsigned int maxval;       /* the greatest sample: 1 .. 65535 */
};

/* A chunk must hold a record; a longer record is probably a mistake. */
#define RECORD_BYTES_MAX ((size_t)64 << 10)
#define RECORD_ELEMENTS_MAX 4096

/*
 * Parse TEXT: TYPE[*N][,TYPE[*N]]...  A TYPE is one of numpy's codes (u1 i1
 * ... f8) or names (uint8 int8 ... float64).  A prefix '<' or '>' gives its
 * byte order, which is DEFAULT_ORDER otherwise; x is a byte to skip.  OPTION is
 * the option's name, for messages.  Returns 0, or -1 with *ERROR set; the
 * caller calls record_close() in both cases.
 */
int record_parse(struct record *record, const char *text,
                 enum byte_order default_order, const char *option,
                 struct error *error);

/* Make RECORD one without elements.  Returns 0, or -1: out of memory. */
int record_start(struct record *record);

/*
 * Append REPEAT elements of the type that the LENGTH characters at TYPE name,
 * as in record_parse().  Returns 0, or -1: no type, or the record is too long.
 */
int record_append(struct record *record, const char *type, size_t length,
                  size_t repeat, enum byte_order default_order);

/*
 * Make COPY one of RECORD.  Returns 0, or -1: out of memory; the caller calls
 * record_close() in both cases.
 */
int record_copy(struct record *copy, const struct record *record);

/*
 * Parse a LIST of fields: N, N-M, N- or -M, separated by commas.  Unlike in
 * cut(1) their order matters, and a field may be listed only once.  If the
 * elements have names, anything else is a name: that of an element, or what
 * several elements have before a '.' or '[', with or without indices.  If the
 * elements have words, anything else is one of these words.  OPTION is the
 * option's name, for messages.
 * Sets *FIELD to an array of *COUNT indices into RECORD->element, for free().
 * Returns 0, or -1 with *ERROR set.
 */
int record_parse_fields(const struct record *record, const char *option,
                        const char *list, size_t **field, size_t *count,
                        struct error *error);

/* Whether any element takes more than one byte. */
bool record_is_wide(const struct record *record);

/* Returns the code of TYPE, like "u1". */
const char *record_type_name(enum sample_type type);

void record_close(struct record *record);

#endif

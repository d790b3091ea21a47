/* record.h -- how a record is made up of elements */

#ifndef GPUHIST_RECORD_H
#define GPUHIST_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binning.h"
#include "util/error.h"

enum byte_order {
    ORDER_MACHINE,
    ORDER_LITTLE,
    ORDER_BIG,
};

struct element {
    size_t offset; /* in the record, bytes */
    enum sample_type type;
    bool is_swapped; /* not in the machine's byte order */
    uint64_t most;   /* no integer is above it; 0: what the type can hold */
};

/* A packed tuple; field number N of the user is element[N - 1]. */
struct record {
    size_t bytes;
    struct element *element;
    size_t count;
};

/* What a pixel of an image is: a record of its channels. */
struct image_format {
    unsigned int channels;     /* 1: grey, 3: R G B, 4: R G B A */
    unsigned int sample_bytes; /* 1, or 2: most significant byte first */
    unsigned int maxval;       /* no sample is above it: 1 .. 65535 */
};

/* Longer ones are mistakes; and a chunk must hold one. */
#define RECORD_BYTES_MAX ((size_t)64 << 10)
#define RECORD_ELEMENTS_MAX 4096

/*
 * Read TEXT: TYPE[*N][,TYPE[*N]]...  A TYPE is one of numpy's codes (u1 i1
 * ... f8) or names (uint8 int8 ... float64), with '<' or '>' before it for
 * its byte order, or else in the order DEFAULT_ORDER; x stands for a byte
 * that is skipped.  OPTION is named in messages.  Returns 0, or -1 with
 * *ERROR set; record_close() is due in both cases.
 */
int record_parse(struct record *record, const char *text,
                 enum byte_order default_order, const char *option,
                 struct error *error);

/*
 * Read a LIST of fields as cut(1) does, N, N-M, N- or -M with commas between
 * them, but in the order given and each field once.  *FIELD is an array of
 * *COUNT indices into RECORD->element, for free().  Returns 0, or -1 with
 * *ERROR set.
 */
int record_parse_fields(const struct record *record, const char *list,
                        size_t **field, size_t *count, struct error *error);

/* Whether an element takes more than one byte. */
bool record_is_wide(const struct record *record);

/* The name of TYPE: "u1". */
const char *record_type_name(enum sample_type type);

void record_close(struct record *record);

#endif

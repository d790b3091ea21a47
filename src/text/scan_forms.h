/* SPDX-License-Identifier: MIT */
/* scan_forms.h -- a scan, and its forms, for scan.c and for tests */

#ifndef GPUHIST_SCAN_FORMS_H
#define GPUHIST_SCAN_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/json_scan.h"
#include "text/text_format.h"
#include "text/text_slice.h"

struct regex;        /* regex/regex.h */
struct pattern_scan; /* pattern_scan.c */

/* The most bytes of a chunk: each offset fits into a slice. */
#define SCAN_BYTES_MAX ((size_t)TEXT_SLICE_MISSING - 1)

/* The most fields whose parts are wanted. */
#define SCAN_PARTS_SLICES 4096

/* The column of the virtual host, after those of the fields. */
#define SCAN_VHOST SCAN_PARTS_SLICES

struct scan;

/* Counts of a scan: records + comments are all that the data contain. */
struct scan_ledger {
    uint64_t records;
    uint64_t comments; /* left out */
    uint64_t bytes;
    struct json_wrong wrong; /* with a reason: a scan ended there */
    bool are_plain;   /* of the last scan of CSV or JSON: it has seen that no
                       value starts with a quote (field_values_are_plain()) */
    uint64_t matches; /* of a regular expression */

    /* Of the records of CLF: */
    uint64_t blanks;
    uint64_t misfits;        /* that do not fit the format, but are counted */
    struct json_wrong first; /* the error in the first misfit */

    /* What a scan keeps from call to call: scan_kept_bytes(), all 0 at first,
       of one thread.  Or NULL. */
    void *kept;
};

/* A form of scan_records(), for *DONE less than SIZE; adds to all of LEDGER but
   its RECORDS and BYTES. */
typedef size_t scan_form(const struct scan *scan, const unsigned char *data,
                         size_t size, size_t *done, struct text_slice *slice,
                         size_t records_max, struct scan_ledger *ledger);

/* A wanted field, and the place of its slice in a record. */
struct scan_field {
    uint32_t number; /* as in struct text_field */
    uint32_t skip;   /* the fields between this field and the one before in the
                        array */
    uint32_t column;
};

/* A wanted field of CLF, and the slices of a record that it is made of. */
struct scan_part {
    uint32_t part;   /* enum text_part */
    uint32_t number; /* of the field; 0: the virtual host */
    uint32_t column;
    uint32_t common; /* TEXT_PART_MORE: instead of COLUMN, if it is Common */
};

struct scan {
    struct text_format format;
    struct scan_field *head; /* fields with numbers from the first one,
                                ascending */
    size_t heads;
    struct scan_field *tail; /* NF - number, ascending numbers */
    size_t tails;
    scan_form *run;

    /* NULL: the fields themselves are wanted. */
    struct scan_part *part;  /* WANTED of them */
    uint32_t near_number;    /* of the last field with a wanted part; 0: that
                                field is after the agent */
    bool is_middle;          /* all are of fields from the time to the bytes,
                                and no record is a comment */
    size_t wanted;           /* slices of a record, in the order of the list */
    struct json_paths paths; /* of JSON, which has none of the fields above */
    json_form *run_json;
    uint32_t bytes_column; /* of fields 7 and 8, if a part needs them */
    uint32_t referer_column;
    struct regex *regex;      /* of TEXT_REGEX and TEXT_MATCHES, owned */
    int regex_byte;           /* what each match has; or -1 */
    struct pattern_scan *log; /* of TEXT_PATTERN, owned */
};

/*
 * Whether RECORD of CLF in DATA, without its carriage return, fits the format.
 * Sets *VHOST to its virtual host, or to a missing slice, and moves
 * record->start past the virtual host.  A blank record fits, and is counted
 * in LEDGER.  If the record does not fit, sets ledger->first, unless an earlier
 * misfit is there.
 */
bool scan_fits(const unsigned char *data, struct text_record *record,
               struct text_slice *vhost, struct scan_ledger *ledger);

scan_form scan_portable;

#ifdef SCAN_HAS_AVX2
/* Whether this processor and the operating system support the form. */
bool scan_avx2_is_possible(void);
scan_form scan_avx2;
#endif

#ifdef SCAN_HAS_AVX512
bool scan_avx512_is_possible(void);
scan_form scan_avx512;
#endif

/* Returns the fastest form of blocks that this processor has, or OTHERWISE. */
static inline scan_form *
scan_fastest(scan_form *otherwise)
{
#ifdef SCAN_HAS_AVX512
    if (scan_avx512_is_possible())
        return scan_avx512;
#endif
#ifdef SCAN_HAS_AVX2
    if (scan_avx2_is_possible())
        return scan_avx2;
#endif
    return otherwise;
}

#endif

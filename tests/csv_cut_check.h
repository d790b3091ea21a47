/* SPDX-License-Identifier: MIT */
/* csv_cut_check.h -- the forms of a cut of CSV, and fields.h instead of them */

#ifndef GPUHIST_CSV_CUT_CHECK_H
#define GPUHIST_CSV_CUT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/csv_state.h"
#include "text/scan_forms.h"

static const struct {
    const char *name;
    csv_cut_form *run;
    bool (*is_possible)(void); /* NULL: anywhere */
} csv_cut_forms[] = {
    {"portable", csv_cut_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", csv_cut_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", csv_cut_avx512, scan_avx512_is_possible},
#endif
};
#define CSV_CUT_FORMS (sizeof csv_cut_forms / sizeof *csv_cut_forms)

/* Whether FORM runs on this processor. */
static inline bool
csv_cut_is_possible(size_t form)
{
    return csv_cut_forms[form].is_possible == NULL ||
           csv_cut_forms[form].is_possible();
}

/* The bytes of whole records, by fields.h. */
static inline size_t
csv_cut_reference(const struct text_format *format, const unsigned char *data,
                  size_t size)
{
    struct text_record record;
    size_t done = 0;

    while (
        fields_record(format, data, (uint32_t)size, (uint32_t)done, &record) &&
        record.next > record.end && data[record.next - 1] == format->end)
        done = record.next;
    return done;
}

/* As csv_cut_reference(), for data inside of quotes; no comment starts with
   one. */
static inline size_t
csv_cut_reference_inside(const struct text_format *format,
                         const unsigned char *data, size_t size)
{
    unsigned char *copy = malloc(size + 1);

    if (copy == NULL)
        abort();
    copy[0] = '"';
    if (size > 0)
        memcpy(copy + 1, data, size);
    size_t done = csv_cut_reference(format, copy, size + 1);
    free(copy);
    return done > 0 ? done - 1 : 0;
}

#endif

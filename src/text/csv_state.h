/* SPDX-License-Identifier: MIT */
/* csv_state.h -- the meaning of the next byte of CSV, by the bytes before */

#ifndef GPUHIST_CSV_STATE_H
#define GPUHIST_CSV_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "text/text_format.h"

/* Of the next byte. */
enum csv_state {
    CSV_RECORD, /* it starts a record */
    CSV_FIELD,  /* it starts a field */
    CSV_PLAIN,  /* it is in a field, where no quote counts */
    CSV_INSIDE, /* it is inside of quotes */
    CSV_CLOSED, /* after a quote that closes, unless this byte is a quote,
                   too */
    CSV_COMMENT,
    CSV_MARK, /* a record has started with one byte of a mark of several; and
                 so on for more bytes: CSV_MARK + 1 after two */
};

struct csv_cut {
    const struct text_format *format;
    enum csv_state state;
    uint32_t done; /* the bytes of whole records */
};

/* The state after BYTE in STATE. */
enum csv_state csv_state_next(const struct text_format *format,
                              enum csv_state state, unsigned char byte);

/* Go on with the bytes from AT to END, byte by byte. */
void csv_state_add(struct csv_cut *cut, const unsigned char *data, uint32_t at,
                   uint32_t end);

/* The forms of csv_state_add() from byte 0 on, as those of scan_forms.h. */
typedef void csv_cut_form(struct csv_cut *cut, const unsigned char *data,
                          uint32_t size);
csv_cut_form csv_cut_portable;
#ifdef SCAN_HAS_AVX2
csv_cut_form csv_cut_avx2;
#endif
#ifdef SCAN_HAS_AVX512
csv_cut_form csv_cut_avx512;
#endif

#endif

/* csv_state.c -- the meaning of the next byte of CSV, by the bytes before */

#include "text/csv_state.h"

enum csv_state
csv_state_next(const struct text_format *format, enum csv_state state,
               unsigned char byte)
{
    bool is_start = state == CSV_RECORD || state == CSV_FIELD;

    if (state == CSV_INSIDE)
        return byte == '"' ? CSV_CLOSED : CSV_INSIDE;
    if (byte == format->end)
        return CSV_RECORD;
    if (state == CSV_COMMENT || (state == CSV_RECORD && format->comment >= 0 &&
                                 byte == (binning_u32)format->comment))
        return CSV_COMMENT;
    if (byte == '"' && (is_start || state == CSV_CLOSED))
        return CSV_INSIDE;
    return byte == format->delimiter ? CSV_FIELD : CSV_PLAIN;
}

void
csv_state_add(struct csv_cut *cut, const unsigned char *data, uint32_t at,
              uint32_t end)
{
    for (; at < end; at++) {
        cut->state = csv_state_next(cut->format, cut->state, data[at]);
        if (cut->state == CSV_RECORD)
            cut->done = at + 1;
    }
}

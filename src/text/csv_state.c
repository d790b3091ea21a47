/* SPDX-License-Identifier: MIT */
/* csv_state.c -- the meaning of the next byte of CSV, by the bytes before */

#include "text/csv_state.h"

/* Returns byte I of the mark of comments. */
static binning_u32
mark_byte(const struct text_format *format, unsigned int i)
{
    return i == 0 ? (binning_u32)format->comment : format->comment_rest[i - 1];
}

/*
 * BYTE, which is not an end, follows the bytes of a mark in STATE, CSV_MARK or
 * more.  Returns the state after BYTE if BYTE goes on with the mark, otherwise
 * the state before BYTE: a mark has no quote, so its bytes are as any others.
 */
static enum csv_state
go_on(const struct text_format *format, enum csv_state state,
      unsigned char byte)
{
    const unsigned int got = state - CSV_MARK + 1U;

    if (byte == mark_byte(format, got))
        return got == format->comment_more ? CSV_COMMENT
                                           : (enum csv_state)(state + 1);
    return mark_byte(format, got - 1) == format->delimiter ? CSV_FIELD
                                                           : CSV_PLAIN;
}

enum csv_state
csv_state_next(const struct text_format *format, enum csv_state state,
               unsigned char byte)
{
    if (state == CSV_INSIDE)
        return byte == '"' ? CSV_CLOSED : CSV_INSIDE;
    if (byte == format->end)
        return CSV_RECORD;
    if (state >= CSV_COMMENT) {
        if (state > CSV_COMMENT)
            state = go_on(format, state, byte);
        if (state >= CSV_COMMENT)
            return state;
    }
    bool is_start = state == CSV_RECORD || state == CSV_FIELD;

    if (state == CSV_RECORD && format->comment >= 0 &&
        byte == (binning_u32)format->comment)
        return format->comment_more > 0 ? CSV_MARK : CSV_COMMENT;
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

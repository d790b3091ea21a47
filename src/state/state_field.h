/* SPDX-License-Identifier: MIT */
/*
 * state_field.h -- the fields of lines and rows of a state
 *
 * Fields have a TAB between them.  In a field, a TAB is \t, a newline is \n,
 * and a backslash is \\; all other bytes stand for themselves.
 *
 * In a row, a bin is a number, from 0 on, or the letters of a k-mer.  A flow
 * cell is a word.  A special cell starts with a backslash; keys never do.
 */

#ifndef GPUHIST_STATE_FIELD_H
#define GPUHIST_STATE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/writer.h"
#include "hist/axis.h"
#include "hist/spec.h"

/* ---- any field ---- */

/* Returns the letter of the escape for BYTE; 0: BYTE needs no escape. */
char state_field_letter(char byte);

/* Put the SIZE bytes at FIELD as a field. */
void state_field_put(struct writer *out, const void *field, size_t size);

/*
 * Write the field of SIZE bytes without escapes to TO, with room for SIZE
 * bytes.  Returns the bytes written, or -1: the field has a wrong escape.
 */
ptrdiff_t state_field_read(const char *field, size_t size, void *to);

/* ---- words and numbers in a text ---- */

/* The unread bytes of a line or field. */
struct state_text {
    const char *at;
    size_t size;
};

/* Read WORD, if WORD is next in TEXT.  Returns whether WORD was next. */
bool state_text_word(struct state_text *text, const char *word);

/* Read a decimal number of 64 bits, as number_put() writes it.  Returns whether
   a number is next in TEXT. */
bool state_text_number(struct state_text *text, uint64_t *number);

/* Returns the value of the hexadecimal DIGIT, or 16. */
unsigned int state_text_hex_digit(char digit);

/* Read a number of DIGITS hexadecimal digits.  Returns the same. */
bool state_text_hex(struct state_text *text, unsigned int digits,
                    uint64_t *number);

/* ---- rows ---- */

/* The most fields of a row: cells of the most axes, a count, and a sum. */
#define STATE_FIELDS_MAX (SPEC_AXES_MAX + 2)

struct state_row {
    size_t fields;
    const char *field[STATE_FIELDS_MAX]; /* in the bytes of the row */
    size_t size[STATE_FIELDS_MAX];
};

/*
 * Find the fields of the row at AT.  The row has a newline before END.  Returns
 * the end of the line, or NULL: the row has too many fields.
 */
const char *state_row_read(struct state_row *row, const char *at,
                           const char *end);

/* Set *NUMBER to the SIZE digits at FIELD.  Returns 0, or -1: number_put()
   would not write a number of 64 bits like this. */
int state_row_number(const char *field, size_t size, uint64_t *number);

/* Put CELL of AXIS.  CELL is not a key. */
void state_cell_put(struct writer *out, const struct binning_axis *axis,
                    uint64_t cell);

/* Set *CELL to the cell of AXIS that the SIZE bytes at FIELD name.  Returns 0,
   or -1: AXIS does not have the cell. */
int state_cell_read(const struct binning_axis *axis, const char *field,
                    size_t size, uint64_t *cell);

/* Whether the SIZE bytes at FIELD name a special cell; then *SPECIAL is set. */
bool state_cell_is_special(const char *field, size_t size,
                           enum axis_special *special);

#endif

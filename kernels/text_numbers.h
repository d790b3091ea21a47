/*
 * text_numbers.h -- the cell of a number in text, where it is a short one
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 */

#ifndef GPUHIST_TEXT_NUMBERS_H
#define GPUHIST_TEXT_NUMBERS_H

#include "text_number.h"
#include "text_window.h"

/* A longer text is not read: all items of a group would wait for it. */
#define TEXT_NUMBERS_BYTES 40

/* Doubles hold all integers up to 2^53, and the powers of ten up to this one. */
#define TEXT_NUMBERS_POWER 22

/* ---- short texts ---- */

/* Most numbers have at most so many bytes. */
#define TEXT_NUMBERS_SHORT 8

/* BYTE, eight times. */
#define TEXT_NUMBERS_ALL(byte) ((binning_u64)(byte)*0x0101010101010101)

/* Whether all of BYTES are digits. */
BINNING_FUNCTION int
text_numbers_are_digits(binning_u64 bytes)
{
    const binning_u64 high = TEXT_NUMBERS_ALL(0xf0);

    return (bytes & high) == TEXT_NUMBERS_ALL('0') &&
           ((bytes + TEXT_NUMBERS_ALL(6)) & high) == TEXT_NUMBERS_ALL('0');
}

/* The number of eight digits, the first one in the lowest byte. */
BINNING_FUNCTION binning_u64
text_numbers_value(binning_u64 digits)
{
    const binning_u64 ends = 0x000000ff000000ff;

    digits -= TEXT_NUMBERS_ALL('0');
    /* Pairs, then fours, then all eight. */
    digits = digits * 10 + (digits >> 8);
    return ((digits & ends) * (100 + ((binning_u64)1000000 << 32)) +
            (digits >> 16 & ends) * (1 + ((binning_u64)10000 << 32))) >>
           32;
}

/*
 * Do what text_number_scan() does for a text of SIZE bytes, at most
 * TEXT_NUMBERS_SHORT, if it is digits, with a minus sign or none and a point or
 * none.  It is the high bytes of BYTES, the first one lowest.  Returns whether it
 * is.  This is short_decimals_portable() (src/text/short_decimals.h).
 */
BINNING_FUNCTION int
text_numbers_short(binning_u64 bytes, binning_u32 size,
                   struct text_number *number)
{
    binning_u32 before = 8 * (TEXT_NUMBERS_SHORT - size);
    binning_u64 none;
    binning_u64 differs;
    binning_u64 found;

    if (size == 0)
        return 0;
    number->kind = TEXT_NUMBER_FINITE;
    number->is_cut = 0;
    number->exponent = 0;
    number->is_negative = (bytes >> before & 255) == '-';
    before += 8 * number->is_negative;
    if (before == 64)
        return 0;
    /* Leading zeros instead of what is before the digits. */
    none = ((binning_u64)1 << before) - 1;
    bytes = (bytes & ~none) | (TEXT_NUMBERS_ALL('0') & none);
    /* The byte of the point, if there is one: the lowest one is exact. */
    differs = bytes ^ TEXT_NUMBERS_ALL('.');
    found = (differs - TEXT_NUMBERS_ALL(1)) & ~differs & TEXT_NUMBERS_ALL(0x80);
    if (found != 0) {
        binning_u32 point =
            56 - ((binning_u32)binning_leading_zeros(found & (0 - found)) & 56);
        binning_u64 left = ((binning_u64)1 << point) - 1;
        if (before == 56)
            return 0; /* nothing else */
        number->exponent = (binning_i64)(point / 8) - 7;
        bytes = (bytes & ~left & ~((binning_u64)255 << point)) |
                (bytes & left) << 8 | '0';
    }
    number->digits = text_numbers_value(bytes);
    return text_numbers_are_digits(bytes);
}

/* ---- all ---- */

/*
 * Set *BITS to the double that NUMBER is.  Returns whether it is known: the
 * digits and the power of ten are doubles, so their product or quotient is
 * rounded once.
 */
BINNING_FUNCTION int
text_numbers_double(const struct text_number *number, binning_u64 *bits)
{
    binning_i64 exponent = number->exponent;
    double value = (double)number->digits;
    double power = 1;

    if (number->kind != TEXT_NUMBER_FINITE || number->is_cut ||
        number->digits >> 53 != 0 || exponent > TEXT_NUMBERS_POWER ||
        exponent < -TEXT_NUMBERS_POWER)
        return 0;
    SEQUENCE_ROLLED
    for (binning_i64 e = exponent < 0 ? -exponent : exponent; e > 0; e--)
        power *= 10;
    value = exponent < 0 ? value / power : value * power;
    *bits = binning_double_bits(number->is_negative ? -value : value);
    return 1;
}

/* Returns the cell of the SIZE bytes at AT of the window, which begins at BEGIN;
   0 if they are no number, or the host must read them. */
BINNING_FUNCTION binning_u32
text_numbers_cell(const struct text_task *task, binning_u32 begin,
                  binning_u32 at, binning_u32 size)
{
    const struct binning_axis *axis = &task->work.axis;
    struct binning_tables tables;
    struct text_number number;
    binning_u64 bits;

    if (size > TEXT_NUMBERS_BYTES)
        return 0;
    if (size > TEXT_NUMBERS_SHORT ||
        !text_numbers_short(text_window_load_8(task, at + TEXT_MARGIN + size -
                                                         TEXT_NUMBERS_SHORT),
                            size, &number))
        text_number_scan(task->data + begin + at, size, &number);
    if (binning_is_float(axis->type) ? !text_numbers_double(&number, &bits)
                                     : !text_number_integer(&number, &bits))
        return 0;
    tables.edges = task->edges;
    tables.lookup = 0;
    return task->work.first_bin +
           (binning_u32)binning_cell(axis, &tables, bits);
}

#endif

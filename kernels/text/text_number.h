/* SPDX-License-Identifier: MIT */
/*
 * text_number.h -- which number a text is: the only definition
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * A number is, as for strtod(3), a sign or none, and then
 *
 * - decimal digits, with a point before, between or after them, or none, and
 *   after them an exponent or none: 5, +5, -.5, 5., 1e3, 1.5E-3;
 * - "inf" or "infinity", or "nan", in small or capital letters.
 *
 * The white-space characters of C may precede and follow the number.  A text of
 * white space alone is EMPTY.  All other texts are INVALID, also some that
 * strtod() takes: hexadecimal numbers (0x1F), nan(...), and numbers with a tail
 * (12ms, 5,3).
 *
 * A finite number is given by its first 19 significant digits, as many as 64
 * bits hold.  A function for each type makes the value, and decides whether the
 * type can hold the number.
 */

#ifndef GPUHIST_TEXT_NUMBER_H
#define GPUHIST_TEXT_NUMBER_H

#include "kernels/binning/binning.h"

enum text_number_kind {
    TEXT_NUMBER_EMPTY,
    TEXT_NUMBER_INVALID,
    TEXT_NUMBER_FINITE,
    TEXT_NUMBER_INFINITE,
    TEXT_NUMBER_NAN,
};

/* More digits could exceed 64 bits. */
#define TEXT_NUMBER_DIGITS 19

/*
 * Of a finite number: the magnitude is DIGITS * 10^EXPONENT; if IS_CUT, it is
 * above that and below (DIGITS + 1) * 10^EXPONENT.  Then all 19 digits of
 * DIGITS are significant.
 */
struct text_number {
    binning_u32 kind;        /* enum text_number_kind */
    binning_u32 is_negative; /* has a minus sign, also 0 and NaN */
    binning_u64 digits;
    binning_i64 exponent;
    binning_u32 is_cut; /* digits other than 0 are left out */

    /* The digits and the point are the bytes from START to END. */
    binning_u32 start;
    binning_u32 end;
};

DEVICE_FN int
text_number_is_blank(binning_u32 byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

DEVICE_FN int
text_number_is_digit(binning_u32 byte)
{
    return byte - '0' <= 9;
}

/* Whether the bytes from AT to END are WORD, but for the case of letters. */
DEVICE_FN int
text_number_is_word(DEVICE_GLOBAL const unsigned char *text, binning_u32 at,
                    binning_u32 end, binning_u64 word, binning_u32 size)
{
    if (end - at != size)
        return 0;
    /* The last letter is in the lowest byte of WORD. */
    for (; end > at; end--, word >>= 8) {
        if ((text[end - 1] | 32u) != (word & 255))
            return 0;
    }
    return 1;
}

/* The kind of a number without digits, from AT to END. */
DEVICE_FN binning_u32
text_number_word(DEVICE_GLOBAL const unsigned char *text, binning_u32 at,
                 binning_u32 end)
{
    if (text_number_is_word(text, at, end, 0x6e616e, 3)) /* nan */
        return TEXT_NUMBER_NAN;
    if (text_number_is_word(text, at, end, 0x696e66, 3) || /* inf */
        text_number_is_word(text, at, end, 0x696e66696e697479, 8))
        return TEXT_NUMBER_INFINITE; /* infinity */
    return TEXT_NUMBER_INVALID;
}

/*
 * Read the digits from START to END again, if there are more than 19: leave out
 * zeros at the start, and the digits after the 19th.
 */
DEVICE_FN void
text_number_cut(DEVICE_GLOBAL const unsigned char *text,
                struct text_number *number)
{
    binning_u32 count = 0;
    int is_fraction = 0;

    number->digits = 0;
    number->exponent = 0;
    for (binning_u32 at = number->start; at < number->end; at++) {
        if (text[at] == '.') {
            is_fraction = 1;
            continue;
        }
        if (count < TEXT_NUMBER_DIGITS) {
            number->digits = number->digits * 10 + (text[at] - '0');
            number->exponent -= is_fraction;
            count += number->digits != 0;
        } else {
            number->is_cut |= text[at] != '0';
            number->exponent += !is_fraction;
        }
    }
}

/*
 * Read the exponent from AT to END, after its letter, and add it.  Returns
 * whether the text is an exponent.
 */
DEVICE_FN int
text_number_exponent(DEVICE_GLOBAL const unsigned char *text, binning_u32 at,
                     binning_u32 end, struct text_number *number)
{
    /* No number of digits in 32 bits makes up for a greater exponent. */
    const binning_i64 most = (binning_i64)1 << 40;
    binning_i64 exponent = 0;
    int is_negative = at < end && text[at] == '-';

    at += at < end && (text[at] == '-' || text[at] == '+');
    if (at == end)
        return 0;
    for (; at < end; at++) {
        if (!text_number_is_digit(text[at]))
            return 0;
        if (exponent < most)
            exponent = exponent * 10 + (text[at] - '0');
    }
    number->exponent += is_negative ? -exponent : exponent;
    return 1;
}

/* Find out which number the SIZE bytes at TEXT are. */
DEVICE_FN void
text_number_scan(DEVICE_GLOBAL const unsigned char *text, binning_u32 size,
                 struct text_number *number)
{
    binning_u32 at = 0;
    binning_u32 end = size;
    binning_u32 whole;
    binning_u64 digits = 0;

    while (at < end && text_number_is_blank(text[at]))
        at++;
    while (end > at && text_number_is_blank(text[end - 1]))
        end--;
    number->kind = TEXT_NUMBER_EMPTY;
    if (at == end)
        return;
    number->is_negative = text[at] == '-';
    at += text[at] == '-' || text[at] == '+';

    number->start = at;
    for (; at < end && text_number_is_digit(text[at]); at++)
        digits = digits * 10 + (text[at] - '0');
    whole = at - number->start;
    number->exponent = 0;
    if (at < end && text[at] == '.') {
        binning_u32 point = at;
        for (at++; at < end && text_number_is_digit(text[at]); at++)
            digits = digits * 10 + (text[at] - '0');
        whole += at - point - 1;
        number->exponent = -(binning_i64)(at - point - 1);
    }
    number->end = at;
    number->digits = digits;
    number->is_cut = 0;
    if (whole == 0) { /* no digits */
        number->kind = text_number_word(text, number->start, end);
        return;
    }
    /* DIGITS may have wrapped around. */
    if (whole > TEXT_NUMBER_DIGITS)
        text_number_cut(text, number);
    number->kind = TEXT_NUMBER_FINITE;
    if (at == end)
        return;
    if ((text[at] | 32u) != 'e' ||
        !text_number_exponent(text, at + 1, end, number))
        number->kind = TEXT_NUMBER_INVALID;
}

/*
 * Set *VALUE to NUMBER, in two's complement.  Returns whether NUMBER is a whole
 * number of 64 bits with a sign, however written: 5, 5.0, 50e-1.
 */
DEVICE_FN int
text_number_integer(const struct text_number *number, binning_u64 *value)
{
    const binning_u64 most = ~(binning_u64)0 >> 1;
    binning_u64 digits = number->digits;
    binning_i64 exponent = number->exponent;

    if (number->kind != TEXT_NUMBER_FINITE || number->is_cut)
        return 0;
    *value = 0;
    if (digits == 0)
        return 1;
    for (; exponent < 0; exponent++) {
        if (digits % 10 != 0)
            return 0;
        digits /= 10;
    }
    for (; exponent > 0; exponent--) {
        if (digits > most / 10)
            return 0;
        digits *= 10;
    }
    if (digits > most + number->is_negative)
        return 0;
    *value = number->is_negative ? 0 - digits : digits;
    return 1;
}

#endif

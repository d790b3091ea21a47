/* SPDX-License-Identifier: MIT */
/*
 * text_numbers.h -- the cell of a short number in text
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 *
 * The host may still read a number in a text that this function refuses.
 */

#ifndef GPUHIST_TEXT_NUMBERS_H
#define GPUHIST_TEXT_NUMBERS_H

#include "kernels/text/text_block.h"
#include "kernels/text/text_number.h"

/* A longer text is not read: all threads of a block would wait for it. */
#define TEXT_NUMBERS_BYTES 40

/* Doubles hold all integers up to 2^53, and powers of ten up to this power. */
#define TEXT_NUMBERS_POWER 22

/*
 * Set *BITS to the double of NUMBER.  Returns whether the double is known: the
 * digits and the power of ten are doubles, so their product or quotient is
 * rounded once.
 */
DEVICE_FN int
text_numbers_double(const struct text_number *number, binning_u64 *bits)
{
    binning_i64 exponent = number->exponent;
    double value = (double)number->digits;
    double power = 1;

    if (number->kind != TEXT_NUMBER_FINITE || number->is_cut ||
        number->digits >> 53 != 0 || exponent > TEXT_NUMBERS_POWER ||
        exponent < -TEXT_NUMBERS_POWER)
        return 0;
    DEVICE_ROLLED
    for (binning_i64 e = exponent < 0 ? -exponent : exponent; e > 0; e--)
        power *= 10;
    value = exponent < 0 ? value / power : value * power;
    *bits = binning_double_bits(number->is_negative ? -value : value);
    return 1;
}

/* Returns the cell of the SIZE bytes at AT of the chunk; 0 if the bytes are not
   a number, or a host must read the number. */
DEVICE_FN binning_u32
text_numbers_cell(const struct text_task *task, binning_u32 at,
                  binning_u32 size)
{
    const struct binning_axis *axis = &task->work.axis;
    struct binning_tables tables;
    struct text_number number;
    binning_u64 bits = 0;

    if (size > TEXT_NUMBERS_BYTES)
        return 0;
    text_number_scan(task->data + at, size, &number);
    if (binning_is_float(axis->type) ? !text_numbers_double(&number, &bits)
                                     : !text_number_integer(&number, &bits))
        return 0;
    tables.edges = task->edges;
    tables.lookup = 0;
    binning_u64 cell =
        binning_is_float(axis->type)
            ? binning_real_cell(axis, &tables, binning_bits_double(bits))
            : binning_cell(axis, &tables, bits);
    return task->work.first_bin + (binning_u32)cell;
}

#endif

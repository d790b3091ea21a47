/* SPDX-License-Identifier: MIT */
/*
 * zstd_block_set_bmi2.c -- zstd_block_set_decode() for processors with BMI2
 *
 * Most of decoding is taking bits.  All functions of kernels/zstd/ are static
 * here, so no other file uses code compiled for BMI2.  No header may be
 * included before the pragma: its functions would lack BMI2.
 */

#ifdef __clang__
#    pragma clang attribute push(__attribute__((target("bmi,bmi2"))), \
                                 apply_to = function)
#else
#    pragma GCC push_options
#    pragma GCC target("bmi,bmi2")
#endif

#include "input/decode/zstd/zstd_block_set_form.h"

void
zstd_block_set_bmi2(struct zstd_block_set *set, struct zstd_tables *tables,
                    uint32_t block_max)
{
    zstd_block_set_form(set, tables, block_max);
}

#ifdef __clang__
#    pragma clang attribute pop
#else
#    pragma GCC pop_options
#endif

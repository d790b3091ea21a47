/* SPDX-License-Identifier: MIT */
/* zstd_block_set_decode.c -- decode blocks to literals and sequences */

#include "input/decode/zstd/zstd_block_set_form.h"

void
zstd_block_set_decode(struct zstd_block_set *set, struct zstd_tables *tables,
                      uint32_t block_max)
{
#ifdef ZSTD_BLOCK_SET_HAS_BMI2
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
        zstd_block_set_bmi2(set, tables, block_max);
        return;
    }
#endif
    zstd_block_set_form(set, tables, block_max);
}

/*
 * zstd_run_bmi2.c -- zstd_run_decode() for processors that have BMI2
 *
 * Most of decoding is to take bits.  All functions of kernels/zstd_*.h are
 * static here, so no other file uses what is compiled for BMI2.
 */

#include "input/decode/zstd/zstd_run_bmi2.h"

#ifdef __clang__
#    pragma clang attribute push(__attribute__((target("bmi,bmi2"))), \
                                 apply_to = function)
#else
#    pragma GCC push_options
#    pragma GCC target("bmi,bmi2")
#endif

#include "input/decode/zstd/zstd_run_form.h"

void
zstd_run_bmi2(struct zstd_run *run, struct zstd_tables *tables,
              uint32_t block_max)
{
    zstd_run_form(run, tables, block_max);
}

#ifdef __clang__
#    pragma clang attribute pop
#else
#    pragma GCC pop_options
#endif

bool
zstd_run_bmi2_is_possible(void)
{
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
